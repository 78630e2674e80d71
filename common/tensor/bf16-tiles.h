/*
 * bf16-tiles: the inner kernels of matrix products c = a b in bf16, for processors with AVX512_BF16
 * or AMX.
 *
 * Below, k is the index over which products are summed, and a pair is two elements of a row of a,
 * or of a column of b, that are neighbors in k.
 *
 * The order of additions determines the bits of an element of c.  Each sum starts with 0.
 *
 * With AVX512_BF16, pairs are added in the order of k, as the instruction vdpbf16ps does: first the
 * product of the second elements of a pair, then the product of the first elements, with one
 * rounding after each.
 *
 * With AMX, groups of 16 pairs are added in the order of k, as the instruction tdpbf16ps does.  The
 * products of the first elements of the pairs of a group are summed from 0, with one rounding each.
 * The products of the second elements are summed in the same way.  The two sums are added, and the
 * result is added to the sum of the previous groups.
 *
 * Both instructions round to nearest, read denormal numbers as 0, and write 0 in place of them
 * (Intel 2023, Architecture Instruction Set Extensions, VDPBF16PS and TDPBF16PS; VDPBF16PS of AMD
 * is the same).
 */
#ifndef BF16_TILES_H
#define BF16_TILES_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "tensor/prefetch.h"

enum {
	BF16_ROWS  = 12,		/* AVX512_BF16: maximum number of rows of c in registers */
	BF16_TILE  = 16,		/* AMX: rows and columns of a tile, and number of its
					 * pairs */
	BF16_WIDTH = 32,		/* columns of a panel of b, a packed part of b; two
					 * vectors */
	BF16_DEPTH = 512,		/* maximum number of pairs of a block, a range of k */
	BF16_ROOM  = BF16_DEPTH + 16	/* pairs from one packed row of a to the next, to avoid
					 * cache conflicts */
};

/*
 * Computes c[rows, width] = before + a b or, if `add` is true, c += before + a b.  `before` may be
 * NULL for 0.  A pair is stored in 32 bits, with its first element in the lower half.
 *
 * AVX512_BF16: the sums of the blocks of k are added in their order.
 *
 * AMX: blocks only determine how a is stored, and sums resume from `before`.  `by_pairs` is false.
 * The memory of a, of `before` and, if `whole` is true, of c has rows up to a multiple of
 * BF16_TILE; that of c then also has BF16_WIDTH columns.  `pairs` and `block` are multiples of
 * BF16_TILE.
 */
struct bf16_tiles {
	int rows, width, pairs;
	int block;			/* number of pairs of a block; the last block may have
					 * less */
	bool by_pairs;			/* a block of a is [pairs][a_step], otherwise
					 * [rows][BF16_ROOM] */
	bool add, whole;
	const uint32_t *a, *b;		/* b is a panel [pairs][BF16_WIDTH] */
	ptrdiff_t a_step, a_block;	/* a_block: elements from one block of a to the next */
	ptrdiff_t ldc;
	const float *before;		/* [rows][BF16_WIDTH], or NULL */
	float *c;
	struct prefetch *next;		/* [2] AMX: memory to prefetch: prefetch_lines() is called
					 * for both, once for every BF16_TILE pairs of each group of
					 * up to 2 * BF16_TILE rows */
};

/* The kernels for one unit of the processor, AVX512_BF16 or AMX. */
struct bf16_kernel {
	int rows;			/* maximum number of rows of c in registers */
	int pairs;			/* the number of pairs is padded with zeros to a multiple of
					 * this number */
	bool transposes;		/* a is never by_pairs */
	/*
	 * A thread calls begin() before its first and end() after its last call of tiles(); both
	 * may be NULL.
	 */
	void (*begin)(void), (*end)(void);
	void (*tiles)(const struct bf16_tiles *t);
};

/* These may only be used if processor_has_bf16() (processor.h) is true for the unit. */
extern const struct bf16_kernel bf16_avx512, bf16_amx;

/*
 * For peak.c: compute `rounds` rounds of products of pairs in registers, store a result in *sink,
 * and return the number of operations.
 */
double bf16_loop(long rounds, float *sink);
double amx_loop(long rounds, float *sink);

#endif
