/* head-saliency: see head-saliency.h. */
#include "analysis/head-saliency.h"

#include <string.h>

#include "tape/op.h"

/* Attention of one head in one sentence; rows of gradients and values are step elements apart. */
struct one {
	const real *weights, *gradient, *values;
	ptrdiff_t gradient_step, value_step;
	int queries, keys, d;
};

/* The values that the weights of a site average, or NULL. */
static const struct node *
values_of(const struct node *attention, const struct node *gated)
{
	const struct node *context = gated->in[0];

	if (!attention->block)
		return context == attention ? attention->in[2] : NULL;
	return !strcmp(context->op->name, "context") ? context->in[1] : NULL;
}

/* The gradient of the loss by weight (i, j) is that of the output of row i times value j. */
static double
positive(const struct one *x)
{
	double sum = 0;

	for (int i = 0; i < x->queries; i++)
		for (int j = 0; j < x->keys; j++) {
			const real *g = x->gradient + i * x->gradient_step;
			const real *v = x->values + j * x->value_step;
			double by = 0;

			for (int k = 0; k < x->d; k++)
				by -= (double)g[k] * (double)v[k];
			by *= (double)x->weights[(ptrdiff_t)i * x->keys + j];
			sum += by > 0 ? by : 0;
		}
	return sum;
}

bool
head_saliency(const struct model *m, struct tape *t, size_t site, const struct node *gated,
	      int sentence, double *to)
{
	const struct site *s = &m->sites[site];
	const struct node *attention = model_site_node(m, t, site);
	const struct node *v = attention ? values_of(attention, gated) : NULL;
	const struct layout *queries, *keys;
	const ptrdiff_t *block;
	const real *weights;

	if (!v)
		return false;
	weights = model_site_weights(m, t, site, &block, &queries, &keys);
	for (int h = 0; h < s->heads; h++) {
		const struct one x = {
			.weights = weights + block[sentence] +
				   (ptrdiff_t)h * queries->len[sentence] * keys->len[sentence],
			.gradient = gated->grad ? gated->grad + h * s->head_dim +
				    (ptrdiff_t)queries->start[sentence] * gated->ld : NULL,
			.gradient_step = gated->ld,
			.values = v->x + h * s->head_dim +
				  (ptrdiff_t)keys->start[sentence] * v->ld,
			.value_step = v->ld,
			.queries = queries->len[sentence], .keys = keys->len[sentence],
			.d = s->head_dim,
		};

		to[h] = x.gradient ? positive(&x) : 0;
	}
	return true;
}
