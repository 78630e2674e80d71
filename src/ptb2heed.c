/* ptb2heed: constituency trees from files into a stream.  See ptb2heed(1). */
#include "stream/filter.h"
#include "stream/input.h"
#include "text/parse-join.h"
#include "text/ptb.h"

enum { ALIGN_WORDS, ALIGN_CHAR };
static const char *const sides[] = { "src", "tgt", NULL };

static const char *output, *parses;
static int align, invalid, side;
static bool force, quiet, strip_func;

static const struct opt options[] = {
	{ .kind = OPT_CHOICE, .long_name = "align", .arg = "how", .to = &align,
	  .help = "same words, or words of the same characters: words or char",
	  .choice = join_align_names },
	OPT_FORCE(&force),
	{ .kind = OPT_CHOICE, .long_name = "invalid", .arg = "what", .to = &invalid,
	  .help = "a parse that is wrong: error, drop-tree, or skip the sentence",
	  .choice = join_invalid_names },
	OPT_MAX_LINE,
	OPT_MAX_RECORD,
	OPT_NO_PG,
	OPT_OUTPUT(&output),
	{ .kind = OPT_STRING, .short_name = 'p', .long_name = "parses", .arg = "file",
	  .help = "the trees, in brackets", .to = &parses },
	OPT_QUIET(&quiet),
	{ .kind = OPT_CHOICE, .long_name = "side", .arg = "name", .help = "src or tgt",
	  .to = &side, .choice = sides },
	{ .kind = OPT_FLAG, .long_name = "strip-func", .to = &strip_func,
	  .help = "cut functions and indices off labels: NP-SBJ=2 to NP" },
	{ .kind = OPT_END }
};

static const struct program program = {
	.name = "ptb2heed",
	.synopsis = "-p file [-fq] [-o file] [--align how] [--invalid what] [--max-line mib] "
		    "[--max-record mib] "
		    "[--no-pg] [--side name] [--strip-func] [file]",
	.summary = "put constituency trees beside the sentences of a stream",
	.options = options, .reads = "sentence", .writes = "sentence",
};

struct work {
	struct join join;		/* first, for join_end() */
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
	const char *const drops[] = { name->phrase, NULL };	/* what was made of another tree */
	const struct filter f = {
		.kind = "sentence", .needs = needs, .adds = adds, .drops = drops, .work = add_tree,
		.end = join_end,
		.arg = w, .input = input, .output = output, .force = force
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
		die_usage("%d files, at most one was expected", n);
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
