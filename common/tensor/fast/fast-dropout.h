/*
 * fast-dropout: dropout masks and their application; kernels-element.c describes the random
 * numbers.
 */
#define CALLS  16
#define WORDS  ((int)(SIMD_BYTES / sizeof(uint64_t)))	/* per register */
#define FOURS  (CALLS / WORDS)	/* registers of calls, four words each */

typedef uint64_t vec_word __attribute__((vector_size(SIMD_BYTES)));
typedef uint32_t vec_half __attribute__((vector_size(SIMD_BYTES / 2)));
/* The same in memory; simd.h tells why it is not stored by memcpy(). */
typedef vec_half half_at __attribute__((aligned(4), may_alias));
typedef uint32_t vec_u32 __attribute__((vector_size(4 * CALLS)));
typedef int32_t vec_i32 __attribute__((vector_size(4 * CALLS)));
typedef uint8_t vec_kept __attribute__((vector_size(CALLS)));

/*
 * Computes as many calls of philox() (Salmon et al. 2011) as fit into a register, with words in
 * 64-bit lanes, so that products need no shuffling.  The upper halves of lanes are undefined;
 * MULTIPLY_LOW ignores them.
 */
INLINE void
philox_part(const struct dropout *d, uint32_t row, uint32_t first, vec_word c[4])
{
	const vec_word by0 = (vec_word){0} + 0xd2511f53u, by2 = (vec_word){0} + 0xcd9e8d57u;
	vec_word c0 = (vec_word){0} + row, c1, c2 = (vec_word){0} + d->step;
	vec_word c3 = (vec_word){0} + d->node;

	for (int i = 0; i < WORDS; i++)
		c1[i] = (uint64_t)i;
	c1 += first;
	UNROLL
	for (int r = 0; r < 10; r++) {
		vec_word p = MULTIPLY_LOW(c0, by0), q = MULTIPLY_LOW(c2, by2);

		c0 = (q >> 32) ^ c1 ^ d->round_key[r][0];
		c1 = q;
		c2 = (p >> 32) ^ c3 ^ d->round_key[r][1];
		c3 = p;
	}
	c[0] = c0, c[1] = c1, c[2] = c2, c[3] = c3;
}

/* The lower halves of lanes.  A vector that was stored in halves is slow to load. */
INLINE vec_u32
lower_halves(vec_word part[FOURS][4], int w)
{
#if SIMD_BYTES == 64
	return __builtin_shufflevector((vec_u32)part[0][w], (vec_u32)part[1][w],
				       0, 2, 4, 6, 8, 10, 12, 14, 16, 18, 20, 22, 24, 26, 28, 30);
#else
	uint32_t word[CALLS];
	vec_u32 all;

	for (int i = 0; i < FOURS; i++)
		*(half_at *)(void *)&word[i * WORDS] =
			__builtin_convertvector(part[i][w], vec_half);
	memcpy(&all, word, sizeof(all));
	return all;
#endif
}

/* The random words of a chunk. */
INLINE void
draw_chunk(const struct dropout *d, uint32_t row, uint32_t chunk, vec_u32 word[4])
{
	vec_word part[FOURS][4];

	UNROLL
	for (int i = 0; i < FOURS; i++)
		philox_part(d, row, chunk * CALLS + (uint32_t)(i * WORDS), part[i]);
	UNROLL
	for (int w = 0; w < 4; w++)
		word[w] = lower_halves(part, w);
}

/* Which of columns 16 k ... 16 k + 15 are kept: those with numbers not below the threshold. */
INLINE vec_i32
kept_at(const struct dropout *d, const vec_u32 word[4], int k)
{
	const vec_u32 c = word[k / 2];

	return (vec_i32)(k % 2 ? c >> 16 : c & 0xffff) >= (int32_t)d->threshold;
}

/* Stores 16 multipliers: 0 for an element that is not kept. */
INLINE void
put_multipliers(vec_i32 kept, real scale, real *m)
{
#ifdef REAL_DOUBLE
	for (int i = 0; i < CALLS; i++)
		m[i] = kept[i] ? scale : 0;
#else
	vec_store(m, (vec)(kept & (vec_i32)vec_all(scale)));
#endif
}

/* Computes the multipliers of a chunk. */
INLINE void
mask_chunk(const struct dropout *d, uint32_t row, uint32_t chunk, real m[DROPOUT_CHUNK])
{
	vec_u32 word[4];

	draw_chunk(d, row, chunk, word);
	UNROLL
	for (int k = 0; k < DROPOUT_CHUNK / CALLS; k++)
		put_multipliers(kept_at(d, word, k), d->scale, m + k * CALLS);
}

/* The same from the bits of k_dropout_draw(). */
INLINE void
mask_again(const struct dropout *d, const uint8_t *kept, real m[DROPOUT_CHUNK])
{
	vec_kept bytes;
	vec_i32 bits;

	memcpy(&bytes, kept, sizeof(bytes));
	bits = __builtin_convertvector(bytes, vec_i32);
	UNROLL
	for (int k = 0; k < DROPOUT_CHUNK / CALLS; k++)
		put_multipliers((bits & (1 << k)) != 0, d->scale, m + k * CALLS);
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

/* y = x m + beta y */
INLINE void
multiply_words(int n, const real *x, const real *m, real beta, real *y)
{
	if (beta == 0) {
		for (int i = 0; i < n; i++)
			y[i] = x[i] * m[i];
	} else {
		for (int i = 0; i < n; i++)
			y[i] = x[i] * m[i] + beta * y[i];
	}
}

void
LEVEL(k_dropout)(const struct dropout *d, uint32_t row, int n, const real *x, real beta, real *y)
{
	real m[DROPOUT_CHUNK];

	FOR_CHUNKS(at, now, n) {
		mask_chunk(d, row, (uint32_t)(at / DROPOUT_CHUNK), m);
		multiply_words(now, x + at, m, beta, y + at);
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
LEVEL(k_dropout_draw)(const struct dropout *d, uint32_t row, int n, uint8_t *kept)
{
	vec_u32 word[4];

	for (int chunk = 0; chunk * DROPOUT_CHUNK < n; chunk++) {
		vec_i32 bits = {0};
		vec_kept bytes;

		draw_chunk(d, row, (uint32_t)chunk, word);
		UNROLL
		for (int k = 0; k < DROPOUT_CHUNK / CALLS; k++)
			bits |= kept_at(d, word, k) & (1 << k);
		bytes = __builtin_convertvector(bits, vec_kept);
		memcpy(kept + chunk * CALLS, &bytes, sizeof(bytes));
	}
}

void
LEVEL(k_dropout_again)(const struct dropout *d, const uint8_t *kept, int n, const real *x,
      real beta, real *y)
{
	real m[DROPOUT_CHUNK];

	FOR_CHUNKS(at, now, n) {
		mask_again(d, kept + at / DROPOUT_CHUNK * CALLS, m);
		multiply_words(now, x + at, m, beta, y + at);
	}
}

void
LEVEL(k_add_dropped)(const struct dropout *d, const uint8_t *kept, int n, const real *x,
      const real *y, real *z)
{
	real m[DROPOUT_CHUNK];

	FOR_CHUNKS(at, now, n) {
		mask_again(d, kept + at / DROPOUT_CHUNK * CALLS, m);
		for (int i = 0; i < now; i++)
			z[at + i] = x[at + i] + y[at + i] * m[i];
	}
}
