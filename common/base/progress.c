/* progress: a status line on the terminal; see progress.h. */
#include "base/progress.h"

#include <stdarg.h>
#include <stdio.h>
#include <time.h>
#include <unistd.h>

#include "base/buf.h"

#define INTERVAL 0.2	/* seconds between two updates of the line */

double
seconds(void)
{
	struct timespec t;

	clock_gettime(CLOCK_MONOTONIC, &t);
	return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}

bool
progress_is_drawn(void)
{
	return isatty(STDERR_FILENO);
}

void
progress_start(struct progress *p, const char *unit, int64_t total)
{
	p->what = unit;
	p->total = total;
	p->done = 0;
	p->began = seconds();
	p->shown = 0;
	p->visible = progress_is_drawn();
}

/* As hours, minutes and seconds; at most 9999 hours. */
static void
add_time(struct buf *out, double t)
{
	const int s = t > 35999999 ? 35999999 : (int)t;

	buf_printf(out, "%d:%02d:%02d", s / 3600, s / 60 % 60, s % 60);
}

void
progress_line(const struct progress *p, double now, struct buf *out)
{
	const double elapsed = now > p->began ? now - p->began : 0;
	const double rate = elapsed > 0 ? (double)p->done / elapsed : 0;

	buf_printf(out, "%lld", (long long)p->done);
	if (p->total)
		buf_printf(out, "/%lld", (long long)p->total);
	buf_printf(out, " %s, %.0f/s, ", p->what, rate);
	add_time(out, elapsed);
	buf_add_str(out, " elapsed");
	if (p->total > p->done && rate > 0) {
		buf_add_str(out, ", ");
		add_time(out, (double)(p->total - p->done) / rate);
		buf_add_str(out, " left");
	}
}

void
progress_at(struct progress *p, int64_t done, const char *fmt, ...)
{
	struct buf line = { 0 };
	double now;
	va_list ap;

	p->done = done;
	if (!p->visible || (now = seconds()) - p->shown < INTERVAL)
		return;
	p->shown = now;
	progress_line(p, now, &line);
	fprintf(stderr, "\r\033[K%s", line.data);
	buf_release(&line);
	if (fmt && *fmt) {
		fputs(", ", stderr);
		va_start(ap, fmt);
		vfprintf(stderr, fmt, ap);
		va_end(ap);
	}
	fflush(stderr);
}

void
progress_end(struct progress *p)
{
	if (p->visible && p->shown > 0)
		fputs("\r\033[K", stderr);
	p->visible = 0;
}
