/* whole-file: the bytes of a small file. */
#ifndef WHOLE_FILE_H
#define WHOLE_FILE_H

#include <stdio.h>

#include "base/mem.h"

/* Returns the n bytes of a file, at most 1 MiB, which the caller frees. */
static inline unsigned char *
read_whole(const char *from, size_t *n)
{
	FILE *f = fopen(from, "rb");
	unsigned char *p = xmalloc(1 << 20);

	assert_non_null(f);
	*n = fread(p, 1, 1 << 20, f);
	fclose(f);
	return p;
}

#endif
