/* backend: finds, opens and tests back ends; see backend.h and backend(3). */
#include "tensor/backend/backend.h"

#include <math.h>
#include <string.h>

#include "base/buf.h"

#define B(name) extern const struct backend backend_##name;
#include "backend-list.inc"
#undef B

const struct backend *const backends[] = {
#define B(name) &backend_##name,
#include "backend-list.inc"
#undef B
	NULL
};

enum { N = 3 };

/*
 * An element of op(a) op(b).  The test factors are integers that are exact in every precision: in
 * int8, because the largest magnitude of each row and column is 127.
 */
static real
expected(const real *a, const real *b, int i, int j, bool ta, bool tb)
{
	real sum = 0;

	for (int p = 0; p < N; p++)
		sum += (ta ? a[p * N + i] : a[i * N + p]) * (tb ? b[j * N + p] : b[p * N + j]);
	return sum;
}

static int
is_correct(const struct backend *back, bool ta, bool tb)
{
	const real a[N * N] = { 1, 127, 3, 127, 5, -6, 7, 8, 127 };
	const real b[N * N] = { 127, -1, 3, 0, 5, -127, 1, 127, -3 };
	real c[N * N] = { 1, 1, 1, 1, 1, 1, 1, 1, 1 };
	const struct gemm g = {
		.m = N, .n = N, .k = N, .trans_a = ta, .trans_b = tb, .alpha = 2, .beta = -1,
		.a = a, .b = b, .c = c, .lda = N, .ldb = N, .ldc = N,
	};

	back->gemm(back, &g);
	for (int i = 0; i < N; i++)
		for (int j = 0; j < N; j++)
			if (c[i * N + j] != 2 * expected(a, b, i, j, ta, tb) - 1)
				return 0;
	return 1;
}

static int
check(struct backend *b, struct err *e)
{
	for (int i = 0; i < 4; i++)
		if (!is_correct(b, i & 1, i & 2))
			return err_set(e, EXIT_SYSTEM, "back end %s (%s) gives a wrong product of "
				       "3x3 matrices", b->name, b->version(b));
	return 0;
}

static const struct backend *
find_backend(const char *name, size_t n)
{
	for (const struct backend *const *b = backends; *b; b++)
		if (strlen((*b)->name) == n && !memcmp((*b)->name, name, n))
			return *b;
	return NULL;
}

static int
unknown(const char *name, size_t n, struct err *e)
{
	struct buf known = { 0 };

	for (const struct backend *const *b = backends; *b; b++)
		buf_printf(&known, "%s%s", known.n ? ", " : "", (*b)->name);
	err_set(e, EXIT_USAGE, "unknown back end '%.*s', expected one of %s", (int)n, name,
		known.data);
	if (n == 6 && !memcmp(name, "onednn", n))
		err_hint(e, "onednn is replaced by native, which has its fast bf16 (--precision)");
	buf_release(&known);
	return -1;
}

/* Sets the precision that options start with, if any; returns the rest, for the back end. */
static const char *
take_precision(struct backend *b, const char *options)
{
	static const struct { const char *name; unsigned caps; } precisions[] = {
		{ "bf16", BACKEND_BF16 }, { "int16", BACKEND_INT16 },
		{ "int8", BACKEND_INT8 },
	};
	const size_t n = strcspn(options, ":");

	for (size_t i = 0; i < sizeof(precisions) / sizeof(*precisions); i++) {
		if (strlen(precisions[i].name) == n && !memcmp(precisions[i].name, options, n)) {
			b->caps |= precisions[i].caps;
			return options + n + (options[n] == ':');
		}
	}
	return options;
}

int
backend_open(struct backend *b, const char *spec, struct err *e)
{
	size_t n = strcspn(spec, ":");
	const struct backend *found = find_backend(spec, n);
	const char *options = spec[n] ? spec + n + 1 : "";

	if (!found)
		return unknown(spec, n, e);
	*b = *found;
	if (b->open(b, take_precision(b, options), e))
		return -1;
	if (check(b, e)) {
		b->close(b);
		return -1;
	}
	return 0;
}

void
backend_close(struct backend *b)
{
	if (b->close)
		b->close(b);
	memset(b, 0, sizeof(*b));
}
