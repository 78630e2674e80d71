/*
 * heads: common functions of the attention ops, for a block [H, T_i, S_i] of each sentence i, with
 * H heads, T_i queries and S_i keys (tape/tape.h).
 */
#ifndef HEADS_H
#define HEADS_H

#include "tape/op.h"
#include "tensor/relevance-kernels.h"

/*
 * Sets `block` [n+1] to the offsets of the blocks of all n sentences, in elements; block[n] is the
 * total size.
 */
void heads_offsets(const struct layout *q, const struct layout *k, int heads, ptrdiff_t *block);
/* The same, allocated in `mem`. */
const ptrdiff_t *heads_blocks(const struct layout *q, const struct layout *k, int heads,
			      struct arena *mem);
/* The maximum length of a sentence. */
int heads_longest(const struct layout *l);
/* The maximum number of queries or keys of a sentence. */
int heads_longest_of(const struct layout *queries, const struct layout *keys);

/*
 * Calls work(arg, sentence, scratch) for each sentence, in parallel.  `scratch` is memory of the
 * thread for `elements` elements.
 */
typedef void heads_work(void *arg, int sentence, real *scratch);
void heads_run(struct pass *p, int sentences, size_t elements, heads_work *work, void *arg);

/*
 * The first element of sentence i and head h, of width d, in a matrix x with layout l, whose rows
 * are `ld` elements apart; NULL if x is NULL.
 */
static inline real *
heads_at(real *x, int ld, const struct layout *l, int i, int h, int d)
{
	return x ? x + (ptrdiff_t)l->start[i] * ld + (ptrdiff_t)h * d : NULL;
}

/* The number of elements of each head in the block of sentence i. */
static inline ptrdiff_t
heads_cells(const struct node *n, int i)
{
	return (ptrdiff_t)n->queries->len[i] * n->keys->len[i];
}

/* The index of the first element of head h in the block of sentence i. */
static inline ptrdiff_t
heads_block(const struct node *n, int i, int h)
{
	return n->block[i] + h * heads_cells(n, i);
}

/*
 * The rows of the block of a sentence, head by head, and of a head query by query.  The row of head
 * h and query i, with an element for each key, begins at index `cell` of the node.
 *
 *	for (struct score_row r = heads_first_row(n, sentence); r.h < n->heads; heads_next_row(&r))
 */
struct score_row { int h, queries, keys; ptrdiff_t i, cell; };

static inline struct score_row
heads_first_row(const struct node *n, int sentence)
{
	const int queries = n->queries->len[sentence];

	return (struct score_row){ .h = queries ? 0 : n->heads, .queries = queries,
				   .keys = n->keys->len[sentence], .cell = n->block[sentence] };
}

static inline void
heads_next_row(struct score_row *r)
{
	r->cell += r->keys;
	if (++r->i < r->queries)
		return;
	r->i = 0;
	r->h++;
}

/* Zeroes the rows of sentence i of an uninitialized gradient. */
void heads_clear(real *g, int ld, const struct layout *l, int i, int width);

/*
 * Computes a product for each head; g is that of head 0.  The matrices of head h begin h *
 * `step_a`, h * `step_b` and h * `step_c` elements after those of head 0.  With `step_c` 0 the
 * products of all heads are summed in c.
 */
struct gemm;
void heads_product(struct pass *p, int heads, const struct gemm *g, int step_a, int step_b,
		   int step_c);

/*
 * Functions for a loss over in[0], blocks of one head in which the queries are also the keys.  The
 * result is a scalar.  The op saves an element for each score, laid out as the scores, and the loss
 * of each sentence, heads_losses(n) [sentences]; heads_loss_saved() is the size of both in bytes.
 * heads_loss_forward() calls heads_run() with n as `arg`, so that `work` stores the loss of its
 * sentence in heads_losses(n), and then sets the result to their sum.
 */
void heads_loss_infer(struct node *n, struct arena *mem);
size_t heads_loss_saved(const struct node *n);
real *heads_losses(const struct node *n);
void heads_loss_forward(struct node *n, struct pass *p, size_t elements, heads_work *work);

#endif
