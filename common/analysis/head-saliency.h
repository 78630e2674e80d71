/*
 * head-saliency: attention weights times their gradients, the relevance of heads in Chefer, Gur and
 * Wolf 2021, Generic attention-model explainability (equation 5).
 *
 * A site is an attention layer of the model.  Let A be the matrix of attention weights of a head in
 * a sentence, and y the log-likelihood of the sentence's target.  The saliency of the head is the
 * sum of the positive elements of A * dy/dA, an elementwise product.  In the paper, y is the score
 * of one class.  Here y is the sum over all target tokens, so that one backward pass is enough.
 */
#ifndef HEAD_SALIENCY_H
#define HEAD_SALIENCY_H

#include "model/model.h"

/*
 * Sets `saliency` [heads] to the saliency of each retained head at the site with index `site`, in
 * sentence number `sentence` of the batch.  Call it after tape_gradient() of the negative
 * log-likelihood on tape `t`.  `gated` is the node "SITE.heads" of the gates of the site
 * (model_gate() in model/model.h), which must have kept its gradient.  Returns false, and sets
 * nothing, if an attention variant replaces the head outputs, so that they are not sums of the
 * values weighted by A.
 */
bool head_saliency(const struct model *m, struct tape *t, size_t site, const struct node *gated,
		   int sentence, double *saliency);
/*
 * Like head_saliency(), but sums over the heads of the site instead of over queries and keys: adds
 * `factor` times the sum over heads of the positive elements of A * dy/dA to `saliency` [queries,
 * keys].
 */
bool head_saliency_add(const struct model *m, struct tape *t, size_t site,
		       const struct node *gated, int sentence, double factor, double *saliency);

/*
 * Returns the node of the attention values at a site, of which the head outputs are weighted sums;
 * NULL if an attention variant replaces the head outputs.  `attention` is the node of the attention
 * weights of the site (model_site_node()), and `gated` that of its gates.
 */
const struct node *head_values(const struct node *attention, const struct node *gated);

#endif
