/* error-feedback: see error-feedback.h. */
#include "train/error-feedback.h"

#include "tensor/kernels.h"

#define BLOCK 2048			/* elements: they stay in the processor's first cache */

static void
round_block(size_t n, const real *x, real *rest, bf16 *y)
{
	real sent[BLOCK];

	k_add(n, x, rest, rest);
	k_to_bf16(n, rest, y);
	k_from_bf16(n, y, sent);
	for (size_t i = 0; i < n; i++)
		rest[i] -= sent[i];
}

void
error_feedback_round(size_t n, const real *x, real *rest, bf16 *y)
{
	for (size_t at = 0; at < n; at += BLOCK)
		round_block(n - at < BLOCK ? n - at : BLOCK, x + at, rest + at, y + at);
}

static void
error_feedback_add_block(size_t n, const bf16 *y, real *x)
{
	real received[BLOCK];

	k_from_bf16(n, y, received);
	k_add(n, x, received, x);
}

void
error_feedback_sum(size_t n, real *x, real *rest, bf16 *all, int ranks, int root)
{
	for (size_t at = 0; at < n; at += BLOCK)
		for (int i = 0; i < ranks; i++)
			if (i != root)
				error_feedback_add_block(n - at < BLOCK ? n - at : BLOCK,
							 all + (size_t)i * n + at, x + at);
	error_feedback_round(n, x, rest, all + (size_t)root * n);
}
