/* member: see member.h. */
#include "model-file/member.h"

#include <math.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "base/mem.h"
#include "base/num.h"
#include "tensor/int8.h"
#include "tensor/kernels.h"

enum { NAME, TYPE, SHAPE, SIZE, CRC, FIELDS };

/* Splits text at its tabs, in place.  False unless there are FIELDS fields, none empty. */
static int
member_split(char *text, char *field[FIELDS])
{
	int n = 0;

	for (;;) {
		char *tab = strchr(text, '\t');

		if (n == FIELDS)
			return 0;
		field[n++] = text;
		if (tab)
			*tab = 0;
		if (!*text)
			return 0;
		if (!tab)
			return n == FIELDS;
		text = tab + 1;
	}
}

static int
parse_crc(const char *s, uint32_t *crc)
{
	if (strspn(s, "0123456789abcdef") != 8 || s[8])
		return -1;
	*crc = (uint32_t)strtoul(s, NULL, 16);
	return 0;
}

int
member_parse(struct member *m, const char *text, size_t n, struct err *e)
{
	char *copy = xstrndup(text, n), *field[FIELDS];
	struct err unused;
	int64_t size;

	memset(m, 0, sizeof(*m));
	if (strlen(copy) != n || !member_split(copy, field) ||
	    strspn(field[SIZE], "0123456789") != strlen(field[SIZE]) ||
	    num_int(field[SIZE], strlen(field[SIZE]), 0, INT64_MAX, &size, &unused) ||
	    parse_crc(field[CRC], &m->crc)) {
		free(copy);
		return err_set(e, EXIT_INPUT, "malformed row of the table, expected NAME TYPE "
			       "SHAPE SIZE CRC");
	}
	m->name = field[NAME];
	m->type = field[TYPE];
	m->shape = field[SHAPE];
	m->size = (size_t)size;
	return 0;
}

void
member_release(struct member *m)
{
	free(m->name);
	m->name = NULL;
}

void
member_describe(const struct member *m, struct buf *out)
{
	buf_printf(out, "%s\t%s\t%s\t%zu\t%08lx", m->name, m->type, m->shape, m->size,
		   (unsigned long)m->crc);
}

void
member_shape(const struct param *p, struct buf *out)
{
	for (int i = 0; i < p->n_dim; i++)
		buf_printf(out, "%s%d", i ? "x" : "", p->d[i]);
	if (!p->n_dim)
		buf_add_char(out, '1');
}

size_t
member_columns(const struct param *p)
{
	return p->n_dim > 1 ? (size_t)p->d[p->n_dim - 1] : p->n;
}

size_t
member_param_size(const struct param *p, const char *type)
{
	if (p->n > SIZE_MAX / 8)
		return SIZE_MAX;
	if (!strcmp(type, "i8"))
		return p->n + (p->n ? p->n / member_columns(p) * F32_SIZE : 0);
	return p->n * F32_SIZE;
}

/* Appends the indices of element i from 1, "3,17"; i counts from 0. */
static void
add_place(const struct param *p, size_t i, struct buf *out)
{
	size_t left = p->n;

	for (int k = 0; k < p->n_dim; k++) {
		left /= (size_t)p->d[k];
		buf_printf(out, "%s%zu", k ? "," : "", i / left + 1);
		i %= left;
	}
	if (!p->n_dim)
		buf_add_char(out, '1');
}

int
member_finite(const char *folder, const struct param *p, const real *x, enum exit_status status,
	      struct err *e)
{
	struct buf place = { 0 };
	size_t i = 0;

	if (k_finite(p->n, x))
		return 0;
	while (isfinite(x[i]))
		i++;
	add_place(p, i, &place);
	err_set(e, status, "%s/%s: element %s is %s, expected a finite number", folder, p->name,
		place.data, isnan(x[i]) ? "nan" : x[i] > 0 ? "inf" : "-inf");
	buf_release(&place);
	return -1;
}

int
member_finite_block(const char *folder, const struct params *p, const real *block, bool frozen,
		    enum exit_status status, struct err *e)
{
	for (size_t i = 0; i < p->n; i++) {
		const struct param *q = p->list[i];

		if ((frozen || !q->frozen) && member_finite(folder, q, block + q->at, status, e))
			return -1;
	}
	return 0;
}

void
member_end(uint32_t crc, size_t n, struct buf *out)
{
	buf_printf(out, "crc32 %08lx members %zu\n", (unsigned long)crc, n);
}

/* --- elements of parameters --- */

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
