/*
 * run-lists: any bytes as a list of wanted runs, all of which an empty ledger lacks, and as
 * checksums of their data.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "results/data-sums.h"
#include "results/wanted.h"

#include "fuzz.h"

static void
check_wanted(const char *path)
{
	struct wanted w = { .ledger = "/nonexistent", .drafts = true };
	struct err e;

	if (wanted_read(&w, path, &e))
		must(e.status == EXIT_INPUT);
	else if (wanted_compare(&w, &e))
		must(e.status == EXIT_USAGE || e.status == EXIT_INPUT);
	else
		must(w.lacking == w.n);
	wanted_release(&w);
}

static void
check_sums(const char *path)
{
	struct buf out = { 0 };
	struct err e;

	if (data_sums_facts(path, &out, &e))
		must(e.status == EXIT_INPUT);
	else
		must(strstr(out.data, "data.train\t") && strstr(out.data, "data.test\t"));
	buf_release(&out);
}

int
LLVMFuzzerTestOneInput(const uint8_t *data, size_t n)
{
	FILE *f = tmpfile();
	char path[40];

	must(f && fwrite(data, 1, n, f) == n && !fflush(f));
	snprintf(path, sizeof(path), "/proc/self/fd/%d", fileno(f));
	check_wanted(path);
	check_sums(path);
	fclose(f);
	return 0;
}
