/* npy: see npy.h. */
#include "exchange/npy.h"

#include <inttypes.h>

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
