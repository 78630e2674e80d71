/*
 * bf16-tiles: the inner kernels of products in bf16, for processors with AVX512_BF16 or AMX.
 *
 * Each sum starts with 0.  With AVX512_BF16, it adds one pair of products after the other, in the
 * order of k, as the instruction vdpbf16ps does: the product of the second elements, then that of
 * the first, each with one rounding to nearest.  With AMX, it adds groups of 16 pairs, in the order
 * of k, as the instruction tdpbf16ps does: the products of the first elements of a group are
 * accumulated from 0, with one rounding each; so are those of the second elements; these two sums
 * are added, and then the sum of both to that of the groups before.  Both instructions round to
 * nearest, read denormal numbers as 0 and write 0 for them (Intel 2023, Architecture Instruction
 * Set Extensions, VDPBF16PS and TDPBF16PS; VDPBF16PS of AMD is the same).
 */
#ifndef BF16_TILES_H
#define BF16_TILES_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "tensor/prefetch.h"

enum {
	BF16_ROWS  = 12,		/* maximum rows of c in registers, with AVX512_BF16 */
	BF16_TILE  = 16,		/* rows and columns of a tile of AMX, and its pairs */
	BF16_WIDTH = 32,		/* columns of a panel of b: two vectors */
	BF16_DEPTH = 512,		/* maximum pairs of a block */
	BF16_ROOM  = BF16_DEPTH + 16	/* distance of packed rows, to avoid cache conflicts */
};

/*
 * c[rows, width] = before + a b, or c += before + a b if add is true, where before may be NULL: 0.
 * A pair holds two elements that are neighbors in k; the first one is in the lower half.
 *
 * AVX512_BF16: k is divided into blocks; their sums are added in their order.
 *
 * AMX: blocks are only how a is stored, and `before` is where a sum resumes.  a is not by_pairs; a,
 * before and, if `whole` is true, c have room for rows up to a multiple of BF16_TILE.  `pairs` and
 * `block` are multiples of BF16_TILE.
 */
struct bf16_tiles {
	int rows, width, pairs;
	int block;			/* pairs of a block; the last one may be shorter */
	bool by_pairs;			/* a is [pairs][a_step], otherwise [rows][BF16_ROOM] */
	bool add, whole;
	const uint32_t *a, *b;		/* b is a panel [pairs][BF16_WIDTH] */
	ptrdiff_t a_step, a_block;	/* a_block: distance of the blocks of a */
	ptrdiff_t ldc;
	const float *before;		/* [rows][BF16_WIDTH], or NULL */
	float *c;
	struct prefetch *next;		/* [2], with AMX: once per tile of a */
};

/* The kernels for one unit of the processor. */
struct bf16_kernel {
	int rows;			/* maximum rows of c in registers */
	int pairs;			/* k is padded with zeros to a multiple of this number */
	bool transposes;		/* a is never by_pairs */
	/* Called by the same thread before and after calls of tiles; NULL if there is no need. */
	void (*begin)(void), (*end)(void);
	void (*tiles)(const struct bf16_tiles *t);
};

/* Only for processors with these units (processor.h); AMX also needs Linux's permission. */
extern const struct bf16_kernel bf16_avx512, bf16_amx;

/* Products of pairs in registers; they return the number of operations.  For peak.c. */
double bf16_loop(long rounds, float *sink);
double amx_loop(long rounds, float *sink);

#endif
