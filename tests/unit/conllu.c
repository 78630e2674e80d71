/* conllu: words and heads of sentences; errors in trees and columns name the line. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "trees/conllu.h"

/* A sentence: "@LINE id/doc form:upos:xpos:head:rel[=surface] ... +RANGES+EMPTIES;". */
static void
describe(const struct dep_sentence *s, struct buf *out)
{
	buf_printf(out, "@%d ", (int)s->line);
	if (s->id || s->doc)
		buf_printf(out, "%s/%s%s ", s->id ? s->id : "", s->doc ? s->doc : "",
			   s->new_doc ? "!" : "");
	for (int i = 0; i < s->n; i++) {
		const struct dep_word *w = &s->word[i];

		buf_printf(out, "%s:%s:%s:%d:%s", w->form, w->upos, w->xpos, w->head, w->rel);
		if (strcmp(w->form, w->surface))
			buf_printf(out, "=%s", w->surface);
		buf_add_char(out, ' ');
	}
	if (s->ranges || s->empties)
		buf_printf(out, "+%d+%d ", s->ranges, s->empties);
	out->data[out->n - 1] = ';';
}

/* All sentences, then the error message, if any. */
static const char *
read_bytes(const char *text, size_t n)
{
	static char all[2048];
	struct dep_sentence s = { .n = 0 };
	struct conllu_reader *r;
	struct buf out = { 0 };
	struct err e;
	int more;

	r = conllu_open_memory("f", text, n, &e);
	assert_non_null(r);
	buf_add_str(&out, "");
	while ((more = conllu_next(r, &s, &e)) > 0)
		describe(&s, &out);
	if (more < 0) {
		assert_int_equal(e.status, EXIT_INPUT);
		buf_add_str(&out, e.text);
	}
	conllu_close(r);
	dep_sentence_release(&s);
	assert_true(out.n < sizeof(all));
	memcpy(all, out.data, out.n + 1);
	buf_release(&out);
	return all;
}

static const char *
read_all(const char *text)
{
	return read_bytes(text, strlen(text));
}

#define WORD(id, form, head, rel) id "\t" form "\t_\tU\tX\t_\t" head "\t" rel "\t_\t_\n"

static void
words_have_heads_and_relations(void **state)
{
	(void)state;
	assert_string_equal(read_all(""), "");
	assert_string_equal(read_all("\n\n# only a comment\n\n"), "");
	assert_string_equal(read_all("# newdoc id = d1\n# sent_id = s1\n# text = He sleeps\n"
				     "1\tHe\the\tPRON\tPRP\tCase=Nom\t2\tnsubj\t2:nsubj\t_\n"
				     "2\tsleeps\tsleep\tVERB\tVBZ\t_\t0\troot\t0:root\tA=No\n"
				     "\n\n"
				     "#sent_id=s2 \r\n" WORD("1", "Yes", "0", "root") "\n"
				     "# newdoc\n" WORD("1", "No", "0", "root")),
			    "@1 s1/d1! He:PRON:PRP:2:nsubj sleeps:VERB:VBZ:0:root;"
			    "@8 s2/d1 Yes:U:X:0:root;@11 No:U:X:0:root;");
}

static void
lines_may_end_with_crlf(void **state)
{
	(void)state;
	assert_string_equal(read_all("1\ta\t_\tU\tX\t_\t0\troot\t_\t_\r\n\r\n"
				     "1\tb\t_\tU\tX\t_\t0\troot\t_\t_\r\n"),
			    "@1 a:U:X:0:root;@3 b:U:X:0:root;");
}

static void
multi_word_tokens_and_empty_nodes_are_counted(void **state)
{
	(void)state;
	assert_string_equal(read_all(WORD("0.1", "e", "_", "_") WORD("1-2", "zum", "_", "_")
				     WORD("1", "zu", "3", "case") WORD("2", "dem", "3", "det")
				     WORD("2.1", "x", "_", "_") WORD("2.2", "y", "_", "_")
				     WORD("3", "See", "0", "root")),
			    "@1 zu:U:X:3:case=zum dem:U:X:3:det= See:U:X:0:root +1+3;");
	/* A token that is the concatenation of its words, and one with unknown text. */
	assert_string_equal(read_all(WORD("1-2", "cannot", "_", "_") WORD("1", "can", "0", "root")
				     WORD("2", "not", "1", "advmod") WORD("3-4", "_", "_", "_")
				     WORD("3", "a", "1", "x") WORD("4", "b", "1", "x")),
			    "@1 can:U:X:0:root not:U:X:1:advmod a:U:X:1:x b:U:X:1:x +2+0;");
	assert_string_equal(read_all(WORD("1", "a", "0", "root") WORD("3-4", "b", "_", "_")),
			    "f: line 2: ID 3-4, expected a range from word 2");
	assert_string_equal(read_all(WORD("1-2", "a", "_", "_") WORD("1", "a", "0", "root")
				     WORD("2-3", "b", "_", "_")),
			    "f: line 3: ID 2-3, but the previous token ends with word 2");
	assert_string_equal(read_all(WORD("1-3", "a", "_", "_") WORD("1", "a", "0", "root") "\n"),
			    "f: line 3: the sentence ends with word 1, but its last multi-word "
			    "token with word 3");
	assert_string_equal(read_all(WORD("2-1", "a", "_", "_")),
			    "f: line 1: ID 2-1, expected a range from word 1");
	assert_string_equal(read_all(WORD("1", "a", "0", "root") WORD("2.1", "b", "_", "_")),
			    "f: line 2: ID 2.1, expected an empty node after word 1, such as 1.1");
	assert_string_equal(read_all(WORD("0.1", "a", "_", "_") "\n"),
			    "f: line 2: a sentence without words");
}

static void
sentences_may_have_no_heads(void **state)
{
	(void)state;
	assert_string_equal(read_all(WORD("1", "a", "_", "_") WORD("2", "b", "_", "_")),
			    "@1 a:U:X:0:_ b:U:X:0:_;");
	assert_string_equal(read_all(WORD("1", "a", "_", "_") WORD("2", "b", "0", "_")),
			    "f: line 2: HEAD 0, but the previous words have no heads");
	assert_string_equal(read_all(WORD("1", "a", "0", "_") WORD("2", "b", "_", "_")),
			    "f: line 2: HEAD _, but the previous words have one");
}

static void
columns_are_checked(void **state)
{
	static const char nul[] = "1\ta\0b\t_\tU\tX\t_\t0\troot\t_\t_\n";

	(void)state;
	assert_string_equal(read_all("a\n"), "f: line 1: 1 column, expected 10 separated by tabs");
	assert_string_equal(read_all(WORD("1", "a", "0", "r") "2\tb\t_\tU\tX\t_\t1\tr\t_\n"),
			    "f: line 2: 9 columns, expected 10 separated by tabs");
	assert_string_equal(read_all("1\ta\t_\tU\tX\t_\t0\tr\t_\t_\t_\n"),
			    "f: line 1: 11 columns, expected 10 separated by tabs");
	assert_string_equal(read_all("1\ta\t_\t\tX\t_\t0\tr\t_\t_\n"),
			    "f: line 1: column 4 (UPOS) is empty, expected at least _");
	assert_string_equal(read_all(WORD("1", "a", "0", "r") WORD("3", "b", "1", "r")),
			    "f: line 2: ID 3, expected 2");
	assert_string_equal(read_all(WORD("1", "a", "0", "r") WORD("1", "b", "1", "r")),
			    "f: line 2: ID 1, expected 2");
	assert_string_equal(read_all(WORD("x", "a", "0", "r")), "f: line 1: ID x, expected 1");
	assert_string_equal(read_all(WORD("1", "a", "+1", "r")),
			    "f: line 1: HEAD +1, expected a number or _");
	assert_string_equal(read_all(WORD("1", "a", "99999999999", "r")),
			    "f: line 1: HEAD 99999999999, expected a number or _");
	assert_string_equal(read_all("\n" WORD("1", "\xe4", "0", "r")),
			    "f: line 2: byte 3 (0xe4) is not UTF-8");
	assert_string_equal(read_bytes(nul, sizeof(nul) - 1),
			    "f: line 1: byte 4 is NUL, expected text");
}

#define TWO(a, b) WORD("1", "a", a, "r") WORD("2", "b", b, "r")

/* The error has the line of the word, with comments and multi-word tokens before it. */
static void
trees_are_checked(void **state)
{
	(void)state;
	assert_string_equal(read_all(TWO("0", "1") "\n# c\n" WORD("1", "c", "2", "r") "# c\n"
				     WORD("2", "d", "3", "r") WORD("3", "e", "2", "r")
				     WORD("4", "f", "0", "r")),
			    "@1 a:U:X:0:r b:U:X:1:r;f: line 7: word 2: cycle through head 3, "
			    "expected a path to a root");
	assert_string_equal(read_all(TWO("0", "2")),
			    "f: line 2: word 2: cycle through head 2, expected a path to a root");
	assert_string_equal(read_all(TWO("0", "0")), "@1 a:U:X:0:r b:U:X:0:r;");
	assert_string_equal(read_all(TWO("3", "0")),
			    "f: line 1: word 1: head 3, expected one from 0 to 2");
	assert_string_equal(read_all(TWO("2", "1")),
			    "f: line 1: no word has head 0, expected at least one root");
}

/* Are heads a tree, or several, by the definition: does each word reach 0 in at most n steps? */
static bool
is_tree(const int *head, int n)
{
	for (int i = 0; i < n; i++) {
		int w = i + 1, steps = 0;

		while (w > 0 && w <= n && steps++ < n)
			w = head[w - 1];
		if (w)
			return false;
	}
	return true;
}

/* All heads of four words, from -1 to 5. */
static void
the_check_agrees_with_the_definition(void **state)
{
	(void)state;
	for (int code = 0; code < 7 * 7 * 7 * 7; code++) {
		const int head[] = {
			code % 7 - 1, code / 7 % 7 - 1, code / 49 % 7 - 1, code / 343 - 1
		};
		struct err e;
		const bool good = !dep_check(head, 4, &e);

		assert_int_equal(good, is_tree(head, 4));
		if (!good)
			assert_true(!strncmp(e.text, "word ", 5) ||
				    !strncmp(e.text, "no word ", 8));
	}
}

/* A chain and a star of ten thousand words. */
static void
a_sentence_may_have_any_length(void **state)
{
	enum { WORDS = 10000 };

	(void)state;
	for (int fan = 0; fan < 2; fan++) {
		struct buf text = { 0 }, out = { 0 };
		struct dep_sentence s = { .n = 0 };
		struct conllu_reader *r;
		struct err e;

		for (int i = 1; i <= WORDS; i++)
			buf_printf(&text, "%d\tw%d\t_\tU\tX\t_\t%d\tr\t_\t_\n", i, i,
				   fan ? (i == WORDS ? 0 : WORDS) : (i + 1) % (WORDS + 1));
		buf_add_char(&text, '\n');
		r = conllu_open_memory("f", text.data, text.n, &e);
		assert_non_null(r);
		assert_int_equal(conllu_next(r, &s, &e), 1);
		assert_int_equal(s.n, WORDS);
		assert_string_equal(s.word[9998].form, "w9999");
		assert_int_equal(s.word[9998].head, 10000);
		conllu_write(&s, &out);
		assert_string_equal(out.data, text.data);
		assert_int_equal(conllu_next(r, &s, &e), 0);
		conllu_close(r);
		dep_sentence_release(&s);
		buf_release(&text);
		buf_release(&out);
	}
}

static void
written_sentences_can_be_read(void **state)
{
	static const char text[] = "# newdoc id = d\n# sent_id = s\n" WORD("1", "a", "2", "det")
				   WORD("2", "b", "0", "root") "\n"
				   "# sent_id = t\n" WORD("1", "c", "_", "_") "\n";
	struct dep_sentence s = { .n = 0 };
	struct buf out = { 0 };
	struct conllu_reader *r;
	struct err e;

	(void)state;
	r = conllu_open_memory("f", text, sizeof(text) - 1, &e);
	assert_non_null(r);
	while (conllu_next(r, &s, &e) > 0)
		conllu_write(&s, &out);
	assert_string_equal(out.data, text);
	conllu_close(r);
	dep_sentence_release(&s);
	buf_release(&out);
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(words_have_heads_and_relations),
		cmocka_unit_test(lines_may_end_with_crlf),
		cmocka_unit_test(multi_word_tokens_and_empty_nodes_are_counted),
		cmocka_unit_test(sentences_may_have_no_heads),
		cmocka_unit_test(columns_are_checked),
		cmocka_unit_test(trees_are_checked),
		cmocka_unit_test(the_check_agrees_with_the_definition),
		cmocka_unit_test(a_sentence_may_have_any_length),
		cmocka_unit_test(written_sentences_can_be_read),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
