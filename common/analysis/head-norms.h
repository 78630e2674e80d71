/*
 * head-norms: how much each head adds to the output of its attention layer.  No loss is involved.
 *
 * The output of an attention layer, without the bias, is the sum of one contribution for each head:
 * the head's output times the part of the output projection that reads the head.  The measure is
 * the Euclidean norm of that contribution, averaged over queries.  In the norm-based analysis of
 * Kobayashi et al. 2020 (Attention is not only a weight, equation 4), each key has a vector; here
 * these vectors are summed over keys before the norm is taken.
 */
#ifndef HEAD_NORMS_H
#define HEAD_NORMS_H

#include "analysis/head-table.h"
#include "data/batch.h"
#include "model/model.h"
#include "scores/ratio-error.h"

struct head_norms {
	const struct model *m;
	double *gram;			/* private: [heads of all sites, head_dim, head_dim] */
	double *sum;			/* [heads of all sites] sum of the norms; order of
					 * attention/attention-heads.h */
	bool errors;			/* measure standard errors over sentences, too;
					 * head_norms_begin() sets it to false, the caller may then
					 * set it to true */
	struct ratio_error *error;	/* [heads of all sites]; zeros unless `errors` is true */
	int64_t rows[2];		/* numbers of rows of the source and of the target */
};

/*
 * Overwrites *x.  `m` must outlive `x`, and the values of its parameters must not change until
 * head_norms_release().
 */
void head_norms_begin(struct head_norms *x, const struct model *m);
void head_norms_release(struct head_norms *x);
/*
 * Adds a batch that the model, with gates (model_gate() in model/model.h), has just processed on
 * tape `t`.
 */
void head_norms_add(struct head_norms *x, struct tape *t, const struct batch *b);
/*
 * Sets the column "norm" of the table and, if x->errors is true, "norm.error".  Heads at sites
 * where an attention variant replaces the output projection have no value.
 */
void head_norms_fill(const struct head_norms *x, struct head_table *t);

#endif
