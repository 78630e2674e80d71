/*
 * pack-table: any bytes are a table or are refused.  The first byte selects the columns, the
 * escapes and the action on invalid text.
 */
#include <stdlib.h>

#include "exchange/pack.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t n);

int
LLVMFuzzerTestOneInput(const uint8_t *data, size_t n)
{
	static const char *const map[] = {
		"source=src,n=x.n:int,f=x.f:float,w=src.pieces", "2=src,1=src.heads,3=x.f:float",
		"src=src"
	};
	const unsigned how = n ? data[0] : 0;
	struct pack p = {
		.output = "/dev/null", .escape = how & 1, .quoted = how & 2,
		.invalid = (enum pack_lines_invalid)((how >> 2) % 3),
	};
	struct err e = { .status = EXIT_OK };
	struct input *in;

	if ((how >> 4) % 4 && name_map_add(&p.map, map[(how >> 4) % 4 - 1], &e))
		abort();
	in = n ? input_memory("fuzz", data + 1, n - 1, pack_lines_flags(p.invalid), &e) : NULL;
	if (in && pack_table(&p, in, &e) && e.status != EXIT_INPUT && e.status != EXIT_USAGE)
		abort();
	input_close(in);
	name_map_release(&p.map);
	return 0;
}
