/*
 * alti: contributions of tokens by ALTI+ (Ferrando et al. 2022a, Measuring the mixing of contextual
 * information in the transformer, equations 7 to 9; Ferrando et al. 2022b, Towards opening the
 * black box of neural machine translation, section 4).
 *
 * The output y_i of attention with its residual connection is a sum of vectors T_i(x_j), one for
 * each key j, plus the biases of the output projection and of the norm.  T_i(x_j) is the sum over
 * heads of weight (i, j) times the projected value of j.  In self-attention, it includes the
 * residual connection if i = j; in cross-attention, that is one more vector.  With a norm after the
 * sum, each vector is centered, unless the norm is of root mean squares, and multiplied by gain and
 * inverse standard deviation of the sum.
 * The contribution of j is
 *
 *	c_ij = max(0, |y_i| - |y_i - T_i(x_j)|)
 *
 * in the norm L1, divided by the sum over j.  If all are 0, the residual connection gets 1.  The
 * feed-forward layer does not mix tokens and is left out.  method.h combines the layers.  The cost
 * is that of one forward pass and of T S D (H + 3) multiplications for each site.
 */
#include <math.h>
#include <string.h>

#include "analysis/head-saliency.h"
#include "attribution/method.h"
#include "model/layer-params.h"

/* A site in the sentence. */
struct mixing {
	const struct node *residual;	/* of rows y */
	const real *weights;		/* [heads, T, S]; NULL without heads */
	int heads, T, S, D;
	bool self;
	double *part;			/* [heads, S, D] projected values */
	double *y, *to;			/* [D] */
	double *c;			/* [T, S + 1] the result; the last column is the residual */
};

/* part = W_h v_j for each head h and key j */
static void
project_values(const struct mixing *x, const struct param *w, const struct node *v, int d)
{
	double *to = x->part;

	for (int h = 0; h < x->heads; h++)
		for (int j = 0; j < x->S; j++)
			for (int r = 0; r < x->D; r++) {
				const real *row = w->x + (ptrdiff_t)r * w->d[1] + h * d;
				const real *value = v->x + (ptrdiff_t)j * v->ld + h * d;
				double sum = 0;

				for (int e = 0; e < d; e++)
					sum += (double)row[e] * (double)value[e];
				*to++ = sum;
			}
}

/* With a norm after the sum: u = gain (u - mean(u)) rstd, for row i. */
static void
transform(const struct mixing *x, int i, double *u)
{
	const struct node *n = x->residual;
	const struct norm_row *row = n->saved;
	double mean = 0;

	if (n->n_in < 4)
		return;
	for (int e = 0; n->in[3] && e < x->D; e++)
		mean += u[e] / x->D;
	for (int e = 0; e < x->D; e++)
		u[e] = (double)n->in[2]->x[e] * (u[e] - mean) * (double)row[i].rstd;
}

static void
add_residual(const struct mixing *x, int i, double *u)
{
	const struct node *in = x->residual->in[0];

	for (int e = 0; e < x->D; e++)
		u[e] += (double)in->x[(ptrdiff_t)i * in->ld + e];
}

/* to = the vector of key j, or of the residual connection if j is S */
static void
vector_of(const struct mixing *x, int i, int j)
{
	memset(x->to, 0, (size_t)x->D * sizeof(*x->to));
	for (int h = 0; h < x->heads && j < x->S; h++) {
		const double a = (double)x->weights[((ptrdiff_t)h * x->T + i) * x->S + j];
		const double *part = x->part + ((ptrdiff_t)h * x->S + j) * x->D;

		for (int e = 0; a != 0 && e < x->D; e++)
			x->to[e] += a * part[e];
	}
	if (x->self ? i == j : j == x->S)
		add_residual(x, i, x->to);
	transform(x, i, x->to);
}

static double
alti_length(const struct mixing *x, const double *minus)
{
	double sum = 0;

	for (int e = 0; e < x->D; e++)
		sum += fabs(x->y[e] - (minus ? minus[e] : 0));
	return sum;
}

static void
mix_row(const struct mixing *x, int i)
{
	const struct node *n = x->residual;
	const int vectors = x->S + !x->self;
	double *c = x->c + (ptrdiff_t)i * (x->S + 1), sum = 0, whole;

	for (int e = 0; e < x->D; e++)
		x->y[e] = (double)n->x[(ptrdiff_t)i * n->ld + e];
	whole = alti_length(x, NULL);
	for (int j = 0; j < vectors; j++) {
		vector_of(x, i, j);
		c[j] = fmax(0, whole - alti_length(x, x->to));
		sum += c[j];
	}
	if (!(sum > 0))
		c[x->self ? i : x->S] = sum = 1;
	for (int j = 0; j < vectors; j++)
		c[j] /= sum;
}

/* The contributions [T, S + 1] of a site; NULL and EXIT_INPUT if a variant changes heads. */
static double *
mix_site(struct method_run *r, const struct attention_layer *a, int residual, struct err *e)
{
	const struct site *s = &r->m->sites[a->site];
	const struct node *gated = s->heads ? tape_find(r->tape, r->m->gate_name[a->site]) : NULL;
	const struct node *at = model_site_node(r->m, r->tape, a->site);
	const struct node *v = gated && at ? head_values(at, gated) : NULL;
	const struct layout *queries = NULL, *keys;
	const ptrdiff_t *block;
	struct mixing x = { .residual = r->residual[residual], .heads = s->heads,
			    .self = s->where != DECODER_CROSS, .D = s->model_dim };

	if (s->heads && (!v || x.residual->in[1]->in[0] != gated || !a->out.weight)) {
		err_set(e, EXIT_INPUT, "%s: an attention variant changes the head outputs, "
			"expected projections of weighted sums of values", s->name);
		return NULL;
	}
	if (s->heads)
		x.weights = model_site_weights(r->m, r->tape, a->site, &block, &queries, &keys);
	x.T = x.residual->d[0];
	x.S = x.self ? x.T : r->out->source_tokens;
	x.part = arena_zero(r->keep, (size_t)s->heads * (size_t)x.S * (size_t)x.D *
			    sizeof(*x.part));
	x.y = ARENA_ARRAY(r->keep, double, x.D);
	x.to = ARENA_ARRAY(r->keep, double, x.D);
	x.c = arena_zero(r->keep, (size_t)x.T * ((size_t)x.S + 1) * sizeof(*x.c));
	if (s->heads)
		project_values(&x, a->out.weight, v, s->head_dim);
	for (int i = 0; i < x.T; i++)
		mix_row(&x, i);
	return x.c;
}

/* Copies the first columns of rows [rows, columns + 1], times factor or, if it is NULL, 1. */
static double *
alti_columns_of(const double *c, int rows, int columns, const double *factor, struct arena *mem)
{
	double *to = ARENA_ARRAY(mem, double, (size_t)rows * (size_t)columns + 1);

	for (ptrdiff_t i = 0; i < rows; i++)
		for (int j = 0; j < columns; j++)
			to[i * columns + j] = c[i * (columns + 1) + j] * (factor ? factor[i] : 1);
	return to;
}

static int
mix_encoder(struct method_run *r, struct rollout *roll, struct err *e)
{
	for (int i = 0; i < r->m->config.enc_layers; i++) {
		const double *c = mix_site(r, &r->m->layers->enc[i].self,
					   method_layer(r->m, false, i), e);

		if (!c)
			return -1;
		rollout_encoder(roll,
				alti_columns_of(c, roll->sources, roll->sources, NULL, r->keep));
	}
	return 0;
}

/* What passes cross-attention by its residual connection is the output of self-attention. */
static int
mix_decoder(struct method_run *r, struct rollout *roll, struct err *e)
{
	const int T = roll->targets, S = roll->sources;

	for (int i = 0; i < r->m->config.dec_layers; i++) {
		const struct layer *l = &r->m->layers->dec[i];
		const int at = method_layer(r->m, true, i);
		const double *own = mix_site(r, &l->self, at, e);
		const double *cross = own ? mix_site(r, &l->cross, at + 1, e) : NULL;
		double *rest = ARENA_ARRAY(r->keep, double, T);

		if (!cross)
			return -1;
		for (ptrdiff_t k = 0; k < T; k++)
			rest[k] = cross[k * (S + 1) + S];
		rollout_decoder(roll, alti_columns_of(own, T, T, rest, r->keep),
				alti_columns_of(cross, T, S, NULL, r->keep));
	}
	return 0;
}

static int
alti_run(struct method_run *r, struct err *e)
{
	struct rollout roll;

	rollout_init(&roll, r);
	return mix_encoder(r, &roll, e) || mix_decoder(r, &roll, e) ? -1 : 0;
}

const struct lrp_method method_alti = { .run = alti_run, .sums = true };
