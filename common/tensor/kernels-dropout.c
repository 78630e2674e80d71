/*
 * kernels-dropout: which numbers are dropped is a function of their address.
 *
 * One Philox call gives four words, or eight decisions of 16 bits.  Sixteen calls
 * stand side by side in the lanes of a vector and decide a chunk of 128 columns:
 * call l of chunk c has the counter (row, 16 c + l, step, node); the low half of its
 * word w decides column 32 w + l of the chunk, the high half column 32 w + 16 + l.
 */
#include "tensor/kernels.h"

#include <math.h>

#include "base/rng.h"
#include "tensor/simd.h"

#define CALLS  16
#define ROUNDS 10

void
dropout_init(struct dropout *d, uint64_t seed, uint32_t step, uint32_t node, double p)
{
	d->key[0] = (uint32_t)seed ^ rng_purpose("dropout");
	d->key[1] = (uint32_t)(seed >> 32);
	d->step = step;
	d->node = node;
	d->threshold = p > 0 ? (uint32_t)lrint(p * 65536) : 0;
	if (d->threshold > 65535)
		d->threshold = 65535;
	d->scale = (real)(65536.0 / (65536.0 - d->threshold));
}

/* Salmon et al. 2011: sixteen calls of philox() at once. */
INLINE void
philox16(const struct dropout *d, uint32_t row, uint32_t chunk, uint32_t c[4][CALLS])
{
	uint32_t k0 = d->key[0], k1 = d->key[1];

	for (int i = 0; i < CALLS; i++) {
		c[0][i] = row;
		c[1][i] = chunk * CALLS + (uint32_t)i;
		c[2][i] = d->step;
		c[3][i] = d->node;
	}
	for (int r = 0; r < ROUNDS; r++) {
		for (int i = 0; i < CALLS; i++) {
			uint64_t p = (uint64_t)0xd2511f53u * c[0][i];
			uint64_t q = (uint64_t)0xcd9e8d57u * c[2][i];

			c[0][i] = (uint32_t)(q >> 32) ^ c[1][i] ^ k0;
			c[1][i] = (uint32_t)q;
			c[2][i] = (uint32_t)(p >> 32) ^ c[3][i] ^ k1;
			c[3][i] = (uint32_t)p;
		}
		k0 += 0x9e3779b9u;
		k1 += 0xbb67ae85u;
	}
}

/* The multipliers of one chunk. */
INLINE void
mask_chunk(const struct dropout *d, uint32_t row, uint32_t chunk, real m[DROPOUT_CHUNK])
{
	uint32_t c[4][CALLS];

	philox16(d, row, chunk, c);
	for (int w = 0; w < 4; w++) {
		for (int i = 0; i < CALLS; i++) {
			m[32 * w + i] = (c[w][i] & 0xffff) < d->threshold ? 0 : d->scale;
			m[32 * w + 16 + i] = c[w][i] >> 16 < d->threshold ? 0 : d->scale;
		}
	}
}

#define FOR_CHUNKS(at, now, n) \
	for (int at = 0, now; at < (n) && (now = (n) - at < DROPOUT_CHUNK ? (n) - at : DROPOUT_CHUNK) > 0; \
	     at += DROPOUT_CHUNK)

CLONES void
k_dropout_mask(const struct dropout *d, uint32_t row, int n, real *out)
{
	real m[DROPOUT_CHUNK];

	FOR_CHUNKS(at, now, n) {
		mask_chunk(d, row, (uint32_t)(at / DROPOUT_CHUNK), m);
		memcpy(out + at, m, (size_t)now * sizeof(*m));
	}
}

void
slow_dropout_mask(const struct dropout *d, uint32_t row, int n, real *m)
{
	for (int i = 0; i < n; i++) {
		int in = i % DROPOUT_CHUNK;
		uint32_t c[4] = { row, (uint32_t)(i / DROPOUT_CHUNK * CALLS + in % CALLS), d->step, d->node };
		uint32_t out[4], u;

		philox(d->key, c, out);
		u = in / CALLS % 2 ? out[in / 32] >> 16 : out[in / 32] & 0xffff;
		m[i] = u < d->threshold ? 0 : d->scale;
	}
}

CLONES void
k_dropout(const struct dropout *d, uint32_t row, int n, const real *x, real beta, real *y)
{
	real m[DROPOUT_CHUNK];

	FOR_CHUNKS(at, now, n) {
		mask_chunk(d, row, (uint32_t)(at / DROPOUT_CHUNK), m);
		if (beta == 0) {
			for (int i = 0; i < now; i++)
				y[at + i] = x[at + i] * m[i];
		} else {
			for (int i = 0; i < now; i++)
				y[at + i] = x[at + i] * m[i] + beta * y[at + i];
		}
	}
}

CLONES void
k_bias_relu_dropout(const struct dropout *d, uint32_t row, int n, const real *b, real *y)
{
	real m[DROPOUT_CHUNK];

	FOR_CHUNKS(at, now, n) {
		mask_chunk(d, row, (uint32_t)(at / DROPOUT_CHUNK), m);
		for (int i = 0; i < now; i++) {
			real v = b ? y[at + i] + b[at + i] : y[at + i];

			y[at + i] = v > 0 ? v * m[i] : 0;
		}
	}
}

CLONES static void
add_dropped(const struct dropout *d, uint32_t row, int n, const real *x, const real *y, real *z)
{
	real m[DROPOUT_CHUNK];

	FOR_CHUNKS(at, now, n) {
		mask_chunk(d, row, (uint32_t)(at / DROPOUT_CHUNK), m);
		for (int i = 0; i < now; i++)
			z[at + i] = x[at + i] + y[at + i] * m[i];
	}
}

void
k_residual(const struct dropout *d, uint32_t row, int n, const real *x, const real *y, real *z)
{
	if (d && d->threshold)
		add_dropped(d, row, n, x, y, z);
	else
		k_add((size_t)n, x, y, z);
}
