/* safetensors-out: see safetensors-out.h. */
#include "export/safetensors-out.h"

#include <stdint.h>
#include <string.h>

#include "stream/json-out.h"

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

static int
safetensors_put_output(void *arg, const void *p, size_t n, struct err *e)
{
	return output_write(arg, p, n, e);
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
		r = tensor_view_write(&v->list[i], safetensors_put_output, o, e);
	return r ? -1 : 0;
}
