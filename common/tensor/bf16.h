/*
 * bf16: bfloat16, the upper 16 bits of a float, with its exponent and 8 bits of precision,
 * including the implicit bit.
 *
 * Floats are rounded to the nearest bf16, ties to even.  A value that is too large becomes
 * infinite.  A NaN becomes a quiet NaN of the same sign.
 */
#ifndef BF16_H
#define BF16_H

#include <stdint.h>
#include <string.h>

typedef uint16_t bf16;

/* x rounded to bf16, as the bits of a float whose lower half is 0. */
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
