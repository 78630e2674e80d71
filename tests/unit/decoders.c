/*
 * Tree decoders against all trees there are, one by one, and on scores that nobody should give
 * them.
 */
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "base/mem.h"
#include "base/rng.h"
#include "parser/cky.h"
#include "parser/eisner.h"
#include "parser/mst.h"
#include "scratch.h"

enum { MOST = 6, LD = 9 };		/* words; a leading dimension larger than any table here */

/* Whole numbers, so that sums are exact: of few values, for ties, or of many. */
static void
fill(float *score, size_t n, uint32_t round, uint32_t values)
{
	struct rng r;

	rng_init(&r, 1, rng_purpose("scores"), round);
	for (size_t i = 0; i < n; i++)
		score[i] = (float)rng_below(&r, values) - (float)(values / 2);
}

/* Some become -inf, some NaN; with more of them no tree may be left without. */
static void
spoil(float *score, size_t n, uint32_t round, uint32_t one_in)
{
	struct rng r;

	rng_init(&r, 2, rng_purpose("spoil"), round);
	for (size_t i = 0; i < n; i++)
		if (rng_below(&r, one_in) == 0)
			score[i] = rng_below(&r, 2) ? NAN : -INFINITY;
}

/* By following every word up, with a step for every word at most. */
static bool
is_tree(const int *head, int n)
{
	int roots = 0;

	for (int i = 1; i <= n; i++) {
		int w = i;

		if (head[i - 1] < 0 || head[i - 1] > n)
			return false;
		roots += head[i - 1] == 0;
		for (int steps = 0; w && steps <= n; steps++)
			w = head[w - 1];
		if (w)
			return false;
	}
	return roots == 1;
}

/*
 * Arcs cross if just one end of one lies between the ends of the other; the root stands before
 * word 1.
 */
static bool
is_projective(const int *head, int n)
{
	for (int a = 1; a <= n; a++)
		for (int b = 1; b <= n; b++) {
			int a1 = a < head[a - 1] ? a : head[a - 1], a2 = a + head[a - 1] - a1;
			int b1 = b < head[b - 1] ? b : head[b - 1], b2 = b + head[b - 1] - b1;

			if (a1 < b1 && b1 < a2 && a2 < b2)
				return false;
		}
	return true;
}

/* Of a tree: arcs that are -inf or NaN, and the sum of the others. */
struct worth { int bad; double sum; };

static bool
better(struct worth a, struct worth b)
{
	return a.bad != b.bad ? a.bad < b.bad : a.sum > b.sum;
}

static void
add(struct worth *w, float score)
{
	if (isnan(score) || score == -INFINITY)
		w->bad++;
	else
		w->sum += (double)score;
}

static struct worth
worth_of(const float *score, const int *head, int n)
{
	struct worth w = { 0, 0 };

	for (int i = 1; i <= n; i++)
		add(&w, score[i * LD + head[i - 1]]);
	return w;
}

/* The next of all (n+1)^n assignments of heads; false after the last. */
static bool
next_heads(int *head, int n)
{
	for (int i = 0; i < n; i++) {
		if (head[i]++ < n)
			return true;
		head[i] = 0;
	}
	return false;
}

static struct worth
best_of_all(const float *score, int n, bool projective)
{
	struct worth best = { n + 1, 0 };
	int head[MOST] = { 0 };

	do {
		struct worth w = worth_of(score, head, n);

		if (better(w, best) && is_tree(head, n) && (!projective || is_projective(head, n)))
			best = w;
	} while (next_heads(head, n));
	return best;
}

static int
rounds(int n)
{
	return n <= 4 ? 400 : n == 5 ? 60 : 4;
}

static void
mst_finds_the_best_of_all_trees(void **state)
{
	float score[LD * LD];
	int head[MOST];

	(void)state;
	for (int n = 1; n <= MOST; n++)
		for (int round = 0; round < rounds(n); round++) {
			struct worth best, got;

			fill(score, LD * LD, (uint32_t)round, round % 2 ? 3 : 1000);
			if (round % 4 > 1)
				spoil(score, LD * LD, (uint32_t)round, round % 8 > 3 ? 2 : 4);
			best = best_of_all(score, n, false);
			mst_heads(score, LD, n, head, &scratch);
			assert_true(is_tree(head, n));
			got = worth_of(score, head, n);
			assert_int_equal(got.bad, best.bad);
			assert_true(got.sum == best.sum);
			assert_int_equal(scratch.used, 0);
		}
}

static void
eisner_finds_the_best_of_all_projective_trees(void **state)
{
	float score[LD * LD];
	int head[MOST], with_finite = 0;

	(void)state;
	for (int n = 1; n <= MOST; n++)
		for (int round = 0; round < rounds(n); round++) {
			struct worth best;
			float sum;

			fill(score, LD * LD, (uint32_t)round, round % 2 ? 3 : 1000);
			if (round % 4 > 1)
				spoil(score, LD * LD, (uint32_t)round, 4);
			best = best_of_all(score, n, true);
			sum = eisner_heads(score, LD, n, head, &scratch);
			assert_true(is_tree(head, n) && is_projective(head, n));
			assert_int_equal(scratch.used, 0);
			if (best.bad) {
				assert_true(sum == -INFINITY);
				continue;
			}
			with_finite += round % 4 > 1;
			assert_true((double)sum == best.sum);
			assert_false(better(best, worth_of(score, head, n)));
		}
	assert_true(with_finite > 200);
}

/* The best of all bracketings of [i,j), by trying each. */
static struct worth
best_bracketing(const float *score, int i, int j)
{
	struct worth best = { 2 * LD, 0 };

	for (int k = i + 1; k < j; k++) {
		struct worth a = best_bracketing(score, i, k), b = best_bracketing(score, k, j);
		struct worth both = { a.bad + b.bad, a.sum + b.sum };

		if (better(both, best))
			best = both;
	}
	if (j - i == 1)
		best.bad = 0;
	add(&best, score[i * LD + j]);
	return best;
}

/*
 * In preorder [first,end) is followed by its two parts, or by nothing; returns what stands
 * behind.
 */
static const struct cky_span *
check_spans(const struct cky_span *s, int first, int end)
{
	assert_int_equal(s->first, first);
	assert_int_equal(s->end, end);
	if (end - first == 1)
		return s + 1;
	assert_in_range(s[1].end, first + 1, end - 1);
	return check_spans(check_spans(s + 1, first, s[1].end), s[1].end, end);
}

static void
cky_finds_the_best_of_all_bracketings(void **state)
{
	struct cky_span span[2 * LD];
	float score[LD * LD];

	(void)state;
	for (int n = 1; n < LD; n++)
		for (int round = 0; round < 200; round++) {
			struct worth best, got = { 0, 0 };
			float sum;

			fill(score, LD * LD, (uint32_t)round, round % 2 ? 3 : 1000);
			if (round % 4 > 1)
				spoil(score, LD * LD, (uint32_t)round, 8);
			best = best_bracketing(score, 0, n);
			sum = cky_spans(score, LD, n, span, &scratch);
			assert_ptr_equal(check_spans(span, 0, n), span + 2 * n - 1);
			assert_int_equal(scratch.used, 0);
			for (int i = 0; i < 2 * n - 1; i++)
				add(&got, score[span[i].first * LD + span[i].end]);
			if (best.bad) {
				assert_true(sum == -INFINITY);
				continue;
			}
			assert_int_equal(got.bad, 0);
			assert_true(got.sum == best.sum && (double)sum == best.sum);
		}
}

static void
of_equals_the_first_is_taken(void **state)
{
	static const float zero[25], root_1[5][5] = { { 0 }, { 9 }, { -1 }, { -1 }, { -1 } };
	struct cky_span span[7];
	int head[4];

	(void)state;
	cky_spans(zero, 5, 4, span, &scratch);
	for (int i = 0; i < 7; i++)		/* split behind the first word each time */
		assert_int_equal(span[i].first, i / 2);
	eisner_heads(zero, 5, 4, head, &scratch);
	assert_int_equal(head[0], 0);
	mst_heads(&root_1[0][0], 5, 4, head, &scratch);
	assert_int_equal(head[0], 0);
	for (int i = 1; i < 4; i++)		/* every word that is not it would do */
		assert_int_equal(head[i], 1);
}

/* Whatever the bits are: every pattern of a float can come, +inf and NaN too. */
static void
any_scores_give_a_tree(void **state)
{
	enum { LARGE = 200 };
	size_t cells = (size_t)(LARGE + 1) * (LARGE + 1);
	float *score = xmalloc(cells * sizeof(float));
	struct cky_span span[2 * LARGE];
	int head[LARGE];

	(void)state;
	for (uint32_t round = 0; round < 12; round++) {
		int n = round % 2 ? LARGE : (int)round + 1;
		struct rng r;

		rng_init(&r, 3, rng_purpose("bits"), round);
		for (size_t i = 0; i < cells; i++) {
			uint32_t bits = rng_u32(&r);

			if (round % 3 == 0)
				bits = bits & 1 ? 0x7f800000 : bits & 2 ? 0xff800000 : 0x7fc00000;
			memcpy(&score[i], &bits, sizeof(bits));
			if (round % 3 == 1)
				score[i] = (float)rng_normal(&r);
		}
		mst_heads(score, LARGE + 1, n, head, &scratch);
		assert_true(is_tree(head, n));
		eisner_heads(score, LARGE + 1, n, head, &scratch);
		assert_true(is_tree(head, n) && is_projective(head, n));
		cky_spans(score, LARGE + 1, n, span, &scratch);
		assert_ptr_equal(check_spans(span, 0, n), span + 2 * n - 1);
	}
	free(score);
}

/*
 * Word d would like d-1 best and then d+1, and the root costs: 1 and 2 are a cycle, which with 3 is
 * one, and so on.  The best tree is the chain in which each hangs under the one before it.
 */
static void
cycles_within_cycles_are_taken_apart(void **state)
{
	enum { LONG = 300 };
	float *score = xcalloc((size_t)(LONG + 1) * (LONG + 1), sizeof(float));
	int head[LONG];

	(void)state;
	for (int d = 1; d <= LONG; d++)
		for (int h = 0; h <= LONG; h++)
			score[d * (LONG + 1) + h] = h == 0 ? -(float)(10000 + d) :
				h == d - 1 ? 20 : h == d + 1 ? 10 : -9;
	mst_heads(score, LONG + 1, LONG, head, &scratch);
	for (int i = 0; i < LONG; i++)
		assert_int_equal(head[i], i);
	free(score);
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(mst_finds_the_best_of_all_trees),
		cmocka_unit_test(eisner_finds_the_best_of_all_projective_trees),
		cmocka_unit_test(cky_finds_the_best_of_all_bracketings),
		cmocka_unit_test(of_equals_the_first_is_taken),
		cmocka_unit_test(any_scores_give_a_tree),
		cmocka_unit_test(cycles_within_cycles_are_taken_apart),
	};

	return cmocka_run_group_tests(tests, setup, teardown);
}
