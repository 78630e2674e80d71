/*
 * fast-words: multiplies groups of rows of integers with a panel; see tiles.h.
 *
 * The including file defines MULTIPLY_PAIRS(sum, a, b), which adds to each lane of 32 bits the
 * products of its two 16-bit elements, or NO_PAIRS.  It may also define MULTIPLY_QUADS, for the
 * four 8-bit elements of a lane: signed in b; in a unsigned for VNNI, and signed for ARM.
 */
#ifndef REAL_DOUBLE
#ifndef MULTIPLY_QUADS
#define MULTIPLY_QUADS MULTIPLY_PAIRS		/* is not called */
#define NO_QUADS
#endif
#ifdef NO_PAIRS
#define MULTIPLY_PAIRS MULTIPLY_QUADS		/* is not called */
#endif

#define PARTS (128 / SIMD_BYTES)		/* registers per panel width */
#define PART  (SIMD_BYTES / 4)			/* columns per register */

typedef int32_t vec_words __attribute__((vector_size(SIMD_BYTES)));
typedef uint32_t vec_lanes __attribute__((vector_size(SIMD_BYTES)));
typedef float vec_part __attribute__((vector_size(SIMD_BYTES)));

/* Multiplies by one unit after the other, the row's first if it is below 1, to avoid overflow. */
INLINE void
put_sums(const struct word_tiles *t, vec_words sum, float unit, const float *b_unit, float *c)
{
	vec_part y = __builtin_convertvector(sum, vec_part), u, before;

	memcpy(&u, b_unit, sizeof(u));
	y = y * (unit < 1 ? unit : 1) * u * (unit < 1 ? 1 : unit);
	if (t->alpha != 1)
		y *= t->alpha;
	if (t->beta != 0) {
		__asm__("" : "+m"(y));		/* no contraction to fma: see int8.h on bits */
		memcpy(&before, c, sizeof(before));
		y += t->beta * before;
	}
	memcpy(c, &y, sizeof(y));
}

/* Copies width columns of some rows. */
static void
copy_part(int rows, int width, const float *x, ptrdiff_t ld, float *y, ptrdiff_t ldt)
{
	for (int r = 0; r < rows; r++)
		memcpy(y + r * ldt, x + r * ld, (size_t)width * sizeof(*y));
}

INLINE int
words_steps(const struct word_tiles *t)
{
	return (t->depth + TILE_STEP - 1) / TILE_STEP;
}

/*
 * Adds the sums of a tile to c; at the right edge, where c is narrower, via a buffer of a whole
 * tile.
 */
INLINE void
put_tile(const struct word_tiles *t, int first, int rows, vec_words sum[TILE_ROWS][PARTS])
{
	float *c = t->c + first * t->ldc, edge[TILE_ROWS * TILE_WIDTH], *to = c;
	ptrdiff_t ld = t->ldc;

	if (t->width < TILE_WIDTH) {
		to = memset(edge, 0, sizeof(edge));
		ld = TILE_WIDTH;
		copy_part(rows, t->width, c, t->ldc, to, ld);
	}
	UNROLL
	for (int r = 0; r < rows; r++)
		UNROLL
		for (int p = 0; p < PARTS; p++)
			put_sums(t, sum[r][p], t->a_unit[first + r], t->b_unit + p * PART,
				 to + r * ld + p * PART);
	if (t->width < TILE_WIDTH)
		copy_part(rows, t->width, to, ld, c, t->ldc);
}

/* rows and quads are constants after inlining. */
INLINE void
words_tile(const struct word_tiles *t, int first, int rows, bool quads)
{
	const uint32_t *a = t->a + first * t->lda, *b = t->b;
	const ptrdiff_t prefetched = (ptrdiff_t)first / TILE_ROWS * words_steps(t) * t->share;
	const char *next = (const char *)t->next + prefetched * 64;
	const float *c = t->c + first * t->ldc;
	vec_words sum[TILE_ROWS][PARTS];

	UNROLL
	for (int r = 0; r < rows; r++)
		UNROLL
		for (int p = 0; p < PARTS; p++)
			memcpy(&sum[r][p], t->start + p * PART, sizeof(sum[r][p]));
	for (int done = 0; done < t->depth; done += TILE_STEP) {
		int n = t->depth - done < TILE_STEP ? t->depth - done : TILE_STEP;

		if (done / TILE_STEP < rows) {
			__builtin_prefetch(c + done / TILE_STEP * t->ldc, 1, 3);
			__builtin_prefetch(c + done / TILE_STEP * t->ldc + TILE_WIDTH - 1, 1, 3);
		}
		for (int i = 0; i < t->share; i++, next += 64)
			__builtin_prefetch(next, 0, 2);
		for (int d = 0; d < n; d++, a++, b += TILE_WIDTH) {
			vec_words panel[PARTS];

			UNROLL
			for (int p = 0; p < PARTS; p++)
				memcpy(&panel[p], b + p * PART, sizeof(panel[p]));
			UNROLL
			for (int r = 0; r < rows; r++) {
				int32_t word;
				vec_words x;

				memcpy(&word, a + r * t->lda, sizeof(word));
				x = (vec_words){0} + word;
				UNROLL
				for (int p = 0; p < PARTS; p++)
					sum[r][p] = quads
						? MULTIPLY_QUADS(sum[r][p], x, panel[p])
						: MULTIPLY_PAIRS(sum[r][p], x, panel[p]);
			}
		}
	}
	put_tile(t, first, rows, sum);
}

INLINE void
words_tiles(const struct word_tiles *t, bool quads)
{
	int i = 0;

	for (; i + 12 <= t->rows && SIMD_ROWS >= 12; i += 12)
		words_tile(t, i, 12, quads);
	for (; i + 8 <= t->rows && SIMD_ROWS >= 8; i += 8)
		words_tile(t, i, 8, quads);
	for (; i + 4 <= t->rows && SIMD_ROWS >= 4; i += 4)
		words_tile(t, i, 4, quads);
	for (; i + 2 <= t->rows && SIMD_ROWS >= 2; i += 2)
		words_tile(t, i, 2, quads);
	for (; i < t->rows; i++)
		words_tile(t, i, 1, quads);
}

#ifndef NO_PAIRS
void
LEVEL(pair_tiles)(const struct word_tiles *t)
{
	words_tiles(t, false);
}
#endif

#ifndef NO_QUADS
void
LEVEL(quad_tiles)(const struct word_tiles *t)
{
	words_tiles(t, true);
}
#endif
#endif
