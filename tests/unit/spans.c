/* spans: sums over binary trees, compared with their enumeration. */
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <string.h>

#include <cmocka.h>

#include "base/rng.h"
#include "tensor/kernels.h"

enum { MOST = 7, SIDE = MOST + 1 };

/* The enumeration of all trees: spans still to be split, and spans of the tree. */
struct todo { int i, j; };
struct trees {
	int n;
	const real *score;
	double sum, with[SIDE][SIDE];	/* of exp(score), over all trees, over those with a span */
	long count;
	struct todo stack[SIDE], span[SIDE];
};

static void
grow(struct trees *t, int left, int n_spans, double score)
{
	struct todo top;

	while (left && t->stack[left - 1].j - t->stack[left - 1].i < 2)
		left--;
	if (!left) {
		t->sum += exp(score);
		t->count++;
		for (int k = 0; k < n_spans; k++)
			t->with[t->span[k].i][t->span[k].j] += exp(score);
		return;
	}
	top = t->stack[left - 1];
	t->span[n_spans] = top;
	for (int k = top.i + 1; k < top.j; k++) {
		struct todo kept[SIDE];

		memcpy(kept, t->stack, sizeof(kept));
		t->stack[left - 1] = (struct todo){ top.i, k };
		t->stack[left] = (struct todo){ k, top.j };
		grow(t, left + 1, n_spans + 1,
		     score + (double)t->score[top.i * (t->n + 1) + top.j]);
		memcpy(t->stack, kept, sizeof(kept));
		t->span[n_spans] = top;
	}
}

static void
near(double found, double expected, double tolerance)
{
	if (!(fabs(found - expected) < tolerance))
		fail_msg("%.9g, expected %.9g", found, expected);
}

static void
against_all_trees(void **state)
{
	static const long catalan[] = { 1, 1, 1, 2, 5, 14, 42, 132 };
	struct rng rng;

	(void)state;
	for (int n = 1; n <= MOST; n++) {
		real score[SIDE * SIDE], chart[SIDE * SIDE], prob[SIDE * SIDE], room[SIDE];
		struct trees t = { .n = n, .score = score, .stack = { { 0, n } } };
		real z;

		rng_init(&rng, 1, rng_purpose("spans"), (uint32_t)n);
		for (int k = 0; k < SIDE * SIDE; k++)
			score[k] = (real)(2 * rng_normal(&rng));
		grow(&t, 1, 0, 0);
		assert_int_equal(t.count, catalan[n]);
		z = k_inside(n, score, n + 1, chart, room);
		near((double)z, log(t.sum), 1e-5);
		k_inside_back(n, chart, prob, room);
		for (int i = 0; i <= n; i++)
			for (int j = i + 2; j <= n; j++)
				near((double)prob[i * (n + 1) + j], t.with[i][j] / t.sum, 1e-5);
	}
}

/*
 * Very different scores neither overflow nor underflow: 400 words, with one tree that is much
 * better.
 */
static void
far_apart(void **state)
{
	enum { N = 400 };
	static real score[(N + 1) * (N + 1)], chart[(N + 1) * (N + 1)];
	static real prob[(N + 1) * (N + 1)], room[N];

	(void)state;
	for (int i = 0; i <= N; i++)
		for (int j = 0; j <= N; j++)
			score[i * (N + 1) + j] = i ? -200 : 300;
	near((double)k_inside(N, score, N + 1, chart, room) / (300.0 * (N - 1)), 1, 1e-6);
	k_inside_back(N, chart, prob, room);
	for (int j = 2; j <= N; j++)
		near((double)prob[j], 1, 1e-5);
	assert_true((double)prob[N + 1 + 3] < 1e-5);
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(against_all_trees),
		cmocka_unit_test(far_apart),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
