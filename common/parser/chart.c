/* chart: see chart.h. */
#include "parser/chart.h"

#include <math.h>

#include "base/compiler.h"

CLONES void
chart_push(float add, const float *restrict row, int k, float *restrict best,
	   int *restrict split, int n)
{
	for (int j = 0; j < n; j++) {
		float v = add + row[j];
		int better = v > best[j];

		best[j] = better ? v : best[j];
		split[j] = better ? k : split[j];
	}
}

CLONES void
chart_raise(float add, const float *restrict row, float *restrict best, int n)
{
	for (int j = 0; j < n; j++) {
		float v = add + row[j];

		best[j] = v > best[j] ? v : best[j];
	}
}

CLONES void
chart_clear(float *best, int n)
{
	for (int j = 0; j < n; j++)
		best[j] = -INFINITY;
}

void
chart_empty(float *best, int *split, int k, int n)
{
	chart_clear(best, n);
	for (int j = 0; j < n; j++)
		split[j] = k;
}

/* --- constituents: CKY --- */

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
cky_read_off(const struct cky *c, int n, struct gold_span *span, int *ends)
{
	int first = 0, waiting = 0;

	ends[waiting++] = n;
	while (waiting > 0) {
		int end = ends[waiting - 1];

		*span++ = (struct gold_span){ first, end, 0 };
		if (end - first > 1) {
			ends[waiting++] = c->split[(size_t)first * c->ld + end];
			continue;
		}
		first = end;
		waiting--;
	}
}

float
cky_spans(const float *score, size_t ld, int n, struct gold_span *span, struct arena *scratch)
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

/* --- dependencies: Eisner --- */

/* A chart: the best score of each word span [s][t], s <= t, and its split point. */
struct part {
	float *best;
	int *from;
};

struct eisner {
	const float *score;
	size_t score_ld, ld;
	int n;
	struct part right;	/* s with its descendants s+1 ... t: an arc s -> r, and [r][t] */
	struct part left;	/* t with its descendants s ... t-1: [s][r], and an arc t -> r */
	struct part arc;	/* s and t with an arc t -> s: right [s][r] and left [r+1][t] */
};

static float
arc_score(const struct eisner *e, int dep, int head)
{
	return chart_score(e->score[(size_t)dep * e->score_ld + (size_t)head]);
}

/* Row s of a chart. */
static struct part
part_row(const struct eisner *e, const struct part *p, int s)
{
	return (struct part){ p->best + (size_t)s * e->ld, p->from + (size_t)s * e->ld };
}

static void
part_init(struct part *p, size_t side, struct arena *scratch)
{
	p->best = ARENA_ARRAY(scratch, float, side * side);
	p->from = ARENA_ARRAY(scratch, int, side * side);
}

/* Fills row s of the arc and right charts, which depend on each other. */
static void
fill_arcs_and_right(struct eisner *e, int s)
{
	const struct part arc = part_row(e, &e->arc, s), right = part_row(e, &e->right, s);
	int n = e->n;

	chart_empty(arc.best + s, arc.from + s, s, n + 1 - s);
	chart_empty(right.best + s, right.from + s, s + 1, n + 1 - s);
	right.best[s] = 0;
	for (int r = s, t = s + 1; t <= n; r = t++) {
		chart_push(right.best[r], part_row(e, &e->left, t).best + t, r,
			   arc.best + t, arc.from + t, n + 1 - t);
		chart_push(arc.best[t] + arc_score(e, t, s), part_row(e, &e->right, t).best + t, t,
			   right.best + t, right.from + t, n + 1 - t);
	}
	for (int t = s + 1; t <= n; t++)
		arc.best[t] += arc_score(e, s, t);
}

static void
fill_left(struct eisner *e, int s)
{
	const struct part left = part_row(e, &e->left, s);

	chart_empty(left.best + s, left.from + s, s, e->n + 1 - s);
	left.best[s] = 0;
	for (int r = s; r < e->n; r++)
		chart_push(left.best[r], part_row(e, &e->arc, r).best + r + 1, r,
			   left.best + r + 1, left.from + r + 1, e->n - r);
}

/* The root word has all words before it on its left, and all words after it on its right. */
static int
eisner_best_root(const struct eisner *e, float *sum)
{
	int root = 1;

	*sum = -INFINITY;
	for (int r = 1; r <= e->n; r++) {
		float sides = part_row(e, &e->left, 1).best[r] +
			      part_row(e, &e->right, r).best[e->n];
		float v = sides + arc_score(e, r, 0);

		if (v > *sum) {
			*sum = v;
			root = r;
		}
	}
	return root;
}

struct stretch { int s, t, head; };	/* complete; head is s or t */

/* Splits the words [s,t] below an arc between s and t into those of s and those of t. */
static int
below_arc(const struct eisner *e, int s, int t, struct stretch *out)
{
	int r = part_row(e, &e->arc, s).from[t];

	out[0] = (struct stretch){ s, r, s };
	out[1] = (struct stretch){ r + 1, t, t };
	return 2;
}

/* Sets one arc of a stretch, and replaces the stretch by at most three that are not longer. */
static int
take_apart(const struct eisner *e, struct stretch a, int *head, struct stretch *out)
{
	int r;

	if (a.s == a.t)
		return 0;
	if (a.head == a.s) {
		r = part_row(e, &e->right, a.s).from[a.t];
		head[r - 1] = a.s;
		out[0] = (struct stretch){ r, a.t, r };
		return 1 + below_arc(e, a.s, r, out + 1);
	}
	r = part_row(e, &e->left, a.s).from[a.t];
	head[r - 1] = a.t;
	out[0] = (struct stretch){ a.s, r, r };
	return 1 + below_arc(e, r, a.t, out + 1);
}

static void
eisner_read_off(const struct eisner *e, int root, int *head, struct arena *scratch)
{
	struct stretch *todo = ARENA_ARRAY(scratch, struct stretch, 2 * (size_t)e->n + 4);
	int n = 0;

	head[root - 1] = 0;
	todo[n++] = (struct stretch){ 1, root, root };
	todo[n++] = (struct stretch){ root, e->n, root };
	while (n > 0) {
		struct stretch a = todo[--n];

		n += take_apart(e, a, head, todo + n);
	}
}

float
eisner_heads(const float *score, size_t ld, int n, int *head, struct arena *scratch)
{
	struct arena_mark mark = arena_mark(scratch);
	size_t side = (size_t)n + 1;
	struct eisner e = { .score = score, .score_ld = ld, .ld = side, .n = n };
	float sum;

	part_init(&e.right, side, scratch);
	part_init(&e.left, side, scratch);
	part_init(&e.arc, side, scratch);
	for (int s = n; s >= 1; s--) {
		fill_arcs_and_right(&e, s);
		fill_left(&e, s);
	}
	eisner_read_off(&e, eisner_best_root(&e, &sum), head, scratch);
	arena_rewind_to(scratch, mark);
	return sum;
}
