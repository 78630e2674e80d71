/* Tree decoders, against enumeration of all trees, and with infinite and NaN scores. */
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
#include "parser/chart.h"
#include "parser/mst.h"
#include "scratch.h"

enum { MAX_WORDS = 6, LD = 9 };		/* LD: a leading dimension larger than any table */

/* Integers, so that sums are exact: of few values, for ties, or of many. */
static void
fill(float *score, size_t n, uint32_t round, uint32_t values)
{
	struct rng r;

	rng_init(&r, 1, rng_purpose("scores"), round);
	for (size_t i = 0; i < n; i++)
		score[i] = (float)rng_below(&r, values) - (float)(values / 2);
}

/* Replaces some scores by -inf and NaN; with many of them, every tree may contain one. */
static void
spoil(float *score, size_t n, uint32_t round, uint32_t one_in)
{
	struct rng r;

	rng_init(&r, 2, rng_purpose("spoil"), round);
	for (size_t i = 0; i < n; i++)
		if (rng_below(&r, one_in) == 0)
			score[i] = rng_below(&r, 2) ? NAN : -INFINITY;
}

/* Follows the heads of each word, for at most n steps. */
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

/* Arcs cross if exactly one end of one is between the ends of the other; the root is word 0. */
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

/* The number of arcs with -inf or NaN in a tree, and the sum of the other scores. */
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
	int head[MAX_WORDS] = { 0 };

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
	int head[MAX_WORDS];

	(void)state;
	for (int n = 1; n <= MAX_WORDS; n++)
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
	int head[MAX_WORDS], with_finite = 0;

	(void)state;
	for (int n = 1; n <= MAX_WORDS; n++)
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

/* The best score of all bracketings of [i,j), by enumeration. */
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

/* In preorder, [first,end) is followed by its two parts, or is a word.  Returns the next span. */
static const struct gold_span *
check_spans(const struct gold_span *s, int first, int end)
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
	struct gold_span span[2 * LD];
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
the_first_of_equal_trees_is_taken(void **state)
{
	static const float zero[25], root_1[5][5] = { { 0 }, { 9 }, { -1 }, { -1 }, { -1 } };
	struct gold_span span[7];
	int head[4];

	(void)state;
	cky_spans(zero, 5, 4, span, &scratch);
	for (int i = 0; i < 7; i++)		/* always split after the first word */
		assert_int_equal(span[i].first, i / 2);
	eisner_heads(zero, 5, 4, head, &scratch);
	assert_int_equal(head[0], 0);
	mst_heads(&root_1[0][0], 5, 4, head, &scratch);
	assert_int_equal(head[0], 0);
	for (int i = 1; i < 4; i++)		/* every other word is as good */
		assert_int_equal(head[i], 1);
}

/* Scores with random bits: every float can occur, including +inf and NaN. */
static void
any_scores_give_a_tree(void **state)
{
	enum { LARGE = 200 };
	size_t cells = (size_t)(LARGE + 1) * (LARGE + 1);
	float *score = xmalloc(cells * sizeof(float));
	struct gold_span span[2 * LARGE];
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
 * Each word has the best score with the previous word, then with the next one, and a bad score with
 * the root.  So 1 and 2 are a cycle, this cycle and 3 are a cycle, and so on.  The best tree is the
 * chain in which the head of each word is the previous word.
 */
static void
nested_cycles_are_resolved(void **state)
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
		cmocka_unit_test(the_first_of_equal_trees_is_taken),
		cmocka_unit_test(any_scores_give_a_tree),
		cmocka_unit_test(nested_cycles_are_resolved),
	};

	return cmocka_run_group_tests(tests, setup, teardown);
}
