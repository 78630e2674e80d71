/* array: see array.h. */
#include "exchange/array.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#include "base/utf8.h"

enum { CODE_POINT = 4 };	/* bytes */

void
array_release(struct array *a)
{
	buf_release(&a->data);
	buf_release(&a->lengths);
}

void
array_clear(struct array *a)
{
	buf_clear(&a->data);
	buf_clear(&a->lengths);
	a->longest = 0;
	a->n = 0;
}

static bool
array_is_text(const struct type *t)
{
	return t->base == TYPE_STR || t->base == TYPE_STRS;
}

int
array_check(const struct name_pair *f, struct err *e)
{
	if (f->parsed.base != TYPE_OTHER)
		return 0;
	return err_set(e, EXIT_INPUT, "field %s is of type %s, expected a type of heed-stream(5)",
		       f->field, f->type);
}

bool
array_is_fixed(const struct type *t)
{
	for (int i = 0; i < t->n_dim; i++)
		if (t->letter[i])
			return false;
	return t->base != TYPE_STRS && t->base != TYPE_INTS;
}

/* Number of dimensions of a value. */
static int
dimensions(const struct type *t)
{
	return t->base == TYPE_STRS || t->base == TYPE_INTS ? 1 : t->n_dim;
}

/* --- values --- */

static void
array_add_text(struct array *a, struct str s)
{
	size_t n = 0, len;

	for (size_t at = 0; at < s.n; at += len, n++) {
		int32_t c = utf8_next(s.s + at, s.n - at, &len);

		npy_number(&a->data, c < 0 ? 0xfffd : (uint32_t)c, CODE_POINT);
	}
	buf_add(&a->lengths, &n, sizeof(n));
	if (n > a->longest)
		a->longest = n;
}

/* A list, with its length in *length. */
static int
array_add_list(struct array *a, const struct name_pair *f, const struct record *rec,
	       int64_t *length)
{
	const struct str *text;
	const int32_t *v;
	size_t n;

	if (f->parsed.base == TYPE_STRS) {
		if (record_strs(rec, f->field, &text, &n))
			return -1;
		for (size_t i = 0; i < n; i++)
			array_add_text(a, text[i]);
	} else {
		if (record_ints(rec, f->field, &v, &n))
			return -1;
		for (size_t i = 0; i < n; i++)
			npy_number(&a->data, (uint32_t)v[i], 4);
	}
	*length = (int64_t)n;
	return 0;
}

static int
array_add_number(struct array *a, const struct name_pair *f, const struct record *rec)
{
	uint64_t bits;
	double v;
	int64_t i;
	bool yes;

	if (f->parsed.base == TYPE_BOOL) {
		if (record_bool(rec, f->field, &yes))
			return -1;
		buf_add_char(&a->data, yes);
	} else if (f->parsed.base == TYPE_INT) {
		if (record_int(rec, f->field, &i))
			return -1;
		npy_number(&a->data, (uint64_t)i, 8);
	} else {
		if (record_float(rec, f->field, &v))
			return -1;
		memcpy(&bits, &v, sizeof(bits));
		npy_number(&a->data, bits, 8);
	}
	return 0;
}

/* Bits, each row in whole bytes, as one byte each. */
static void
add_bits(struct array *a, const struct tensor *t)
{
	const int64_t columns = t->d[t->n_dim - 1], stride = (columns + 7) / 8;
	const uint8_t *row = t->data;
	int64_t rows = 1;

	for (int i = 0; i < t->n_dim - 1; i++)
		rows *= t->d[i];
	for (int64_t r = 0; r < rows; r++, row += stride)
		for (int64_t i = 0; i < columns; i++)
			buf_add_char(&a->data, (char)(row[i / 8] >> (i % 8) & 1));
}

static int
array_add_tensor(struct array *a, const struct name_pair *f, const struct record *rec, int64_t *d)
{
	struct tensor t;

	if (record_tensor(rec, f->field, &t))
		return -1;
	memcpy(d, t.d, (size_t)t.n_dim * sizeof(*d));
	if (t.type == TENSOR_BITS)
		add_bits(a, &t);
	else
		buf_add(&a->data, t.data, (size_t)type_bytes(f->parsed.base, t.d, t.n_dim));
	return 0;
}

/* The shape goes to d. */
static int
array_add_value(struct array *a, const struct name_pair *f, const struct record *rec, int64_t *d)
{
	struct str text;

	if (f->parsed.n_dim)
		return array_add_tensor(a, f, rec, d);
	if (f->parsed.base == TYPE_STR) {
		if (record_str(rec, f->field, &text))
			return -1;
		array_add_text(a, text);
		return 0;
	}
	if (f->parsed.base != TYPE_STRS && f->parsed.base != TYPE_INTS)
		return array_add_number(a, f, rec);
	return array_add_list(a, f, rec, d);
}

/* (), (3,), (3, 4): as Python prints it */
static void
array_add_shape(struct buf *out, int n_dim, const int64_t *d)
{
	buf_add_char(out, '(');
	for (int i = 0; i < n_dim; i++)
		buf_printf(out, "%s%" PRId64, i ? ", " : "", d[i]);
	buf_add_str(out, n_dim == 1 ? ",)" : ")");
}

static int
other_shape(const struct array *a, const struct name_pair *f, const int64_t *d,
	    const struct reader *reader, struct err *e)
{
	const int n_dim = dimensions(&f->parsed);
	struct buf here = { 0 }, before = { 0 };

	array_add_shape(&here, n_dim, d);
	array_add_shape(&before, n_dim, a->d);
	err_set(e, EXIT_INPUT, "%s: %s has the shape %s, expected %s as in the first record",
		reader_where(reader), f->field, here.data, before.data);
	err_hint(e, "--npz writes an array for each record");
	buf_release(&here);
	buf_release(&before);
	return -1;
}

int
array_add(struct array *a, const struct name_pair *f, const struct record *rec,
	  const struct reader *reader, struct err *e)
{
	int64_t d[TYPE_DIMS] = { 0 };

	if (!record_has(rec, f->field))
		return 0;
	if (array_add_value(a, f, rec, d))
		return err_set(e, EXIT_INPUT, "%s: %s has a value that is not of type %s",
			       reader_where(reader), f->field, f->type);
	if (a->n && memcmp(d, a->d, sizeof(d)))
		return other_shape(a, f, d, reader, e);
	memcpy(a->d, d, sizeof(d));
	a->n++;
	return 1;
}

/* --- files --- */

static void
add_header(struct buf *out, const struct array *a, const struct type *t, bool axis)
{
	static const char *const descr[] = {
		[TYPE_INT] = "<i8", [TYPE_FLOAT] = "<f8", [TYPE_BOOL] = "|b1", [TYPE_INTS] = "<i4",
		[TYPE_F32] = "<f4", [TYPE_I8] = "|i1", [TYPE_BITS] = "|b1"
	};
	int64_t d[ARRAY_DIMS];
	char text[32];

	snprintf(text, sizeof(text), "<U%zu", a->longest ? a->longest : 1);
	d[0] = a->n;
	memcpy(d + 1, a->d, sizeof(a->d));
	npy_header(out, array_is_text(t) ? text : descr[t->base], dimensions(t) + axis,
		   axis ? d : d + 1);
}

/* Strings of the same length, padded with zeros. */
static int
array_write_text(const struct array *a, array_put *put, void *arg, struct err *e)
{
	const size_t n = a->lengths.n / sizeof(size_t), longest = a->longest ? a->longest : 1;
	struct buf zeros = { 0 };
	const char *p = a->data.data;
	size_t len;
	int bad = 0;

	memset(buf_room(&zeros, CODE_POINT * longest), 0, CODE_POINT * longest);
	for (size_t i = 0; i < n && !bad; i++) {
		memcpy(&len, a->lengths.data + i * sizeof(len), sizeof(len));
		bad = (len && put(arg, p, CODE_POINT * len, e)) ||
		      (len < longest && put(arg, zeros.data, CODE_POINT * (longest - len), e));
		p += CODE_POINT * len;
	}
	buf_release(&zeros);
	return bad ? -1 : 0;
}

size_t
array_bytes(const struct array *a, const struct type *t, bool axis)
{
	struct buf header = { 0 };
	size_t n;

	add_header(&header, a, t, axis);
	n = header.n + a->data.n;
	buf_release(&header);
	if (!array_is_text(t))
		return n;
	return n - a->data.n +
	       a->lengths.n / sizeof(size_t) * CODE_POINT * (a->longest ? a->longest : 1);
}

int
array_write(const struct array *a, const struct type *t, bool axis, array_put *put, void *arg,
	    struct err *e)
{
	struct buf header = { 0 };
	int bad;

	add_header(&header, a, t, axis);
	bad = put(arg, header.data, header.n, e);
	buf_release(&header);
	if (bad)
		return -1;
	return array_is_text(t) ? array_write_text(a, put, arg, e)
			  : a->data.n ? put(arg, a->data.data, a->data.n, e) : 0;
}

/* --- the header of .npy --- */

enum { ALIGN = 64 };	/* of the elements, as NumPy writes it */

void
npy_number(struct buf *out, uint64_t x, int bytes)
{
	for (int i = 0; i < bytes; i++)
		buf_add_char(out, (char)(x >> (8 * i) & 0xff));
}

void
npy_header(struct buf *out, const char *descr, int n_dim, const int64_t *d)
{
	struct buf dict = { 0 };

	buf_printf(&dict, "{'descr': '%s', 'fortran_order': False, 'shape': (", descr);
	for (int i = 0; i < n_dim; i++)
		buf_printf(&dict, i ? " %" PRId64 "," : "%" PRId64 ",", d[i]);
	if (n_dim > 1)
		dict.data[--dict.n] = 0;	/* (3,) but (3, 4) */
	buf_add_str(&dict, "), }");
	while ((10 + dict.n + 1) % ALIGN)
		buf_add_char(&dict, ' ');
	buf_add_char(&dict, '\n');
	buf_add(out, "\x93NUMPY\x01\x00", 8);
	npy_number(out, dict.n, 2);
	buf_add(out, dict.data, dict.n);
	buf_release(&dict);
}
