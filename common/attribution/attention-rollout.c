/*
 * attention-rollout: contributions of tokens by the attention weights of all layers (Abnar and
 * Zuidema 2020, Quantifying attention flow in transformers, section 3 and equation 1).
 *
 * W is the mean over heads of the attention weights of a site, with rows divided by their sums.
 * The residual connection has the same share as attention.  In the encoder, a layer mixes its rows
 * by W / 2 + I / 2.  In the decoder, self-attention mixes in this way, and cross-attention adds W /
 * 2 of the rows of the encoder to 1 / 2 of the rows of self-attention.  The paper has encoders
 * only; both sides are combined as in method.h.  A site without heads leaves everything to the
 * residual connection.  The cost is that of one forward pass.
 */
#include <string.h>

#include "attribution/method.h"

/* W [rows, keys]; returns false without heads. */
static bool
mean_weights(const struct method_run *r, size_t site, int rows, int keys, double *mean)
{
	const struct site *s = &r->m->sites[site];
	const size_t size = (size_t)rows * (size_t)keys;
	const struct layout *queries, *of_keys;
	const ptrdiff_t *block;
	const real *weights;

	memset(mean, 0, size * sizeof(*mean));
	weights = s->heads ? model_site_weights(r->m, r->tape, site, &block, &queries, &of_keys)
			   : NULL;
	if (!weights)
		return false;
	for (size_t i = 0; i < size * (size_t)s->heads; i++)
		mean[i % size] += (double)weights[(size_t)block[0] + i];
	for (int i = 0; i < rows; i++) {
		double *row = mean + (ptrdiff_t)i * keys, sum = 0;

		for (int j = 0; j < keys; j++)
			sum += row[j];
		for (int j = 0; j < keys && sum > 0; j++)
			row[j] /= sum;
	}
	return true;
}

/* Self-attention: factor * (W / 2 + I / 2), or factor * I without heads, n rows. */
static double *
mix_self(struct method_run *r, size_t site, int n, double factor)
{
	double *x = ARENA_ARRAY(r->keep, double, (size_t)n * (size_t)n);
	const double share = mean_weights(r, site, n, n, x) ? 0.5 : 0;

	for (ptrdiff_t i = 0; i < n; i++)
		for (ptrdiff_t j = 0; j < n; j++)
			x[i * n + j] = factor * (share * x[i * n + j] +
						 (i == j ? 1 - share : 0));
	return x;
}

static int
attention_rollout_run(struct method_run *r, struct err *e)
{
	const int S = r->out->source_tokens, T = r->out->positions;
	const size_t enc = (size_t)r->m->config.enc_layers, dec = (size_t)r->m->config.dec_layers;
	const size_t size = (size_t)T * (size_t)S;
	double *cross = ARENA_ARRAY(r->keep, double, size);
	struct rollout roll;

	(void)e;
	rollout_init(&roll, r);
	for (size_t i = 0; i < enc; i++)
		rollout_encoder(&roll, mix_self(r, i, S, 1));
	for (size_t i = 0; i < dec; i++) {
		const double share = mean_weights(r, enc + dec + i, T, S, cross) ? 0.5 : 0;

		for (size_t k = 0; k < size; k++)
			cross[k] *= share;
		rollout_decoder(&roll, mix_self(r, enc + i, T, 1 - share), cross);
	}
	return 0;
}

const struct lrp_method method_rollout = { .run = attention_rollout_run, .sums = true };
