/* server-none: for builds without libmicrohttpd; see server.h. */
#include "explore/server.h"

int
server_check(struct err *e)
{
	err_set(e, EXIT_USAGE, "this build has no server, expected one with libmicrohttpd");
	err_hint(e, "install libmicrohttpd-dev and rebuild");
	return -1;
}

struct server *
server_start(struct jobs *q, int port, const struct buf *page, const char *policy, struct err *e)
{
	(void)q, (void)port, (void)page, (void)policy;
	(void)!server_check(e);
	return NULL;
}

const char *
server_address(const struct server *s)
{
	(void)s;
	return "";
}

void
server_stop(struct server *s)
{
	(void)s;
}
