/* fast-dropout: masks and what they are multiplied with; kernels-dropout.c says which number decides what. */
#define CALLS  16
#define ROUNDS 10

typedef uint64_t vec_u64 __attribute__((vector_size(64)));
typedef uint32_t half_u32 __attribute__((vector_size(32)));

/* Eight calls of philox(), words in lanes of 64 bits, so that products need no shuffling (Salmon et al. 2011). */
INLINE void
philox8(const struct dropout *d, uint32_t row, uint32_t first, uint32_t (*word)[CALLS], int at)
{
	const vec_u64 low = (vec_u64){0} + 0xffffffffu;
	uint32_t k0 = d->key[0], k1 = d->key[1];
	vec_u64 c0 = (vec_u64){0} + row, c1 = (vec_u64){ 0, 1, 2, 3, 4, 5, 6, 7 } + first;
	vec_u64 c2 = (vec_u64){0} + d->step, c3 = (vec_u64){0} + d->node, c[4];

	for (int r = 0; r < ROUNDS; r++) {
		vec_u64 p = c0 * 0xd2511f53u, q = c2 * 0xcd9e8d57u;

		c0 = (q >> 32) ^ c1 ^ k0;
		c1 = q & low;
		c2 = (p >> 32) ^ c3 ^ k1;
		c3 = p & low;
		k0 += 0x9e3779b9u;
		k1 += 0xbb67ae85u;
	}
	c[0] = c0, c[1] = c1, c[2] = c2, c[3] = c3;
	for (int w = 0; w < 4; w++) {
		half_u32 h = __builtin_convertvector(c[w], half_u32);

		memcpy(&word[w][at], &h, sizeof(h));
	}
}

INLINE void
philox16(const struct dropout *d, uint32_t row, uint32_t chunk, uint32_t word[4][CALLS])
{
	philox8(d, row, chunk * CALLS, word, 0);
	philox8(d, row, chunk * CALLS + 8, word, 8);
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

void
LEVEL(k_dropout_mask)(const struct dropout *d, uint32_t row, int n, real *out)
{
	real m[DROPOUT_CHUNK];

	FOR_CHUNKS(at, now, n) {
		mask_chunk(d, row, (uint32_t)(at / DROPOUT_CHUNK), m);
		memcpy(out + at, m, (size_t)now * sizeof(*m));
	}
}

void
LEVEL(k_dropout)(const struct dropout *d, uint32_t row, int n, const real *x, real beta, real *y)
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

void
LEVEL(k_bias_relu_dropout)(const struct dropout *d, uint32_t row, int n, const real *b, real *y)
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

void
LEVEL(k_add_dropped)(const struct dropout *d, uint32_t row, int n, const real *x, const real *y, real *z)
{
	real m[DROPOUT_CHUNK];

	FOR_CHUNKS(at, now, n) {
		mask_chunk(d, row, (uint32_t)(at / DROPOUT_CHUNK), m);
		for (int i = 0; i < now; i++)
			z[at + i] = x[at + i] + y[at + i] * m[i];
	}
}
