/*
 * bf16: bfloat16, a float's upper half: its exponent, and 8 bits of precision, the leading one counted.
 *
 * Rounded to nearest, ties to even; what is too large becomes infinite, and a NaN stays one
 * (a quiet one of the same sign).
 */
#ifndef BF16_H
#define BF16_H

#include <stdint.h>
#include <string.h>

typedef uint16_t bf16;

/* x rounded, as the bits of a float: the lower half is 0. */
static inline uint32_t
bf16_bits(float x)
{
	uint32_t u, rounded;

	memcpy(&u, &x, sizeof(u));
	rounded = u + 0x7fff + (u >> 16 & 1);
	return ((u & 0x7fffffff) > 0x7f800000 ? u | 0x400000 : rounded) & 0xffff0000;
}

static inline float
bf16_float(uint32_t bits)
{
	float x;

	memcpy(&x, &bits, sizeof(x));
	return x;
}

#endif
