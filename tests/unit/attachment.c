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

	return attachment_count(&w, head, 3, &p, 0, counted);
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

/* The same weights as in words() and in_the_decoder(), with a row and a column before them. */
static void
shifted(void **state)
{
	real x[N + 1][N + 1] = { { 1 } };
	struct head_weights w = { .x = x[0], .queries = N + 1, .keys = N + 1, .rows = N + 1,
				  .columns = N + 1 };
	const struct piece_words p = { .word = word, .n = PIECES };
	int counted;

	(void)state;
	for (int i = 0; i < N; i++)
		for (int j = 0; j < N; j++)
			x[i + 1][j + 1] = sentence[i][j];
	assert_int_equal(attachment_count(&w, head, 3, &p, 1, &counted), 2);
	assert_int_equal(counted, 3);
	w.causal = true;
	assert_int_equal(attachment_count(&w, head, 3, &p, 1, &counted), 1);
	assert_int_equal(counted, 2);
	assert_int_equal(attachment_count(&w, head, 3, &p, 0, &counted), 0);
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(words),
		cmocka_unit_test(in_the_decoder),
		cmocka_unit_test(edges),
		cmocka_unit_test(shifted),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
