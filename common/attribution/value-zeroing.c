/*
 * value-zeroing: contributions of tokens by zeroing values (Mohebbi et al. 2023, Quantifying
 * context mixing in transformers, section 3).
 *
 * The contribution of token j to row i of a layer is the cosine distance between the output of the
 * layer and its output if the value vectors of j, those of all heads, are zeros (equation 5).  The
 * contributions to a row are divided by their sum (equation 6); if all are 0, the row itself gets
 * 1.  A row of the decoder is a mixture of both sides: the values of target tokens are zeroed in
 * self-attention and those of source tokens in cross-attention, and all distances are divided by
 * one sum.  rollout.h combines the layers.
 *
 * Copies of the sentence, one for each zeroed token, run one layer at a time.  The cost is that of
 * S forward passes of the encoder and of S + T forward passes of the decoder.
 */
#include <float.h>
#include <math.h>
#include <string.h>

#include "attribution/method.h"
#include "attribution/rollout.h"
#include "ops/ops.h"

/* Dense copies of the layers' inputs, and of the last output; and of the encoder's output. */
struct states { int rows, width; real **x, *memory; };

/* Some copies: in copy i, the values of token first + i are zeros at a site. */
struct zeroing {
	struct method_run *r;
	const struct batch *b;
	size_t site;
	int first, tokens;		/* tokens: rows of values in each copy */
};

static real *
keep(const struct method_run *r, const struct node *n)
{
	real *to = ARENA_ARRAY(r->keep, real, (size_t)n->d[0] * (size_t)n->d[1]);

	for (ptrdiff_t i = 0; i < n->d[0]; i++)
		memcpy(to + i * n->d[1], n->x + i * n->ld, (size_t)n->d[1] * sizeof(*to));
	return to;
}

static struct states
keep_states(const struct method_run *r, bool target)
{
	const int layers = (int)(target ? r->m->config.dec_layers : r->m->config.enc_layers);
	const struct node *first = r->residual[method_layer(r->m, target, 0)]->in[0];
	struct states s = { .rows = first->d[0], .width = first->d[1] };

	s.x = ARENA_ARRAY(r->keep, real *, layers + 1);
	s.x[0] = keep(r, first);
	for (int i = 1; i <= layers; i++)
		s.x[i] = keep(r, r->residual[method_layer(r->m, target, i) - 1]);
	if (target)
		s.memory = keep(r, r->memory);
	return s;
}

/* A leaf with n copies of rows. */
static struct node *
repeated(struct tape *t, const real *x, int rows, int width, int n, const struct layout *layout)
{
	const size_t size = (size_t)rows * (size_t)width;
	real *to = ARENA_ARRAY(tape_arena(t), real, size * (size_t)n);
	struct node *leaf;

	for (int i = 0; i < n; i++)
		memcpy(to + (size_t)i * size, x, size * sizeof(*to));
	leaf = tape_leaf(t, NULL, 2, (int[]){ rows * n, width }, to, NULL);
	leaf->rows = layout;
	return leaf;
}

static struct node *
zero(void *arg, struct tape *t, size_t site, struct node *v)
{
	const struct zeroing *z = arg;
	const size_t width = (size_t)v->d[1], size = (size_t)v->d[0] * width;
	real *mask;

	if (site != z->site)
		return v;
	mask = ARENA_ARRAY(tape_arena(t), real, size);
	for (size_t i = 0; i < size; i++)
		mask[i] = 1;
	for (ptrdiff_t i = 0; i < z->b->n; i++)
		memset(mask + (size_t)(i * z->tokens + z->first + i) * width, 0,
		       width * sizeof(*mask));
	return op_multiply(t, v, tape_leaf(t, NULL, 2, v->d, mask, NULL));
}

/* 1 - cosine; 0 if the difference is no more than rounding. */
static double
distance(int n, const real *x, const real *y)
{
	const double epsilon = sizeof(real) == sizeof(double) ? DBL_EPSILON : (double)FLT_EPSILON;
	double a = 0, b = 0, sum = 0;

	for (int i = 0; i < n; i++) {
		a += (double)x[i] * (double)x[i];
		b += (double)y[i] * (double)y[i];
	}
	if (a == 0 || b == 0)
		return 0;
	for (int i = 0; i < n; i++) {
		const double d = (double)x[i] / sqrt(a) - (double)y[i] / sqrt(b);

		sum += d * d;
	}
	return sum > 256 * epsilon * epsilon ? sum / 2 : 0;
}

/* The distances of one chunk of copies, to columns [at + first, ...) of rows [rows, columns]. */
static int
zero_some(struct zeroing *z, const struct states *enc, const struct states *dec, int layer, int n,
	  double *to, int columns, struct err *e)
{
	const struct states *s = dec ? dec : enc;
	struct tape *t = z->r->tape;
	struct node *x, *memory = NULL, *y;
	struct batch b;

	if (method_copies(z->r, n, &b, e))
		return -1;
	z->b = &b;
	x = repeated(t, s->x[layer], s->rows, s->width, n,
		     dec ? &b.tgt.layout : &b.src.layout);
	if (dec)
		memory = repeated(t, dec->memory, enc->rows, enc->width, n, &b.src.layout);
	y = model_layer(z->r->m, t, &b, layer, x, memory, zero, z);
	for (ptrdiff_t k = 0; k < n; k++)
		for (ptrdiff_t i = 0; i < s->rows; i++)
			to[i * columns + z->first + k] =
				distance(s->width, s->x[layer + 1] + i * s->width,
					 y->x + (k * s->rows + i) * y->ld);
	return 0;
}

/* Zeroes each token of a site. */
static int
zero_site(struct method_run *r, const struct states *enc, const struct states *dec, int layer,
	  size_t site, double *to, int columns, struct err *e)
{
	const bool cross = r->m->sites[site].where == DECODER_CROSS;
	struct zeroing z = { .r = r, .site = site,
			     .tokens = dec && !cross ? dec->rows : enc->rows };
	const int most = method_together(enc->rows + (dec ? dec->rows : 0));

	for (; r->m->sites[site].heads && z.first < z.tokens; z.first += most) {
		const int left = z.tokens - z.first;

		if (zero_some(&z, enc, dec, layer, left < most ? left : most, to, columns, e))
			return -1;
	}
	return 0;
}

/* Divides each row by its sum, over own [rows, rows] and cross [rows, sources] together. */
static void
normalize(int rows, double *own, int sources, double *cross)
{
	for (ptrdiff_t i = 0; i < rows; i++) {
		double sum = 0;

		for (int j = 0; j < rows; j++)
			sum += own[i * rows + j];
		for (int j = 0; j < sources; j++)
			sum += cross[i * sources + j];
		if (sum == 0)
			own[i * rows + i] = sum = 1;
		for (int j = 0; j < rows; j++)
			own[i * rows + j] /= sum;
		for (int j = 0; j < sources; j++)
			cross[i * sources + j] /= sum;
	}
}

static int
zero_encoder(struct method_run *r, const struct states *enc, struct rollout *roll, struct err *e)
{
	const int S = roll->sources;

	for (int i = 0; i < r->m->config.enc_layers; i++) {
		double *own = arena_zero(r->keep, (size_t)S * (size_t)S * sizeof(*own));

		if (zero_site(r, enc, NULL, i, (size_t)i, own, S, e))
			return -1;
		normalize(S, own, 0, NULL);
		rollout_encoder(roll, own);
	}
	return 0;
}

static int
zero_decoder(struct method_run *r, const struct states *enc, const struct states *dec,
	     struct rollout *roll, struct err *e)
{
	const int T = roll->targets, S = roll->sources;
	const size_t first = (size_t)r->m->config.enc_layers;
	const size_t layers = (size_t)r->m->config.dec_layers;

	for (size_t i = 0; i < layers; i++) {
		double *own = arena_zero(r->keep, (size_t)T * (size_t)T * sizeof(*own));
		double *cross = arena_zero(r->keep, (size_t)T * (size_t)S * sizeof(*own));

		if (zero_site(r, enc, dec, (int)i, first + i, own, T, e) ||
		    zero_site(r, enc, dec, (int)i, first + layers + i, cross, S, e))
			return -1;
		normalize(T, own, S, cross);
		rollout_decoder(roll, own, cross);
	}
	return 0;
}

static int
run(struct method_run *r, struct err *e)
{
	const size_t S = (size_t)r->out->source_tokens, T = (size_t)r->out->positions;
	const struct states enc = keep_states(r, false), dec = keep_states(r, true);
	struct rollout roll;

	rollout_init(&roll, (int)S, (int)T, r->keep);
	if (zero_encoder(r, &enc, &roll, e) || zero_decoder(r, &enc, &dec, &roll, e))
		return -1;
	memcpy(r->out->src, roll.src, T * S * sizeof(double));
	memcpy(r->out->tgt, roll.tgt, T * T * sizeof(double));
	return 0;
}

const struct lrp_method method_value_zeroing = { .run = run, .sums = true };
