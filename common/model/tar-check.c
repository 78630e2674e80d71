/*
 * tar-check: see tar-check.h; the fields are those of POSIX.1-2008, pax, ustar interchange format.
 */
#include "model/tar-check.h"

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

/* n octal digits; -1 if something else stands there. */
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

/* From one header to the next; 0 if something is wrong with this one or what it heads. */
static size_t
step(const unsigned char *p, size_t left, bool *truncated, struct err *e)
{
	int64_t size = octal(p + SIZE_AT, SIZE_N - 1);
	size_t whole;

	if (!sum_is_right(p) || size < 0) {
		err_set(e, EXIT_INPUT, "no header of a tar, or a damaged one");
		return 0;
	}
	if (p[TYPE_AT] != '0') {
		err_set(e, EXIT_INPUT, "a member that is no plain file");
		return 0;
	}
	whole = BLOCK + ((size_t)size + BLOCK - 1) / BLOCK * BLOCK;
	if (whole > left) {
		*truncated = true;
		err_set(e, EXIT_INPUT, "a member of %lld bytes does not fit", (long long)size);
		return 0;
	}
	if (!all_zero(p + BLOCK + size, whole - BLOCK - (size_t)size)) {
		err_set(e, EXIT_INPUT, "a member's padding is damaged");
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
		return err_set(e, EXIT_INPUT, "a tar ends with two blocks of zeros");
	if (!all_zero(p + at, n - at))
		return err_set(e, EXIT_INPUT, "something stands behind the end of the tar");
	return 0;
}
