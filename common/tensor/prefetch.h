/* prefetch: memory that is fetched while other data is multiplied, a few cache lines per call. */
#ifndef PREFETCH_H
#define PREFETCH_H

#include <stddef.h>

/* Memory to fetch, in cache lines of 64 bytes. */
struct prefetch {
	const char *row;
	ptrdiff_t stride;		/* bytes from row to row */
	int rows, lines;		/* remaining rows; lines per row */
	int line, share;		/* next line of this row; lines per call */
};

/* Rows of `bytes` bytes, spread over a number of calls of prefetch_lines(). */
static inline struct prefetch
prefetch_of(const void *p, ptrdiff_t stride, int rows, int bytes, int calls)
{
	const int lines = (bytes + 63) / 64;

	return (struct prefetch){
		.row = p, .stride = stride, .rows = rows, .lines = lines,
		.share = (rows * lines + calls - 1) / calls,
	};
}

/* Fetches the next lines into the second-level cache. */
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
