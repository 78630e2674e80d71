/* tar-check: see tar-check.h.  The header is that of the ustar format, POSIX.1-2008, pax. */
#include "model-file/tar-check.h"

#include <stdint.h>
#include <string.h>

#define BLOCK    ((size_t)512)
#define NAME_N   100
#define SIZE_AT  124
#define SIZE_N   12
#define SUM_AT   148
#define SUM_N    8
#define TYPE_AT  156
#define MAGIC_AT 257
#define REST_AT  345		/* a prefix of the name, or data of other formats */

/* mode, owner, group, time and device */
static const struct { size_t at, n; } numbers[] = {
	{ 100, 8 }, { 108, 8 }, { 116, 8 }, { 136, 12 }, { 329, 8 }, { 337, 8 }
};

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

/* Octal digits, and then only blanks and NUL bytes? */
static bool
tar_is_number(const unsigned char *p, size_t n)
{
	size_t i = 0;

	while (i < n && p[i] >= '0' && p[i] <= '7')
		i++;
	while (i < n && (!p[i] || p[i] == ' '))
		i++;
	return i == n;
}

/* Printable ASCII without blanks?  Programs drop a leading "./", and take "NAME/" for a folder. */
static bool
tar_is_name(const unsigned char *p)
{
	size_t n = 0;

	while (n < NAME_N && p[n] > ' ' && p[n] < 127)
		n++;
	return n && p[n - 1] != '/' && (p[0] != '.' || p[1] != '/') && all_zero(p + n, NAME_N - n);
}

/* Would every program that reads tar files read the same in this header? */
static bool
tar_is_plain(const unsigned char *p)
{
	const unsigned char last = p[SIZE_AT + SIZE_N - 1];

	for (size_t i = 0; i < sizeof(numbers) / sizeof(*numbers); i++)
		if (!tar_is_number(p + numbers[i].at, numbers[i].n))
			return false;
	return (!last || last == ' ') && !memcmp(p + MAGIC_AT, "ustar", 5) && tar_is_name(p) &&
	       all_zero(p + REST_AT, BLOCK - REST_AT);
}

size_t
tar_size(size_t n)
{
	return BLOCK + (n + BLOCK - 1) / BLOCK * BLOCK;
}

/* Returns the distance to the next header, or 0 if this header or its member is damaged. */
static size_t
tar_step(const unsigned char *p, size_t left, bool *truncated, struct err *e)
{
	int64_t size = octal(p + SIZE_AT, SIZE_N - 1);
	size_t whole;

	if (!sum_is_right(p) || size < 0 || !tar_is_plain(p)) {
		err_set(e, EXIT_INPUT, "no valid tar header");
		return 0;
	}
	if (p[TYPE_AT] != '0') {
		err_set(e, EXIT_INPUT, "a member is not a regular file");
		return 0;
	}
	whole = tar_size((size_t)size);
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
		size_t whole = tar_step(p + at, n - at, truncated, e);

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
