/* attachment: correct words, counted by hand. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>

#include <cmocka.h>

#include "analysis/attachment.h"

enum { PIECES = 4, END = 1, N = PIECES + END };

/* Three words, the first of two subwords.  The second is the root, and the head of the others. */
static const int32_t head[] = { 2, 0, 2 };
static int32_t word[] = { 0, 0, 1, 2 };

/* The rows of the last subword of each word, 1, 2 and 3, attend most to subwords 2, END and 2. */
static const real sentence[N][N] = {
	{ 1, 0, 0, 0, 0 },
	{ 0, 0.3F, 0.4F, 0.3F, 0 },
	{ 0, 0, 0.4F, 0, 0.6F },
	{ 0.1F, 0, 0.5F, 0.4F, 0 },
	{ 0, 0, 0, 0, 1 },
};

static int
count(const real x[N][N], bool causal, int *counted)
{
	const struct head_weights w = { .x = x[0], .queries = N, .keys = N, .rows = N,
					.columns = N, .causal = causal };
	const struct piece_words p = { .word = word, .n = PIECES };

	return attachment_count(&w, head, 3, &p, counted);
}

static void
words(void **state)
{
	int counted;

	(void)state;
	assert_int_equal(count(sentence, false, &counted), 2);
	assert_int_equal(counted, 3);
}

/* The head of the first word is in its future. */
static void
in_the_decoder(void **state)
{
	int counted;

	(void)state;
	assert_int_equal(count(sentence, true, &counted), 1);
	assert_int_equal(counted, 2);
}

/* The root attends to itself; a row without weights is wrong; of equal weights the first counts. */
static void
edges(void **state)
{
	static const real x[N][N] = { [1] = { 0, 0, 0, 0, 0 }, [2] = { 0, 0, 1, 0, 0 },
				      [3] = { 0, 0.5F, 0.5F, 0, 0 } };
	int counted;

	(void)state;
	assert_int_equal(count(x, false, &counted), 1);
	assert_int_equal(counted, 3);
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(words),
		cmocka_unit_test(in_the_decoder),
		cmocka_unit_test(edges),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
