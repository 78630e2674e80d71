/*
 * fast: kernels in vectors, compiled once for each kind of processor.
 *
 * The bodies (fast-*.h) are included by fast-v2.c, fast-v3.c and fast-v4.c, each compiled for its
 * own target.  (The attribute target_clones does not work here: the compiler splits vectors that
 * are too long for the base processor before it makes the clones.)  FASTEST(k_norm) is the function
 * for this processor.
 *
 * Each of these files defines LEVEL(name), the name of a kernel for its target, such as name_v4;
 * SIMD_BYTES, the size of a register; SIMD_ROWS and SIMD_REAL_ROWS, the most rows of a tile of
 * integers and of reals; MULTIPLY_LOW(a, b), products of the lower halves of 64-bit lanes, for
 * which compilers do not use the instruction in plain C; and MULTIPLY_PAIRS, see fast-words.h.  A
 * file whose target has masked vectors also defines SIMD_MASKS, see simd.h.
 */
#ifndef FAST_H
#define FAST_H

#include "base/compiler.h"
#include "tensor/cached.h"
#include "tensor/dots.h"
#include "tensor/relevance-kernels.h"
#include "tensor/norm-relevance.h"
#include "tensor/tiles.h"

enum { CACHE_LINE = 64 };		/* bytes */

static inline size_t
whole_lines(size_t size)
{
	return (size + CACHE_LINE - 1) / CACHE_LINE * CACHE_LINE;
}

/* The size of the units of a cached position, which are before its integers. */
static inline size_t
cached_units(int heads)
{
	return whole_lines(2 * (size_t)heads * sizeof(real));
}

/* Queries that k_core() processes together, to access the relevance of the keys less often. */
enum { CORE_QUERIES = 4 };

/* The level of this processor.  0: x86-64-v2 or not x86-64, 1: AVX2, 2: AVX-512 */
int fast_level(void);
bool fast_bf16(void);		/* level 2 with AVX512_BF16 */

#define FOR_LEVELS(result, name, parameters) \
	result name##_v2 parameters; \
	result name##_v3 parameters; \
	result name##_v4 parameters;

/*
 * The kernels that exist for each level: VOID(name, parameters, arguments) or, if they return a
 * value, VALUE(result, name, parameters, arguments).  This list declares name_v2, name_v3 and
 * name_v4, and defines the function of kernels.h, cached.h or dots.h, which calls the fastest
 * (fast.c).  Activations are listed in kernels.h.
 */
#define KERNELS(VOID, VALUE) \
	VALUE(struct norm_row, k_norm, \
	      (int n, real eps, const real *x, const real *gain, const real *bias, real *y), \
	      (n, eps, x, gain, bias, y)) \
	VOID(k_norm_back, \
	     (int n, struct norm_row s, const real *x, const real *gain, const real *g, \
	      real beta, real *dx, real *dgain, real *dbias), \
	     (n, s, x, gain, g, beta, dx, dgain, dbias)) \
	VOID(k_exp, (size_t n, const real *x, real *y), (n, x, y)) \
	VOID(k_tanh, (size_t n, const real *x, real *y), (n, x, y)) \
	VOID(k_sigmoid, (size_t n, const real *x, real *y), (n, x, y)) \
	VOID(k_softmax, (int n, const real *x, real *y), (n, x, y)) \
	VOID(k_softmax_back, (int n, const real *y, const real *g, real beta, real *dx), \
	     (n, y, g, beta, dx)) \
	VALUE(struct loss_row, k_cross_entropy, \
	      (int n, const struct smooth *s, int target, const real *b, bool grad, real *x), \
	      (n, s, target, b, grad, x)) \
	VOID(k_small, (const struct small *s), (s)) \
	VOID(k_small_dots, (const struct small *s), (s)) \
	VOID(k_transpose, \
	     (int m, int n, const real *x, ptrdiff_t ld, real *y, ptrdiff_t ldt, int pad), \
	     (m, n, x, ld, y, ldt, pad)) \
	VOID(k_attend, \
	     (const struct head *h, struct head_mask mask, real *weights, real *out, \
	      ptrdiff_t ld, real *room), (h, mask, weights, out, ld, room)) \
	VOID(k_attend_back, \
	     (const struct head *h, struct head_mask mask, const real *weights, const real *g, \
	      ptrdiff_t ld, const struct head_back *back, real *room), \
	     (h, mask, weights, g, ld, back, room)) \
	VOID(k_query, (const struct query *q, real *room), (q, room)) \
	VOID(k_best, (struct best *b, int first, int n, const real *x, int from, int to), \
	     (b, first, n, x, from, to)) \
	VOID(k_share, \
	     (const struct share *s, int n, const real *w, const real *x, real bias, real r, \
	      real *rel), (s, n, w, x, bias, r, rel)) \
	VALUE(struct signs, k_signs, (int n, const real *w, const real *x, real add), \
	      (n, w, x, add)) \
	VOID(k_signs_of, \
	     (int n, const real *const *w, const real *x, const real *add, struct signs *s), \
	     (n, w, x, add, s)) \
	VOID(k_share_tile, (const struct share_tile *t), (t)) \
	VOID(k_pick, \
	     (int rows, const int *row, const bool *kept, int n, const real *x, real *y, \
	      ptrdiff_t ld), (rows, row, kept, n, x, y, ld)) \
	VOID(k_core, (const struct core *c, const struct share *s, real *room), (c, s, room)) \
	VOID(k_dropout_mask, (const struct dropout *d, uint32_t row, int n, real *m), \
	     (d, row, n, m)) \
	VOID(k_dropout, \
	     (const struct dropout *d, uint32_t row, int n, const real *x, real beta, real *y), \
	     (d, row, n, x, beta, y)) \
	VOID(k_bias_relu_dropout, \
	     (const struct dropout *d, uint32_t row, int n, const real *b, real *y), \
	     (d, row, n, b, y)) \
	VOID(k_dropout_draw, (const struct dropout *d, uint32_t row, int n, uint8_t *kept), \
	     (d, row, n, kept)) \
	VOID(k_dropout_again, \
	     (const struct dropout *d, const uint8_t *kept, int n, const real *x, real beta, \
	      real *y), (d, kept, n, x, beta, y)) \
	VOID(k_from_bf16, (size_t n, const bf16 *x, real *y), (n, x, y)) \
	VOID(k_round_bf16, (size_t n, const real *x, real *y), (n, x, y)) \
	VALUE(real, k_unit_int16, (int n, const real *x), (n, x)) \
	VOID(k_to_int16, (int n, const real *x, real unit, int shift, void *q), \
	     (n, x, unit, shift, q)) \
	VALUE(real, k_unit_int8, (int n, const real *x), (n, x)) \
	VOID(k_to_int8, (int n, const real *x, real unit, int shift, void *q), \
	     (n, x, unit, shift, q)) \
	VOID(k_dots, (const struct dots *d), (d))

#define LEVELS_VOID(name, parameters, arguments)          FOR_LEVELS(void, name, parameters)
#define LEVELS_VALUE(result, name, parameters, arguments) FOR_LEVELS(result, name, parameters)
#define LEVELS_ACTIVATION(name) \
	FOR_LEVELS(void, k_##name, (size_t n, const real *x, real *y)) \
	FOR_LEVELS(void, k_##name##_back, (size_t n, const real *x, const real *g, real beta, \
					   real *dx))

KERNELS(LEVELS_VOID, LEVELS_VALUE)
ACTIVATIONS(LEVELS_ACTIVATION)

/* Parts of kernels, which their callers select by FASTEST() or tiles.c. */
FOR_LEVELS(void, k_norm_sweep, (const struct norm_sweep *s))
FOR_LEVELS(void, k_add_dropped, (const struct dropout *d, const uint8_t *kept, int n,
				 const real *x, const real *y, real *z))
FOR_LEVELS(void, tiles, (const struct tiles *t))
FOR_LEVELS(void, tiles_pack_a,
	   (int rows, int depth, const real *a, ptrdiff_t lda, bool trans, real *packed))
FOR_LEVELS(void, tiles_pack_b,
	   (int depth, int width, const real *b, ptrdiff_t ldb, bool trans, real *packed))
FOR_LEVELS(void, k_byte_dots, (const struct byte_dots *d))
FOR_LEVELS(double, fma_loop, (long rounds, real *sink))	/* returns the number of operations */
FOR_LEVELS(void, k_to_bf16, (size_t n, const real *x, bf16 *y))
FOR_LEVELS(void, k_pairs_bf16,
	   (int m, int n, const real *x, ptrdiff_t row, ptrdiff_t column, bf16 *y, int width))
FOR_LEVELS(void, pair_tiles, (const struct word_tiles *t))
/* only in single precision */
void k_to_bf16_avx512bf16(size_t n, const real *x, bf16 *y);
void k_pairs_bf16_avx512bf16(int m, int n, const real *x, ptrdiff_t row, ptrdiff_t column, bf16 *y,
			     int width);
void k_byte_dots_vnni(const struct byte_dots *d);
void pair_tiles_vnni(const struct word_tiles *t);
void quad_tiles_vnni(const struct word_tiles *t);
void pair_tiles_avxvnni(const struct word_tiles *t);
void quad_tiles_avxvnni(const struct word_tiles *t);
void quad_tiles_dotprod(const struct word_tiles *t);

#ifdef X86_64
#define FASTEST(name) (fast_level() == 2 ? name##_v4 : fast_level() == 1 ? name##_v3 : name##_v2)
#else
#define FASTEST(name) name##_v2
#endif

#endif
