/* heads: what the attention ops share: blocks of weights, one [H, T_i, S_i] a sentence. */
#ifndef HEADS_H
#define HEADS_H

#include "tape/op.h"
#include "tensor/kernels.h"

/* Where the block of each sentence begins: [n+1]. */
const ptrdiff_t *heads_blocks(const struct layout *q, const struct layout *k, int heads, struct arena *mem);
int heads_longest(const struct layout *l);

/* Runs work(arg, sentence, room) for each sentence; room has space for `numbers` of the thread's own. */
typedef void heads_work(void *arg, int sentence, real *room);
void heads_run(struct pass *p, int sentences, size_t numbers, heads_work *work, void *arg);

/* Rows of sentence i of a matrix that follows a layout, columns of head h, d each. */
static inline real *
heads_at(real *x, int ld, const struct layout *l, int i, int h, int d)
{
	return x ? x + (ptrdiff_t)l->start[i] * ld + (ptrdiff_t)h * d : NULL;
}

/* Zeroes sentence i's rows of a gradient that holds nothing yet. */
void heads_clear(real *g, int ld, const struct layout *l, int i, int width);

/*
 * The same product for every head, where those of head h begin h steps behind those of head 0; with step_c 0
 * the heads are summed up in one c.
 */
struct gemm;
void heads_product(struct pass *p, int heads, const struct gemm *g, int step_a, int step_b, int step_c);

/*
 * A loss of blocks of one head whose queries are the keys, in[0]: a scalar that keeps a number for each
 * score, laid out as they are, and each sentence's loss, which heads_losses() gives, [sentences].
 */
void heads_loss_infer(struct node *n);
size_t heads_loss_saved(const struct node *n);
real *heads_losses(const struct node *n);

#endif
