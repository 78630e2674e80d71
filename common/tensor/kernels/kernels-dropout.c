/*
 * kernels-dropout: dropout masks, which are a function of (seed, step, node, row, column).
 *
 * One call of Philox gives four words, or eight 16-bit random numbers.  Sixteen calls in the lanes
 * of a vector give those of a chunk of 128 columns.  Call l of chunk c has the counter (row, 16 c +
 * l, step, node).  The lower half of its word w is for column 32 w + l of the chunk, the upper half
 * for column 32 w + 16 + l.
 */
#include "tensor/kernels.h"

#include <math.h>

#include "base/rng.h"
#include "tensor/fast/fast.h"

#define CALLS 16

void
dropout_init(struct dropout *d, uint64_t seed, uint32_t step, uint32_t node, double p)
{
	d->key[0] = (uint32_t)seed ^ rng_purpose("dropout");
	d->key[1] = (uint32_t)(seed >> 32);
	d->step = step;
	d->node = node;
	for (int r = 0; r < 10; r++) {
		d->round_key[r][0] = d->key[0] + (uint32_t)r * 0x9e3779b9u;
		d->round_key[r][1] = d->key[1] + (uint32_t)r * 0xbb67ae85u;
	}
	d->threshold = p > 0 ? (uint32_t)lrint(p * 65536) : 0;
	if (d->threshold > 65535)
		d->threshold = 65535;
	d->scale = (real)(65536.0 / (65536.0 - d->threshold));
}

void
slow_dropout_mask(const struct dropout *d, uint32_t row, int n, real *m)
{
	for (int i = 0; i < n; i++) {
		int in = i % DROPOUT_CHUNK;
		uint32_t c[4] = { row, (uint32_t)(i / DROPOUT_CHUNK * CALLS + in % CALLS), d->step,
				  d->node };
		uint32_t out[4], u;

		philox(d->key, c, out);
		u = in / CALLS % 2 ? out[in / 32] >> 16 : out[in / 32] & 0xffff;
		m[i] = u < d->threshold ? 0 : d->scale;
	}
}

void
k_residual(const struct dropout *d, const uint8_t *kept, int n, const real *x, const real *y,
	   real *z)
{
	if (d->threshold)
		FASTEST(k_add_dropped)(d, kept, n, x, y, z);
	else
		k_add((size_t)n, x, y, z);
}

size_t
dropout_bytes(int n)
{
	return ((size_t)n + DROPOUT_CHUNK - 1) / DROPOUT_CHUNK * (DROPOUT_CHUNK / 8);
}
