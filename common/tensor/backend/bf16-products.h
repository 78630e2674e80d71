/*
 * bf16-products: products in bf16 for processors with AVX512_BF16 or AMX; for the back end native.
 *
 * An element of op(A) op(B) (backend.h) is computed in these steps:
 *
 *	1. Both factors are rounded to bf16 (bf16.h).
 *	2. If op(A) is the transpose of A, as for a weight gradient, k is divided into parts of
 *	   BF16_PART elements, and each part is added to C.  For other products, all of k is one
 *	   part.
 *	3. AVX512_BF16: if op(A) is the transpose, the last part is padded with zeros to a multiple
 *	   of BF16_PAD.  A part of more than 1,024 elements, with the padding, is divided into
 *	   blocks of 1,024 elements, and one of at most 1,024 into blocks of 512.  The sum of a
 *	   block starts with 0 and adds pairs in the order of k (bf16-tiles.h).  The sums of the
 *	   blocks are added in their order.
 *	4. AMX: a part is padded with zeros to a multiple of 32.  Its sum starts with 0 and adds
 *	   groups of 16 pairs in the order of k (bf16-tiles.h).
 *	5. C = alpha sum + beta C as in k_axpby(), with beta = 1 after the first part.
 *
 * With AVX512_BF16, the results have the bits of oneDNN 2.6 on such a processor.  Earlier versions
 * of heed called oneDNN 2.6: their trainings are resumed with the same results.
 */
#ifndef BF16_PRODUCTS_H
#define BF16_PRODUCTS_H

#include "tensor/processor.h"

enum { BF16_PART = 2016, BF16_PAD = 96 };

/*
 * Products by one kind of instructions.  native_bf16_shared() and native_bf16_prepare() of native.h
 * compute them, with the kernel in the state of the back end.
 */
struct bf16_products {
	const char *name;		/* as an option of the back end: "amx" */
	const char *text;		/* in its version: "AMX" */
	enum bf16_unit unit;
	const struct bf16_kernel *kernel;	/* bf16-tiles.h */
	unsigned caps;			/* BACKEND_MATRIX_UNITS or 0 */
};

/*
 * The products of that name or, for "", those that are faster than fp32: decided by the type of the
 * processor, never by a clock.  NULL if this processor lacks them, and in double precision.
 */
const struct bf16_products *bf16_products_find(const char *name);

#endif
