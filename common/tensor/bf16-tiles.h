/*
 * bf16-tiles: the inner kernel of products in bf16, for processors with AVX512_BF16.
 *
 * Each sum starts with 0 and adds one pair of products after the other, in the order of k, as the
 * instruction vdpbf16ps does: the product of the second elements, then that of the first, each with
 * one rounding to nearest.  It reads denormal numbers as 0 and writes 0 for them (Intel 2023,
 * Architecture Instruction Set Extensions, VDPBF16PS; AMD is the same).
 */
#ifndef BF16_TILES_H
#define BF16_TILES_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum {
	BF16_ROWS  = 12,		/* maximum rows of c in registers */
	BF16_WIDTH = 32,		/* columns of a panel of b: two vectors */
	BF16_DEPTH = 512,		/* maximum pairs of a block */
	BF16_ROOM  = BF16_DEPTH + 16	/* distance of packed rows, to avoid cache conflicts */
};

/*
 * c[rows, width] = before + a b, or c += before + a b if add is true, where before may be NULL: 0.
 * k is divided into blocks; their sums are added in their order.  A pair holds two elements that
 * are neighbors in k; the first one is in the lower half.
 */
struct bf16_tiles {
	int rows, width, pairs;
	int block;			/* pairs of a block; the last one may be shorter */
	bool by_pairs;			/* a is [pairs][a_step], otherwise [rows][BF16_ROOM] */
	bool add;
	const uint32_t *a, *b;		/* b is a panel [pairs][BF16_WIDTH] */
	ptrdiff_t a_step, a_block;	/* a_block: distance of the blocks of a */
	ptrdiff_t ldc;
	const float *before;		/* [rows][BF16_WIDTH], or NULL */
	float *c;
};

/* Only for processors with AVX512_BF16 (processor.h). */
void bf16_tiles(const struct bf16_tiles *t);
/* Products of pairs in registers; returns the number of operations.  For peak.c. */
double bf16_loop(long rounds, float *sink);

#endif
