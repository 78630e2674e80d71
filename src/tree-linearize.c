/* tree-linearize: convert constituency trees to token sequences; see tree-linearize(1). */
#include <inttypes.h>
#include <stdio.h>

#include "base/cli.h"
#include "stream/filter.h"
#include "stream/type.h"
#include "trees/dependents.h"
#include "trees/linearize.h"
#include "trees/record-pieces.h"

enum { VOCAB_PREFIXED, VOCAB_BARE };
enum { TAGS_KEEP, TAGS_DROP };

static const char *const vocab_names[] = { "prefixed", "bare", NULL };
static const char *const tag_names[] = { "keep", "drop", NULL };

static const char *output;
static int label_vocab, side, tags;
static bool brackets, force, quiet;

static const struct opt options[] = {
	OPT_GROUP("Sequence"),
	OPT_ROW_FLAG(0, "brackets", &brackets,
		     "write bracketed trees instead of nodes with src.parent"),
	OPT_ROW_CHOICE("label-vocab", "how", &label_vocab, vocab_names,
		       "prefix labels with a parenthesis or not (prefixed)"),
	OPT_ROW_CHOICE("tags", "how", &tags, tag_names,
		       "keep or remove part-of-speech tags (keep)"),
	OPT_GROUP("Other"),
	OPT_SIDE(&side),
	OPT_OUTPUT(&output), OPT_MAX_RECORD, OPT_FORCE(&force), OPT_NO_PG, OPT_QUIET(&quiet),
	OPT_OLD_LETTER('b', "--brackets"),
	{ .kind = OPT_END }
};

static const struct program program = {
	.name = "tree-linearize",
	.synopsis = "[-q] [--brackets] [-o file] [--label-vocab how] [--max-record mib] [--no-pg] "
		    "[--side name] [--tags how] [file]",
	.summary = "convert constituency trees to token sequences",
	.options = options,
	.example = "heed-pack t.en t.de | parse | bpe-apply -c codes | tree-linearize > trees.heed",
};

/* Buffers that are reused from one sentence to the next. */
struct tree_linearize_work {
	struct replacement subwords;	/* first, for replacement_run() */
	struct side_fields field;
	struct tree tree;
	struct piece_words words;
	struct linear linear;
	int64_t all, without;		/* sentences; of these, without a tree */
};

/*
 * Reads the tree of the record, or makes a flat tree over the words of word[n] if there is none.
 * record_pieces() checks word[] later.
 */
static int
get_tree(const struct record *rec, struct tree_linearize_work *w, const int32_t *word, size_t n,
	 struct err *e)
{
	int n_words = 0;

	tree_clear(&w->tree);
	if (record_has(rec, w->field.tree) && record_tree(rec, w->field.tree, &w->tree, e))
		return -1;
	if (w->tree.n || !n)
		return 0;
	for (size_t i = 0; i < n; i++)
		n_words += i == 0 || word[i] != word[i - 1];
	linear_flat(&w->tree, n_words);
	w->without++;
	return 0;
}

static int
get_pieces(const struct record *rec, struct tree_linearize_work *w, const struct str **piece,
	   struct err *e)
{
	const int32_t *word;
	size_t n, n_words;

	if (record_strs(rec, w->field.pieces, piece, &n))
		return err_set(e, EXIT_INPUT, "no %s", w->field.pieces);
	if (record_ints(rec, w->field.word, &word, &n_words))
		return err_set(e, EXIT_INPUT, "no %s", w->field.word);
	if (n != n_words)
		return err_set(e, EXIT_INPUT, "%s has %zu elements, but %s has %zu",
			       w->field.pieces, n, w->field.word, n_words);
	if (get_tree(rec, w, word, n, e))
		return -1;
	return record_pieces(rec, &w->field, w->tree.n_words, &w->words, e);
}

static int
linearize(struct record *rec, void *arg, struct err *e)
{
	const unsigned flags = (brackets ? LINEAR_BRACKETS : 0) |
			       (label_vocab == VOCAB_BARE ? LINEAR_BARE : 0) |
			       (tags == TAGS_DROP ? LINEAR_NO_TAGS : 0);
	struct tree_linearize_work *w = arg;
	struct linear *l = &w->linear;
	const struct str *piece;

	w->all++;
	if (get_pieces(rec, w, &piece, e))
		return -1;
	linear_set(l, &w->tree, piece, w->words.word, w->words.n, flags);
	if ((size_t)l->n > TYPE_LIST_MAX)
		return err_set(e, EXIT_INPUT, "a tree of %d nodes, expected at most %zu",
			       l->n, TYPE_LIST_MAX);
	record_set_strs(rec, w->field.pieces, l->piece, (size_t)l->n);
	if (!brackets)
		record_set_ints(rec, w->field.parent, l->parent, (size_t)l->n);
	return 1;
}

int
main(int argc, char **argv)
{
	const char *path = cli_begin_one(&program, argc, argv);
	const struct side_fields *name = &side_fields[side];
	const struct field needs[] = {
		{ name->tree, "str", 0 }, { name->pieces, "[str]", 0 }, { name->word, "[int]", 0 },
		{ 0 }
	};
	const struct field adds[] = { { brackets ? NULL : name->parent, "[int]", 0 }, { 0 } };
	struct tree_linearize_work w = { .field = *name };

	if (brackets && label_vocab == VOCAB_BARE)
		die_usage("--label-vocab bare and --brackets, expected one of them");
	w.subwords.field = name->pieces;
	w.subwords.filter = (struct filter){
		.kind = "sentence", .needs = needs, .adds = adds, .work = linearize,
		.input = path, .output = output, .force = force
	};
	replacement_run(&w.subwords);
	if (w.without && !quiet)
		fprintf(stderr, "%s: %" PRId64 " of %" PRId64 " sentences have no tree and get a "
			"flat one\n", program.name, w.without, w.all);
	tree_release(&w.tree);
	piece_words_release(&w.words);
	linear_release(&w.linear);
	return cli_end(EXIT_OK);
}
