/*
 * int16: a row of elements as 16-bit integers times a unit, so that sums of products are exact.
 *
 * A row x of k elements becomes q_i = round(x_i / u), to nearest, ties to even.  The unit u is the
 * smallest power of two, at least 2^-126, with
 *
 *	|x| / u <= 46340 - sqrt(max(k, 65536)) / 2	and	max |x_i| / u <= 32767.
 *
 * Overflow: division by u is exact.  Rounding changes an element by at most 1/2, and therefore the
 * norm of the row by at most sqrt(k) / 2, so |q| <= 46340.  By the Cauchy-Schwarz inequality, a sum
 * of products q_i r_i of two such rows, over any subset of i, has at most the magnitude 46340^2 =
 * 2^31 - 88048, so no sum overflows 32 bits in any order.  (The 88048 are a margin for |x|, which
 * is computed in double precision.)  This holds for k below 2^31, where sqrt(k) / 2 <= 23171.
 *
 * Zeros: for rows shorter than 65536 the bound does not depend on k.  Zeros, which rounding does
 * not change, can be removed from a row or added to it without changing its unit.  A pruned model
 * therefore gives the same results as the model with these heads set to 0.
 *
 * Error: a matrix product scales each row of op(A) and each column of op(B), sums integers, rounds
 * the sum to a float once, and multiplies it by both units, then by alpha.  With n_a = |a| / u_a
 * and n_b = |b| / u_b, the error of a sum is at most |a . e_b| + |b . e_a| + |e_a . e_b|, where the
 * norms of the errors e are at most sqrt(k) / 2 units:
 *
 *	u_a u_b (sqrt(k) / 2 (n_a + n_b) + k / 4)
 *
 * Reproducibility: if alpha and beta are 0, 1 or -1, the bits do not depend on the processor, the
 * threads or other rows.  (Other values are multiplied and added in one step if the processor can.)
 * A row with a NaN or an infinity gives NaNs.
 */
#ifndef INT16_H
#define INT16_H

#include <math.h>
#include <stdint.h>
#include <string.h>

/* The maximum of |q| and of |q_i|; the minimum of k in the bound of the norm. */
enum { INT16_NORM = 46340, INT16_LARGEST = 32767, INT16_LENGTH = 65536 };

/*
 * The unit of a row of k elements from the sum of their squares and their largest magnitude; NaN if
 * they are not finite.
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
