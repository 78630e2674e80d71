/* treebank: sentences as ids, against files by hand; skipped sentences; the digest. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include <cmocka.h>

#include "parser/binary.h"
#include "parser/treebank.h"

#define DATA "tests/data/parser/"

static void
read_bank(struct treebank *b, const char *files, int max_words, struct leave_out *leave_out)
{
	struct err e;

	treebank_init(b);
	b->max_words = max_words;
	if (treebank_read(b, files, leave_out, &e))
		fail_msg("%s", e.text);
}

static void
is(const struct strmap *map, int number, const char *expected)
{
	assert_in_range(number, 0, map->n - 1);
	assert_string_equal(strmap_text(map, number, NULL), expected);
}

/* "Go home !" with both trees; "Rain", with a tag that is the only child of its phrase. */
static void
both_trees(void **state)
{
	static const char *const form[] = { "Go", "home", "!" };
	static const char *const upos[] = { "VERB", "ADV", "PUNCT" };
	static const char *const xpos[] = { "VB", "RB", "." };
	static const char *const rel[] = { "root", "advmod", "punct" };
	static const int head[] = { 0, 1, 1 };
	static const struct binary_span span[] = {
		{ 0, 3, "S" }, { 0, 2, "VP" }, { 0, 1, BINARY_NONE }, { 1, 2, "ADVP" },
		{ 2, 3, BINARY_NONE },
	};
	const struct sentence *s;
	struct treebank b;

	(void)state;
	read_bank(&b, DATA "both.conllu," DATA "both.ptb", 0, NULL);
	assert_int_equal(b.n, 3);
	assert_int_equal(b.words, 7 + 1 + 3);
	assert_true(treebank_has_heads(&b));
	s = &b.sentence[2];
	assert_int_equal(s->n, 3);
	for (int i = 0; i < 3; i++) {
		is(&b.form, s->form[i], form[i]);
		is(&b.label[LABEL_UPOS], s->tag[LABEL_UPOS][i], upos[i]);
		is(&b.label[LABEL_XPOS], s->tag[LABEL_XPOS][i], xpos[i]);
		is(&b.label[LABEL_REL], s->rel[i], rel[i]);
		assert_int_equal(s->head[i], head[i]);
	}
	for (int i = 0; i < 5; i++) {
		assert_int_equal(s->span[i].first, span[i].first);
		assert_int_equal(s->span[i].end, span[i].end);
		is(&b.label[LABEL_SPAN], s->span[i].label, span[i].label);
	}
	is(&b.label[LABEL_SPAN], b.sentence[1].span[0].label, "FRAG NP");
	assert_int_equal(b.sentence[0].tag[LABEL_UPOS][4], -1);
	/* XPOS of the CoNLL-U file, which no sentence has. */
	assert_int_equal(strmap_find(&b.label[LABEL_XPOS], "X-RAIN", 6), -1);
	treebank_release(&b);
}

static void
one_kind_of_tree(void **state)
{
	struct treebank b;

	(void)state;
	read_bank(&b, DATA "phrases.ptb", 0, NULL);
	assert_int_equal(b.n, 2);
	assert_true(!b.sentence[0].head && !b.sentence[0].tag[LABEL_UPOS]);
	assert_non_null(b.sentence[0].tag[LABEL_XPOS]);
	assert_false(treebank_has_heads(&b));
	is(&b.form, b.sentence[1].form[2], ".");
	treebank_release(&b);
	read_bank(&b, DATA "deps.conllu", 0, NULL);
	assert_int_equal(b.n, 3);
	assert_true(b.sentence[0].head && !b.sentence[0].span);
	assert_non_null(b.sentence[1].head);
	assert_true(b.sentence[1].rel[0] == -1 && b.sentence[1].tag[LABEL_XPOS][0] == -1);
	assert_true(!b.sentence[2].head && !b.sentence[2].rel);
	treebank_release(&b);
}

static void
some_sentences_are_skipped(void **state)
{
	const char *some[] = { "blog*", "fic*", "f*" }, *nothing[] = { "fic", "one" };
	struct leave_out l;
	struct treebank b;

	(void)state;
	leave_out_init(&l, &(struct opt_list){ 3, some });
	read_bank(&b, DATA "documents.conllu", 0, &l);
	assert_int_equal(b.n, 1);
	is(&b.form, b.sentence[0].form[0], "Boats");
	assert_true(!l.matched[0] && l.matched[1] && l.matched[2]);
	leave_out_release(&l);
	treebank_release(&b);
	leave_out_init(&l, &(struct opt_list){ 2, nothing });
	read_bank(&b, DATA "documents.conllu", 2, &l);
	assert_int_equal(b.n, 2);
	assert_true(!l.matched[0] && !l.matched[1]);
	assert_int_equal(b.too_long, 1);
	leave_out_release(&l);
	treebank_release(&b);
}

/* In brackets, "_" is a label like any other. */
static void
underscores_are_labels(void **state)
{
	struct treebank b;

	(void)state;
	read_bank(&b, DATA "underscore.ptb", 0, NULL);
	is(&b.label[LABEL_SPAN], b.sentence[0].span[0].label, "_");
	treebank_release(&b);
}

static uint64_t
digest(const char *files, int max_words)
{
	struct treebank b;
	uint64_t h;

	read_bank(&b, files, max_words, NULL);
	h = treebank_digest(&b);
	treebank_release(&b);
	return h;
}

/* Changes each field of the last sentence by one, and back. */
static void
the_digest_depends_on_everything(void **state)
{
	struct sentence *s;
	struct treebank b;
	uint64_t h;

	(void)state;
	h = digest(DATA "both.conllu," DATA "both.ptb", 0);
	assert_true(h == digest(DATA "both.conllu," DATA "both.ptb", 0));
	assert_true(h != digest(DATA "both.conllu", 0));
	assert_true(h != digest(DATA "both.ptb", 0));
	assert_true(h != digest(DATA "both.conllu," DATA "both.ptb", 6));
	read_bank(&b, DATA "both.conllu," DATA "both.ptb", 0, NULL);
	s = &b.sentence[b.n - 1];
	for (int i = 0; i < 5; i++) {
		int *field = (int *[]){ s->form, s->tag[0], s->tag[1], s->head, s->rel }[i];

		field[s->n - 1]++;
		assert_true(h != treebank_digest(&b));
		field[s->n - 1]--;
	}
	s->span[2 * s->n - 2].label++;
	assert_true(h != treebank_digest(&b));
	s->span[2 * s->n - 2].label--;
	assert_true(h == treebank_digest(&b));
	treebank_release(&b);
}

/* Errors of two files of the same sentences. */
static void
files_must_agree(void **state)
{
	static const struct { const char *files, *expected; int status; } wrong[] = {
		{ DATA "both.conllu," DATA "phrases.ptb", "both.conllu: line 1: 7 words, line 1 of",
		  EXIT_INPUT },
		{ DATA "phrases.ptb," DATA "both.conllu", "both.conllu: line 1: 7 words, line 1 of",
		  EXIT_INPUT },
		{ DATA "both.ptb," DATA "phrases.ptb",
		  "phrases.ptb is a second file of bracketed trees", EXIT_USAGE },
		{ DATA "both.conllu," DATA "none.ptb", "cannot open", EXIT_SYSTEM },
		{ DATA "both.conllu,/dev/null", "second file of CoNLL-U", EXIT_USAGE },
	};

	(void)state;
	for (size_t i = 0; i < sizeof(wrong) / sizeof(*wrong); i++) {
		struct treebank b;
		struct err e;

		treebank_init(&b);
		assert_int_equal(treebank_read(&b, wrong[i].files, NULL, &e), -1);
		assert_int_equal(e.status, wrong[i].status);
		if (!strstr(e.text, wrong[i].expected))
			fail_msg("found '%s', expected '%s'", e.text, wrong[i].expected);
		treebank_release(&b);
	}
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(both_trees),
		cmocka_unit_test(one_kind_of_tree),
		cmocka_unit_test(some_sentences_are_skipped),
		cmocka_unit_test(underscores_are_labels),
		cmocka_unit_test(the_digest_depends_on_everything),
		cmocka_unit_test(files_must_agree),
	};

	if (chdir(getenv("HEED_TOP") ? getenv("HEED_TOP") : "."))
		return 1;
	return cmocka_run_group_tests_name("treebank", tests, NULL, NULL);
}
