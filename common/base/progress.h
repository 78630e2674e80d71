/*
 * progress: a status line on standard error, redrawn in place: the work done, its rate, the elapsed
 * time and, where the total is known, the remaining time at this rate.
 *
 * Nothing is drawn if standard error is not a terminal, or if the struct is zero-initialized and
 * progress_start() is not called, as with the option --quiet.
 */
#ifndef PROGRESS_H
#define PROGRESS_H

#include <stdbool.h>
#include <stdint.h>

#include "base/compiler.h"

struct progress {
	const char *what;	/* the unit, such as "sentences"; not copied */
	int64_t total;		/* units of all the work; 0: unknown */
	int64_t done;		/* units done so far */
	double began, shown;	/* seconds() at the start, and when the line was last drawn */
	int visible;		/* 1 if the line is drawn */
};

/* Is standard error a terminal, so that lines are drawn? */
bool progress_is_drawn(void);
void progress_start(struct progress *p, const char *unit, int64_t total);
/*
 * Sets `done`, and draws the line again if it is at least 0.2 seconds old, with the formatted text
 * at its end; `fmt` may be NULL.
 */
void progress_at(struct progress *p, int64_t done, const char *fmt, ...) PRINTF_LIKE(3, 4);
void progress_end(struct progress *p);	/* erases the line */

struct buf;
/* Appends the line to `out`, without the text of progress_at().  `now` is the present seconds(). */
void progress_line(const struct progress *p, double now, struct buf *out);

double seconds(void);			/* a monotonic clock */

#endif
