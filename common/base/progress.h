/*
 * progress: a status line on standard error, redrawn in place: the work done, its rate, the elapsed
 * time and, where the total is known, the remaining time at this rate.
 *
 * Nothing is drawn if standard error is not a terminal.  With -q the caller does not start one.
 */
#ifndef PROGRESS_H
#define PROGRESS_H

#include <stdbool.h>
#include <stdint.h>

#include "base/compiler.h"

struct progress {
	const char *what;	/* unit, such as "sentences"; the caller's */
	int64_t total;		/* 0: unknown */
	int64_t done;
	double began, shown;
	int visible;
};

/* Is standard error a terminal, so that lines are drawn? */
bool progress_is_drawn(void);
void progress_start(struct progress *p, const char *unit, int64_t total);
/* Draws the line again, with this text at its end. */
void progress_at(struct progress *p, int64_t done, const char *fmt, ...) PRINTF_LIKE(3, 4);
void progress_end(struct progress *p);	/* erases the line */

struct buf;
/* Appends the line for the time `now` of seconds(), without the caller's text. */
void progress_line(const struct progress *p, double now, struct buf *out);

double seconds(void);			/* a monotonic clock */

#endif
