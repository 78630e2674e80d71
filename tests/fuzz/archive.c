/* archive: reads any bytes as an archive, with the names and the data of its members. */
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "stream/archive.h"

#define MOST ((size_t)1 << 20)
#define MEMBERS 100

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t n);

int
LLVMFuzzerTestOneInput(const uint8_t *data, size_t n)
{
	struct archive_in *a;
	const char *name;
	int64_t size;
	struct err e;
	size_t len;

	a = archive_in_memory("fuzz", data, n, &e);
	for (int i = 0; a && i < MEMBERS && archive_in_next(a, &name, &size, &e) > 0; i++) {
		char *all = archive_in_all(a, MOST, &len, &e);

		if (all && (len > MOST || all[len] || strlen(name) > n + 4096))
			bug("a member of %zu bytes", len);
		free(all);
	}
	archive_in_close(a);
	return 0;
}
