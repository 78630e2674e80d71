/*
 * next-token: finds the most probable next tokens of hypotheses, and prepares a model for
 * inference.
 */
#ifndef NEXT_TOKEN_H
#define NEXT_TOKEN_H

#include "model/model.h"
#include "tape/op.h"

/*
 * Copies all weights into the layout that this back end needs for repeated products.  Afterwards,
 * the values must not change, and the back end must remain open.  Results have the same bits as
 * without it.
 */
void model_prepare(struct model *m, const struct backend *b, struct pool *pool);

/*
 * The same, but only the weights that each step of decoding reads: less memory, for programs that
 * translate one sentence at a time.  Narrow weights are all prepared, also for passes over batches,
 * and remain, because the relevance pass reads them.
 */
void model_prepare_steps(struct model *m, const struct backend *b, struct pool *pool);

/*
 * model_prepare_loss() is model_prepare() for programs that call model_cross_entropy() instead of
 * model_next().  model_prepare_next() then adds the copy of the output layer for model_next(), for
 * programs that call both.  In a model with more than 2^26 parameters, model_prepare_loss()
 * prepares only narrow parameters: a copy of the others would double the memory of the model, and
 * save only about 5 % of the time of passes over batches.
 */
void model_prepare_loss(struct model *m, const struct backend *b, struct pool *pool);
void model_prepare_next(struct model *m, const struct backend *b, struct pool *pool);

/* Prepares the output layer for model_next() with candidates; the values of m must be final. */
void model_prepare_candidates(struct model *m, const struct backend *b, struct pool *pool);

/*
 * Finds for each row r of the decoder output h the most probable vocabulary entries, among those
 * with ids from[r] to to[r] - 1; as many as best[r] has room for (best_init() of tensor/kernels.h).
 * Their x is the log-probability among all entries.  Masked entries are never found.
 *
 * If among is not NULL, only the candidates among[r] are considered, and probabilities sum to 1
 * over them.  Rows of one sentence point to the same candidates and should be successive.
 *
 * If all is not NULL, it gets the log-probabilities of all entries, [rows, V]: -inf for masked
 * entries, for those that are not candidates, and in a row whose sum is not finite.
 */
struct candidates { int n; const int *id; };	/* ids in ascending order */
struct next_tokens {
	const int *from, *to;
	struct best *best;
	const struct candidates *const *among;
	real *all;
};
void model_next(struct model *m, struct tape *t, struct node *h, const struct next_tokens *next);

#endif
