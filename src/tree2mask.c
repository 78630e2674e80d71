/* tree2mask: compute attention masks and tree relations; see tree2mask(1). */
#include <stdlib.h>

#include "base/cli.h"
#include "base/mem.h"
#include "stream/filter.h"
#include "trees/dep-mask.h"
#include "trees/piece-heads.h"
#include "trees/record-pieces.h"
#include "trees/tree-relations.h"

enum { SUBWORDS_BLOCK, SUBWORDS_DEGUCHI, SUBWORDS_FIRST };
static const char *const subword_names[] = { "block", "deguchi", "first", NULL };

static const char *output;
static int side, subwords;
static bool force, quiet, relations;

static const struct opt options[] = {
	OPT_ROW_FLAG(0, "relations", &relations,
		     "add relations between tree nodes instead of a mask"),
	OPT_ROW_CHOICE("subwords", "rule", &subwords, subword_names,
		       "choose how dependencies between words link their subwords (block)"),
	OPT_SIDE(&side),
	OPT_OUTPUT(&output), OPT_MAX_RECORD, OPT_FORCE(&force), OPT_NO_PG, OPT_QUIET(&quiet),
	OPT_NOT_WITH("subwords", "--relations"),
	OPT_OLD_LETTER('r', "--relations"),
	{ .kind = OPT_END }
};

static const struct program program = {
	.name = "tree2mask",
	.synopsis = "[-q] [--relations] [-o file] [--max-record mib] [--no-pg] [--side name] "
		    "[--subwords rule] [file]",
	.summary = "compute attention masks and tree relations",
	.options = options,
	.example = "heed-pack t.en t.de | parse | bpe-apply -c codes | tree2mask > masks.heed",
};

/* Buffers that are reused from one sentence to the next. */
struct tree2mask_work {
	struct side_fields field;
	const char *from, *to;		/* names of the fields of the tree and of the matrix */
	struct piece_words pieces;
	struct matrix matrix;
	int32_t *number;		/* of a subword its head, of a node its last descendant */
	size_t room;
	int64_t all, without;		/* sentences; of these, without a tree */
};

static int
make_mask(const struct record *rec, struct tree2mask_work *w, const int32_t *head, int n_words,
	  struct err *e)
{
	struct matrix *m = &w->matrix;
	const struct piece_words *p = &w->pieces;

	if (dep_check(head, n_words, e))
		return err_wrap(e, "%s", w->from);
	if (record_pieces(rec, &w->field, n_words, &w->pieces, e) ||
	    matrix_size(m, TENSOR_BITS, p->n, e))
		return -1;
	if (subwords == SUBWORDS_BLOCK) {
		dep_mask_words(p->word, p->n, head, m->cell);
		return 0;
	}
	w->number = mem_grow(w->number, &w->room, (size_t)p->n, sizeof(*w->number));
	piece_heads(subwords == SUBWORDS_FIRST ? PIECES_FIRST : PIECES_DEGUCHI, p->word, p->n,
		    head, w->number);
	dep_mask_pieces(w->number, p->n, m->cell);
	return 0;
}

/* A stream with src.pieces must have one node per element of it. */
static int
make_relations(const struct record *rec, struct tree2mask_work *w, const int32_t *parent, int n,
	       struct err *e)
{
	const struct str *piece;
	size_t n_pieces;

	if (preorder_check(parent, n, e))
		return err_wrap(e, "%s", w->from);
	if (!record_strs(rec, w->field.pieces, &piece, &n_pieces) && n_pieces != (size_t)n)
		return err_set(e, EXIT_INPUT, "%s has %d nodes, but %s has %zu", w->from, n,
			       w->field.pieces, n_pieces);
	if (matrix_size(&w->matrix, TENSOR_I8, n, e))
		return -1;
	w->number = mem_grow(w->number, &w->room, (size_t)n, sizeof(*w->number));
	preorder_last(parent, n, w->number);
	tree_relations(parent, w->number, n, (int8_t *)w->matrix.cell);
	return 0;
}

static int
tree2mask_add_matrix(struct record *rec, void *arg, struct err *e)
{
	struct tree2mask_work *w = arg;
	const int32_t *tree;
	size_t n;

	w->all++;
	if (!record_has(rec, w->from)) {
		w->without++;
		record_delete(rec, w->to);
		return 1;
	}
	if (record_ints(rec, w->from, &tree, &n))
		return err_set(e, EXIT_INPUT, "%s is not a list of integers", w->from);
	if (relations ? make_relations(rec, w, tree, (int)n, e)
		      : make_mask(rec, w, tree, (int)n, e))
		return -1;
	record_set_matrix(rec, w->to, &w->matrix);
	return 1;
}

static const struct field *
choose_masks(const struct header *h, void *arg, struct err *e)
{
	static struct field adds[2];
	const struct tree2mask_work *w = arg;
	const bool target = side;

	adds[0] = (struct field){ w->to, relations ? target ? "i8[m,m]" : "i8[n,n]"
						   : target ? "bits[m,m]" : "bits[n,n]", 0 };
	return relations || !header_words(h, &w->field, e) ? adds : NULL;
}

int
main(int argc, char **argv)
{
	const char *path = cli_begin_one(&program, argc, argv);
	const struct side_fields *name = &side_fields[side];
	struct tree2mask_work w = { .field = *name, .from = relations ? name->parent : name->heads,
				    .to = relations ? name->relation : name->dep };
	const struct field needs[] = { { w.from, "[int]", 0 }, { 0 } };
	const struct filter f = {
		.kind = "sentence", .needs = needs, .choose = choose_masks,
		.work = tree2mask_add_matrix, .arg = &w, .input = path, .output = output,
		.force = force
	};

	filter_run(&f);
	if (!quiet)
		report_without(program.name, w.without, w.all, w.from, w.to);
	piece_words_release(&w.pieces);
	matrix_release(&w.matrix);
	free(w.number);
	return cli_end(EXIT_OK);
}
