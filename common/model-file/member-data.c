/* member-data: see member-data.h. */
#include "model-file/member-data.h"

#include <stdint.h>
#include <string.h>

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

real
i8_scale(const real *x, size_t n)
{
	return k_unit_int8((int)n, x);
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
