/*
 * prefetch: fetches memory into the cache while other data is multiplied, a few cache lines at a
 * time.
 */
#ifndef PREFETCH_H
#define PREFETCH_H

#include <stddef.h>

/* Rows of memory that are still to be fetched.  A line is a cache line of 64 bytes. */
struct prefetch {
	const char *row;
	ptrdiff_t stride;		/* bytes from one row to the next */
	int rows, lines;		/* number of rows left; lines of a row */
	int line, share;		/* next line of the first row; number of lines that a call
					 * fetches */
};

/*
 * Returns the state for `rows` rows of `bytes` bytes that begin at p, which will be fetched by
 * `calls` calls of prefetch_lines().
 */
static inline struct prefetch
prefetch_of(const void *p, ptrdiff_t stride, int rows, int bytes, int calls)
{
	const int lines = (bytes + 63) / 64;

	return (struct prefetch){
		.row = p, .stride = stride, .rows = rows, .lines = lines,
		.share = (rows * lines + calls - 1) / calls,
	};
}

/* Fetches the next lines, if there are any, into the second-level cache. */
static inline __attribute__((always_inline)) void
prefetch_lines(struct prefetch *w)
{
	for (int i = 0; i < w->share && w->rows > 0; i++) {
		__builtin_prefetch(w->row + (ptrdiff_t)w->line * 64, 0, 2);
		if (++w->line == w->lines) {
			w->line = 0;
			w->row += w->stride;
			w->rows--;
		}
	}
}

#endif
