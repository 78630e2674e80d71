/* ter-edits: see ter-edits.h. */
#include <limits.h>
#include <math.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

#include "base/arena.h"
#include "base/mem.h"
#include "scores/ter-edits.h"

enum { MAX_SHIFT_SIZE = 10, MAX_SHIFT_DISTANCE = 50, MAX_TRIED = 1000, BEAM = 25 };

#define FAR (INT_MAX / 2)	/* the distance of a cell that is not computed */

/* How the alignment reaches a cell: with a pair of words, or with a word of one side alone. */
enum { MATCH, SUBSTITUTION, HYP_ALONE, REF_ALONE };

/* Row i has the cells [from, to): the distances of i hypothesis words and j reference words. */
struct row { int from, to; size_t at; };

struct ter_edits {
	struct arena mem;
	const int32_t *ref;
	int n_hyp, n_ref;
	int32_t *hyp, *shifted;		/* [n_hyp] the words after all shifts so far; a trial */
	struct row *row;		/* [n_hyp + 1] */
	int *cost;			/* of all rows, for hyp; row i from row[i].at */
	unsigned char *op;
	int *work[2];			/* [n_ref + 3] two rows; the first cell is that of j = -1 */
	int *align;			/* [n_ref] the last hypothesis word before its end, or -1 */
	int *hyp_errors, *ref_errors;	/* [n + 1] errors among the first words */
	int distance;			/* of hyp */
	int tried;			/* shifts */
};

struct shift { int gain, length, start, target; };

struct ter_edits *
ter_edits_new(void)
{
	struct ter_edits *x = xcalloc(1, sizeof(*x));

	arena_init(&x->mem, 0);
	return x;
}

void
ter_edits_free(struct ter_edits *x)
{
	if (!x)
		return;
	arena_release(&x->mem);
	free(x);
}

/* The cells near the diagonal; wider if the lengths differ so much that rows would not meet. */
static size_t
ter_set_rows(struct ter_edits *x)
{
	const double ratio = x->n_hyp ? (double)x->n_ref / x->n_hyp : 1;
	const int beam = BEAM < ratio / 2 ? (int)ceil(ratio / 2 + BEAM) : BEAM;
	size_t at = (size_t)x->n_ref + 1;

	x->row[0] = (struct row){ 0, x->n_ref + 1, 0 };
	for (int i = 1; i <= x->n_hyp; i++) {
		const int middle = (int)floor(i * ratio);
		struct row *r = &x->row[i];

		r->from = middle > beam ? middle - beam : 0;
		r->to = i < x->n_hyp && middle + beam <= x->n_ref ? middle + beam : x->n_ref + 1;
		r->at = at;
		at += (size_t)(r->to - r->from);
	}
	return at;
}

static void
ter_begin(struct ter_edits *x, const int32_t *hyp, int n_hyp, const int32_t *ref, int n_ref)
{
	struct arena *mem = &x->mem;
	size_t cells;

	arena_rewind(mem);
	x->ref = ref;
	x->n_hyp = n_hyp;
	x->n_ref = n_ref;
	x->tried = 0;
	x->hyp = ARENA_ARRAY(mem, int32_t, n_hyp + 1);
	x->shifted = ARENA_ARRAY(mem, int32_t, n_hyp + 1);
	if (n_hyp)
		memcpy(x->hyp, hyp, (size_t)n_hyp * sizeof(*hyp));
	x->row = ARENA_ARRAY(mem, struct row, n_hyp + 1);
	cells = ter_set_rows(x);
	x->cost = ARENA_ARRAY(mem, int, cells);
	x->op = ARENA_ARRAY(mem, unsigned char, cells);
	for (int k = 0; k < 2; k++)
		x->work[k] = ARENA_ARRAY(mem, int, n_ref + 3);
	x->align = ARENA_ARRAY(mem, int, n_ref);
	x->hyp_errors = ARENA_ARRAY(mem, int, n_hyp + 1);
	x->ref_errors = ARENA_ARRAY(mem, int, n_ref + 1);
}

/* Marks the cells around row i that the next row reads. */
static void
close_row(const struct ter_edits *x, int i, int *cell)
{
	const int end = i < x->n_hyp ? x->row[i + 1].to : 0;

	cell[x->row[i].from - 1] = FAR;
	for (int j = x->row[i].to; j < end; j++)
		cell[j] = FAR;
}

/* Computes row i, whose last word is w, from the row before it; op may be NULL. */
static void
next_row(const struct ter_edits *x, int i, int32_t w, const int *before, int *cell,
	 unsigned char *op)
{
	const struct row r = x->row[i];
	int j = r.from;

	close_row(x, i, cell);
	if (!j) {
		cell[0] = before[0] + 1;
		if (op)
			*op++ = HYP_ALONE;
		j++;
	}
	for (; j < r.to; j++) {
		const bool same = w == x->ref[j - 1];
		int best = before[j - 1] + !same, how = same ? MATCH : SUBSTITUTION;

		if (before[j] + 1 < best) {
			best = before[j] + 1;
			how = HYP_ALONE;
		}
		if (cell[j - 1] + 1 < best) {
			best = cell[j - 1] + 1;
			how = REF_ALONE;
		}
		cell[j] = best;
		if (op)
			*op++ = (unsigned char)how;
	}
}

/* Computes and keeps all rows of hyp. */
static void
compute_rows(struct ter_edits *x)
{
	int *cell = x->work[0] + 1, *next = x->work[1] + 1, *swap;

	for (int j = 0; j <= x->n_ref; j++) {
		cell[j] = j;
		x->op[j] = REF_ALONE;
	}
	close_row(x, 0, cell);
	memcpy(x->cost, cell, ((size_t)x->n_ref + 1) * sizeof(*cell));
	for (int i = 1; i <= x->n_hyp; i++) {
		const struct row r = x->row[i];

		next_row(x, i, x->hyp[i - 1], cell, next, x->op + r.at);
		memcpy(x->cost + r.at, next + r.from, (size_t)(r.to - r.from) * sizeof(*next));
		swap = cell, cell = next, next = swap;
	}
	x->distance = cell[x->n_ref];
}

/* The distance of x->shifted, whose first words, start of them, are those of hyp. */
static int
shifted_distance(const struct ter_edits *x, int start)
{
	const struct row r = x->row[start];
	int *cell = x->work[0] + 1, *next = x->work[1] + 1, *swap;

	memcpy(cell + r.from, x->cost + r.at, (size_t)(r.to - r.from) * sizeof(*cell));
	close_row(x, start, cell);
	for (int i = start + 1; i <= x->n_hyp; i++) {
		next_row(x, i, x->shifted[i - 1], cell, next, NULL);
		swap = cell, cell = next, next = swap;
	}
	return cell[x->n_ref];
}

static void
sum_up(int *errors, int n)
{
	int sum = 0;

	for (int i = 0; i <= n; i++) {
		const int now = errors[i];

		errors[i] = sum;
		sum += now;
	}
}

/* Follows the alignment from the end, and finds the errors of both sides. */
static void
ter_align(struct ter_edits *x)
{
	int i = x->n_hyp, j = x->n_ref;

	x->hyp_errors[i] = x->ref_errors[j] = 0;
	while (i > 0 || j > 0) {
		const struct row r = x->row[i];
		const int op = x->op[r.at + (size_t)(j - r.from)];

		if (op != HYP_ALONE) {
			x->align[j - 1] = i - 1;
			x->ref_errors[j - 1] = op != MATCH;
		}
		if (op != REF_ALONE)
			x->hyp_errors[i - 1] = op != MATCH;
		i -= op != REF_ALONE;
		j -= op != HYP_ALONE;
	}
	sum_up(x->hyp_errors, x->n_hyp);
	sum_up(x->ref_errors, x->n_ref);
}

/* Copies words [from, to) of hyp to `at` in x->shifted; returns the place after them. */
static int
copy_words(struct ter_edits *x, int at, int from, int to)
{
	memcpy(x->shifted + at, x->hyp + from, (size_t)(to - from) * sizeof(*x->hyp));
	return at + to - from;
}

/*
 * Sets x->shifted: the words [start, start + length) are moved before target or, if the target is
 * among them, to the right by target - start words.
 */
static void
perform(struct ter_edits *x, int start, int length, int target)
{
	const int end = start + length;
	int at, next = target > end ? target : target + length;

	if (target < start) {
		at = copy_words(x, 0, 0, target);
		at = copy_words(x, at, start, end);
		at = copy_words(x, at, target, start);
		copy_words(x, at, end, x->n_hyp);
		return;
	}
	next = next < x->n_hyp ? next : x->n_hyp;
	at = copy_words(x, 0, 0, start);
	at = copy_words(x, at, end, next);
	at = copy_words(x, at, start, end);
	copy_words(x, at, next, x->n_hyp);
}

static bool
ter_better(const struct shift *a, const struct shift *b)
{
	if (a->gain != b->gain)
		return a->gain > b->gain;
	if (a->length != b->length)
		return a->length > b->length;
	return a->start != b->start ? a->start < b->start : a->target < b->target;
}

/* Tries to move words of the hypothesis to all places that the same words in the reference have. */
static void
try_targets(struct ter_edits *x, int start, int ref, int length, struct shift *best)
{
	int before = -1;

	if (x->hyp_errors[start + length] == x->hyp_errors[start] ||
	    x->ref_errors[ref + length] == x->ref_errors[ref] ||
	    (x->align[ref] >= start && x->align[ref] < start + length))
		return;
	for (int j = ref - 1; j < ref + length; j++) {
		const int target = j < 0 ? 0 : x->align[j] + 1;
		struct shift s = { 0, length, start, target };

		if (target == before)
			continue;
		before = target;
		perform(x, start, length, target);
		s.gain = x->distance - shifted_distance(x, target < start ? target : start);
		x->tried++;
		if (ter_better(&s, best))
			*best = s;
	}
}

/* Finds the best shift; its gain is INT_MIN if there is none. */
static struct shift
find_shift(struct ter_edits *x)
{
	struct shift best = { .gain = INT_MIN };

	for (int i = 0; i < x->n_hyp; i++) {
		const int first = i > MAX_SHIFT_DISTANCE ? i - MAX_SHIFT_DISTANCE : 0;

		for (int j = first; j < x->n_ref && j <= i + MAX_SHIFT_DISTANCE; j++)
			for (int n = 1; n <= MAX_SHIFT_SIZE && i + n <= x->n_hyp &&
			     j + n <= x->n_ref && x->hyp[i + n - 1] == x->ref[j + n - 1]; n++) {
				try_targets(x, i, j, n, &best);
				if (x->tried >= MAX_TRIED)
					return best;
			}
	}
	return best;
}

int
ter_edits(struct ter_edits *x, const int32_t *hyp, int n_hyp, const int32_t *ref, int n_ref)
{
	int shifts = 0;

	if (!n_ref)
		return n_hyp;
	ter_begin(x, hyp, n_hyp, ref, n_ref);
	for (;;) {
		struct shift s;

		compute_rows(x);
		ter_align(x);
		s = find_shift(x);
		if (x->tried >= MAX_TRIED || s.gain <= 0)
			return shifts + x->distance;
		perform(x, s.start, s.length, s.target);
		memcpy(x->hyp, x->shifted, (size_t)n_hyp * sizeof(*x->hyp));
		shifts++;
	}
}
