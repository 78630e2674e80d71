/*
 * int8: a row of elements as 8-bit integers times a unit, so that sums of products are exact.
 *
 * A row x of k elements becomes q_i = round(x_i (1 / u)), to nearest, ties to even, where 1 / u and
 * the product are computed in single precision.  The unit u is max |x_i| / L, truncated to 11
 * significant bits, and at least 2^-126.  L is 127 for k up to INT8_LENGTH; for longer rows it is
 * the largest integer with k L^2 < 2^31.  Therefore |q_i| <= L, and no sum of products of two rows
 * overflows 32 bits.
 *
 * Exactness: u q_i is exact in single precision, and so is the product of two units unless it
 * underflows or overflows.  The unit of the row u q is u again, and its integers are q: unless u is
 * 2^-126, max |x_i| / u is in [L, L (1 + 2^-10)], so the largest |q_i| is L.  Rounding a row twice
 * therefore changes nothing, and a stored row (i8 in heed-model(5)) gives the same products as the
 * row from which it was made.
 *
 * Zeros: removing zeros from a row of up to INT8_LENGTH elements, or adding zeros, does not change
 * its unit or its other integers, as in int16.h.
 *
 * Error: the rounding error of an element is at most u / 2.  In a matrix product (struct gemm of
 * backend/backend.h), each row of op(A) and each column of op(B) becomes integers with a unit.  The
 * products of integers are summed, and the sum is multiplied by one unit after the other, first by
 * the unit of the row if it is below 1.  As in int16.h, the bits then do not depend on the
 * processor.
 *
 * Shift: the instruction VPDPBUSD of x86 multiplies unsigned by signed bytes.  The bytes of op(A)
 * are therefore q + INT8_SHIFT, and a sum starts at -INT8_SHIFT times the sum of the column of
 * op(B).  Partial sums are modulo 2^32, and the complete sum does not overflow.  The instructions
 * of ARM multiply signed bytes, without a shift.
 */
#ifndef INT8_H
#define INT8_H

#include <math.h>
#include <stdint.h>
#include <string.h>

enum { INT8_LARGEST = 127, INT8_LENGTH = 133144, INT8_SHIFT = 128 };

/* L for a row of k elements. */
static inline double
int8_largest(int k)
{
	return k <= INT8_LENGTH ? INT8_LARGEST : floor(sqrt(2147483647.0 / k));
}

/* The unit of a row of k elements, given their largest magnitude; NaN if that is not finite. */
static inline double
int8_unit(int k, double largest)
{
	double unit = largest / int8_largest(k);
	uint64_t bits;

	if (!isfinite(largest))
		return NAN;
	memcpy(&bits, &unit, sizeof(bits));
	bits &= ~(uint64_t)0 << (53 - 11);
	memcpy(&unit, &bits, sizeof(unit));
	return unit > 0x1p-126 ? unit : 0x1p-126;
}

#endif
