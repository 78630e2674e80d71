/* binary: binarization of trees and its inverse, compared with spans computed by hand. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <string.h>

#include <cmocka.h>

#include "base/buf.h"
#include "parser/binary.h"
#include "trees/ptb.h"

/* A tree, its spans, and the inverse if it differs: a node that is not a phrase becomes one. */
struct known { const char *tree, *back; struct binary_span span[16]; };

static const struct known known[] = {
	{ "(NN dog)", "(X (NN dog))", { { 0, 1, BINARY_NONE } } },
	{ "(NP (NN dog))", NULL, { { 0, 1, "NP" } } },
	{ "(S (VP (VB go)))", NULL, { { 0, 1, "S VP" } } },
	{ "(S (NP (PRP He)) (VP (VBZ is)))", NULL,
	  { { 0, 2, "S" }, { 0, 1, "NP" }, { 1, 2, "VP" } } },
	{ "(S (NP (PRP He)) (VP (VBZ is) (NP (PRP$ my) (NN father))) (. .))", NULL,
	  { { 0, 5, "S" }, { 0, 4, BINARY_NONE }, { 0, 1, "NP" }, { 1, 4, "VP" },
	    { 1, 2, BINARY_NONE }, { 2, 4, "NP" }, { 2, 3, BINARY_NONE }, { 3, 4, BINARY_NONE },
	    { 4, 5, BINARY_NONE } } },
	{ "( (NN dog) (VB go))", "(X (NN dog) (VB go))",
	  { { 0, 2, BINARY_NONE }, { 0, 1, BINARY_NONE }, { 1, 2, BINARY_NONE } } },
	{ "(FRAG (X (A a) (B b) (C c) (D d)))", NULL,
	  { { 0, 4, "FRAG X" }, { 0, 3, BINARY_NONE }, { 0, 2, BINARY_NONE }, { 0, 1, BINARY_NONE },
	    { 1, 2, BINARY_NONE }, { 2, 3, BINARY_NONE }, { 3, 4, BINARY_NONE } } },
};

static void
spans_by_hand_and_inverse(void **state)
{
	struct tree t, back;
	struct arena mem;
	struct buf text;
	struct err e;

	(void)state;
	arena_init(&mem, 0);
	tree_init(&t);
	tree_init(&back);
	text = (struct buf){ 0 };
	for (size_t i = 0; i < sizeof(known) / sizeof(*known); i++) {
		struct binary_span span[16];
		const char *tag[16], *word[16];

		assert_int_equal(ptb_parse(&t, known[i].tree, strlen(known[i].tree), 0, &e), 0);
		binary_spans(&t, &mem, span, tag);
		for (int k = 0; k < 2 * t.n_words - 1; k++) {
			assert_int_equal(span[k].first, known[i].span[k].first);
			assert_int_equal(span[k].end, known[i].span[k].end);
			assert_string_equal(span[k].label, known[i].span[k].label);
		}
		for (int k = 0; k < t.n; k++)
			if (t.node[k].leaf)
				word[t.node[k].first] = t.node[k].label;
		binary_tree(span, t.n_words, word, tag, &mem, &back);
		buf_clear(&text);
		tree_write(&back, &text);
		assert_string_equal(text.data, known[i].back ? known[i].back : known[i].tree);
	}
	buf_release(&text);
	tree_release(&t);
	tree_release(&back);
	arena_release(&mem);
}

/* Deeply nested phrases: no recursion, no quadratic time. */
static void
deep_trees(void **state)
{
	enum { DEPTH = 30000 };
	struct binary_span *span;
	struct buf text;
	struct tree t;
	struct arena mem;
	struct err e;

	(void)state;
	arena_init(&mem, 0);
	text = (struct buf){ 0 };
	tree_init(&t);
	for (int i = 0; i < DEPTH; i++)
		buf_add_str(&text, "(A (B b) ");
	buf_add_str(&text, "(C c)");
	for (int i = 0; i < DEPTH; i++)
		buf_add_char(&text, ')');
	assert_int_equal(ptb_parse(&t, text.data, text.n, 0, &e), 0);
	span = ARENA_ARRAY(&mem, struct binary_span, 2 * t.n_words - 1);
	binary_spans(&t, &mem, span, NULL);
	assert_int_equal(span[2 * DEPTH].first, DEPTH);
	assert_int_equal(span[2 * DEPTH - 2].end, DEPTH + 1);
	buf_release(&text);
	tree_release(&t);
	arena_release(&mem);
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(spans_by_hand_and_inverse),
		cmocka_unit_test(deep_trees),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
