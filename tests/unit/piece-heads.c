/* piece-heads: arcs between subwords, worked out by hand; invalid subwords are refused. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

#include "trees/piece-heads.h"

enum { MOST = 12 };

static void
are(enum piece_rule rule, const int32_t *word, const int32_t *head, int n, const int32_t *want)
{
	int32_t got[MOST];

	piece_heads(rule, word, n, head, got);
	for (int i = 0; i < n; i++)
		assert_int_equal(got[i], want[i]);
}

/* He lik@@ es neur@@ al networks */
static void
heads_by_hand(void **state)
{
	static const int32_t word[] = { 0, 1, 1, 2, 2, 3 }, head[] = { 2, 0, 4, 2 };

	(void)state;
	are(PIECES_DEGUCHI, word, head, 6, (const int32_t[]){ 1, 2, 2, 4, 5, 1 });
	are(PIECES_FIRST, word, head, 6, (const int32_t[]){ 1, 1, 1, 5, 3, 1 });
	are(PIECES_LAST, word, head, 6, (const int32_t[]){ 2, 2, 2, 4, 5, 2 });
}

/* Three subwords in the middle, two roots. */
static void
longer_words(void **state)
{
	static const int32_t word[] = { 0, 0, 1, 1, 1, 2 }, head[] = { 0, 3, 0 };

	(void)state;
	are(PIECES_DEGUCHI, word, head, 6, (const int32_t[]){ 1, 1, 3, 4, 5, 5 });
	are(PIECES_FIRST, word, head, 6, (const int32_t[]){ 0, 0, 5, 2, 2, 5 });
	are(PIECES_LAST, word, head, 6, (const int32_t[]){ 1, 1, 4, 4, 5, 5 });
}

static void
whole_words_keep_their_heads(void **state)
{
	static const int32_t word[] = { 0, 1, 2, 3 }, head[] = { 2, 0, 4, 2 };
	static const int32_t want[] = { 1, 1, 3, 1 };

	(void)state;
	are(PIECES_DEGUCHI, word, head, 4, want);
	are(PIECES_FIRST, word, head, 4, want);
	are(PIECES_LAST, word, head, 4, want);
	are(PIECES_DEGUCHI, word, head, 0, want);
}

static void
refused(const int32_t *word, int n, int n_words, const char *what)
{
	struct err e;

	assert_int_equal(pieces_check(word, n, n_words, &e), -1);
	assert_int_equal(e.status, EXIT_INPUT);
	assert_string_equal(e.text, what);
}

static void
invalid_subwords_are_refused(void **state)
{
	static const int32_t word[] = { 0, 1, 1, 2, 2, 3 };
	struct err e;

	(void)state;
	assert_int_equal(pieces_check(word, 6, 4, &e), 0);
	assert_int_equal(pieces_check(word, 0, 0, &e), 0);
	refused(word, 6, 3, "subword 6 belongs to word 3, expected at most 2");
	refused(word, 6, 5, "subwords of 4 words, expected 5");
	refused(word + 1, 5, 4, "subword 1 belongs to word 1, expected 0");
	refused((const int32_t[]){ 0, 2 }, 2, 3, "subword 2 belongs to word 2, expected 0 or 1");
	refused((const int32_t[]){ 0, 1, 0 }, 3, 2, "subword 3 belongs to word 0, expected 1 or 2");
	refused((const int32_t[]){ INT32_MIN }, 1, 1,
		"subword 1 belongs to word -2147483648, expected 0");
	refused((const int32_t[]){ 0, INT32_MAX }, 2, 2,
		"subword 2 belongs to word 2147483647, expected 0 or 1");
	refused(NULL, 0, 1, "subwords of 0 words, expected 1");
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(heads_by_hand),
		cmocka_unit_test(longer_words),
		cmocka_unit_test(whole_words_keep_their_heads),
		cmocka_unit_test(invalid_subwords_are_refused),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
