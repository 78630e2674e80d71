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

const struct node *
head_values(const struct node *attention, const struct node *gated)
{
	const struct node *context = gated->in[0];

	if (!attention->block)
		return context == attention ? attention->in[2] : NULL;
	return !strcmp(context->op->name, "context") ? context->in[1] : NULL;
}

/*
 * Adds the positive products, times factor, to saliency: that of weight (i, j) to i step + j wide.
 * The gradient of the loss by weight (i, j) is that of the output of row i times value j.
 */
static void
add_positive(const struct one *x, double factor, double *saliency, ptrdiff_t step, ptrdiff_t wide)
{
	for (int i = 0; i < x->queries; i++)
		for (int j = 0; j < x->keys; j++) {
			const real *g = x->gradient + i * x->gradient_step;
			const real *v = x->values + j * x->value_step;
			double y = 0;

			for (int k = 0; k < x->d; k++)
				y -= (double)g[k] * (double)v[k];
			y *= (double)x->weights[(ptrdiff_t)i * x->keys + j];
			saliency[i * step + j * wide] += y > 0 ? factor * y : 0;
		}
}

/*
 * The first head of a site in a sentence, as head_saliency(); gradient is NULL if there is none.
 * Returns false if a variant replaces the head outputs.
 */
static bool
head_first_head(const struct model *m, struct tape *t, size_t site, const struct node *gated,
		int sentence, struct one *x)
{
	const struct site *s = &m->sites[site];
	const struct node *attention = model_site_node(m, t, site);
	const struct node *v = attention ? head_values(attention, gated) : NULL;
	const struct layout *queries, *keys;
	const ptrdiff_t *block;
	const real *weights;

	if (!v)
		return false;
	weights = model_site_weights(m, t, site, &block, &queries, &keys);
	*x = (struct one){
		.weights = weights + block[sentence],
		.gradient = gated->grad ? gated->grad +
			    (ptrdiff_t)queries->start[sentence] * gated->ld : NULL,
		.gradient_step = gated->ld,
		.values = v->x + (ptrdiff_t)keys->start[sentence] * v->ld,
		.value_step = v->ld,
		.queries = queries->len[sentence], .keys = keys->len[sentence], .d = s->head_dim,
	};
	return true;
}

static void
next_head(struct one *x)
{
	x->weights += (ptrdiff_t)x->queries * x->keys;
	x->gradient += x->gradient ? x->d : 0;
	x->values += x->d;
}

bool
head_saliency(const struct model *m, struct tape *t, size_t site, const struct node *gated,
	      int sentence, double *saliency)
{
	struct one x;

	if (!head_first_head(m, t, site, gated, sentence, &x))
		return false;
	for (int h = 0; h < m->sites[site].heads; h++, next_head(&x)) {
		saliency[h] = 0;
		if (x.gradient)
			add_positive(&x, 1, saliency + h, 0, 0);
	}
	return true;
}

bool
head_saliency_add(const struct model *m, struct tape *t, size_t site, const struct node *gated,
		  int sentence, double factor, double *saliency)
{
	struct one x;

	if (!head_first_head(m, t, site, gated, sentence, &x))
		return false;
	for (int h = 0; x.gradient && h < m->sites[site].heads; h++, next_head(&x))
		add_positive(&x, factor, saliency, x.keys, 1);
	return true;
}
