/* member-data: see member-data.h. */
#include "model-file/member-data.h"

#include <math.h>
#include <stdbool.h>
#include <stdint.h>
#include <string.h>

#include "tensor/int8.h"
#include "tensor/kernels.h"

void
f32_put(const real *x, size_t n, unsigned char *out)
{
	for (size_t i = 0; i < n; i++) {
		float f = (float)x[i];
		uint32_t u;

		memcpy(&u, &f, sizeof(u));
		for (int k = 0; k < 4; k++)
			*out++ = (unsigned char)(u >> 8 * k);
	}
}

void
f32_get(const unsigned char *p, size_t n, real *x)
{
	for (size_t i = 0; i < n; i++, p += 4) {
		uint32_t u = (uint32_t)p[0] | (uint32_t)p[1] << 8 | (uint32_t)p[2] << 16 |
			     (uint32_t)p[3] << 24;
		float f;

		memcpy(&f, &u, sizeof(f));
		x[i] = (real)f;
	}
}

/* Is this a scale, with at most 11 bits, of which all elements are multiples? */
static bool
is_exact(const real *x, size_t n, double scale)
{
	int exponent;
	const double bits = ldexp(frexp(scale, &exponent), 11);

	if (bits != rint(bits) || scale < 0x1p-126)
		return false;
	for (size_t i = 0; i < n; i++)
		if ((double)x[i] / scale != rint((double)x[i] / scale))
			return false;
	return true;
}

/* Rows of i8 that have lost their largest element would otherwise be rounded a second time. */
real
i8_scale(const real *x, size_t n)
{
	const real unit = k_unit_int8((int)n, x);
	double largest = 0;

	if (isnan(unit))
		return unit;
	for (size_t i = 0; i < n; i++)
		largest = fmax(largest, fabs((double)x[i]));
	for (int byte = INT8_LARGEST; byte > 0; byte--)
		if (is_exact(x, n, largest / byte))
			return (real)(largest / byte);
	return unit;
}

void
i8_put(const real *x, size_t n, real scale, unsigned char *out)
{
	k_to_int8((int)n, x, scale, 0, out);
}

void
i8_get(const unsigned char *p, size_t n, real scale, real *x)
{
	for (size_t i = 0; i < n; i++)
		x[i] = scale * (real)(int8_t)p[i];
}
