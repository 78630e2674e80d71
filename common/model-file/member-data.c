/* member-data: see member-data.h. */
#include "model-file/member-data.h"

#include <math.h>
#include <stdint.h>
#include <string.h>

#define I8_MAX 127

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

real
i8_scale(const real *x, size_t n)
{
	double max = 0;

	for (size_t i = 0; i < n; i++) {
		if (!isfinite(x[i]))
			return (real)NAN;
		max = fmax(max, fabs((double)x[i]));
	}
	return (real)(float)(max / I8_MAX);
}

/* Clips: the rounded scale may be less than max |x| / 127. */
static int8_t
to_i8(double x, double scale)
{
	double v = scale > 0 ? x / scale : 0;

	return (int8_t)lrint(fmax(-I8_MAX, fmin(I8_MAX, v)));
}

void
i8_put(const real *x, size_t n, real scale, unsigned char *out)
{
	for (size_t i = 0; i < n; i++)
		out[i] = (unsigned char)to_i8((double)x[i], (double)scale);
}

void
i8_get(const unsigned char *p, size_t n, real scale, real *x)
{
	for (size_t i = 0; i < n; i++)
		x[i] = scale * (real)(int8_t)p[i];
}
