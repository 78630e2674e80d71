/*
 * next-token: the most probable next tokens of hypotheses, and the preparation of a model for it.
 */
#ifndef NEXT_TOKEN_H
#define NEXT_TOKEN_H

#include "model/model.h"
#include "tape/op.h"

/*
 * Prepares the layout of all weights for repeated products with this back end.  Afterwards the
 * values must not change and the back end must stay open.  Results have the same bits without it.
 */
void model_prepare(struct model *m, const struct backend *b, struct pool *pool);

/*
 * The same, but only the weights that each step of decoding reads: less memory, for programs that
 * translate one sentence at a time.
 */
void model_prepare_steps(struct model *m, const struct backend *b, struct pool *pool);

/*
 * As model_prepare(), but the output layer for model_cross_entropy() instead of model_next(), whose
 * copy model_prepare_next() adds, for programs that also translate.  Of a model with more
 * than 2^26 parameters, it prepares only narrow ones: a copy would double its memory, and saves
 * about 5 % of the time of passes over batches.
 */
void model_prepare_loss(struct model *m, const struct backend *b, struct pool *pool);
void model_prepare_next(struct model *m, const struct backend *b, struct pool *pool);

/* For model_next() with candidates; m must already have its final values. */
void model_prepare_candidates(struct model *m, const struct backend *b, struct pool *pool);

/*
 * Finds for each row r of h the most probable vocabulary entries in [from[r], to[r]), as many as
 * best[r] has room for (best_init()).  Their x is the log-probability among all entries.  Masked
 * entries are never found.
 *
 * If among is not NULL, only the candidates among[r] are considered, and probabilities sum to 1
 * over them.  Rows of a sentence, which point to the same candidates, should be successive.
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
