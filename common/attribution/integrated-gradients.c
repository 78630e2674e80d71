/*
 * integrated-gradients: contributions of tokens by integrated gradients (Sundararajan, Taly and Yan
 * 2017, Axiomatic attribution for deep networks, equation 1; He et al. 2019, Towards understanding
 * neural machine translation with word importance, section 3, with the same baseline).
 *
 * For a target position, y is the logit of its most probable token, or that minus the logit of the
 * foil.  x_i is the scaled row of the embedding table of token i of the source or of what the
 * decoder reads; positions and biases of embeddings are not part of it.  The baseline has zeros in
 * the place of all x_i.  The contribution of token i is
 *
 *	sum over k = 1 ... m of dy/dx_i(a_k) . x_i / m,	a_k = (k - 1/2) / m
 *
 * that is the midpoint rule, with the gradient at all embeddings times a_k.  The contributions of a
 * position sum to y at the embeddings minus y at the baseline (completeness), up to the error of
 * the midpoint rule; out->gap is the largest of these errors.
 *
 * Each target position has its own copy of the sentence.  The cost is that of m T forward and
 * backward passes, and 2 T forward passes.
 */
#include <math.h>

#include "attribution/method.h"
#include "model/layer.h"
#include "ops/ops.h"

/* Copies of the sentence for some positions. */
struct integral {
	struct method_run *r;
	int first, n;			/* positions first ... first + n - 1 */
	struct embed_shift shift;
	size_t size[2];			/* elements of the embeddings of each side */
	real *x[2];			/* x_i of one copy, [S, D] and [T, D] */
	double *sum;			/* [n] of the contributions */
};

/* x_i of a side of the sentence. */
static void
token_embeddings(const struct model *m, const struct batch_side *side, const struct param *table,
		 real *x)
{
	const ptrdiff_t width = table->d[1];
	const real scale = stack_embed_scale(m);

	for (ptrdiff_t i = 0; i < side->layout.rows; i++)
		for (ptrdiff_t k = 0; k < width; k++)
			x[i * width + k] = side->id[i] < 0 ? 0
					   : scale * table->x[side->id[i] * width + k];
}

/* The embeddings of all copies times a. */
static void
shift_copies(struct integral *g, double a)
{
	for (int side = 0; side < 2; side++)
		for (size_t i = 0; i < g->size[side] * (size_t)g->n; i++) {
			g->shift.x[side][i] = ((real)a - 1) * g->x[side][i % g->size[side]];
			g->shift.grad[side][i] = 0;
		}
}

/* Adds the gradients times x_i, by `factor`, to the contributions. */
static void
add_contributions(struct integral *g, double factor)
{
	struct lrp_sentence *out = g->r->out;
	const ptrdiff_t width = g->r->m->config.width;

	for (int side = 0; side < 2; side++) {
		const int tokens = side ? out->positions : out->source_tokens;

		for (ptrdiff_t i = 0; i < (ptrdiff_t)g->n * tokens; i++) {
			const ptrdiff_t copy = i / tokens, token = i % tokens;
			const real *grad = g->shift.grad[side] + i * width;
			const real *x = g->x[side] + token * width;
			double *row = (side ? out->tgt : out->src) + (g->first + copy) * tokens;
			double sum = 0;

			for (ptrdiff_t k = 0; k < width; k++)
				sum += (double)grad[k] * (double)x[k];
			row[token] += factor * sum;
			g->sum[copy] += factor * sum;
		}
	}
}

/* Runs all copies with embeddings times a, as method_logits(). */
static int
run_at(struct integral *g, double a, struct batch *b, struct node **sum, struct err *e)
{
	shift_copies(g, a);
	return method_logits(g->r, g->first, g->n, b, sum, e);
}

/* Adds factor times the logits of all copies, with embeddings times a, to y [n]. */
static int
add_logits(struct integral *g, double a, double factor, double *y, struct err *e)
{
	struct node *sum;
	struct batch b;

	if (run_at(g, a, &b, &sum, e))
		return -1;
	for (int i = 0; i < g->n; i++) {
		const struct node *terms = sum->in[0];
		const ptrdiff_t row = b.tgt.layout.start[i] + g->first + i;

		y[i] += factor * (double)k_sum((size_t)terms->d[1], terms->x + row * terms->ld);
	}
	return 0;
}

static int
add_step(struct integral *g, double a, double factor, struct err *e)
{
	struct node *sum;
	struct batch b;

	if (run_at(g, a, &b, &sum, e))
		return -1;
	tape_gradient(g->r->tape, sum, 1);
	add_contributions(g, factor);
	return 0;
}

static int
integrate(struct integral *g, struct err *e)
{
	const int steps = g->r->steps;
	double *y = arena_zero(g->r->keep, (size_t)g->n * sizeof(*y));

	for (int k = 0; k < steps; k++)
		if (add_step(g, (k + 0.5) / steps, 1 / (double)steps, e))
			return -1;
	if (add_logits(g, 1, 1, y, e) || add_logits(g, 0, -1, y, e))
		return -1;
	for (int i = 0; i < g->n; i++) {
		const double gap = fabs(y[i] - g->sum[i]);

		if (!isfinite(gap))
			return err_set(e, EXIT_INPUT, "integrated gradients of target position %d "
				       "are not finite", g->first + i + 1);
		g->r->out->gap = fmax(g->r->out->gap, gap);
	}
	return 0;
}

/* Positions whose token is the foil have no contributions. */
static void
clear_foils(struct lrp_sentence *out)
{
	for (int t = 0; t < out->positions; t++) {
		for (int i = 0; out->none[t] && i < out->source_tokens; i++)
			out->src[(ptrdiff_t)t * out->source_tokens + i] = 0;
		for (int i = 0; out->none[t] && i < out->positions; i++)
			out->tgt[(ptrdiff_t)t * out->positions + i] = 0;
	}
}

static int
integrated_gradients_run(struct method_run *r, struct err *e)
{
	const struct model_layers *l = r->m->layers;
	const int S = r->out->source_tokens, T = r->out->positions, most = method_together(S + T);
	const size_t width = (size_t)r->m->config.width;
	struct integral g = { .r = r, .size = { (size_t)S * width, (size_t)T * width } };
	struct batch b;

	if (method_copies(r, 1, &b, e))
		return -1;
	for (int side = 0; side < 2; side++) {
		g.x[side] = ARENA_ARRAY(r->keep, real, g.size[side]);
		token_embeddings(r->m, side ? &b.tgt : &b.src, side ? l->tgt_embed : l->src_embed,
				 g.x[side]);
	}
	for (int side = 0; side < 2; side++) {
		const size_t size = g.size[side] * (size_t)(T < most ? T : most);

		g.shift.x[side] = ARENA_ARRAY(r->keep, real, size);
		g.shift.grad[side] = ARENA_ARRAY(r->keep, real, size);
	}
	model_shift(r->m, &g.shift);
	for (g.first = 0; g.first < T; g.first += g.n) {
		g.n = T - g.first < most ? T - g.first : most;
		g.sum = arena_zero(r->keep, (size_t)g.n * sizeof(*g.sum));
		if (integrate(&g, e)) {
			model_shift(r->m, NULL);
			return -1;
		}
	}
	model_shift(r->m, NULL);
	clear_foils(r->out);
	return 0;
}

const struct lrp_method method_integrated = {
	.run = integrated_gradients_run, .gradients = true, .foil = true, .steps = true,
};
