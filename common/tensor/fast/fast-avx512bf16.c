/*
 * fast-avx512bf16: products (bf16-tiles.h) and conversions (kernels-bf16.c) for AVX512_BF16.
 */
#include "base/compiler.h"
#include "tensor/bf16-tiles.h"

#if defined(X86_64) && !defined(REAL_DOUBLE)

#include <immintrin.h>

#ifdef __clang__
#pragma clang attribute push(__attribute__((target( \
	"avx2,fma,avx512f,avx512vl,avx512dq,avx512bw,avx512bf16,prfchw"))), apply_to = function)
#else
#pragma GCC target("avx2,fma,avx512f,avx512vl,avx512dq,avx512bw,avx512bf16,prfchw")
#endif

#define LEVEL(name) name##_avx512bf16
#define SIMD_MASKS  1
#define CONVERT_BF16(a, b) convert(a, b)
#define INTERLEAVE_BF16(v) interleave_words(v)

#include "tensor/fast/fast.h"
#include "tensor/simd.h"

#include "tensor/fast/fast-square.h"

typedef uint16_t vec_half __attribute__((vector_size(64)));

/* The instruction converts denormal numbers to 0; some of them are rounded to 2^-126. */
static __attribute__((noinline)) vec
convert_denormals(vec a, vec b)
{
	vec_half words;

	for (int i = 0; i < LANES; i++) {
		words[i] = (uint16_t)(bf16_bits(a[i]) >> 16);
		words[i + LANES] = (uint16_t)(bf16_bits(b[i]) >> 16);
	}
	return (vec)words;
}

INLINE vec
convert(vec a, vec b)
{
	enum { DENORMAL = 0x20 };

	if (!_kortestz_mask16_u8(_mm512_fpclass_ps_mask((__m512)a, DENORMAL),
				 _mm512_fpclass_ps_mask((__m512)b, DENORMAL)))
		return convert_denormals(a, b);
	return (vec)_mm512_cvtne2ps_pbh((__m512)b, (__m512)a);
}

INLINE vec
interleave_words(vec v)
{
	const vec_half w = (vec_half)v;

	return (vec)__builtin_shufflevector(w, w, 0, 16, 1, 17, 2, 18, 3, 19, 4, 20, 5, 21, 6, 22,
					    7, 23, 8, 24, 9, 25, 10, 26, 11, 27, 12, 28, 13, 29,
					    14, 30, 15, 31);
}

#include "tensor/fast/fast-bf16.h"

enum { PARTS = BF16_WIDTH / 16 };	/* vectors of a row of a panel */

INLINE __mmask16
lanes_of(int width)
{
	return (__mmask16)(width >= 16 ? 0xffff : width > 0 ? (1u << width) - 1 : 0);
}

/* The sums of the blocks before, at `before`, which may be NULL, and of this one. */
INLINE __m512
sum_at(const float *before, int row, int part, __m512 sum)
{
	if (before)
		sum += (__m512)vec_load(before + row * BF16_WIDTH + 16 * part);
	return sum;
}

INLINE void
put_bf16_sums(const struct bf16_tiles *t, int first, int rows, const float *before,
	      __m512 sum[BF16_ROWS][PARTS])
{
	float *c = t->c + first * t->ldc;

	UNROLL
	for (int p = 0; p < PARTS; p++) {
		const __mmask16 lanes = lanes_of(t->width - 16 * p);

		UNROLL
		for (int r = 0; r < rows; r++) {
			float *at = c + r * t->ldc + 16 * p;
			__m512 y = sum_at(before, r, p, sum[r][p]);

			if (t->add)
				y += _mm512_maskz_loadu_ps(lanes, at);
			_mm512_mask_storeu_ps(at, lanes, y);
		}
	}
}

/* Keeps the sums of a block in the first-level cache until those of the next block are added. */
INLINE void
keep_sums(int rows, const float *before, __m512 sum[BF16_ROWS][PARTS], float *kept)
{
	UNROLL
	for (int r = 0; r < rows; r++)
		UNROLL
		for (int p = 0; p < PARTS; p++)
			vec_store(kept + r * BF16_WIDTH + 16 * p,
				  (vec)sum_at(before, r, p, sum[r][p]));
}

/* Fetches c before it is written; short sums with a narrow c are faster without. */
INLINE void
prefetch_c(const struct bf16_tiles *t, int first, int rows)
{
	enum { SHORT = 64, NARROW = 768 };
	const float *c = t->c + first * t->ldc;

	if (t->pairs <= SHORT && t->ldc <= NARROW)
		return;
	UNROLL
	for (int r = 0; r < rows; r++)
		UNROLL
		for (int p = 0; p < PARTS; p++)
			__builtin_prefetch(c + r * t->ldc + 16 * p, 1, 3);
}

/* sum = a b for a block of pairs. */
INLINE void
block_sums(int pairs, const uint32_t *a, ptrdiff_t row, ptrdiff_t step, const uint32_t *b, int rows,
	   __m512 sum[BF16_ROWS][PARTS])
{
	UNROLL
	for (int r = 0; r < rows; r++)
		UNROLL
		for (int p = 0; p < PARTS; p++)
			sum[r][p] = _mm512_setzero_ps();
	for (int i = 0; i < pairs; i++, a += step, b += BF16_WIDTH) {
		__m512bh panel[PARTS];

		UNROLL
		for (int p = 0; p < PARTS; p++)
			panel[p] = (__m512bh)_mm512_loadu_si512(b + 16 * p);
		UNROLL
		for (int r = 0; r < rows; r++) {
			const __m512bh x = (__m512bh)_mm512_set1_epi32((int)a[r * row]);

			UNROLL
			for (int p = 0; p < PARTS; p++)
				sum[r][p] = _mm512_dpbf16_ps(sum[r][p], x, panel[p]);
		}
	}
}

/* rows and by_pairs are constants after inlining. */
INLINE void
bf16_tile(const struct bf16_tiles *t, int first, int rows, bool by_pairs)
{
	const ptrdiff_t row = by_pairs ? 1 : BF16_ROOM, step = by_pairs ? t->a_step : 1;
	const uint32_t *a = t->a + first * row, *b = t->b;
	const float *before = t->before ? t->before + first * BF16_WIDTH : NULL;
	float kept[BF16_ROWS * BF16_WIDTH] __attribute__((aligned(64)));
	__m512 sum[BF16_ROWS][PARTS];
	int left = t->pairs;

	prefetch_c(t, first, rows);
	for (; left > t->block; left -= t->block) {
		block_sums(t->block, a, row, step, b, rows, sum);
		keep_sums(rows, before, sum, kept);
		before = kept;
		a += t->a_block;
		b += (ptrdiff_t)t->block * BF16_WIDTH;
	}
	block_sums(left, a, row, step, b, rows, sum);
	put_bf16_sums(t, first, rows, before, sum);
}

INLINE void
any_tile(const struct bf16_tiles *t, int first, int rows, bool by_pairs)
{
	switch (rows) {
#define ROWS(n) case n: bf16_tile(t, first, n, by_pairs); break;
	ROWS(1) ROWS(2) ROWS(3) ROWS(4) ROWS(5) ROWS(6)
	ROWS(7) ROWS(8) ROWS(9) ROWS(10) ROWS(11) ROWS(12)
#undef ROWS
	}
}

/* The tiles of all rows have about the same size. */
static void
all_tiles(const struct bf16_tiles *t)
{
	const int n = (t->rows + BF16_ROWS - 1) / BF16_ROWS;

	for (int i = 0; i < n; i++) {
		const int from = t->rows * i / n, rows = t->rows * (i + 1) / n - from;

		if (t->by_pairs)
			any_tile(t, from, rows, true);
		else
			any_tile(t, from, rows, false);
	}
}

const struct bf16_kernel bf16_avx512 = { .rows = BF16_ROWS, .pairs = 1, .tiles = all_tiles };

double
bf16_loop(long rounds, float *sink)
{
	const __m512bh x = (__m512bh)_mm512_set1_ps(*sink);
	__m512 sum[2 * BF16_ROWS];

	UNROLL
	for (int i = 0; i < BF16_ROWS; i++) {
		sum[i] = _mm512_set1_ps((float)i);
		sum[i + BF16_ROWS] = _mm512_set1_ps((float)i + 0.5F);
	}
	for (long r = 0; r < rounds; r++) {
		UNROLL
		for (int i = 0; i < BF16_ROWS; i++) {
			sum[i] = _mm512_dpbf16_ps(sum[i], x, x);
			sum[i + BF16_ROWS] = _mm512_dpbf16_ps(sum[i + BF16_ROWS], x, x);
		}
	}
	UNROLL
	for (int i = 1; i < BF16_ROWS; i++)
		sum[0] += sum[i] * sum[i + BF16_ROWS];
	*sink = vec_sum((vec)(sum[0] + sum[BF16_ROWS]));
	return 4.0 * 16 * 2 * BF16_ROWS * (double)rounds;
}

#ifdef __clang__
#pragma clang attribute pop
#endif

#else
#include "base/err.h"

static void
no_tiles(const struct bf16_tiles *t)
{
	bug("%d rows: this processor lacks AVX512_BF16", t->rows);
}

const struct bf16_kernel bf16_avx512 = { .rows = BF16_ROWS, .pairs = 1, .tiles = no_tiles };

double
bf16_loop(long rounds, float *sink)
{
	bug("%ld rounds from %g: this processor lacks AVX512_BF16", rounds, (double)*sink);
}
#endif
