/* ptb2heed: add bracketed constituency trees to a stream; see ptb2heed(1). */
#include "stream/input.h"
#include "trees/parse-join.h"
#include "trees/ptb.h"

static struct join_options o;
static bool strip_func;

static const struct opt options[] = {
	OPT_GROUP("Parses"),
	OPT_JOIN_PARSES(&o, "read trees from file: bracketed trees or a stream (required)"),
	OPT_SIDE(&o.side),
	OPT_JOIN_ALIGN(&o), OPT_JOIN_INVALID(&o),
	OPT_ROW_FLAG(0, "strip-func", &strip_func,
		     "remove function labels and indices: NP-SBJ=2 becomes NP"),
	OPT_GROUP("Other"),
	OPT_OUTPUT(&o.output), OPT_MAX_LINE, OPT_MAX_RECORD,
	OPT_FORCE(&o.force), OPT_NO_PG, OPT_QUIET(&o.quiet),
	{ .kind = OPT_END }
};

static const struct program program = {
	.name = "ptb2heed",
	.synopsis = "-p file [-q] [-i action] [-o file] [--align how] [--max-line mib] "
		    "[--max-record mib] [--no-pg] [--side name] [--strip-func] [file]",
	.summary = "add bracketed constituency trees to a stream",
	.options = options,
	.example = "heed-pack t.en t.de | ptb2heed -p t.ptb > parsed.heed",
};

struct tree_join {
	struct join join;		/* first, for join_filter() */
	struct buf out;
};

static void
set_tree(struct record *rec, struct tree_join *w)
{
	struct tree *t = &w->join.tree;

	buf_clear(&w->out);
	if (strip_func)
		ptb_strip(t);
	tree_write(t, &w->out);
	record_set_str(rec, w->join.field.tree, w->out.data, w->out.n);
}

static int
ptb2heed_add_tree(struct record *rec, void *arg, struct err *e)
{
	struct tree_join *w = arg;
	int found;

	if (dep_check_pieces(rec, &w->join.field, e))
		return -1;
	found = join_next(&w->join, rec, e);
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

int
main(int argc, char **argv)
{
	struct tree_join w = { .out = { 0 } };
	const struct side_fields *name = &w.join.field;
	const char *drops[DEP_MAX_DERIVED + 1] = { NULL };
	const char *path = cli_begin_one(&program, argc, argv);

	join_begin(&w.join, &o, PARSES_TREES);
	dep_derived(name, DEP_FROM_TREE, drops);
	join_filter(&w.join, &o, (const struct field[]){ { name->tree, "str", 0 }, { 0 } },
		    drops, ptb2heed_add_tree, path);
	buf_release(&w.out);
	return cli_end(EXIT_OK);
}
