/*
 * num: strict number parsing.  The n bytes at s must be one decimal number from `min` to `max` and
 * nothing else: no spaces, no hexadecimal digits, no inf or nan, and at most 64 bytes.  Also, the
 * numbers of binary files.
 */
#ifndef NUM_H
#define NUM_H

#include <stddef.h>
#include <stdint.h>

#include "base/err.h"

/*
 * Store the number in *v and return 0, or return -1 with EXIT_USAGE and a message such as "'3x',
 * expected an integer from 1 to 64".
 */
int num_int(const char *s, size_t n, int64_t min, int64_t max, int64_t *v, struct err *e);
int num_float(const char *s, size_t n, double min, double max, double *v, struct err *e);

/* The unsigned number in `bytes` bytes at p, 1 to 8, of which the first is the lowest. */
static inline uint64_t
little_endian(const unsigned char *p, int bytes)
{
	uint64_t v = 0;

	while (bytes-- > 0)
		v = v << 8 | p[bytes];
	return v;
}

#endif
