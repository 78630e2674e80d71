/* dep-mask: masks by hand, and masks of a thousand random trees by the definition. */
#include <setjmp.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

#include "base/rng.h"
#include "trees/conllu.h"
#include "trees/dep-mask.h"
#include "trees/piece-heads.h"

enum { TREES = 1000, WORDS = 20, LONGEST = 4, MOST = WORDS * LONGEST };

static bool
allowed(const uint8_t *bits, int n, int i, int j)
{
	return bits[i * ((n + 7) / 8) + j / 8] >> j % 8 & 1;
}

static void
is(const uint8_t *bits, int n, const char *const *want)
{
	for (int i = 0; i < n; i++)
		for (int j = 0; j < n; j++)
			assert_int_equal(allowed(bits, n, i, j), want[i][j] == '1');
}

/* He lik@@ es neur@@ al networks */
static const int32_t word[] = { 0, 1, 1, 2, 2, 3 }, head[] = { 2, 0, 4, 2 };

static void
all_subwords_of_linked_words(void **state)
{
	static const char *const want[] = {
		"111000", "111001", "111001", "000111", "000111", "011111"	/* 22 of 36 */
	};
	uint8_t bits[6];

	(void)state;
	dep_mask_words(word, 6, head, bits);
	is(bits, 6, want);
}

/* Heads 1 2 2 4 5 1 and 1 1 1 5 3 1: see tests/unit/piece-heads.c. */
static void
linked_subwords_only(void **state)
{
	static const char *const deguchi[] = {
		"110000", "111001", "011000", "000110", "000111", "010011"
	};
	static const char *const first[] = {
		"110000", "111001", "011000", "000111", "000110", "010101"
	};
	int32_t arc[6];
	uint8_t bits[6];

	(void)state;
	piece_heads(PIECES_DEGUCHI, word, 6, head, arc);
	dep_mask_pieces(arc, 6, bits);
	is(bits, 6, deguchi);
	piece_heads(PIECES_FIRST, word, 6, head, arc);
	dep_mask_pieces(arc, 6, bits);
	is(bits, 6, first);
}

static struct rng rng;

/* Words in random order; the head of each is an earlier one in this order: any tree is possible. */
static int
random_heads(int32_t *h)
{
	const int n = 1 + (int)rng_below(&rng, WORDS);
	int order[WORDS];

	for (int i = 0; i < n; i++) {
		const uint32_t k = rng_below(&rng, (uint32_t)i + 1);

		order[i] = order[k];
		order[k] = i;
	}
	for (int i = 0; i < n; i++)
		h[order[i]] = i ? order[rng_below(&rng, (uint32_t)i)] + 1 : 0;
	return n;
}

static int
random_pieces(int n_words, int32_t *w)
{
	int n = 0;

	for (int i = 0; i < n_words; i++)
		for (uint32_t k = 1 + rng_below(&rng, LONGEST); k; k--)
			w[n++] = i;
	return n;
}

/* By the rules of Deguchi, Tamura and Ninomiya, for each subword. */
static int
head_of_piece(const int32_t *w, int n, const int32_t *h, int i)
{
	if (i + 1 < n && w[i + 1] == w[i])
		return i + 1;
	if (!h[w[i]])
		return i;
	for (int j = 0; j < n; j++)
		if (w[j] == h[w[i]] - 1)
			return j;
	return -1;
}

static void
masks_follow_the_definition(void **state)
{
	int32_t h[WORDS], w[MOST], arc[MOST];
	uint8_t blocks[MOST * MOST / 8], links[MOST * MOST / 8];
	struct err e;

	(void)state;
	rng_init(&rng, 2022, 0, 0);
	for (int t = 0; t < TREES; t++) {
		const int n_words = random_heads(h), n = random_pieces(n_words, w);

		assert_int_equal(dep_check(h, n_words, &e), 0);
		assert_int_equal(pieces_check(w, n, n_words, &e), 0);
		dep_mask_words(w, n, h, blocks);
		piece_heads(PIECES_DEGUCHI, w, n, h, arc);
		dep_mask_pieces(arc, n, links);
		for (int i = 0; i < n; i++) {
			assert_int_equal(arc[i], head_of_piece(w, n, h, i));
			for (int j = 0; j < n; j++) {
				assert_int_equal(allowed(blocks, n, i, j), w[i] == w[j] ||
						 h[w[i]] == w[j] + 1 || h[w[j]] == w[i] + 1);
				assert_int_equal(allowed(links, n, i, j), i == j ||
						 head_of_piece(w, n, h, i) == j ||
						 head_of_piece(w, n, h, j) == i);
			}
		}
		for (int j = n; j < (n + 7) / 8 * 8; j++)
			assert_false(allowed(blocks, n, n - 1, j) || allowed(links, n, n - 1, j));
	}
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(all_subwords_of_linked_words),
		cmocka_unit_test(linked_subwords_only),
		cmocka_unit_test(masks_follow_the_definition),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
