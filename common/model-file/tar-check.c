/* tar-check: see tar-check.h.  The header is that of the ustar format, POSIX.1-2008, pax. */
#include "model-file/tar-check.h"

#include <stdint.h>
#include <string.h>

#define BLOCK    ((size_t)512)
#define SIZE_AT  124
#define SIZE_N   12
#define SUM_AT   148
#define SUM_N    8
#define TYPE_AT  156

static int
all_zero(const unsigned char *p, size_t n)
{
	for (size_t i = 0; i < n; i++)
		if (p[i])
			return 0;
	return 1;
}

/* Parses n octal digits; -1 if there is any other character. */
static int64_t
octal(const unsigned char *p, size_t n)
{
	int64_t v = 0;

	for (size_t i = 0; i < n; i++) {
		if (p[i] < '0' || p[i] > '7')
			return -1;
		v = v * 8 + (p[i] - '0');
	}
	return v;
}

static int
sum_is_right(const unsigned char *header)
{
	const unsigned char *field = header + SUM_AT;
	int64_t sum = ' ' * SUM_N;

	for (size_t i = 0; i < BLOCK; i++)
		if (i < SUM_AT || i >= SUM_AT + SUM_N)
			sum += header[i];
	return octal(field, SUM_N - 2) == sum && field[SUM_N - 2] == 0 && field[SUM_N - 1] == ' ';
}

/* Returns the distance to the next header, or 0 if this header or its member is damaged. */
static size_t
step(const unsigned char *p, size_t left, bool *truncated, struct err *e)
{
	int64_t size = octal(p + SIZE_AT, SIZE_N - 1);
	size_t whole;

	if (!sum_is_right(p) || size < 0) {
		err_set(e, EXIT_INPUT, "no valid tar header");
		return 0;
	}
	if (p[TYPE_AT] != '0') {
		err_set(e, EXIT_INPUT, "a member is not a regular file");
		return 0;
	}
	whole = BLOCK + ((size_t)size + BLOCK - 1) / BLOCK * BLOCK;
	if (whole > left) {
		*truncated = true;
		err_set(e, EXIT_INPUT, "a member of %lld bytes exceeds the file", (long long)size);
		return 0;
	}
	if (!all_zero(p + BLOCK + size, whole - BLOCK - (size_t)size)) {
		err_set(e, EXIT_INPUT, "found a nonzero byte in the padding, expected zeros");
		return 0;
	}
	return whole;
}

int
tar_check(const void *data, size_t n, bool *truncated, struct err *e)
{
	const unsigned char *p = data;
	size_t at = 0;

	*truncated = false;
	while (n - at >= BLOCK && !all_zero(p + at, BLOCK)) {
		size_t whole = step(p + at, n - at, truncated, e);

		if (!whole)
			return err_wrap(e, "byte %zu", at);
		at += whole;
	}
	*truncated = n - at < 2 * BLOCK || (n - at) % BLOCK;
	if (*truncated)
		return err_set(e, EXIT_INPUT, "no end of the tar, expected two blocks of zeros");
	if (!all_zero(p + at, n - at))
		return err_set(e, EXIT_INPUT, "found data after the end of the tar");
	return 0;
}
