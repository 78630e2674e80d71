/*
 * head-norms: how much heads add to the output of their layer, without a loss.
 *
 * The output projection of a site is the sum of a contribution of each head: the part of its weight
 * that reads the head, times the head's output.  The measure is the Euclidean norm of that
 * contribution, averaged over rows.  It is the norm-based analysis of Kobayashi et al. 2020
 * (Attention is not only a weight, equation 4), summed over keys before the norm.
 */
#ifndef HEAD_NORMS_H
#define HEAD_NORMS_H

#include "analysis/head-table.h"
#include "data/batch.h"
#include "model/model.h"
#include "scores/ratio-error.h"

struct head_norms {
	const struct model *m;
	double *gram;			/* [heads, head_dim, head_dim]; see head-norms.c */
	double *sum;			/* [heads of all sites] of norms */
	bool errors;			/* standard errors over sentences, too; set by the caller
					 * after head_norms_begin(), which sets it to false */
	struct ratio_error *error;	/* [heads of all sites] zeros without errors */
	int64_t rows[2];		/* numbers of rows of the source and of the target */
};

/*
 * Overwrites x.  m must outlive it, and the values of the parameters must not change until
 * head_norms_release().
 */
void head_norms_begin(struct head_norms *x, const struct model *m);
void head_norms_release(struct head_norms *x);
/* Adds a batch that has just been passed through the model with gates, model_gate(). */
void head_norms_add(struct head_norms *x, struct tape *t, const struct batch *b);
/*
 * Fills the column "norm", and with errors "norm.error", except at sites where a variant replaces
 * the output projection.
 */
void head_norms_fill(const struct head_norms *x, struct head_table *t);

#endif
