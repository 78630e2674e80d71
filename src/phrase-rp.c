/* phrase-rp: make relative phrasal positions from constituency trees; see phrase-rp(1). */
#include <stdlib.h>

#include "base/cli.h"
#include "base/mem.h"
#include "data/side-tokens.h"
#include "stream/filter.h"
#include "trees/phrase-positions.h"
#include "trees/record-pieces.h"

enum { LAYER_POS_INCLUDE, LAYER_POS_EXCLUDE };
enum { LAYER_UNARY_KEEP, LAYER_UNARY_COLLAPSE };
enum { SUBWORDS_INHERIT, SUBWORDS_TREE };

static const char *const sign_names[] = { "col-row", "row-col", "abs", NULL };
static const char *const symmetry_names[] = { "literal", "full", "none", NULL };
static const char *const pos_names[] = { "include", "exclude", NULL };
static const char *const unary_names[] = { "keep", "collapse", NULL };
static const char *const subword_names[] = { "inherit", "tree", NULL };

static const char *output;
static int layer_pos, layer_unary, side, sign, subwords, symmetry;
static bool force, quiet;

static const struct opt options[] = {
	OPT_GROUP("Positions"),
	OPT_ROW_CHOICE("layer-pos", "how", &layer_pos, pos_names,
		       "count part-of-speech tags as layers or not (include)"),
	OPT_ROW_CHOICE("layer-unary", "how", &layer_unary, unary_names,
		       "unary chains: count every node or one per chain (keep)"),
	OPT_ROW_CHOICE("sign", "sign", &sign, sign_names,
		       "how to compute the difference of layers (col-row)"),
	OPT_ROW_CHOICE("subwords", "rule", &subwords, subword_names,
		       "layer and span of subwords (inherit)"),
	OPT_ROW_CHOICE("symmetry", "rule", &symmetry, symmetry_names,
		       "words in the local phrase in addition to the span (literal)"),
	OPT_GROUP("Other"),
	OPT_SIDE(&side),
	OPT_OUTPUT(&output), OPT_MAX_RECORD, OPT_FORCE(&force), OPT_NO_PG, OPT_QUIET(&quiet),
	{ .kind = OPT_END }
};

static const struct program program = {
	.name = "phrase-rp",
	.synopsis = "[-q] [-o file] [--layer-pos how] [--layer-unary how] [--max-record mib] "
		    "[--no-pg] [--side name] [--sign sign] [--subwords rule] [--symmetry rule] "
		    "[file]",
	.summary = "make relative phrasal positions from constituency trees",
	.options = options,
	.example = "heed-pack t.en t.de | parse | bpe-apply -c codes | phrase-rp > positions.heed",
};

/* Buffers that are reused from one sentence to the next. */
struct phrase_rp_work {
	struct side_fields field;
	struct tree tree;
	struct piece_words pieces;
	struct matrix matrix;
	struct phrase_place *word, *piece;	/* of each word, of each subword */
	size_t word_room, piece_room;
	int64_t all, without;		/* sentences; of these, without a tree */
};

static void
phrase_rp_find_places(struct phrase_rp_work *w)
{
	const unsigned flags = (layer_pos == LAYER_POS_EXCLUDE ? PHRASE_NO_TAGS : 0) |
			       (layer_unary == LAYER_UNARY_COLLAPSE ? PHRASE_COLLAPSE : 0);
	const struct piece_words *p = &w->pieces;

	w->word = mem_grow(w->word, &w->word_room, (size_t)w->tree.n_words, sizeof(*w->word));
	w->piece = mem_grow(w->piece, &w->piece_room, (size_t)p->n, sizeof(*w->piece));
	phrase_places(&w->tree, flags, w->word);
	phrase_pieces(w->word, p->word, p->n, subwords == SUBWORDS_TREE, w->piece);
}

/* Does the record have subwords, or else words? */
static bool
has_pieces(const struct record *rec, const struct phrase_rp_work *w)
{
	const int32_t *word;
	struct str text;
	size_t n;

	if (!record_ints(rec, w->field.word, &word, &n))
		return n > 0;
	return !record_str(rec, w->field.text, &text) && text_tokens(text);
}

/* 1 if the tree was read, 0 if the sentence has words but no tree, -1 on error. */
static int
phrase_rp_get_tree(const struct record *rec, struct phrase_rp_work *w, struct err *e)
{
	if (!record_has(rec, w->field.tree))
		return 0;
	if (record_tree(rec, w->field.tree, &w->tree, e))
		return -1;
	return w->tree.n || !has_pieces(rec, w);
}

static int
phrase_rp_add_positions(struct record *rec, void *arg, struct err *e)
{
	struct phrase_rp_work *w = arg;
	const int has_tree = phrase_rp_get_tree(rec, w, e);

	if (has_tree < 0)
		return -1;
	w->all++;
	if (!has_tree) {
		w->without++;
		record_delete(rec, w->field.phrase);
		return 1;
	}
	if (record_pieces(rec, &w->field, w->tree.n_words, &w->pieces, e) ||
	    matrix_size(&w->matrix, TENSOR_I8, w->pieces.n, e))
		return -1;
	phrase_rp_find_places(w);
	phrase_positions(w->piece, w->pieces.n, (enum phrase_sign)sign,
			 (enum phrase_symmetry)symmetry, (int8_t *)w->matrix.cell);
	record_set_matrix(rec, w->field.phrase, &w->matrix);
	return 1;
}

static const struct field *
choose_phrases(const struct header *h, void *arg, struct err *e)
{
	static struct field adds[2];
	const struct phrase_rp_work *w = arg;

	adds[0] = (struct field){ w->field.phrase, side ? "i8[m,m]" : "i8[n,n]", 0 };
	return header_words(h, &w->field, e) ? NULL : adds;
}

int
main(int argc, char **argv)
{
	const char *path = cli_begin_one(&program, argc, argv);
	struct phrase_rp_work w = { .field = side_fields[side] };
	const struct field needs[] = { { w.field.tree, "str", 0 }, { 0 } };
	const struct filter f = {
		.kind = "sentence", .needs = needs, .choose = choose_phrases,
		.work = phrase_rp_add_positions, .arg = &w, .input = path, .output = output,
		.force = force
	};

	filter_run(&f);
	if (!quiet)
		report_without(program.name, w.without, w.all, w.field.tree, w.field.phrase);
	tree_release(&w.tree);
	piece_words_release(&w.pieces);
	matrix_release(&w.matrix);
	free(w.word);
	free(w.piece);
	return cli_end(EXIT_OK);
}
