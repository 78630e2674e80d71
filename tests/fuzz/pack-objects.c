/*
 * pack-objects: any bytes are JSON objects or are refused.  The first byte selects the action on
 * invalid text.
 */
#include <stdlib.h>

#include "exchange/pack.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t n);

int
LLVMFuzzerTestOneInput(const uint8_t *data, size_t n)
{
	struct pack p = {
		.output = "/dev/null", .invalid = (enum pack_lines_invalid)(n ? data[0] % 3 : 0),
	};
	struct err e = { .status = EXIT_OK };
	struct input *in;

	if (name_map_add(&p.map, "t.en=src,a=src.heads,p=src.pieces,f=x.f:float,i=id", &e))
		abort();
	in = n ? input_memory("fuzz", data + 1, n - 1, pack_lines_flags(p.invalid), &e) : NULL;
	if (in && pack_objects(&p, in, &e) && e.status != EXIT_INPUT)
		abort();
	input_close(in);
	name_map_release(&p.map);
	return 0;
}
