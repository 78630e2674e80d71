/*
 * error-feedback: gradients that ranks exchange in bf16, with error feedback.
 *
 * A rank sends its gradient x rounded to bf16, y = bf16(x + rest).  It adds the rounding error
 * rest' = x + rest - y to its next gradient, so that errors do not accumulate over updates (Seide
 * et al. 2014, 1-Bit Stochastic Gradient Descent).  The root of a sum adds the messages of the
 * others to its own gradient, and rounds the sum in the same way (Tang et al. 2019, DoubleSqueeze).
 * Therefore each rank has one rest for each element, and after each update
 *
 *	y_root + sum over ranks of rest' = sum over ranks of x + rest,
 *
 * except for the rounding of additions in fp32: the rest itself is exact.
 */
#ifndef ERROR_FEEDBACK_H
#define ERROR_FEEDBACK_H

#include <stddef.h>

#include "tensor/bf16.h"
#include "tensor/real.h"

/* y = bf16(x + rest) and rest = x + rest - y, for n elements. */
void error_feedback_round(size_t n, const real *x, real *rest, bf16 *y);

/*
 * At the root: all[ranks][n] has the messages of the other ranks.  Adds them to x in the order of
 * the ranks, and rounds the sum into all[root].
 */
void error_feedback_sum(size_t n, real *x, real *rest, bf16 *all, int ranks, int root);

#endif
