/*
 * tensors-out: see tensors-out.h.
 *
 * The records of .npz are those of PKWARE's APPNOTE, sections 4.3.7 to 4.3.16.
 */
#include "export/tensors-out.h"

#include <inttypes.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "base/hash.h"
#include "base/mem.h"
#include "exchange/array.h"
#include "stream/json-out.h"

/* --- .npz --- */

#define MAX_ZIP ((uint64_t)UINT32_MAX)
#define DIRECTORY ((uint64_t)1 << 20)	/* room for it */
#define SETTINGS "special:model.yml"

enum {
	VERSION = 20,			/* of the zip format: 2.0 */
	DATE = 33			/* 1 January 1980: the same contents give the same bytes */
};

/* A file in the zip: the header of its .npy, and its elements or these bytes. */
struct entry {
	char *name;
	struct buf header;
	const struct tensor_view *view;
	const void *bytes;
	size_t n;			/* bytes of elements */
	uint32_t crc;
	uint64_t at;			/* where its record begins */
};

struct zip { struct output *o; struct entry *entry; size_t n; };

static uint64_t
npz_size_of(const struct entry *x)
{
	return x->header.n + x->n;
}

/* The fields that the record before the data and that of the directory share. */
static void
put_fields(struct buf *b, const struct entry *x)
{
	npy_number(b, VERSION, 2);
	npy_number(b, 0, 2);		/* flags */
	npy_number(b, 0, 2);		/* method: stored */
	npy_number(b, 0, 2);		/* time */
	npy_number(b, DATE, 2);
	npy_number(b, x->crc, 4);
	npy_number(b, npz_size_of(x), 4);
	npy_number(b, npz_size_of(x), 4);
	npy_number(b, strlen(x->name), 2);
	npy_number(b, 0, 2);		/* no extra field */
}

static int
add_crc(void *arg, const void *p, size_t n, struct err *e)
{
	uint32_t *crc = arg;

	(void)e;
	*crc = crc32_add(*crc, p, n);
	return 0;
}

static int
tensors_put_output(void *arg, const void *p, size_t n, struct err *e)
{
	return output_write(arg, p, n, e);
}

static int
each_byte(const struct entry *x, tensor_view_put *put, void *arg, struct err *e)
{
	if (put(arg, x->header.data, x->header.n, e))
		return -1;
	return x->view ? tensor_view_write(x->view, put, arg, e) : put(arg, x->bytes, x->n, e);
}

static int
put_buf(struct zip *z, struct buf *b, struct err *e)
{
	const int r = output_write(z->o, b->data, b->n, e);

	buf_release(b);
	return r;
}

static int
npz_write_entry(struct zip *z, struct entry *x, struct err *e)
{
	struct buf b = { 0 };

	x->at = output_bytes(z->o);
	if (x->at + npz_size_of(x) > MAX_ZIP - DIRECTORY)
		return err_set(e, EXIT_INPUT, "the tensors have more than 4 GiB, expected less "
			       "in an .npz");
	if (each_byte(x, add_crc, &x->crc, e))
		return -1;
	npy_number(&b, 0x04034b50, 4);
	put_fields(&b, x);
	buf_add_str(&b, x->name);
	return put_buf(z, &b, e) || each_byte(x, tensors_put_output, z->o, e) ? -1 : 0;
}

static int
write_directory(struct zip *z, struct err *e)
{
	const uint64_t from = output_bytes(z->o);
	struct buf b = { 0 };
	size_t n;

	for (size_t i = 0; i < z->n; i++) {
		const struct entry *x = &z->entry[i];

		npy_number(&b, 0x02014b50, 4);
		npy_number(&b, VERSION, 2);
		put_fields(&b, x);
		npy_number(&b, 0, 2);	/* no comment */
		npy_number(&b, 0, 2);	/* disk */
		npy_number(&b, 0, 2);	/* internal attributes */
		npy_number(&b, 0, 4);	/* external attributes */
		npy_number(&b, x->at, 4);
		buf_add_str(&b, x->name);
	}
	n = b.n;
	npy_number(&b, 0x06054b50, 4);
	npy_number(&b, 0, 4);		/* disks */
	npy_number(&b, z->n, 2);
	npy_number(&b, z->n, 2);
	npy_number(&b, n, 4);
	npy_number(&b, from, 4);
	npy_number(&b, 0, 2);
	return put_buf(z, &b, e);
}

static void
npz_describe(struct zip *z, const struct tensor_views *v, const char *settings)
{
	const int64_t length = (int64_t)strlen(settings) + 1;
	int n_dim, d[2];

	z->entry = xcalloc(v->n + 1, sizeof(*z->entry));
	for (z->n = 0; z->n < v->n; z->n++) {
		struct entry *x = &z->entry[z->n];

		x->view = &v->list[z->n];
		x->name = xasprintf("%s.npy", x->view->name);
		x->n = tensor_view_elements(x->view) * 4;
		view_shape(x->view, &n_dim, d);
		npy_header(&x->header, "<f4", n_dim, (const int64_t[]){ d[0], d[1] });
	}
	z->entry[z->n] = (struct entry){
		.name = xstrdup(SETTINGS ".npy"), .bytes = settings, .n = (size_t)length,
	};
	npy_header(&z->entry[z->n++].header, "|i1", 1, &length);
}

int
npz_write(struct output *o, const struct tensor_views *v, const char *settings, struct err *e)
{
	struct zip z = { .o = o };
	int r = 0;

	npz_describe(&z, v, settings);
	for (size_t i = 0; !r && i < z.n; i++)
		r = npz_write_entry(&z, &z.entry[i], e);
	if (!r)
		r = write_directory(&z, e);
	for (size_t i = 0; i < z.n; i++) {
		free(z.entry[i].name);
		buf_release(&z.entry[i].header);
	}
	free(z.entry);
	return r;
}

/* --- safetensors --- */

/* The header, filled up with blanks to a multiple of eight bytes. */
static void
header(const struct tensor_views *v, struct buf *b)
{
	size_t at = 0;

	buf_add_str(b, "{\"__metadata__\":{\"format\":\"pt\"}");
	for (size_t i = 0; i < v->n; i++) {
		const struct tensor_view *x = &v->list[i];
		const size_t end = at + tensor_view_elements(x) * 4;
		int n_dim, d[2];

		view_shape(x, &n_dim, d);
		buf_add_char(b, ',');
		json_add_string(b, x->name, strlen(x->name));
		buf_printf(b, ":{\"dtype\":\"F32\",\"shape\":[%d", d[0]);
		if (n_dim > 1)
			buf_printf(b, ",%d", d[1]);
		buf_printf(b, "],\"data_offsets\":[%zu,%zu]}", at, end);
		at = end;
	}
	buf_add_char(b, '}');
	while (b->n % 8)
		buf_add_char(b, ' ');
}

int
safetensors_write(struct output *o, const struct tensor_views *v, struct err *e)
{
	struct buf b = { 0 };
	unsigned char size[8];
	int r;

	header(v, &b);
	for (int i = 0; i < 8; i++)
		size[i] = (unsigned char)((uint64_t)b.n >> (8 * i));
	r = output_write(o, size, sizeof(size), e) || output_write(o, b.data, b.n, e);
	buf_release(&b);
	for (size_t i = 0; !r && i < v->n; i++)
		r = tensor_view_write(&v->list[i], tensors_put_output, o, e);
	return r ? -1 : 0;
}
