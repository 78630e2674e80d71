/* tree-stats: print size and depth of the trees of corpora; see tree-stats(1). */
#include "base/cli.h"
#include "base/output.h"
#include "stream/input.h"
#include "trees/parses.h"
#include "trees/record-deps.h"
#include "trees/tree-sums.h"

static const char *output;
static int side;

static const struct opt options[] = {
	OPT_ROW_CHOICE("side", "name", &side, stream_sides, "side of a stream (src)"),
	OPT_OUTPUT(&output), OPT_MAX_LINE, OPT_MAX_RECORD,
	{ .kind = OPT_END }
};

static const struct program program = {
	.name = "tree-stats",
	.synopsis = "[-o file] [--max-line mib] [--max-record mib] [--side name] [file ...]",
	.summary = "print size and depth of the trees of corpora",
	.options = options,
	.example = "heed-pack t.en t.de | parse | tree-stats",
};

/* The number of subwords of the last sentence, or -1 if it has no src.word. */
static int64_t
count_pieces(const struct parses *p, const struct side_fields *field)
{
	const struct record *rec = parses_record(p);
	const int32_t *word;
	size_t n;

	return rec && !record_ints(rec, field->word, &word, &n) ? (int64_t)n : -1;
}

static int
tree_stats_add_all(struct tree_sums *s, struct parses *p, struct err *e)
{
	int more, n_words;

	parses_tolerate(p);
	while ((more = parses_next(p, e)) > 0) {
		parses_words(p, &n_words);
		tree_sums_add(s, n_words, count_pieces(p, &side_fields[side]), parses_tree(p),
			      parses_deps(p));
	}
	return more;
}

static int
add_file(const char *path, struct buf *out, struct err *e)
{
	struct tree_sums s = { .sentences = 0 };
	struct parses *p = parses_open(path, stream_sides[side], e);
	const int bad = !p || tree_stats_add_all(&s, p, e);

	if (!bad)
		tree_sums_row(&s, parses_name(p), out);
	parses_close(p);
	tree_sums_release(&s);
	return bad ? -1 : 0;
}

static int
tree_stats_write_table(char **path, struct err *e)
{
	struct output *o = output_open(output, 0, e);
	struct buf out = { 0 };
	int bad;

	if (!o)
		return -1;
	tree_sums_names(&out);
	do
		bad = add_file(*path, &out, e);
	while (!bad && *path && *++path);
	bad = bad || output_write(o, out.data, out.n, e);
	buf_release(&out);
	return output_end(o, bad, e);
}

int
main(int argc, char **argv)
{
	struct err e;
	char **path;

	cli_begin(&program, argc, argv, &path);
	if (tree_stats_write_table(path, &e))
		die(&e);
	return cli_end(EXIT_OK);
}
