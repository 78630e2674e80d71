/*
 * server: an HTTP server for a browser on the same machine, with libmicrohttpd, if heed was built
 * with this library.
 *
 * The server listens only on the loopback address, and answers only requests
 *
 * - whose path begins with a random token, which only the user knows,
 * - whose header Host is 127.0.0.1 or localhost, with the port, and not another name for this
 *   address,
 * - that do not come from a page of another origin, by the headers Origin and Sec-Fetch-Site, and
 * - that are not too large, too many or too slow.
 *
 * GET /TOKEN/ returns the page.  POST /TOKEN/ has a request (request.h) as its body, and returns
 * the answer as JSON.  There are no other paths, and the server opens no files.
 */
#ifndef SERVER_H
#define SERVER_H

#include "explore/jobs.h"

enum {
	SERVER_CONNECTIONS = 64,
	SERVER_SECONDS = 10,		/* a connection without progress for this time is closed */
	SERVER_RATE = 100,		/* maximum number of requests per second, on average */
	SERVER_BURST = 200		/* maximum number of requests at once */
};

struct server;

/* Returns -1 with EXIT_USAGE if heed was built without libmicrohttpd. */
int server_check(struct err *e) MUST_USE;
/*
 * Starts a server on port `port`; 0 means any free port.  `page` is the page, and `policy` its
 * Content-Security-Policy.  `q` answers the requests.  All three must outlive the server.  Returns
 * NULL with EXIT_SYSTEM if the port cannot be used.
 */
struct server *server_start(struct jobs *q, int port, const struct buf *page, const char *policy,
			    struct err *e) MUST_USE;
const char *server_address(const struct server *s);	/* URL of the page, with the token */
/* Closes all connections and frees the server.  Call jobs_end() before. */
void server_stop(struct server *s);

#endif
