/* curriculum: the records that can be drawn, compared with lengths and shares computed by hand. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

#include "data/corpus.h"

#define N 1000

/* Record i has i/10 + 1 tokens on each side, but the longest is the first of the corpus. */
static struct corpus_pair pairs[N];
static uint32_t used[N];
static const struct corpus corpus = { .n = N, .pair = pairs, .used = used, .n_used = N };

static int
setup(void **state)
{
	(void)state;
	for (int i = 0; i < N; i++) {
		pairs[i].src = pairs[i].tgt = (uint16_t)((N - 1 - i) / 10 + 1);
		used[i] = (uint32_t)i;
	}
	return 0;
}

static void
competence_is_the_square_root(void **state)
{
	struct curriculum c;

	(void)state;
	curriculum_init(&c, &corpus, 1, 300, 100);
	assert_true(curriculum_competence(&c, 0) == 0.01);
	/* sqrt(1/4 * 0.9999 + 0.0001) = sqrt(0.250075) */
	assert_true(curriculum_competence(&c, 75) > 0.500074 &&
		    curriculum_competence(&c, 75) < 0.500076);
	assert_true(curriculum_competence(&c, 300) == 1);
	assert_true(curriculum_competence(&c, 3000) == 1);
	curriculum_release(&c);
}

/*
 * The number of different records in some batches after t updates; none exceeds `longest` tokens.
 */
static int
different(struct curriculum *c, int64_t t, int longest)
{
	char seen[N] = { 0 };
	int all = 0;

	for (uint32_t k = 0; k < 10000; k++) {
		const uint32_t *record;
		size_t n = curriculum_batch(c, t, k, &record);
		int64_t src, tgt;

		corpus_tokens(&corpus, record, n, &src, &tgt);
		assert_true(n > 0 && (n == 1 || (src <= c->tokens && tgt <= c->tokens)));
		for (size_t i = 0; i < n; i++) {
			assert_true(pairs[record[i]].src <= longest);
			all += !seen[record[i]];
			seen[record[i]] = 1;
		}
	}
	return all;
}

/* 1% of 1000 are the 10 records with one token; 50.01%, rounded up, are 501, with up to 51. */
static void
the_shortest_and_all_of_them(void **state)
{
	struct curriculum c;

	(void)state;
	curriculum_init(&c, &corpus, 1, 300, 200);
	assert_int_equal(different(&c, 0, 1), 10);
	assert_int_equal(different(&c, 75, 51), 501);
	/* sqrt(299/300 * 0.9999 + 0.0001) = 0.99834 */
	assert_int_equal(different(&c, 299, 100), 999);
	curriculum_release(&c);
}

static void
a_long_sentence_is_a_batch(void **state)
{
	struct curriculum c;

	(void)state;
	curriculum_init(&c, &corpus, 1, 1, 1);
	for (uint32_t k = 0; k < 100; k++) {
		const uint32_t *record;

		assert_true(curriculum_batch(&c, 1, k, &record) == 1);
	}
	curriculum_release(&c);
}

/* The same number and seed give the same batch, whatever was drawn before; others give another. */
static void
a_batch_is_a_function_of_its_address(void **state)
{
	struct curriculum a, b;
	const uint32_t *one, *two;
	size_t n, k;

	(void)state;
	curriculum_init(&a, &corpus, 1, 300, 1000);
	curriculum_init(&b, &corpus, 1, 300, 1000);
	curriculum_batch(&b, 3, 9, &two);
	n = curriculum_batch(&a, 150, 77, &one);
	k = curriculum_batch(&b, 150, 77, &two);
	assert_int_equal(n, k);
	assert_memory_equal(one, two, n * sizeof(*one));
	k = curriculum_batch(&b, 150, 78, &two);
	assert_true(n != k || memcmp(one, two, n * sizeof(*one)));
	b.seed = 2;
	k = curriculum_batch(&b, 150, 77, &two);
	assert_true(n != k || memcmp(one, two, n * sizeof(*one)));
	curriculum_release(&a);
	curriculum_release(&b);
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(competence_is_the_square_root),
		cmocka_unit_test(the_shortest_and_all_of_them),
		cmocka_unit_test(a_long_sentence_is_a_batch),
		cmocka_unit_test(a_batch_is_a_function_of_its_address),
	};

	return cmocka_run_group_tests(tests, setup, NULL);
}
