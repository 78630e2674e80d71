/* parse-score: score parses against gold trees; see parse-score(1). */
#include <stdlib.h>
#include <string.h>

#include "base/cli.h"
#include "base/mem.h"
#include "base/near-name.h"
#include "base/output.h"
#include "scores/parse-agreement.h"
#include "scores/parse-align.h"
#include "stream/input.h"
#include "stream/stream.h"
#include "trees/parse-join.h"
#include "trees/parses.h"

static const char *const form_names[] = { "text", "tsv", NULL };
enum { TO_TEXT, TO_TSV };

static const char *output;
static int side = -1, form, align;
static struct score_table table;

static const struct opt options[] = {
	OPT_ROW_TEXT('b', "score-only", "measure", &table.only,
		     "print only the score of this measure, such as las or f1"),
	OPT_ROW_FLAG(0, "labels", &table.each, "add a row for each relation and phrase label"),
	OPT_ROW_CHOICE("to", "form", &form, form_names, "output format (text)"),
	OPT_ROW_CHOICE("align", "how", &align, join_align_names,
		       "expect the same words, or the same characters (words)"),
	OPT_ROW_CHOICE("side", "name", &side, stream_sides, "side of a stream (src)"),
	OPT_OUTPUT(&output),
	OPT_MAX_LINE,
	OPT_NOT_WITH("score-only", "--labels or --to tsv"),
	OPT_OLD_LETTER('l', "--labels"),
	{ .kind = OPT_END }
};

static const struct program program = {
	.name = "parse-score",
	.synopsis = "[--labels] [-b measure] [-o file] [--align how] [--max-line mib] "
		    "[--side name] [--to form] gold system",
	.summary = "score parses against gold trees",
	.options = options,
	.example = "parse-score gold.conllu system.conllu\n"
		   "  parse-score -b f1 gold.ptb system.ptb",
};

struct parse_score_run {
	struct parses *gold, *system;
	unsigned has;			/* PARSES_...: the kinds of trees that both files have */
	int64_t n, words;		/* sentences and words of gold so far */
	struct parse_align align;
	struct dep_score deps;
	struct bracket_score brackets, brackets_punct;
};

static const char *
kinds(unsigned has)
{
	return has == PARSES_DEPS ? "dependencies" : "bracketed trees";
}

static int
open_both(struct parse_score_run *r, char *const *path, struct err *e)
{
	const char *name = stream_sides[side < 0 ? 0 : side];

	r->gold = parses_open(path[0], name, e);
	r->system = r->gold ? parses_open(path[1], name, e) : NULL;
	if (!r->system)
		return -1;
	if (side >= 0 && !parses_is_stream(r->gold) && !parses_is_stream(r->system))
		return err_usage(e, "text has no sides, expected --side with a stream only");
	r->has = parses_has(r->gold) & parses_has(r->system);
	if (align == ALIGN_CHAR)
		r->has &= PARSES_DEPS;
	if (r->has)
		return 0;
	if (align == ALIGN_CHAR)
		return err_set(e, EXIT_INPUT, "--align char: %s and %s, expected dependencies in "
			       "both", parses_name(r->gold), parses_name(r->system));
	return err_set(e, EXIT_INPUT, "%s has %s, but %s has %s", parses_name(r->gold),
		       kinds(parses_has(r->gold)), parses_name(r->system),
		       kinds(parses_has(r->system)));
}

/* The error for words g and s, from 0, of gold and system; the number of words is the end. */
static int
parse_score_mismatch(struct parse_score_run *r, int g, int s, struct err *e)
{
	const char *const *(*words)(const struct parses *, int *) =
		align == ALIGN_CHAR ? parses_surfaces : parses_words;
	int n_gold, n_system;
	const char *const *gold = words(r->gold, &n_gold);
	const char *const *system = words(r->system, &n_system);
	char *was = s < n_system ? xasprintf("'%s'", system[s]) : xstrdup("missing");
	char *expected = g < n_gold ? xasprintf("'%s'", gold[g]) : xstrdup("none");

	err_set(e, EXIT_INPUT, "sentence %lld: word %d is %s, expected %s (%s)", (long long)r->n,
		s + 1, was, expected, parses_where(r->gold));
	free(was);
	free(expected);
	if (s < n_system && g < n_gold)
		hint_look_alike(system[s], gold[g], e);
	return err_wrap(e, "%s", parses_where(r->system));
}

static int
compare_words(struct parse_score_run *r, struct err *e)
{
	int n_gold, n_system, i = 0;
	const char *const *gold = parses_words(r->gold, &n_gold);
	const char *const *system = parses_words(r->system, &n_system);

	while (i < n_gold && i < n_system && !strcmp(gold[i], system[i]))
		i++;
	if (i == n_gold && i == n_system)
		return 0;
	parse_score_mismatch(r, i, i, e);
	if (r->has & PARSES_DEPS)
		err_hint(e, "--align char scores the words that both have");
	return -1;
}

static int
score_deps(struct parse_score_run *r, struct err *e)
{
	const struct dep_sentence *gold = parses_deps(r->gold), *system = parses_deps(r->system);
	int bad[2];

	if (!gold || !system)
		return err_set(e, EXIT_INPUT, "%s: sentence without heads",
			       parses_where(gold ? r->system : r->gold));
	r->words += gold->n;
	if (align == ALIGN_WORDS) {
		dep_score_add(&r->deps, gold, system);
		return 0;
	}
	if (!parse_align(&r->align, gold, system, bad))
		return parse_score_mismatch(r, bad[0], bad[1], e);
	dep_score_add(&r->deps, &r->align.gold, &r->align.system);
	return 0;
}

static int
score_parses(struct parse_score_run *r, struct err *e)
{
	r->n++;
	if (align == ALIGN_WORDS && compare_words(r, e))
		return -1;
	if (r->has & PARSES_DEPS && score_deps(r, e))
		return -1;
	if (r->has & PARSES_TREES) {
		bracket_score_add(&r->brackets, parses_tree(r->gold), parses_tree(r->system));
		bracket_score_add(&r->brackets_punct, parses_tree(r->gold), parses_tree(r->system));
	}
	return 0;
}

/* Reads the next sentence with words.  Streams have records without words; text leaves them out. */
static int
next_with_words(struct parses *p, struct err *e)
{
	int more, n = 0;

	while (!n && (more = parses_next(p, e)) > 0)
		parses_words(p, &n);
	return n ? 1 : more;
}

static int
score_all(struct parse_score_run *r, struct err *e)
{
	int more_gold, more_system;

	do {
		more_gold = next_with_words(r->gold, e);
		more_system = more_gold < 0 ? -1 : next_with_words(r->system, e);
		if (more_system < 0)
			return -1;
		if (more_gold && more_system && score_parses(r, e))
			return -1;
	} while (more_gold && more_system);
	if (more_gold == more_system)
		return 0;
	return err_set(e, EXIT_INPUT, "%s ends after %lld sentences, but %s continues",
		       parses_name(more_gold ? r->system : r->gold), (long long)r->n,
		       parses_name(more_gold ? r->gold : r->system));
}

static int
write_scores(const struct parse_score_run *r, struct err *e)
{
	const bool deps = r->has & PARSES_DEPS, trees = r->has & PARSES_TREES;
	struct buf out = { 0 };

	if (!table.only && !table.tsv && align == ALIGN_CHAR)
		buf_printf(&out, "%lld sentences, %lld of %lld words\n", (long long)r->n,
			   (long long)r->deps.words, (long long)r->words);
	else if (!table.only && !table.tsv)
		buf_printf(&out, "%lld sentences, %lld words\n", (long long)r->n,
			   (long long)(deps ? r->deps.words : r->brackets_punct.words));
	if (!score_table_write(&table, deps ? &r->deps : NULL, trees ? &r->brackets : NULL,
			       trees ? &r->brackets_punct : NULL, &out, e))
		return output_text(output, &out, e);
	buf_release(&out);
	return -1;
}

int
main(int argc, char **argv)
{
	struct parse_score_run r = { .n = 0 };
	struct err e;
	char **path;
	const int n = cli_begin(&program, argc, argv, &path);

	if (n != 2)
		die_usage("%d files, expected two: gold and system", n);
	if (input_stdin_once(0, path, n, &e))
		die(&e);
	table.tsv = form == TO_TSV;
	bracket_score_init(&r.brackets, false);
	bracket_score_init(&r.brackets_punct, true);
	if (open_both(&r, path, &e) || score_all(&r, &e) || write_scores(&r, &e))
		die(&e);
	parses_close(r.gold);
	parses_close(r.system);
	parse_align_release(&r.align);
	dep_score_release(&r.deps);
	bracket_score_release(&r.brackets);
	bracket_score_release(&r.brackets_punct);
	return cli_end(EXIT_OK);
}
