/*
 * int16: a row of elements as 16-bit integers times a unit, so that sums of products are exact.
 *
 * A row x of k elements becomes q_i = round(x_i / u), to nearest, ties to even.  The unit u is the
 * smallest power of two, at least 2^-126, with
 *
 *	|x| / u <= 46340 - sqrt(max(k, 65536)) / 2	and	max |x_i| / u <= 32767.
 *
 * No overflow: division by u is exact.  Rounding changes an element of x / u by at most 1/2, and
 * therefore its norm by at most sqrt(k) / 2, so |q| <= 46340.  By the Cauchy-Schwarz inequality, a
 * sum of products q_i r_i of two such rows, over any subset of i, has at most the magnitude 46340^2
 * = 2^31 - 88048, so no sum overflows 32 bits in any order.  (The 88048 are a margin for |x|, which
 * is computed in double precision.)  This holds for k below 2^31, where sqrt(k) / 2 <= 23171.
 *
 * Zeros: for k up to 65536 the bound does not depend on k.  Removing zeros from a row, or adding
 * zeros, then does not change its unit or its other integers.  A pruned model therefore gives the
 * same results as the model in which the elements of these heads are 0.
 *
 * Error: in a matrix product (struct gemm of backend/backend.h), each row of op(A) and each column
 * of op(B) becomes integers with a unit.  The products of integers are summed, and the sum is
 * rounded to a float once, and multiplied by both units and by alpha.  For a row a and a column b,
 * let e_a and e_b be the rounding errors of their elements, whose norms are at most sqrt(k) / 2
 * units, and n_a = |a| / u_a and n_b = |b| / u_b.  With a' b for the inner product of a and b, the
 * error of the sum is at most |a' e_b| + |b' e_a| + |e_a' e_b|, which is at most
 *
 *	u_a u_b (sqrt(k) / 2 (n_a + n_b) + k / 4)
 *
 * Reproducibility: if alpha and beta are 0, 1 or -1, the bits of a result do not depend on the
 * processor, the number of threads or other rows.  With other values, processors with fused
 * multiply-add round once less.  A row with a NaN or an infinity gives NaNs.
 */
#ifndef INT16_H
#define INT16_H

#include <math.h>
#include <stdint.h>
#include <string.h>

/* The maximum of the norm |q| and of |q_i|; the 65536 in the bound above. */
enum { INT16_NORM = 46340, INT16_LARGEST = 32767, INT16_LENGTH = 65536 };

/*
 * The unit of a row of k elements, given the sum of their squares and their largest magnitude; NaN
 * if an element is not finite.
 */
static inline double
int16_unit(int k, double squares, double largest)
{
	const double margin = sqrt(k > INT16_LENGTH ? k : INT16_LENGTH) / 2;
	const double norm = sqrt(squares) / (INT16_NORM - margin);
	const double peak = largest / INT16_LARGEST;
	const double min = norm > peak ? norm : peak;
	uint64_t bits;
	double unit;

	if (!isfinite(squares))
		return NAN;
	memcpy(&bits, &min, sizeof(bits));
	bits = (bits + 0xfffffffffffff) & 0xfff0000000000000;	/* up to a power of two */
	memcpy(&unit, &bits, sizeof(unit));
	return unit > 0x1p-126 ? unit : 0x1p-126;
}

#endif
