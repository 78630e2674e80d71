/*
 * replay: runs a fuzz target over its corpus, without libFuzzer, as a TAP test.
 *
 * The corpus of the program NAME.t is tests/corpus/NAME.  Each file is also replayed truncated at
 * every length and with every single bit flipped, so that "make check" tests damaged input.  For
 * a large file, only some lengths and bits are tried; they are evenly spaced and the same each
 * time.
 */
#include <dirent.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/mem.h"

#define SMALL 1024	/* bytes; for files up to this size all lengths and bits are tried */
enum { CUTS = 256, FLIPS = 1024 };	/* numbers of trials for larger files, */
enum { HARDER = 16 };			/* and their factor with HEED_LONG */

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t n);

/* A copy of the exact size, so that a sanitizer detects each byte read beyond it. */
static void
run(const uint8_t *data, size_t n)
{
	uint8_t *copy = malloc(n ? n : 1);

	if (!copy)
		abort();
	memcpy(copy, data, n);
	LLVMFuzzerTestOneInput(copy, n);
	free(copy);
}

/* The step at which `max` of n positions are tried; odd, to reach all bits of a byte. */
static size_t
stride(size_t n, size_t max)
{
	max *= getenv("HEED_LONG") ? HARDER : 1;
	return n <= max ? 1 : ((n + max - 1) / max) | 1;
}

static void
damage(uint8_t *data, size_t n)
{
	const size_t cut = n <= SMALL ? 1 : stride(n, CUTS);
	const size_t flip = n <= SMALL ? 1 : stride(8 * n, FLIPS);

	for (size_t i = 0; i < n; i += cut)
		run(data, i);
	for (size_t i = 0; i < 8 * n; i += flip) {
		data[i / 8] ^= (uint8_t)(1u << i % 8);
		run(data, n);
		data[i / 8] ^= (uint8_t)(1u << i % 8);
	}
}

static void
replay(const char *path)
{
	FILE *f = fopen(path, "rb");
	uint8_t *data = xmalloc(1 << 24);
	size_t n;

	if (!f) {
		printf("Bail out! cannot open %s\n", path);
		exit(1);
	}
	n = fread(data, 1, 1 << 24, f);
	fclose(f);
	run(data, n);
	damage(data, n);
	free(data);
}

int
main(int argc, char **argv)
{
	char folder[4096], path[8192], name[256];
	const char *top = getenv("HEED_TOP"), *slash = strrchr(argv[0], '/');
	struct dirent *d;
	int n = 0;
	DIR *dir;

	(void)argc;
	snprintf(name, sizeof(name), "%s", slash ? slash + 1 : argv[0]);
	name[strcspn(name, ".")] = 0;
	snprintf(folder, sizeof(folder), "%s/tests/corpus/%s", top ? top : ".", name);
	dir = opendir(folder);
	if (!dir) {
		printf("Bail out! no corpus %s\n", folder);
		return 1;
	}
	while ((d = readdir(dir))) {
		if (d->d_name[0] == '.')
			continue;
		snprintf(path, sizeof(path), "%s/%s", folder, d->d_name);
		replay(path);
		printf("ok %d - %s: %s, whole and damaged\n", ++n, name, d->d_name);
		fflush(stdout);
	}
	closedir(dir);
	printf("1..%d\n", n);
	return n == 0;
}
