/* tree and ptb: reading and writing of bracketed trees; errors name line and column. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "trees/ptb.h"

/* Reads and writes one tree; the result, or the error message. */
static const char *
again_with(const char *s, unsigned flags)
{
	static char text[512];
	struct tree t = { .n = 0 };
	struct buf out = { 0 };
	struct err e;

	if (ptb_parse(&t, s, strlen(s), flags, &e)) {
		assert_int_equal(e.status, EXIT_INPUT);
		buf_add_str(&out, e.text);
	} else {
		tree_write(&t, &out);
	}
	assert_true(out.n < sizeof(text));
	memcpy(text, out.data, out.n + 1);
	buf_release(&out);
	tree_release(&t);
	return text;
}

static const char *
again(const char *s)
{
	return again_with(s, 0);
}

/* "He is my father.": parents and ends of subtrees by hand. */
static void
nodes_are_in_preorder(void **state)
{
	static const char s[] = "(S (NP (PRP He)) (VP (VBZ is) (NP (PRP$ my) (NN father))) (. .))";
	static const int parent[] = { -1, 0, 1, 2, 0, 4, 5, 4, 7, 8, 7, 10, 0, 12 };
	static const int last[] = { 13, 3, 3, 3, 11, 6, 6, 11, 9, 9, 11, 11, 13, 13 };
	static const int first[] = { 0, 0, 0, 0, 1, 1, 1, 2, 2, 2, 3, 3, 4, 4 };
	static const int end[] = { 5, 1, 1, 1, 4, 2, 2, 4, 3, 3, 4, 4, 5, 5 };
	static const char *const label[] = { "S", "NP", "PRP", "He", "VP", "VBZ", "is", "NP",
					     "PRP$", "my", "NN", "father", ".", "." };
	struct tree t = { .n = 0 };
	struct err e;

	(void)state;
	assert_int_equal(ptb_parse(&t, s, strlen(s), 0, &e), 0);
	assert_int_equal(t.n, 14);
	assert_int_equal(t.n_words, 5);
	for (int i = 0; i < t.n; i++) {
		const bool leaf = last[i] == i, tag = last[i] == i + 1;

		assert_int_equal(t.node[i].parent, parent[i]);
		assert_int_equal(t.node[i].last, last[i]);
		assert_int_equal(t.node[i].first, first[i]);
		assert_int_equal(t.node[i].end, end[i]);
		assert_string_equal(t.node[i].label, label[i]);
		assert_int_equal(t.node[i].leaf, leaf);
		assert_int_equal(tree_is_tag(&t, i), tag);
	}
	assert_int_equal(tree_after(&t, 1), 4);
	assert_int_equal(tree_after(&t, 12), 14);
	assert_string_equal(again(s), s);
	tree_release(&t);
}

static void
whitespace_and_lines_do_not_matter(void **state)
{
	(void)state;
	assert_string_equal(again("  ( NP\n\t(DT the ) \r\n(NN  dog)) \n"),
			    "(NP (DT the) (NN dog))");
	assert_string_equal(again("(NP(DT the)(NN dog))"), "(NP (DT the) (NN dog))");
	assert_string_equal(again("(NP the (NN dog) house)"), "(NP the (NN dog) house)");
}

static void
wrappers_are_removed(void **state)
{
	(void)state;
	assert_string_equal(again("( (S (NN a)))"), "(S (NN a))");
	assert_string_equal(again("((S (NN a)))"), "(S (NN a))");
	assert_string_equal(again("(ROOT (S (NN a)))"), "(S (NN a))");
	assert_string_equal(again("(TOP (VROOT (NN a)))"), "(NN a)");
	assert_string_equal(again("( (ROOT (S (ROOT (NN a)))))"), "(S (ROOT (NN a)))");
	assert_string_equal(again("(ROOT (S (NN a)) (. .))"), "(ROOT (S (NN a)) (. .))");
	assert_string_equal(again("( (S (NN a)) (. .))"), "( (S (NN a)) (. .))");
	assert_string_equal(again(again("( (S (NN a)) (. .))")), "( (S (NN a)) (. .))");
	assert_string_equal(again("(ROOT a)"), "(ROOT a)");
	assert_string_equal(again("(S1 (S (NN a)))"), "(S1 (S (NN a)))");
}

static void
traces_and_phrases_of_traces_are_removed(void **state)
{
	(void)state;
	assert_string_equal(again("(S (NP-SBJ (-NONE- *)) (VP (VB go)))"), "(S (VP (VB go)))");
	assert_string_equal(again("( (S (VP (VB go) (SBAR (-NONE- 0) (S (-NONE- *T*-1)))) (. .)))"),
			    "(S (VP (VB go)) (. .))");
	assert_string_equal(again("(S (VP (VB go)) (NP (-NONE- *)))"), "(S (VP (VB go)))");
	assert_string_equal(again("(ROOT (NP (-NONE- *)) (S (VB go)))"), "(S (VB go))");
	assert_string_equal(again("(S (NP (-NONE- *)))"),
			    "column 20: a tree without words, expected at least one");
}

/* The first and end of nodes after a trace count only words. */
static void
a_trace_is_not_a_word(void **state)
{
	static const char s[] = "(S (NP (-NONE- *)) (A a) (NP (-NONE- *)) (B b))";
	struct tree t = { .n = 0 };
	struct err e;

	(void)state;
	assert_int_equal(ptb_parse(&t, s, strlen(s), 0, &e), 0);
	assert_int_equal(t.n, 5);
	assert_int_equal(t.n_words, 2);
	assert_int_equal(t.node[3].first, 1);
	assert_int_equal(t.node[3].end, 2);
	assert_int_equal(t.node[4].parent, 3);
	tree_release(&t);
}

static void
function_labels_are_removed_on_request(void **state)
{
	static const char s[] = "(S-1 (NP-SBJ=2 (-LRB- -LRB-) (NN-X a) (- -)) (=X=Y b))";

	(void)state;
	assert_string_equal(again(s), "(S (NP (-LRB- -LRB-) (NN a) (- -)) (=X b))");
	assert_string_equal(again_with(s, PTB_KEEP_FUNCTIONS), s);
}

static void
brackets_in_words_are_escaped(void **state)
{
	static const char s[] = "(X (A -LRB-) (A -RRB-) (A -LCB-) (A -RCB-) (A -LSB-a-RSB-) "
				"(A :-RRB-) (A -LRB) (A --LRB--) "
				"(A 1\\/2) (A \\*\\*) (A a\\b) (A \\\\/))";
	static const char *const word[] = { "(", ")", "{", "}", "[a]", ":)", "-LRB", "-(-",
					    "1/2", "**", "a\\b", "\\/" };
	struct tree t = { .n = 0 };
	struct err e;

	(void)state;
	assert_int_equal(ptb_parse(&t, s, strlen(s), 0, &e), 0);
	for (int i = 0, w = 0; i < t.n; i++)
		if (t.node[i].leaf)
			assert_string_equal(t.node[i].label, word[w++]);
	assert_string_equal(again(s),
			    "(X (A -LRB-) (A -RRB-) (A {) (A }) (A [a]) (A :-RRB-) (A -LRB) "
			    "(A --LRB--) (A 1/2) (A **) (A a\\b) (A \\\\/))");
	tree_release(&t);
}

static void
malformed_trees_are_errors(void **state)
{
	(void)state;
	assert_string_equal(again(""), "no tree, expected '('");
	assert_string_equal(again(" \n"), "no tree, expected '('");
	assert_string_equal(again("a"), "column 1: 'a' outside of brackets, expected '('");
	assert_string_equal(again(")"), "column 1: ')' that closes nothing, expected '('");
	assert_string_equal(again("("), "a tree that is not closed, expected 1 more ')'");
	assert_string_equal(again("(S (NP (NN \xc3\xa9))"),
			    "a tree that is not closed, expected 1 more ')'");
	assert_string_equal(again("(S (A a)))"),
			    "column 10: text after the tree, expected the end");
	assert_string_equal(again("(A \xc3\xa9) x"),
			    "column 7: text after the tree, expected the end");
	assert_string_equal(again("()"),
			    "column 2: a phrase without a label, expected a label after '('");
	assert_string_equal(again("(S (A a) ((B b)))"),
			    "column 11: a phrase without a label, expected a label after '('");
	assert_string_equal(again("(S (NP ) (A a))"),
			    "column 8: a phrase without children, expected a word or a phrase "
			    "after its label");
	assert_string_equal(again("((A a) b)"),
			    "column 8: a word in a phrase without a label, expected a phrase");
	assert_string_equal(again("(A \xff)"), "byte 4 (0xff) is not UTF-8");
}

static void
a_nul_byte_is_an_error(void **state)
{
	struct tree t = { .n = 0 };
	struct err e;

	(void)state;
	assert_int_equal(ptb_parse(&t, "(A a\0b)", 7, 0, &e), -1);
	assert_string_equal(e.text, "column 4: a NUL byte, expected text");
	tree_release(&t);
}

/* Reads all trees of a file: "LINE TREE;" each, then the error message, if any. */
static const char *
file(const char *s)
{
	static char text[1024];
	struct tree t = { .n = 0 };
	struct buf out = { 0 };
	struct ptb_reader *r;
	struct err e;
	int more;

	r = ptb_open_memory("f", s, strlen(s), 0, &e);
	assert_non_null(r);
	buf_add_str(&out, "");
	while ((more = ptb_next(r, &t, &e)) > 0) {
		buf_printf(&out, "%d ", (int)ptb_line(r));
		tree_write(&t, &out);
		buf_add_char(&out, ';');
	}
	if (more < 0)
		buf_add_str(&out, e.text);
	ptb_close(r);
	tree_release(&t);
	assert_true(out.n < sizeof(text));
	memcpy(text, out.data, out.n + 1);
	buf_release(&out);
	return text;
}

static void
trees_may_extend_over_lines(void **state)
{
	(void)state;
	assert_string_equal(file(""), "");
	assert_string_equal(file("\n\n"), "");
	assert_string_equal(file("(A a)"), "1 (A a);");
	assert_string_equal(file("(A a)\r\n\r\n( (S\r\n  (B b)\r\n)) (C\n c)\n"),
			    "1 (A a);3 (S (B b));5 (C c);");
}

static void
errors_of_files_name_line_and_column(void **state)
{
	(void)state;
	assert_string_equal(file("(A a)\n(B\n  b))\n"),
			    "1 (A a);2 (B b);f: line 3: column 5: ')' that "
			    "closes nothing, expected '('");
	assert_string_equal(file("\n(A\n\n(S (B b)\n(C c)\n\n"),
			    "f: line 2: the tree that begins here is not closed at the end of the "
			    "file, expected 2 more ')'");
	assert_string_equal(file("(A a)\n\xc3\xa4 b"), "1 (A a);f: line 2: column 1: "
			    "'\xc3\xa4' outside of brackets, expected '('");
	assert_string_equal(file("(A a)\n(B \xe4)"),
			    "1 (A a);f: line 2: byte 4 (0xe4) is not UTF-8");
}

/* "(a (a ... (a b) ... ))" is written as it was read; nested wrappers are removed. */
static void
depth_is_limited_by_memory_only(void **state)
{
	enum { DEPTH = 100000 };
	struct buf s = { 0 }, out = { 0 };
	struct tree t = { .n = 0 };
	struct err e;

	(void)state;
	for (int i = 0; i < DEPTH; i++)
		buf_add_str(&s, i ? " (a" : "(a");
	buf_add_str(&s, " b");
	for (int i = 0; i < DEPTH; i++)
		buf_add_char(&s, ')');
	assert_int_equal(ptb_parse(&t, s.data, s.n, 0, &e), 0);
	assert_int_equal(t.n, DEPTH + 1);
	assert_int_equal(t.node[DEPTH].parent, DEPTH - 1);
	assert_int_equal(t.node[0].last, DEPTH);
	tree_write(&t, &out);
	assert_string_equal(out.data, s.data);
	buf_clear(&s);
	for (int i = 0; i < DEPTH; i++)
		buf_add_str(&s, "(ROOT ");
	buf_add_str(&s, "b");
	for (int i = 0; i < DEPTH; i++)
		buf_add_char(&s, ')');
	assert_int_equal(ptb_parse(&t, s.data, s.n, 0, &e), 0);
	assert_int_equal(t.n, 2);
	assert_int_equal(t.node[1].parent, 0);
	buf_release(&s);
	buf_release(&out);
	tree_release(&t);
}

static void
a_sentence_may_have_any_length(void **state)
{
	enum { WORDS = 10000 };
	struct buf s = { 0 }, out = { 0 };
	struct tree t = { .n = 0 };
	struct err e;

	(void)state;
	buf_add_str(&s, "(S");
	for (int i = 0; i < WORDS; i++)
		buf_printf(&s, " (N w%d)", i);
	buf_add_str(&s, ")");
	assert_int_equal(ptb_parse(&t, s.data, s.n, 0, &e), 0);
	assert_int_equal(t.n_words, WORDS);
	assert_string_equal(t.node[2 * WORDS].label, "w9999");
	tree_write(&t, &out);
	assert_string_equal(out.data, s.data);
	buf_release(&s);
	buf_release(&out);
	tree_release(&t);
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(nodes_are_in_preorder),
		cmocka_unit_test(whitespace_and_lines_do_not_matter),
		cmocka_unit_test(wrappers_are_removed),
		cmocka_unit_test(traces_and_phrases_of_traces_are_removed),
		cmocka_unit_test(a_trace_is_not_a_word),
		cmocka_unit_test(function_labels_are_removed_on_request),
		cmocka_unit_test(brackets_in_words_are_escaped),
		cmocka_unit_test(malformed_trees_are_errors),
		cmocka_unit_test(a_nul_byte_is_an_error),
		cmocka_unit_test(trees_may_extend_over_lines),
		cmocka_unit_test(errors_of_files_name_line_and_column),
		cmocka_unit_test(depth_is_limited_by_memory_only),
		cmocka_unit_test(a_sentence_may_have_any_length),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
