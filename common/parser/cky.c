/* cky: the highest-scoring binary bracketing of a sentence; see cky.h. */
#include "parser/cky.h"

#include "parser/chart.h"

struct cky {
	size_t ld;		/* of both charts: n + 1 */
	float *best;		/* [i][j] the best score of words [i, j) */
	int *split;		/* [i][j] their split point: i + 1 ... j - 1 */
};

/* Fills the cells of all spans that begin at i; those that begin later must be filled. */
static void
cky_fill_row(struct cky *c, const float *score, int i, int n)
{
	float *best = c->best + (size_t)i * c->ld;
	int *split = c->split + (size_t)i * c->ld;

	chart_empty(best + i + 1, split + i + 1, i + 1, n - i);
	best[i + 1] = 0;
	for (int k = i + 1; k <= n; k++) {	/* all splits of [i, k) have been pushed */
		best[k] += chart_score(score[k]);
		chart_push(best[k], c->best + (size_t)k * c->ld + k + 1, k,
			   best + k + 1, split + k + 1, n - k);
	}
}

/* ends[] is a stack of the ends of right parts, which wait until the left part is done. */
static void
cky_read_off(const struct cky *c, int n, struct cky_span *span, int *ends)
{
	int first = 0, waiting = 0;

	ends[waiting++] = n;
	while (waiting > 0) {
		int end = ends[waiting - 1];

		*span++ = (struct cky_span){ first, end };
		if (end - first > 1) {
			ends[waiting++] = c->split[(size_t)first * c->ld + end];
			continue;
		}
		first = end;
		waiting--;
	}
}

float
cky_spans(const float *score, size_t ld, int n, struct cky_span *span, struct arena *scratch)
{
	struct arena_mark mark = arena_mark(scratch);
	size_t side = (size_t)n + 1;
	struct cky c = { .ld = side };
	float sum;

	c.best = ARENA_ARRAY(scratch, float, side * side);
	c.split = ARENA_ARRAY(scratch, int, side * side);
	for (int i = n - 1; i >= 0; i--)
		cky_fill_row(&c, score + (size_t)i * ld, i, n);
	cky_read_off(&c, n, span, ARENA_ARRAY(scratch, int, side));
	sum = c.best[n];
	arena_rewind_to(scratch, mark);
	return sum;
}
