/*
 * Biases by distance: the buckets of transformers (T5Attention, 4.27), whose logarithms are in
 * single precision, and the tables that layers share.
 */
#include "setup.h"

#include "ops/ops.h"

enum { S = 601, BUCKETS = 48 };

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
	};

	return cmocka_run_group_tests_name("biases by distance", tests, NULL, NULL);
}
