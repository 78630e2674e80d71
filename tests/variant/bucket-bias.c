/*
 * Biases by distance: the buckets of transformers (T5Attention, 4.27), whose logarithms are in
 * single precision, the tables that layers share, and fused attention, against loops of its own and
 * against models with a variant that prevents it.
 */
#include "checks.h"

#include "ops/ops.h"

enum { S = 601, BUCKETS = 48, HEADS = 2, WIDTH = 6, D = WIDTH / HEADS };

/* A variant that changes nothing but prevents fused attention. */
static const struct attention_variant apart = {
	.name = "apart", .paper = "nobody, scores as nodes", .version = 1, .unfused = 1,
};

/* Further biases by distance, which are 0.1 times the bucket. */
static int
further_open(struct attention *a, const struct site *s, struct err *e)
{
	(void)a;
	(void)e;
	return s->where == DECODER_CROSS;
}

static struct node *
further_bias(const struct attention *a, struct tape *t, struct distance_bias *rule)
{
	static real table[HEADS * 4] = { 0, 0.1, 0.2, 0.3, 0, 0.1, 0.2, 0.3 };

	(void)a;
	*rule = (struct distance_bias){ 3, true, NULL };
	return tape_leaf(t, NULL, 2, (const int[]){ HEADS, 4 }, table, NULL);
}

static const struct attention_variant further = {
	.name = "further", .paper = "nobody, other biases by distance", .version = 1,
	.open = further_open, .bias = further_bias,
};

const struct attention_variant *const attention_extra[] = { &apart, &further, NULL };

/* The first distance of each bucket of keys before the query. */
static const struct published {
	bool both;
	int buckets, most, first[BUCKETS];
} published[] = {
	{ true, 32, 128, { 0, 1, 2, 3, 4, 5, 6, 7, 8, 12, 16, 23, 32, 46, 64, 91 } },
	{ false, 32, 128, { 0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15, 16, 19, 21, 24,
			    27, 31, 35, 40, 46, 52, 59, 67, 77, 87, 99, 113 } },
	{ true, 8, 6, { 0, 1, 2, 4 } },
	{ false, 8, 10, { 0, 1, 2, 3, 4, 6, 7, 8 } },
	{ true, 48, 500, { 0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 17, 23, 31, 42, 57, 78, 106,
			   145, 197, 269, 367 } },
	{ false, 16, 100, { 0, 1, 2, 3, 4, 5, 6, 7, 8, 11, 16, 21, 29, 39, 54, 73 } },
};

static int
expected_bucket(const struct published *p, int distance)
{
	const int n = p->both ? p->buckets / 2 : p->buckets;
	const int far = distance < 0 ? -distance : p->both ? distance : 0;
	int bucket = 0;

	while (bucket + 1 < n && far >= p->first[bucket + 1])
		bucket++;
	return bucket + (p->both && distance > 0 ? n : 0);
}

/* Scores of 0 for `queries` queries, the last of the keys, with the number of its bucket each. */
static void
check_buckets(const struct published *p, int queries)
{
	const int start = 0, keys = S;
	const struct layout q = { 1, queries, &start, &queries, NULL };
	const struct layout k = { 1, S, &start, &keys, NULL };
	const struct distance_bias how = { p->most, p->both, NULL };
	static real zeros[S];
	real table[BUCKETS];
	struct node *x, *y, *s;
	struct runtime run;

	for (int i = 0; i < p->buckets; i++)
		table[i] = i;
	setup_runtime(&run, 1, false);
	x = tape_leaf(run.tape, NULL, 2, (const int[]){ queries, 1 }, zeros, NULL);
	y = tape_leaf(run.tape, NULL, 2, (const int[]){ S, 1 }, zeros, NULL);
	s = op_scores(run.tape, x, y, &q, &k, 1, 1, false);
	s = op_distance_bias(run.tape, s, tape_leaf(run.tape, NULL, 2,
						    (const int[]){ 1, p->buckets }, table, NULL),
			     &how);
	for (int i = 0; i < queries; i++)
		for (int j = 0; j < S; j++)
			if (s->x[i * S + j] != expected_bucket(p, j - i - S + queries))
				fail_msg("%d buckets, distance %d: %g", p->buckets,
					 j - i - S + queries, s->x[i * S + j]);
	runtime_close(&run);
}

static void
buckets_are_those_of_transformers(void **state)
{
	(void)state;
	for (size_t i = 0; i < sizeof(published) / sizeof(*published); i++) {
		check_buckets(&published[i], 1);
		check_buckets(&published[i], S);
	}
}

/* --- fused attention against loops --- */

enum { KEYS = 130 };

struct by_hand {
	real q[KEYS * WIDTH], k[KEYS * WIDTH], v[KEYS * WIDTH], out[KEYS * WIDTH];
	real table[HEADS * BUCKETS], grad[HEADS * BUCKETS];	/* head h reads row 1 - h */
	real c[KEYS * WIDTH];		/* the gradient of the result */
};

static double
product_of_rows(const real *a, const real *b)
{
	double sum = 0;

	for (int e = 0; e < D; e++)
		sum += a[e] * b[e];
	return sum;
}

/* One query of a head: its context vector, and its part of the gradient of the table. */
static void
query_by_hand(struct by_hand *x, const struct published *p, int queries, int i, int h)
{
	const int at = i + KEYS - queries, n = p->both ? KEYS : at + 1, row = (1 - h) * p->buckets;
	double w[KEYS], dw[KEYS], sum = 0, mean = 0;

	for (int j = 0; j < n; j++) {
		const int bucket = expected_bucket(p, j - at);

		w[j] = exp(0.4 * product_of_rows(x->q + i * WIDTH + h * D,
						 x->k + j * WIDTH + h * D) +
			   x->table[row + bucket]);
		sum += w[j];
	}
	for (int j = 0; j < n; j++) {
		const real *v = x->v + j * WIDTH + h * D;

		w[j] /= sum;
		dw[j] = product_of_rows(x->c + i * WIDTH + h * D, v);
		mean += w[j] * dw[j];
		for (int e = 0; e < D; e++)
			x->out[i * WIDTH + h * D + e] += w[j] * v[e];
	}
	for (int j = 0; j < n; j++)
		x->grad[row + expected_bucket(p, j - at)] += w[j] * (dw[j] - mean);
}

static void
fill(struct rng *r, real *x, int n)
{
	for (int i = 0; i < n; i++)
		x[i] = rng_normal(r);
}

static void
assert_near(const real *a, const real *b, int n, const char *what)
{
	for (int i = 0; i < n; i++)
		if (off_by(a[i], b[i], 1) > 1e-12)
			fail_msg("%s %d: %.15g, by hand %.15g", what, i, a[i], b[i]);
}

/* The result of op_attention_biased(), and the gradient of the table. */
static void
check_by_hand(const struct published *p, int queries)
{
	const int start = 0, keys = KEYS, size[2] = { queries, WIDTH }, n = HEADS * p->buckets;
	const struct layout ql = { 1, queries, &start, &queries, NULL };
	const struct layout kl = { 1, KEYS, &start, &keys, NULL };
	const struct attend how = { &ql, &kl, HEADS, 0.4, 0, !p->both };
	const struct distance_bias rule = { p->most, p->both, (const int[]){ 1, 0 } };
	struct by_hand *x = xcalloc(1, sizeof(*x));
	real grad[HEADS * BUCKETS] = { 0 };
	struct node *q, *k, *v, *y, *table;
	struct runtime run;
	struct rng r;

	rng_init(&r, 5, rng_purpose("by hand"), 0);
	fill(&r, x->q, 3 * KEYS * WIDTH);
	fill(&r, x->table, n);
	fill(&r, x->c, KEYS * WIDTH);
	for (int i = 0; i < queries; i++)
		for (int h = 0; h < HEADS; h++)
			query_by_hand(x, p, queries, i, h);
	setup_runtime(&run, 1, false);
	q = tape_leaf(run.tape, NULL, 2, size, x->q, NULL);
	k = tape_leaf(run.tape, NULL, 2, (const int[]){ KEYS, WIDTH }, x->k, NULL);
	v = tape_leaf(run.tape, NULL, 2, (const int[]){ KEYS, WIDTH }, x->v, NULL);
	table = tape_leaf(run.tape, NULL, 2, (const int[]){ HEADS, p->buckets }, x->table, grad);
	y = op_attention_biased(run.tape, q, k, v, table, &how, &rule);
	assert_near(y->x, x->out, queries * WIDTH, "context");
	y = op_multiply(run.tape, y, tape_leaf(run.tape, NULL, 2, size, x->c, NULL));
	tape_gradient(run.tape, op_sum(run.tape, y), 1);
	assert_near(grad, x->grad, n, "gradient");
	runtime_close(&run);
	free(x);
}

static void
fused_attention_is_that_of_the_formula(void **state)
{
	(void)state;
	for (size_t i = 0; i < sizeof(published) / sizeof(*published); i++) {
		check_by_hand(&published[i], 1);
		check_by_hand(&published[i], 40);
		check_by_hand(&published[i], KEYS);
	}
}

/* --- whole models, fused and not --- */

static const struct lrp attnlrp = { .rule = LRP_ATTNLRP, .eps = 1e-12,
				    .norm = LRP_NORM_FROZEN_STD };

/* Loss, gradients and relevance of a model with one spec more, which prevents fused attention. */
struct both { struct model *m[2]; struct setup_batch s[2]; struct runtime run[2]; };

static struct model *
model_of(const char *preset, const char *const *spec, size_t n)
{
	const struct model_config c = setup_config(preset);
	struct model *m = setup_model_of(&c, preset, spec, n, 7);

	setup_stir(m);
	return m;
}

static void
both_begin(struct both *o, const char *preset, const char *const *spec, size_t n)
{
	const char *more[3] = { spec[0], spec[n - 1], "apart" };

	more[n] = "apart";
	o->m[0] = model_of(preset, spec, n);
	o->m[1] = model_of(preset, more, n + 1);
	for (int k = 0; k < 2; k++) {
		setup_runtime(&o->run[k], 1 + k, false);
		setup_batch(&o->s[k], o->m[k], setup_text, NULL, 4);
		for (size_t i = 0; i < o->m[k]->n_sites; i++)
			assert_int_equal(attention_set_fused(o->m[k]->attention, i), !k);
	}
}

static void
both_end(struct both *o)
{
	for (int k = 0; k < 2; k++) {
		setup_batch_end(&o->s[k]);
		runtime_close(&o->run[k]);
		model_free(o->m[k]);
	}
}

static void
compare_gradients(struct both *o)
{
	const double a = setup_loss(o->m[0], &o->run[0], &o->s[0].b, true);
	const double b = setup_loss(o->m[1], &o->run[1], &o->s[1].b, true);
	const struct params *p = &o->m[0]->params;

	assert_true(off_by(a, b, 1) < 1e-13);
	for (size_t i = 0; i < p->n; i++) {
		double size = 0;

		for (size_t j = p->list[i]->at; j < p->list[i]->at + p->list[i]->n; j++) {
			size += fabs(p->grad[j]);
			if (off_by(p->grad[j], o->m[1]->params.grad[j], 1) > 1e-12)
				fail_msg("%s: fused %.15g, unfused %.15g", p->list[i]->name,
					 p->grad[j], o->m[1]->params.grad[j]);
		}
		assert_true(!strstr(p->list[i]->name, "bucket") || size > 1e-3);
	}
}

static void
compare_relevance(struct both *o, const struct lrp *how)
{
	const struct node *end[2];

	for (int k = 0; k < 2; k++) {
		struct tape *t = o->run[k].tape;
		struct node *logits;

		tape_rewind(t);
		logits = model_logits(o->m[k], t, model_decode(o->m[k], t, &o->s[k].b,
							       model_encode(o->m[k], t,
									    &o->s[k].b)));
		relevance_of_rows(&o->run[k], logits, 2, 3, how);
		end[k] = tape_find(t, "src.embed");
	}
	for (size_t i = 0; i < node_size(end[0]); i++)
		if (off_by(end[0]->rel[i], end[1]->rel[i], 1) > 1e-9)
			fail_msg("relevance %zu: fused %.15g, unfused %.15g", i, end[0]->rel[i],
				 end[1]->rel[i]);
}

static void
fused_models_equal_unfused_ones(void **state)
{
	static const char *const specs[][2] = {
		{ "bucket-bias:buckets=8,max=6" },
		{ "bucket-bias:buckets=4,max=3,per_layer=on" },
	};
	struct both o;

	(void)state;
	for (size_t i = 0; i < 2; i++)
		for (int preset = 0; preset < 2; preset++) {
			both_begin(&o, preset ? "fairseq" : "t5", specs[i], 1);
			compare_gradients(&o);
			compare_relevance(&o, &check_alpha_beta);
			compare_relevance(&o, &check_epsilon);
			compare_relevance(&o, &attnlrp);
			check_incremental(o.m[0]);
			check_incremental(o.m[1]);
			both_end(&o);
		}
}

/* Fused attention has one table of biases; with a second one, scores are nodes. */
static void
two_biases_are_added_to_scores(void **state)
{
	const char *const spec[] = { "bucket-bias:buckets=8", "further" };
	struct model *one = model_of("t5", spec, 1), *other = model_of("t5", spec + 1, 1);
	struct model *two = model_of("t5", spec, 2);

	(void)state;
	assert_true(attention_set_fused(other->attention, 0));
	assert_false(attention_set_fused(two->attention, 0));
	assert_true(off_by(setup_loss_of_text(one, 1, false), setup_loss_of_text(two, 1, false),
			   1) > 1e-6);
	check_incremental(two);
	model_free(one);
	model_free(other);
	model_free(two);
}

static size_t
elements(const char *spec, const char *name)
{
	struct model_config c = setup_config("t5");
	struct model *m = setup_model_of(&c, "t5", &spec, 1, 0);
	const struct param *p = params_find(&m->params, name);
	const size_t n = p ? p->n : 0;

	model_free(m);
	return n;
}

static void
layers_share_tables_by_default(void **state)
{
	(void)state;
	assert_int_equal(elements("bucket-bias", "enc.bucket.weight"), 2 * 32);
	assert_int_equal(elements("bucket-bias:buckets=8", "dec.bucket.weight"), 2 * 8);
	assert_int_equal(elements("bucket-bias", "enc.1.self.bucket.weight"), 0);
	assert_int_equal(elements("bucket-bias:per_layer=on", "dec.2.self.bucket.weight"), 2 * 32);
	assert_int_equal(elements("bucket-bias:per_layer=on", "dec.bucket.weight"), 0);
	assert_int_equal(elements("bucket-bias:per_layer=on", "dec.2.cross.bucket.weight"), 0);
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(buckets_are_those_of_transformers),
		cmocka_unit_test(layers_share_tables_by_default),
		cmocka_unit_test(fused_attention_is_that_of_the_formula),
		cmocka_unit_test(fused_models_equal_unfused_ones),
		cmocka_unit_test(two_biases_are_added_to_scores),
	};

	return cmocka_run_group_tests_name("biases by distance", tests, NULL, NULL);
}
