/*
 * next-token: finds the most probable next tokens of hypotheses, and prepares a model for
 * inference.
 */
#ifndef NEXT_TOKEN_H
#define NEXT_TOKEN_H

#include "model/model.h"
#include "tape/op.h"

/*
 * Copies the matrices of matrices_visit() (model/layer-params.h) and the output projection of m
 * into the layout that the back end b needs for repeated products (product_prepare() of
 * tensor/product.h).  Narrow weights (tape/params.h) are replaced by their copies, except a narrow
 * output projection, which is also read elsewhere.  Afterwards the parameters must not change, and
 * the back end must remain open.  The results of the model keep their bits.
 */
void model_prepare(struct model *m, const struct backend *b, struct pool *pool);

/*
 * model_prepare() for programs that translate one sentence at a time: copies only the weights that
 * each step of decoding reads, which takes less memory.  All narrow weights are copied, because
 * passes over batches need the copies, and the narrow weights remain, because the relevance pass
 * reads them.
 */
void model_prepare_steps(struct model *m, const struct backend *b, struct pool *pool);

/*
 * model_prepare_loss() is model_prepare() for programs that call model_cross_entropy() in place of
 * model_next().  Programs that call both also call model_prepare_next(), after it, for a copy of
 * the output layer that model_next() reads.  In a model with more than 2^26 parameters,
 * model_prepare_loss() copies only narrow weights.  Copies of the other weights would double the
 * memory of the model, and save only about 5 % of the time of passes over batches.
 */
void model_prepare_loss(struct model *m, const struct backend *b, struct pool *pool);
void model_prepare_next(struct model *m, const struct backend *b, struct pool *pool);

/*
 * If the back end computes in int8, makes the copy of the output layer that model_next() reads if
 * there are candidates.  The parameters of m must not change afterwards.
 */
void model_prepare_candidates(struct model *m, const struct backend *b, struct pool *pool);

/*
 * For each row r of the decoder output h, stores the most probable vocabulary entries, among those
 * with ids from[r] to to[r] - 1, in the list best[r], as many as it has room for (best_init() of
 * tensor/kernels.h).  The `x` of an entry in the list is its log-probability among all entries of
 * the vocabulary.  Entries that the output mask excludes are never found.
 *
 * If `among` is not NULL, only the candidates among[r] are considered, and probabilities sum to 1
 * over them.  Rows of one sentence should follow each other and have the same pointer among[r], so
 * that their candidates are read once.
 *
 * If `all` [rows, V] is not NULL, it receives the log-probabilities of all entries: -inf for
 * entries that the output mask excludes or that are not candidates.  If the probabilities of row r
 * are not finite numbers, best[r] is empty, and the row of `all` is NaN.
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
