/* eight: reads text eight bytes at a time, for loops that search for rare bytes. */
#ifndef EIGHT_H
#define EIGHT_H

#include <stddef.h>
#include <stdint.h>
#include <string.h>

/* The byte c eight times; c must be from 0 to 255: a negative char would be sign-extended. */
#define EIGHT_OF(c) ((uint64_t)(c) * UINT64_C(0x0101010101010101))

/* Returns the eight bytes at s, in the byte order of the machine. */
static inline uint64_t
eight_at(const char *s)
{
	uint64_t eight;

	memcpy(&eight, s, 8);
	return eight;
}

/*
 * Returns eight bytes in which each of the n < 8 bytes at s occurs at least once, in any order.  If
 * n < 4, the remaining bytes are spaces.
 */
static inline uint64_t
eight_few(const char *s, size_t n)
{
	const unsigned char *p = (const unsigned char *)s;
	uint32_t first, last;

	if (n >= 4) {
		memcpy(&first, s, 4);
		memcpy(&last, s + n - 4, 4);
		return first | (uint64_t)last << 32;
	}
	return n ? EIGHT_OF(' ') << 24 | (uint32_t)p[n - 1] << 16 | (uint32_t)p[n / 2] << 8 | p[0]
		 : EIGHT_OF(' ');
}

/* Copies n < 8 bytes from `s` to `copy`. */
static inline void
eight_copy_few(char *copy, const char *s, size_t n)
{
	char first[4], last[4];

	if (n >= 4) {
		memcpy(first, s, 4);
		memcpy(last, s + n - 4, 4);
		memcpy(copy, first, 4);
		memcpy(copy + n - 4, last, 4);
	} else if (n) {
		copy[0] = s[0];
		copy[n / 2] = s[n / 2];
		copy[n - 1] = s[n - 1];
	}
}

#endif
