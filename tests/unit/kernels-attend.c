/* kernels-attend: kernels of attention, and of the best tokens, against plain loops. */
#include "kernels-case.h"
#include "tensor/cached.h"

/* One head, forward and backward, with existing gradients that are added to or ignored. */
enum { LD = 80, HEAD = 40 * LD, FAR = 40 };

struct attend_case {
	real *q, *k, *v, *g, *mask, *bias, *weights, *out, *dq, *dk, *dv, *dbias, *room;
};

static struct attend_case
attend_case(void)
{
	struct attend_case c;
	real **part = (real **)&c;

	for (uint32_t i = 0; i < sizeof(c) / sizeof(*part); i++) {
		part[i] = xcalloc(HEAD, sizeof(real));
		fill(i, HEAD, part[i]);
	}
	for (int i = 0; i < HEAD; i++)
		c.mask[i] = c.mask[i] > 0 ? 2 : 0;
	c.room = xreallocarray(c.room, k_attention_room(40, 40, LD), sizeof(real));
	return c;
}

static void
release_attend(struct attend_case *c)
{
	real **part = (real **)c;

	for (size_t i = 0; i < sizeof(*c) / sizeof(*part); i++)
		free(part[i]);
}

/* Gradients of biases are always added to. */
static struct head_back
gradients_to(const struct attend_case *c, real beta)
{
	for (int i = 0; i < HEAD && beta == 0; i++)
		c->dq[i] = c->dk[i] = c->dv[i] = (real)NAN;
	return (struct head_back){ c->dq, c->dk, c->dv, beta, beta, beta, c->dbias + FAR };
}

static void
assert_same_rows(int rows, int n, const real *x, const real *y)
{
	for (int r = 0; r < rows; r++)
		assert_close(n, x + r * LD, y + r * LD, 2e-5);
}

static void
one_head(int T, int S, int d, int d_v, bool causal, bool masked, bool biased)
{
	struct attend_case fast = attend_case(), slow = attend_case();
	struct head h = { .T = T, .S = S, .d = d, .d_v = d_v, .q = fast.q, .k = fast.k, .v = fast.v,
		.ldq = LD, .ldk = LD,
			  .ldv = LD, .scale = (real)0.3, .causal = causal,
			  .bias = biased ? fast.bias + FAR : NULL };
	struct head_mask mask = { masked ? fast.mask : NULL, 60 };
	struct head_back to;

	k_attend(&h, mask, fast.weights, fast.out, LD, fast.room);
	slow_attend(&h, mask, slow.weights, slow.out, LD);
	assert_close(T * S, fast.weights, slow.weights, 1e-5);
	assert_same_rows(T, d_v, fast.out, slow.out);
	to = gradients_to(&fast, (real)causal);
	k_attend_back(&h, mask, slow.weights, fast.g, LD, &to, fast.room);
	to = gradients_to(&slow, (real)causal);
	slow_attend_back(&h, mask, slow.weights, fast.g, LD, &to);
	assert_same_rows(T, d, fast.dq, slow.dq);
	assert_same_rows(S, d, fast.dk, slow.dk);
	assert_same_rows(S, d_v, fast.dv, slow.dv);
	assert_close(2 * FAR, fast.dbias, slow.dbias, 2e-5);
	release_attend(&fast);
	release_attend(&slow);
}

static void
test_attend(void **state)
{
	const int lengths[][2] = { { 1, 1 }, { 3, 5 }, { 14, 14 }, { 16, 33 }, { 35, 17 } };

	(void)state;
	for (int i = 0; i < 5; i++)
		for (int how = 0; how < 8; how++)
			one_head(lengths[i][0], lengths[i][1], i % 2 ? 32 : 21, i % 2 ? 64 : 9,
				 how & 1 && lengths[i][0] <= lengths[i][1], how & 2, how & 4);
}

static void
test_share(void **state)
{
	const struct share rules[2] = { { .eps = (real)0.01 },
		{ .signs = true, .alpha = (real)0.6, .beta = (real)0.4 } };
	real w[ROOM], x[ROOM], r[ROOM], z[ROOM];

	(void)state;
	fill(1, ROOM, w);
	fill(2, ROOM, x);
	for (int s = 0; s < N_SIZES; s++) {
		for (int i = 0; i < 2; i++) {
			memset(r, 0, sizeof(r));
			memset(z, 0, sizeof(z));
			k_share(&rules[i], sizes[s], w, x, 1, 2, r);
			slow_share(&rules[i], sizes[s], w, x, 1, 2, z);
			assert_close(sizes[s], r, z, 2e-4);
		}
	}
}

/* Keys and values of n positions in a cache, the last position first, and as they are read. */
struct positions {
	struct cached form;
	int n;
	char *memory;
	const char **row;
	real *kv;			/* [n, 2, heads * d] */
};

enum { BEFORE = 64 };			/* bytes before each position */

static struct positions
positions_new(struct cached form, int n)
{
	const size_t size = BEFORE + k_cached_size(form), width = 2 * (size_t)(form.heads * form.d);
	struct positions p = { form, n, xreallocarray(NULL, (size_t)n, size),
			       xreallocarray(NULL, (size_t)n, sizeof(*p.row)),
			       xreallocarray(NULL, (size_t)n * width, sizeof(real)) };

	fill((uint32_t)(n + 7 * form.d), n * (int)width, p.kv);
	for (int s = 0; s < n; s++) {
		char *to = p.memory + (size_t)(n - 1 - s) * size;

		p.row[s] = to;
		k_cached_put(form, p.kv + (size_t)s * width, to + BEFORE);
	}
	return p;
}

static void
positions_free(struct positions *p)
{
	free(p->memory);
	free(p->row);
	free(p->kv);
}

/* Each element is an integer times its head's unit, the nearest one to x. */
static void
check_rounded(int d, const real *x, const real *y)
{
	const double unit = slow_unit_int8(d, x);

	for (int i = 0; i < d; i++) {
		assert_true(fabs((double)x[i] - (double)y[i]) <= unit * (0.5 + 1e-4));
		assert_true(fabs(remainder((double)y[i], unit)) <= 1e-5 * unit);
	}
}

/* Replaces kv by what the cache returns. */
static void
check_cached(struct positions *p)
{
	const int groups = 2 * p->form.heads, d = p->form.d;
	real *got = xreallocarray(NULL, (size_t)(groups * d), sizeof(*got));

	for (int s = 0; s < p->n; s++) {
		real *x = p->kv + s * groups * d;

		k_cached_get(p->form, p->row[s] + BEFORE, got);
		if (!p->form.bytes)
			assert_memory_equal(got, x, (size_t)(groups * d) * sizeof(*x));
		for (int g = 0; p->form.bytes && g < groups; g++)
			check_rounded(d, x + g * d, got + g * d);
		memcpy(x, got, (size_t)(groups * d) * sizeof(*x));
	}
	free(got);
}

static void
check_query(struct cached form, int n, bool biased)
{
	const int width = form.heads * form.d;
	struct positions p = positions_new(form, n);
	real *x = xreallocarray(NULL, 3 * (size_t)width, sizeof(*x));
	real *room = xreallocarray(NULL, k_query_room(n), sizeof(*room));
	real *bias = xreallocarray(NULL, (size_t)(form.heads * (n + 3)), sizeof(*bias));
	struct query q = { .form = form, .n = n, .q = x, .row = p.row, .at = BEFORE, .next = p.row,
			   .n_next = n / 2, .scale = (real)0.3, .bias = biased ? bias : NULL,
			   .bias_step = n + 3, .out = x + width };

	fill((uint32_t)(n + form.d), width, x);
	fill((uint32_t)(n + form.d + 1), form.heads * (n + 3), bias);
	check_cached(&p);
	k_query(&q, room);
	q.out += width;
	slow_query(&q, p.kv, room);
	assert_close(width, q.out - width, q.out, 1e-5);
	free(x);
	free(room);
	free(bias);
	positions_free(&p);
}

static void
test_query(void **state)
{
	static const int widths[] = { 1, 5, 16, 32, 40, 64, 100, 128, 144 };

	(void)state;
	for (int i = 0; i < N_SIZES; i++)
		for (size_t k = 0; k < sizeof(widths) / sizeof(*widths); k++)
			for (int how = 0; how < 4; how++)
				check_query((struct cached){ 1 + i % 3, widths[k], how & 1 },
					    sizes[i], how & 2);
}

/* A row in three parts, with ties and masked values; lists of several lengths; bounds of ids. */
static void
check_best(int n, int width, int from, int to, uint32_t what)
{
	struct scored list[2][64];
	struct best b[2];
	real x[900];
	const int cut[] = { 0, n / 3, n / 2, n };

	fill(what, n, x);
	for (int i = 0; i < n; i++) {
		if (what % 2)
			x[i] = (real)floor((double)x[i] * 4);
		if (what % 3 == 1 && i % 3)
			x[i] = -(real)INFINITY;
	}
	for (int k = 0; k < 2; k++) {
		best_init(&b[k], list[k], width);
		for (int i = 0; i < 3; i++)
			(k ? slow_best : k_best)(&b[k], cut[i], cut[i + 1] - cut[i], x + cut[i],
						 from, to);
	}
	assert_int_equal(b[0].n, b[1].n);
	assert_true(b[0].max == b[1].max);
	assert_true(fabs(b[0].sum - b[1].sum) <= 1e-5 * b[1].sum);
	for (int k = 0; k < b[0].n; k++) {
		assert_int_equal(list[0][k].id, list[1][k].id);
		assert_true(list[0][k].x == list[1][k].x);
	}
	best_log_probs(&b[0]);
	assert_true(b[0].n == b[1].n);
}

static void
test_best(void **state)
{
	static const int widths[] = { 1, 2, 10, 64 };

	(void)state;
	for (int i = 0; i < N_SIZES; i++)
		for (size_t k = 0; k < sizeof(widths) / sizeof(*widths); k++)
			for (uint32_t what = 0; what < 6; what++) {
				check_best(3 * sizes[i], widths[k], 0, 3 * sizes[i], what);
				check_best(3 * sizes[i], widths[k], sizes[i] / 2, 2 * sizes[i],
					   what);
				check_best(3 * sizes[i], widths[k], sizes[i], sizes[i] + 1, what);
			}
}

/* By hand: exp 1, 2, 3, 3 and a 1 that is excluded; NaN and infinity. */
static void
test_best_by_hand(void **state)
{
	const real logs[] = { 0, (real)0.6931472, (real)1.0986123, (real)1.0986123, 0 };
	struct scored list[3];
	struct best b;

	(void)state;
	best_init(&b, list, 3);
	k_best(&b, 10, 5, logs, 10, 14);
	best_log_probs(&b);
	assert_int_equal(b.n, 3);
	assert_int_equal(list[0].id, 12);
	assert_int_equal(list[1].id, 13);
	assert_int_equal(list[2].id, 11);
	assert_true(fabs((double)list[0].x - log(0.3)) < 1e-6);
	assert_true(fabs((double)list[2].x - log(0.2)) < 1e-6);
	for (int i = 0; i < 3; i++) {
		const real bad[] = { (real)NAN, (real)INFINITY, -(real)INFINITY };
		real x[40];

		for (int j = 0; j < 40; j++)
			x[j] = i == 2 ? bad[i] : j == 30 ? bad[i] : (real)1;
		best_init(&b, list, 3);
		k_best(&b, 0, 40, x, 0, 40);
		best_log_probs(&b);
		assert_int_equal(b.n, 0);
	}
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_attend),
		cmocka_unit_test(test_share),
		cmocka_unit_test(test_query),
		cmocka_unit_test(test_best),
		cmocka_unit_test(test_best_by_hand),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
