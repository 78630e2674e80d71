/* input: reads any bytes as text, plain or compressed, line by line. */
#include <stdint.h>
#include <string.h>

#include "stream/input.h"

#define MAX_BYTES ((size_t)1 << 18)	/* stops at compression bombs, which take only time */

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t n);

int
LLVMFuzzerTestOneInput(const uint8_t *data, size_t n)
{
	size_t len, all = 0;
	struct input *in;
	const char *line;
	struct err e;

	in = input_memory("fuzz", data, n, INPUT_UTF8, &e);
	while (in && all < MAX_BYTES && input_line(in, &line, &len, &e) > 0) {
		if (line[len])
			bug("a line without its NUL byte");
		all += len + 1;
	}
	input_close(in);
	return 0;
}
