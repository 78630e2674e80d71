/* server-mhd: the server by libmicrohttpd; see server.h. */
#include "explore/server.h"

#include <arpa/inet.h>
#include <errno.h>
#include <microhttpd.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>
#include <sys/random.h>

#include "base/mem.h"
#include "base/progress.h"
#include "stream/json-out.h"

enum { TOKEN_BYTES = 16 };
enum {
	STATUS_OK = 200, STATUS_MALFORMED = 400, STATUS_FORBIDDEN = 403, STATUS_NOT_FOUND = 404,
	STATUS_METHOD = 405, STATUS_OVERTAKEN = 409, STATUS_LARGE = 413, STATUS_UNFIT = 422,
	STATUS_BUSY = 429
};

struct server {
	struct MHD_Daemon *daemon;
	struct jobs *jobs;
	const struct buf *page;
	const char *policy;
	char token[2 * TOKEN_BYTES + 1];
	char path[2 * TOKEN_BYTES + 3];		/* "/TOKEN/" */
	char hosts[2][32], origins[2][40];	/* 127.0.0.1 and localhost, with the port */
	char *address;
	/* The requests that may still come now; only the server's thread uses them. */
	double allowance, at;
};

/* A connection's request, from its first line to its end. */
struct visit {
	struct job job;
	struct server *server;
	struct MHD_Connection *connection;
	struct buf body;
	bool large, asked;
};

int
server_check(struct err *e)
{
	(void)e;
	return 0;
}

/* --- answers --- */

static void
add_headers(const struct server *s, struct MHD_Response *r, const char *type)
{
	const char *const headers[][2] = {
		{ "Content-Type", type }, { "Cache-Control", "no-store" },
		{ "Content-Security-Policy", s->policy }, { "Referrer-Policy", "no-referrer" },
		{ "X-Content-Type-Options", "nosniff" }, { "X-Frame-Options", "DENY" },
		{ "Cross-Origin-Resource-Policy", "same-origin" },
		{ "Cross-Origin-Opener-Policy", "same-origin" }
	};

	for (size_t i = 0; i < sizeof(headers) / sizeof(*headers); i++)
		(void)!MHD_add_response_header(r, headers[i][0], headers[i][1]);
}

static enum MHD_Result
send_bytes(const struct server *s, struct MHD_Connection *c, unsigned status, const char *type,
	   const struct buf *bytes, enum MHD_ResponseMemoryMode mode)
{
	struct MHD_Response *r =
		MHD_create_response_from_buffer(bytes->n, (void *)bytes->data, mode);
	enum MHD_Result sent;

	if (!r)
		return MHD_NO;
	add_headers(s, r, type);
	sent = MHD_queue_response(c, status, r);
	MHD_destroy_response(r);
	return sent;
}

/* A refusal, as JSON, which the page shows. */
static enum MHD_Result
refuse(const struct server *s, struct MHD_Connection *c, unsigned status, const char *text)
{
	struct buf json = { 0 };
	enum MHD_Result sent;

	buf_add_str(&json, "{\"error\":");
	json_add_text(&json, text);
	buf_add_str(&json, "}\n");
	sent = send_bytes(s, c, status, "application/json", &json, MHD_RESPMEM_MUST_COPY);
	buf_release(&json);
	return sent;
}

static enum MHD_Result
send_job(const struct visit *v)
{
	const struct server *s = v->server;

	switch (atomic_load(&v->job.state)) {
	case JOB_DONE:
		return send_bytes(s, v->connection, STATUS_OK, "application/json",
				  &v->job.answer, MHD_RESPMEM_MUST_COPY);
	case JOB_FAILED:
		return refuse(s, v->connection, STATUS_UNFIT, v->job.e.text);
	case JOB_REFUSED:
		return refuse(s, v->connection, STATUS_BUSY, "too many requests are waiting");
	case JOB_PENDING:
	case JOB_OVERTAKEN:
		break;
	}
	return refuse(s, v->connection, STATUS_OVERTAKEN, "overtaken by a later request");
}

/* --- checks --- */

static const char *
header_of(struct MHD_Connection *c, const char *name)
{
	return MHD_lookup_connection_value(c, MHD_HEADER_KIND, name);
}

/* The time of the comparison does not depend on the text. */
static bool
is_path(const struct server *s, const char *path)
{
	const size_t n = strlen(s->path);
	unsigned differ = 0;

	if (strlen(path) != n)
		return false;
	for (size_t i = 0; i < n; i++)
		differ |= (unsigned char)(path[i] ^ s->path[i]);
	return !differ;
}

static bool
is_host(const struct server *s, const char *host)
{
	return host && (!strcasecmp(host, s->hosts[0]) || !strcasecmp(host, s->hosts[1]));
}

/* A page of another origin must get nothing.  Browsers send Origin with each POST. */
static bool
is_origin(const struct server *s, struct MHD_Connection *c, bool post)
{
	const char *origin = header_of(c, "Origin"), *site = header_of(c, "Sec-Fetch-Site");

	if (site && strcmp(site, "same-origin") && (post || strcmp(site, "none")))
		return false;
	if (!origin)
		return !post;
	return !strcasecmp(origin, s->origins[0]) || !strcasecmp(origin, s->origins[1]);
}

/* A token bucket. */
static bool
is_allowed(struct server *s)
{
	const double now = seconds();

	s->allowance += (now - s->at) * SERVER_RATE;
	s->at = now;
	if (s->allowance > SERVER_BURST)
		s->allowance = SERVER_BURST;
	if (s->allowance < 1)
		return false;
	s->allowance--;
	return true;
}

/* The status of a request by its headers: 0 without an objection, else with its reason. */
static unsigned
check_visit(struct server *s, struct MHD_Connection *c, const char *path, const char *method,
	    const char **why)
{
	const bool post = !strcmp(method, "POST");
	const char *length = header_of(c, "Content-Length");

	*why = "not here";
	if (!is_host(s, header_of(c, "Host")))
		return STATUS_FORBIDDEN;
	if (!is_path(s, path))
		return STATUS_NOT_FOUND;
	if (!is_origin(s, c, post))
		return STATUS_FORBIDDEN;
	*why = "expected GET or POST";
	if (!post && strcmp(method, "GET"))
		return STATUS_METHOD;
	*why = "too many requests";
	if (!is_allowed(s))
		return STATUS_BUSY;
	*why = "the request is too long";
	if (post && length && (strlen(length) > 9 || atol(length) > REQUEST_BYTES))
		return STATUS_LARGE;
	return 0;
}

/* --- requests --- */

/* Any thread: the server's thread then calls answer_visit() again. */
static void
resume(struct job *j)
{
	struct visit *v = j->arg;

	MHD_resume_connection(v->connection);
}

static enum MHD_Result
ask(struct server *s, struct visit *v)
{
	struct err e;

	v->asked = true;
	if (v->large)
		return refuse(s, v->connection, STATUS_LARGE,
			      "the request is too long");
	buf_add(&v->body, "", 0);
	if (explore_request_read(&v->job.request, v->body.n ? v->body.data : "", v->body.n,
				 jobs_models(s->jobs), &e))
		return refuse(s, v->connection, STATUS_MALFORMED, e.text);
	v->job.done = resume;
	v->job.arg = v;
	MHD_suspend_connection(v->connection);	/* first: a worker may be done at once */
	if (jobs_add(s->jobs, &v->job))
		MHD_resume_connection(v->connection);
	return MHD_YES;
}

static void
keep(struct visit *v, const char *data, size_t n)
{
	if (v->large || v->body.n + n > REQUEST_BYTES)
		v->large = true;
	else
		buf_add(&v->body, data, n);
}

static struct visit *
new_visit(struct server *s, struct MHD_Connection *c)
{
	struct visit *v = xcalloc(1, sizeof(*v));

	v->server = s;
	v->connection = c;
	return v;
}

static enum MHD_Result
answer_visit(void *arg, struct MHD_Connection *c, const char *path, const char *method,
	     const char *version, const char *data, size_t *n, void **visit)
{
	struct server *s = arg;
	struct visit *v = *visit;
	const char *why;
	unsigned status;

	(void)version;
	if (!v) {
		status = check_visit(s, c, path, method, &why);
		if (status)
			return refuse(s, c, status, why);
		*visit = new_visit(s, c);
		return MHD_YES;
	}
	if (!strcmp(method, "GET"))
		return send_bytes(s, c, STATUS_OK, "text/html; charset=utf-8", s->page,
				  MHD_RESPMEM_PERSISTENT);
	if (*n) {
		keep(v, data, *n);
		*n = 0;
		return MHD_YES;
	}
	return v->asked ? send_job(v) : ask(s, v);
}

static void
end_visit(void *arg, struct MHD_Connection *c, void **visit, enum MHD_RequestTerminationCode why)
{
	struct visit *v = *visit;

	(void)arg, (void)c, (void)why;
	if (!v)
		return;
	explore_request_release(&v->job.request);
	buf_release(&v->job.answer);
	buf_release(&v->body);
	free(v);
	*visit = NULL;
}

/* --- start and end --- */

static int
make_token(struct server *s, struct err *e)
{
	unsigned char bytes[TOKEN_BYTES];

	if (getrandom(bytes, sizeof(bytes), 0) != (ssize_t)sizeof(bytes))
		return err_system(e, "cannot get random bytes");
	for (int i = 0; i < TOKEN_BYTES; i++)
		snprintf(s->token + 2 * i, 3, "%02x", bytes[i]);
	snprintf(s->path, sizeof(s->path), "/%s/", s->token);
	return 0;
}

static void
name_hosts(struct server *s, unsigned port)
{
	static const char *const names[] = { "127.0.0.1", "localhost" };

	for (int i = 0; i < 2; i++) {
		snprintf(s->hosts[i], sizeof(s->hosts[i]), "%s:%u", names[i], port);
		snprintf(s->origins[i], sizeof(s->origins[i]), "http://%s:%u", names[i],
			 port);
	}
	s->address = xasprintf("%s%s", s->origins[0], s->path);
}

/* Messages of the library about connections that end early are of no use. */
static void
say_nothing(void *arg, const char *format, va_list list)
{
	(void)arg, (void)format, (void)list;
}

static int
listen_on(struct server *s, int port, struct err *e)
{
	const struct sockaddr_in here = { .sin_family = AF_INET, .sin_port = htons((uint16_t)port),
					  .sin_addr.s_addr = htonl(INADDR_LOOPBACK) };
	const union MHD_DaemonInfo *info;

	errno = 0;
	s->daemon = MHD_start_daemon(
		MHD_USE_AUTO | MHD_USE_INTERNAL_POLLING_THREAD | MHD_ALLOW_SUSPEND_RESUME |
		MHD_USE_ERROR_LOG, (uint16_t)port, NULL, NULL, answer_visit, s,
		MHD_OPTION_EXTERNAL_LOGGER, say_nothing, NULL,
		MHD_OPTION_SOCK_ADDR, (const struct sockaddr *)&here,
		MHD_OPTION_CONNECTION_LIMIT, (unsigned)SERVER_CONNECTIONS,
		MHD_OPTION_CONNECTION_TIMEOUT, (unsigned)SERVER_SECONDS,
		MHD_OPTION_CONNECTION_MEMORY_LIMIT, (size_t)65536,
		MHD_OPTION_NOTIFY_COMPLETED, end_visit, NULL, MHD_OPTION_END);
	info = s->daemon ? MHD_get_daemon_info(s->daemon, MHD_DAEMON_INFO_BIND_PORT) : NULL;
	if (!info)
		return err_system(e, "cannot listen on port %d of 127.0.0.1", port);
	name_hosts(s, info->port);
	return 0;
}

struct server *
server_start(struct jobs *q, int port, const struct buf *page, const char *policy, struct err *e)
{
	struct server *s = xcalloc(1, sizeof(*s));

	s->jobs = q;
	s->page = page;
	s->policy = policy;
	s->allowance = SERVER_BURST;
	s->at = seconds();
	if (!make_token(s, e) && !listen_on(s, port, e))
		return s;
	server_stop(s);
	return NULL;
}

const char *
server_address(const struct server *s)
{
	return s->address;
}

void
server_stop(struct server *s)
{
	if (s->daemon)
		MHD_stop_daemon(s->daemon);
	free(s->address);
	free(s);
}
