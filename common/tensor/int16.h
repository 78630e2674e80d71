/*
 * int16: a row of numbers as integers of 16 bits times a unit, so that sums of products are exact.
 *
 * A row x of k numbers becomes q_i = round(x_i / u), to nearest, ties to even.  u, the unit, is the
 * least power of two, 2^-126 or more, with
 *
 *	|x| / u <= 46340 - sqrt(max(k, 65536)) / 2	and	max |x_i| / u <= 32767.
 *
 * Division by u is exact, rounding moves a number by 1/2 at most and so the row by sqrt(k) / 2:
 * |q| <= 46340.  Rows shorter than 65536 have the room of one so long, so that zeros, which are
 * not moved at all, can be left out of a row or put into it and change no unit: a model without
 * some heads gives what it gives with these heads at 0.  By Cauchy and Schwarz any sum of products q_i r_i of two such rows, over any of
 * the i, is at most 46340^2 = 2^31 - 88048 in size, so no sum in 32 bits overflows, in whatever
 * order (the 88048 are for |x|, which is computed in double).  That holds for any k below 2^31,
 * for then sqrt(k) / 2 <= 23171.
 *
 * A product of matrices scales each row of op(A) and each column of op(B) so, sums integers, rounds
 * the sum to a float once, multiplies it with both units, then alpha and beta do what they do.
 * Against the product of the numbers themselves, with n_a = |a| / u_a and n_b = |b| / u_b, a sum is
 * off by |a . e_b| + |b . e_a| + |e_a . e_b| at most, errors e having sizes up to sqrt(k) / 2 units:
 *
 *	u_a u_b (sqrt(k) / 2 (n_a + n_b) + k / 4)
 *
 * Neither the processor nor threads nor other rows change a bit of it, alpha and beta being 0, 1 or
 * -1 (others are multiplied and added in one step where the processor can).  A row with a NaN or an
 * infinity counts as NaNs.
 */
#ifndef INT16_H
#define INT16_H

#include <math.h>
#include <stdint.h>
#include <string.h>

/* |q|, and any of its numbers, at most; the least length that rows have room for. */
enum { INT16_NORM = 46340, INT16_LARGEST = 32767, INT16_LENGTH = 65536 };

/* The unit of a row of k numbers, of its squares' sum and largest size; NaN if not finite. */
static inline double
int16_unit(int k, double squares, double largest)
{
	const double moved = sqrt(k > INT16_LENGTH ? k : INT16_LENGTH) / 2;
	const double norm = sqrt(squares) / (INT16_NORM - moved);
	const double peak = largest / INT16_LARGEST;
	const double least = norm > peak ? norm : peak;
	uint64_t bits;
	double unit;

	if (!isfinite(squares))
		return NAN;
	memcpy(&bits, &least, sizeof(bits));
	bits = (bits + 0xfffffffffffff) & 0xfff0000000000000;	/* up to a power of two */
	memcpy(&unit, &bits, sizeof(unit));
	return unit > 0x1p-126 ? unit : 0x1p-126;
}

#endif
