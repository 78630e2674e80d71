/*
 * head-saliency: attention weights times their gradients, the relevance of heads in Chefer, Gur and
 * Wolf 2021, Generic attention-model explainability (equation 5).
 *
 * A is the matrix of attention weights of a head in a sentence, y the log-likelihood of its target.
 * The measure is the sum of the positive elements of A * dy/dA, elementwise.  The paper takes y of
 * one class; here y is that of all target tokens, so that one backward pass is enough.
 */
#ifndef HEAD_SALIENCY_H
#define HEAD_SALIENCY_H

#include "model/model.h"

/*
 * Sets `saliency` [heads of the site] to this sum for each head in one sentence.  Call it after
 * tape_gradient() of the negative log-likelihood, in which `gated`, the node "SITE.heads" of the
 * gates (model_gate()), must have kept its gradient.  Returns false if a variant replaces the head
 * outputs, which then are not weighted sums of values.
 */
bool head_saliency(const struct model *m, struct tape *t, size_t site, const struct node *gated,
		   int sentence, double *saliency);
/*
 * The same without the sum over rows and columns: adds the positive elements, times `factor` and
 * summed over all heads, to `saliency` [queries, keys].
 */
bool head_saliency_add(const struct model *m, struct tape *t, size_t site,
		       const struct node *gated, int sentence, double factor, double *saliency);

/*
 * Returns the node of the values of which the head outputs are weighted sums.  `attention` is the
 * node of the site's weights (model_site_node()), `gated` that of its gates.  NULL if a variant
 * replaces the head outputs.
 */
const struct node *head_values(const struct node *attention, const struct node *gated);

#endif
