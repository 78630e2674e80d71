/* ptb2heed: add constituency trees in brackets to a stream; see ptb2heed(1). */
#include "stream/filter.h"
#include "stream/input.h"
#include "trees/parse-join.h"
#include "trees/ptb.h"

enum { ALIGN_WORDS, ALIGN_CHAR };
static const char *const sides[] = { "src", "tgt", NULL };

static const char *output, *parses;
static int align, invalid, side;
static bool force, quiet, strip_func;

static const struct opt options[] = {
	OPT_GROUP("Parses"),
	{ .kind = OPT_STRING, .short_name = 'p', .long_name = "parses", .arg = "file",
	  .help = "read trees in brackets or another stream (required)", .to = &parses },
	{ .kind = OPT_CHOICE, .long_name = "side", .arg = "name",
	  .help = "side of the stream (src)", .to = &side, .choice = sides },
	{ .kind = OPT_CHOICE, .long_name = "align", .arg = "how", .to = &align,
	  .help = "match parses by words or characters (words)", .choice = join_align_names },
	{ .kind = OPT_CHOICE, .short_name = 'i', .long_name = "invalid", .arg = "what",
	  .to = &invalid, .help = "what to do with an invalid parse (error)",
	  .choice = join_invalid_names },
	{ .kind = OPT_FLAG, .long_name = "strip-func", .to = &strip_func,
	  .help = "remove function labels and indices: NP-SBJ=2 becomes NP" },
	OPT_GROUP("Other"),
	OPT_OUTPUT(&output), OPT_MAX_LINE, OPT_MAX_RECORD,
	OPT_FORCE(&force), OPT_NO_PG, OPT_QUIET(&quiet),
	{ .kind = OPT_END }
};

static const struct program program = {
	.name = "ptb2heed",
	.synopsis = "-p file [-q] [-i what] [-o file] [--align how] [--max-line mib] "
		    "[--max-record mib] [--no-pg] [--side name] [--strip-func] [file]",
	.summary = "add constituency trees in brackets to a stream",
	.options = options, .reads = "sentence", .writes = "sentence",
	.example = "heed-pack t.en t.de | ptb2heed -p t.ptb > parsed.heed",
};

struct work {
	struct join join;		/* first: the argument of join_end() */
	struct buf out;
};

static void
set_tree(struct record *rec, struct work *w)
{
	struct tree *t = &w->join.tree;

	buf_clear(&w->out);
	if (strip_func)
		ptb_strip(t);
	tree_write(t, &w->out);
	record_set_str(rec, w->join.field.tree, w->out.data, w->out.n);
}

static int
add_tree(struct record *rec, void *arg, struct err *e)
{
	struct work *w = arg;
	const int found = join_next(&w->join, rec, e);

	if (found < 0)
		return -1;
	if (found == JOIN_FOUND)
		set_tree(rec, w);
	else if (found == JOIN_NONE && !w->join.text.n)
		record_set_str(rec, w->join.field.tree, "", 0);
	else
		record_delete(rec, w->join.field.tree);
	return found != JOIN_LEFT_OUT;
}

static void
run(struct work *w, const char *input)
{
	const struct dep_fields *name = &w->join.field;
	const struct field needs[] = { { name->text, "str", 0 }, { 0 } };
	const struct field adds[] = { { name->tree, "str", 0 }, { 0 } };
	const char *const drops[] = { name->phrase, NULL };	/* made from another tree */
	const struct filter f = {
		.kind = "sentence", .needs = needs, .adds = adds, .drops = drops, .work = add_tree,
		.end = join_end, .arg = w, .input = input, .output = output, .force = force
	};

	filter_run(&f);
}

int
main(int argc, char **argv)
{
	struct work w = { .out = { 0 } };
	struct err e;
	char **path;
	const int n = cli_begin(&program, argc, argv, &path);

	if (n > 1)
		die_usage("%d files, expected at most one", n);
	if (!parses)
		die_usage("no parses, expected -p file");
	w.join.side = sides[side];
	w.join.invalid = (enum join_invalid)invalid;
	w.join.by_characters = align == ALIGN_CHAR;
	if (join_open(&w.join, parses, PARSES_TREES, false, &e))
		die(&e);
	run(&w, path[0]);
	if (!quiet)
		join_report(&w.join, program.name);
	join_release(&w.join);
	buf_release(&w.out);
	return cli_end(EXIT_OK);
}
