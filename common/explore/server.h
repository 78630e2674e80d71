/*
 * server: answers a browser on this machine, with libmicrohttpd, if built with it.
 *
 * It listens on the loopback address only, and answers only requests
 *
 * - whose path begins with a random token,
 * - whose header Host is 127.0.0.1 or localhost, with the port, so that other names for this
 *   address get nothing,
 * - that do not come from a page of another origin (Origin and Sec-Fetch-Site), and
 * - that are not too large, too many or too slow.
 *
 * GET /TOKEN/ is the page; POST /TOKEN/ is a request of request.h, whose answer is JSON.  Nothing
 * else exists, and no file is opened.
 */
#ifndef SERVER_H
#define SERVER_H

#include "explore/jobs.h"

enum {
	SERVER_CONNECTIONS = 64,
	SERVER_SECONDS = 10,		/* a connection is closed after this time without
					 * progress */
	SERVER_RATE = 100,		/* maximum number of requests a second */
	SERVER_BURST = 200		/* maximum number of requests at once */
};

struct server;

/* Returns -1 with EXIT_USAGE if built without libmicrohttpd. */
int server_check(struct err *e) MUST_USE;
/*
 * Starts a server on a port, 0 for any that is free.  `page` is what GET returns, and policy its
 * Content-Security-Policy; both and q must outlive the server.  Returns NULL with EXIT_SYSTEM if
 * the port cannot be used.
 */
struct server *server_start(struct jobs *q, int port, const struct buf *page, const char *policy,
			    struct err *e) MUST_USE;
const char *server_address(const struct server *s);	/* of the page, with the token */
/* Ends all connections.  jobs_end() must precede it. */
void server_stop(struct server *s);

#endif
