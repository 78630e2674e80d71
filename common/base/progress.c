/* progress: a status line on the terminal; see progress.h. */
#include "base/progress.h"

#include <stdarg.h>
#include <stdio.h>
#include <time.h>
#include <unistd.h>

#define INTERVAL 0.2	/* seconds between two updates of the line */

double
seconds(void)
{
	struct timespec t;

	clock_gettime(CLOCK_MONOTONIC, &t);
	return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}

void
progress_start(struct progress *p, const char *what, int64_t total)
{
	p->what = what;
	p->total = total;
	p->done = 0;
	p->began = seconds();
	p->shown = 0;
	p->visible = isatty(STDERR_FILENO);
}

static void
show_time_left(const struct progress *p, double rate)
{
	double left = (double)(p->total - p->done) / rate;
	int s = left > 359999 ? 359999 : (int)left;

	fprintf(stderr, ", %d:%02d:%02d left", s / 3600, s / 60 % 60, s % 60);
}

void
progress_at(struct progress *p, int64_t done, const char *fmt, ...)
{
	double now, rate;
	va_list ap;

	p->done = done;
	if (!p->visible || (now = seconds()) - p->shown < INTERVAL)
		return;
	p->shown = now;
	rate = now > p->began ? (double)done / (now - p->began) : 0;
	fprintf(stderr, "\r\033[K%lld", (long long)done);
	if (p->total)
		fprintf(stderr, "/%lld", (long long)p->total);
	fprintf(stderr, " %s, %.0f/s", p->what, rate);
	if (p->total && rate > 0)
		show_time_left(p, rate);
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
