/*
 * value-zeroing: contributions of tokens by zeroing values (Mohebbi et al. 2023, Quantifying
 * context mixing in transformers, section 3).
 *
 * The contribution of token j to row i of a layer is the cosine distance between the output of the
 * layer and its output if the value vectors of j, those of all heads, are zeros (equation 5).  The
 * contributions to a row are divided by their sum (equation 6); if all are 0, the row itself gets
 * 1.  A row of the decoder is a mixture of both sides: the values of target tokens are zeroed in
 * self-attention and those of source tokens in cross-attention, and all distances are divided by
 * one sum.  method.h combines the layers.
 *
 * Copies of the sentence, one for each zeroed token, run one layer at a time.  The cost is that of
 * S forward passes of the encoder and of S + T forward passes of the decoder.  Without attention
 * variants, what precedes the zeroed values is computed once.
 */
#include <float.h>
#include <math.h>
#include <string.h>

#include "analysis/head-saliency.h"
#include "attribution/method.h"
#include "model/layer.h"
#include "ops/ops.h"

/*
 * Dense copies of the layers' inputs, and of the last output; of the inputs of cross-attention; and
 * of the encoder's output.
 */
struct states { int rows, width; real **x, **cross, *memory; };

/* Some copies: in copy i, the values of token first + i are zeros at a site. */
struct zeroing {
	struct method_run *r;
	const struct batch *b;
	const struct states *enc, *dec;	/* dec is NULL in the encoder */
	real *const *projected;		/* see keep_projected() */
	size_t site;
	int first, tokens, n;		/* tokens: rows of values in each copy */
};

static real *
value_zeroing_keep(const struct method_run *r, const struct node *n)
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
	s.cross = ARENA_ARRAY(r->keep, real *, layers);
	s.x[0] = value_zeroing_keep(r, first);
	for (int i = 1; i <= layers; i++)
		s.x[i] = value_zeroing_keep(r, r->residual[method_layer(r->m, target, i) - 1]);
	for (int i = 0; target && i < layers; i++)
		s.cross[i] = value_zeroing_keep(
				r, r->residual[method_layer(r->m, true, i) + 1]->in[0]);
	if (target)
		s.memory = value_zeroing_keep(r, r->memory);
	return s;
}

/* The outputs of the sites' projections that have the keys; NULL with attention variants. */
static real **
keep_projected(const struct method_run *r)
{
	const struct model *m = r->m;
	real **to = arena_zero(r->keep, m->n_sites * sizeof(*to));

	for (size_t i = 0; i < m->n_sites && !attention_set_n(m->attention); i++)
		if (m->sites[i].heads)
			to[i] = value_zeroing_keep(
				r, head_values(model_site_node(m, r->tape, i),
					       tape_find(r->tape, m->gate_name[i]))->in[0]);
	return to;
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
value_zeroing_zero(void *arg, struct tape *t, size_t site, struct node *v)
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
value_zeroing_distance(int n, const real *x, const real *y)
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

static void
value_zeroing_attend(struct model *m, struct tape *t, const struct attention_layer *a,
		     struct att_nodes *n, const void *arg)
{
	const struct zeroing *z = arg;
	const bool cross = m->sites[a->site].where == DECODER_CROSS, target = z->dec && !cross;
	const struct layout *keys = target ? &z->b->tgt.layout : &z->b->src.layout;
	struct layer_batch how = { .batch = z->b, .values = value_zeroing_zero,
				   .arg = (void *)(uintptr_t)z };

	if (cross)
		how.memory = repeated(t, z->dec->memory, z->enc->rows, z->enc->width, z->n, keys);
	if (z->projected[a->site])
		how.projected = repeated(t, z->projected[a->site], (target ? z->dec : z->enc)->rows,
					 (cross ? 2 : 3) * a->width, z->n, keys);
	layer_attend_batch(m, t, a, n, &how);
}

/* Runs copies of the layer, or of its part from cross-attention on. */
static struct node *
value_zeroing_run_copies(struct zeroing *z, int layer)
{
	struct model *m = z->r->m;
	const struct states *s = z->dec ? z->dec : z->enc;
	const bool rest = m->sites[z->site].where == DECODER_CROSS && z->projected[z->site];
	struct node *x = repeated(z->r->tape, rest ? s->cross[layer] : s->x[layer], s->rows,
				  s->width, z->n, z->dec ? &z->b->tgt.layout : &z->b->src.layout);

	return layer_run(m, z->r->tape, x, (z->dec ? m->layers->dec : m->layers->enc) + layer,
			 !z->dec ? LAYER_ENCODER : rest ? LAYER_DECODER_REST : LAYER_DECODER,
			 value_zeroing_attend, z);
}

/* The distances of n copies, to columns [first, first + n) of rows [rows, columns]. */
static int
zero_some(struct zeroing *z, int layer, int n, double *out, int columns, struct err *e)
{
	const struct states *s = z->dec ? z->dec : z->enc;
	struct node *y;
	struct batch b;

	if (method_copies(z->r, n, &b, e))
		return -1;
	z->b = &b;
	z->n = n;
	y = value_zeroing_run_copies(z, layer);
	for (ptrdiff_t k = 0; k < n; k++)
		for (ptrdiff_t i = 0; i < s->rows; i++)
			out[i * columns + z->first + k] =
				value_zeroing_distance(s->width, s->x[layer + 1] + i * s->width,
						       y->x + (k * s->rows + i) * y->ld);
	return 0;
}

/* Zeroes each token of a site.  z: as far as it is the same for all sites of a side. */
static int
zero_site(struct zeroing z, int layer, size_t site, double *out, int columns, struct err *e)
{
	const struct model *m = z.r->m;
	const int most = method_together(z.enc->rows + (z.dec ? z.dec->rows : 0));

	z.site = site;
	z.tokens = (m->sites[site].where == DECODER_SELF ? z.dec : z.enc)->rows;
	for (; m->sites[site].heads && z.first < z.tokens; z.first += most) {
		const int left = z.tokens - z.first;

		if (zero_some(&z, layer, left < most ? left : most, out, columns, e))
			return -1;
	}
	return 0;
}

/* Divides each row by its sum, over self [rows, rows] and cross [rows, sources] together. */
static void
value_zeroing_normalize(int rows, double *self, int sources, double *cross)
{
	for (ptrdiff_t i = 0; i < rows; i++) {
		double sum = 0;

		for (int j = 0; j < rows; j++)
			sum += self[i * rows + j];
		for (int j = 0; j < sources; j++)
			sum += cross[i * sources + j];
		if (sum == 0)
			self[i * rows + i] = sum = 1;
		for (int j = 0; j < rows; j++)
			self[i * rows + j] /= sum;
		for (int j = 0; j < sources; j++)
			cross[i * sources + j] /= sum;
	}
}

static int
zero_encoder(const struct zeroing *z, struct rollout *roll, struct err *e)
{
	struct method_run *r = z->r;
	const int S = roll->sources;

	for (int i = 0; i < r->m->config.enc_layers; i++) {
		double *own = arena_zero(r->keep, (size_t)S * (size_t)S * sizeof(*own));

		if (zero_site(*z, i, (size_t)i, own, S, e))
			return -1;
		value_zeroing_normalize(S, own, 0, NULL);
		rollout_encoder(roll, own);
	}
	return 0;
}

static int
zero_decoder(const struct zeroing *z, struct rollout *roll, struct err *e)
{
	struct method_run *r = z->r;
	const int T = roll->targets, S = roll->sources;
	const size_t first = (size_t)r->m->config.enc_layers;
	const size_t layers = (size_t)r->m->config.dec_layers;

	for (size_t i = 0; i < layers; i++) {
		double *own = arena_zero(r->keep, (size_t)T * (size_t)T * sizeof(*own));
		double *cross = arena_zero(r->keep, (size_t)T * (size_t)S * sizeof(*own));

		if (zero_site(*z, (int)i, first + i, own, T, e) ||
		    zero_site(*z, (int)i, first + layers + i, cross, S, e))
			return -1;
		value_zeroing_normalize(T, own, S, cross);
		rollout_decoder(roll, own, cross);
	}
	return 0;
}

static int
value_zeroing_run(struct method_run *r, struct err *e)
{
	const struct states enc = keep_states(r, false), dec = keep_states(r, true);
	struct zeroing z = { .r = r, .enc = &enc, .projected = keep_projected(r) };
	struct rollout roll;

	rollout_init(&roll, r);
	if (zero_encoder(&z, &roll, e))
		return -1;
	z.dec = &dec;
	return zero_decoder(&z, &roll, e);
}

const struct lrp_method method_value_zeroing = { .run = value_zeroing_run, .sums = true };
