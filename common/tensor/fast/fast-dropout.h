/*
 * fast-dropout: dropout masks and their application; kernels-dropout.c describes the random
 * numbers.
 */
#define CALLS  16
#define WORDS  ((int)(SIMD_BYTES / sizeof(uint64_t)))	/* per register */

typedef uint64_t vec_word __attribute__((vector_size(SIMD_BYTES)));
typedef uint32_t vec_half __attribute__((vector_size(SIMD_BYTES / 2)));
/* The same in memory; simd.h tells why it is not stored by memcpy(). */
typedef vec_half half_at __attribute__((aligned(4), may_alias));
typedef uint32_t vec_u32 __attribute__((vector_size(4 * CALLS)));
typedef int32_t vec_i32 __attribute__((vector_size(4 * CALLS)));

/*
 * Computes as many calls of philox() (Salmon et al. 2011) as fit into a register, with words in
 * 64-bit lanes, so that products need no shuffling.  The upper halves of c0 ... c3 are undefined;
 * MULTIPLY_LOW ignores them.
 */
INLINE void
philox_part(const struct dropout *d, uint32_t row, uint32_t first, uint32_t (*word)[CALLS], int at)
{
	const vec_word by0 = (vec_word){0} + 0xd2511f53u, by2 = (vec_word){0} + 0xcd9e8d57u;
	vec_word c0 = (vec_word){0} + row, c1 = {0}, c2 = (vec_word){0} + d->step;
	vec_word c3 = (vec_word){0} + d->node, c[4];

	for (int i = 0; i < WORDS; i++)
		c1[i] = first + (uint32_t)(at + i);
	UNROLL
	for (int r = 0; r < 10; r++) {
		vec_word p = MULTIPLY_LOW(c0, by0), q = MULTIPLY_LOW(c2, by2);

		c0 = (q >> 32) ^ c1 ^ d->round_key[r][0];
		c1 = q;
		c2 = (p >> 32) ^ c3 ^ d->round_key[r][1];
		c3 = p;
	}
	c[0] = c0, c[1] = c1, c[2] = c2, c[3] = c3;
	for (int w = 0; w < 4; w++)
		*(half_at *)(void *)&word[w][at] = __builtin_convertvector(c[w], vec_half);
}

/* Stores 16 multipliers: 0 where the 16-bit random number is below the threshold. */
INLINE void
put_multipliers(const struct dropout *d, vec_i32 random, real *m)
{
	vec_i32 keep = random >= (int32_t)d->threshold;

#ifdef REAL_DOUBLE
	for (int i = 0; i < CALLS; i++)
		m[i] = keep[i] ? d->scale : 0;
#else
	vec_store(m, (vec)(keep & (vec_i32)vec_all(d->scale)));
#endif
}

/* Computes the multipliers of a chunk. */
INLINE void
mask_chunk(const struct dropout *d, uint32_t row, uint32_t chunk, real m[DROPOUT_CHUNK])
{
	uint32_t word[4][CALLS];

	for (int at = 0; at < CALLS; at += WORDS)
		philox_part(d, row, chunk * CALLS, word, at);
	for (int w = 0; w < 4; w++) {
		vec_u32 c;

		memcpy(&c, word[w], sizeof(c));
		put_multipliers(d, (vec_i32)(c & 0xffff), m + 32 * w);
		put_multipliers(d, (vec_i32)(c >> 16), m + 32 * w + 16);
	}
}

#define FOR_CHUNKS(at, now, n) \
	for (int at = 0, now; \
	     at < (n) && (now = (n) - at < DROPOUT_CHUNK ? (n) - at : DROPOUT_CHUNK) > 0; \
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
LEVEL(k_add_dropped)(const struct dropout *d, uint32_t row, int n, const real *x, const real *y,
		     real *z)
{
	real m[DROPOUT_CHUNK];

	FOR_CHUNKS(at, now, n) {
		mask_chunk(d, row, (uint32_t)(at / DROPOUT_CHUNK), m);
		for (int i = 0; i < now; i++)
			z[at + i] = x[at + i] + y[at + i] * m[i];
	}
}
