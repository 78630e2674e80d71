/* weights: see weights.h. */
#include "convert/weights.h"

#include <limits.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/mem.h"
#include "base/num.h"
#include "model-file/member.h"

/* Elements: no file is larger. */
#define MAX_ELEMENTS ((int64_t)1 << 40)

void
weights_release(struct weights *w)
{
	for (size_t i = 0; i < w->n; i++) {
		free(w->list[i].own);
		free(w->list[i].scale);
		buf_release(&w->list[i].use);
	}
	for (size_t i = 0; i < w->files; i++)
		file_unmap(&w->file[i]);
	free(w->list);
	free(w->file);
	strmap_release(&w->names);
	*w = (struct weights){ .n = 0 };
}

const struct file_map *
weights_map(struct weights *w, const char *path, struct err *e)
{
	w->file = mem_grow(w->file, &w->files_room, w->files + 1, sizeof(*w->file));
	return file_map(&w->file[w->files], path, e) ? NULL : &w->file[w->files++];
}

struct weight *
weights_find(const struct weights *w, const char *name)
{
	const int i = strmap_find(&w->names, name, strlen(name));

	return i < 0 ? NULL : &w->list[i];
}

bool
weights_has(const struct weights *w, const char *name)
{
	return weights_find(w, name) != NULL;
}

bool
weights_same(const struct weights *w, const char *a, const char *b)
{
	const struct weight *x = weights_find(w, a), *y = weights_find(w, b);

	return x && y && weight_same(x, y);
}

/* Names move when one is added. */
static void
set_names(struct weights *w)
{
	for (size_t i = 0; i < w->n; i++)
		w->list[i].name = strmap_text(&w->names, (int)i, NULL);
}

struct weight *
weights_add(struct weights *w, const char *name, size_t name_n, enum weight_type type,
	    const char *type_name, size_t element, int n_dim, const int64_t *d, struct err *e)
{
	struct weight x = { .type = type, .n_dim = n_dim, .n = 1 };
	const char *text;

	if (!name_n || memchr(name, 0, name_n) || memchr(name, '\n', name_n) || w->n == INT_MAX) {
		err_set(e, EXIT_INPUT, "a tensor without a name, or with a line break in it");
		return NULL;
	}
	text = w->names.text;
	if ((size_t)strmap_add(&w->names, name, name_n) != w->n) {
		err_set(e, EXIT_INPUT, "duplicate tensor %.*s", (int)(name_n < 200 ? name_n : 200),
			name);
		return NULL;
	}
	for (int i = 0; i < n_dim; i++) {
		if (d[i] < 0 || (d[i] && (int64_t)x.n > MAX_ELEMENTS / d[i])) {
			err_set(e, EXIT_INPUT, "tensor %.*s has no shape that a tensor can have",
				(int)(name_n < 200 ? name_n : 200), name);
			return NULL;
		}
		x.d[i] = d[i];
		x.n *= (size_t)d[i];
	}
	x.bytes = x.n * element;
	snprintf(x.type_name, sizeof(x.type_name), "%s", type_name);
	w->list = mem_grow(w->list, &w->room, w->n + 1, sizeof(*w->list));
	w->list[w->n++] = x;
	if (text != w->names.text)
		set_names(w);
	w->list[w->n - 1].name = strmap_text(&w->names, (int)w->n - 1, NULL);
	return &w->list[w->n - 1];
}

void
weight_shape(const struct weight *w, struct buf *out)
{
	for (int i = 0; i < w->n_dim; i++)
		buf_printf(out, "%s%lld", i ? "x" : "", (long long)w->d[i]);
	if (!w->n_dim)
		buf_add_char(out, '-');
}

/* Elements of 16 bits. */
static uint32_t
get_bits(const unsigned char *p)
{
	return (uint32_t)little_endian(p, 2);
}

static float
float_of(uint32_t bits)
{
	float x;

	memcpy(&x, &bits, sizeof(x));
	return x;
}

/* Sign, 5 bits of exponent, 10 of the fraction (IEEE 754 binary16). */
static float
from_f16(uint32_t h)
{
	const uint32_t sign = (h & 0x8000) << 16, exponent = h >> 10 & 31, fraction = h & 1023;

	if (exponent == 31)
		return float_of(sign | 0x7f800000 | fraction << 13);
	if (exponent)
		return float_of(sign | (exponent + 112) << 23 | fraction << 13);
	return (sign ? -1.0f : 1.0f) * (float)fraction * 0x1p-24f;
}

static double
from_f64(const unsigned char *p)
{
	const uint64_t bits = little_endian(p, 8);
	double x;

	memcpy(&x, &bits, sizeof(x));
	return x;
}

/* Elements from a row on, whose rows have a scale each if there are several. */
static void
get_quantized(const struct weight *w, size_t start, size_t n, real *out)
{
	const size_t width = w->n / w->scales;
	const unsigned char *p = w->data;

	for (size_t i = start; i < start + n; i++) {
		const int value = w->type == WEIGHT_I8 ? (int8_t)p[i]
						       : (int16_t)get_bits(p + 2 * i);

		*out++ = (real)((float)value / w->scale[i / width]);
	}
}

void
weight_get(const struct weight *w, size_t start, size_t n, real *out)
{
	const unsigned char *p = w->data;

	switch (w->type) {
	case WEIGHT_F32:
		f32_get(p + 4 * start, n, out);
		break;
	case WEIGHT_F16:
		for (size_t i = 0; i < n; i++)
			out[i] = (real)from_f16(get_bits(p + 2 * (start + i)));
		break;
	case WEIGHT_BF16:
		for (size_t i = 0; i < n; i++)
			out[i] = (real)float_of(get_bits(p + 2 * (start + i)) << 16);
		break;
	case WEIGHT_F64:
		for (size_t i = 0; i < n; i++)
			out[i] = (real)from_f64(p + 8 * (start + i));
		break;
	case WEIGHT_I8:
	case WEIGHT_I16:
		get_quantized(w, start, n, out);
		break;
	case WEIGHT_OTHER:
		bug("weight_get: %s has type %s", w->name, w->type_name);
	}
}

int
weight_quantized(struct weight *w, enum weight_type type, const real *scale, size_t n,
		 struct err *e)
{
	if (n != 1 && (!w->n_dim || (uint64_t)w->d[0] != n))
		return err_set(e, EXIT_INPUT,
			       "tensor %s has %zu scales, expected one, or one for each row",
			       w->name, n);
	for (size_t i = 0; i < n; i++)
		if (!isfinite(scale[i]) || scale[i] <= 0)
			return err_set(e, EXIT_INPUT, "tensor %s has the scale %g, expected a "
				       "positive number", w->name, (double)scale[i]);
	w->type = type;
	w->scales = n;
	w->scale = xreallocarray(NULL, n, sizeof(*w->scale));
	for (size_t i = 0; i < n; i++)
		w->scale[i] = (float)scale[i];
	return 0;
}

bool
weight_near(const struct weight *w, size_t start, size_t n, const real *x, double within)
{
	real *have = xmalloc((n + 1) * sizeof(*have));
	bool near = true;

	weight_get(w, start, n, have);
	for (size_t i = 0; near && i < n; i++)
		near = fabs((double)have[i] - (double)x[i]) < within;
	free(have);
	return near;
}

void
weight_forget(const struct weight *w)
{
	if (!w->own)
		file_map_forget(w->data, w->bytes);
}

bool
weight_same(const struct weight *a, const struct weight *b)
{
	if (a->type != b->type || a->n_dim != b->n_dim || a->n != b->n ||
	    memcmp(a->d, b->d, sizeof(a->d)))
		return false;
	if (a->scales != b->scales ||
	    (a->scales && memcmp(a->scale, b->scale, a->scales * sizeof(*a->scale))))
		return false;
	return !a->n || !memcmp(a->data, b->data, a->bytes);
}
