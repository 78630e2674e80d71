/*
 * facts: any bytes, split at empty lines, are records of runs for a paper's tables, or are
 * refused.
 */
#include <stdlib.h>
#include <string.h>

#include "results/outcome-table.h"

#include "fuzz.h"

enum { MOST = 8 };

static const char paper[] =
	"section table1 BLEU\ncolumns W.en-de dev.nll:W.en-de parameters:W.en-de@20k\n"
	"plain - 25 2 7 Base\ndea plain 25.75 - - +DEA\n"
	"section sizes BLEU by size\nscope sizes\ntest sign\n"
	"columns W.en-de@10k W.en-de\nplain - 9 27 Base\ndea plain - - +DEA\n"
	"section claims What\ncolumns -\ndea plain - Better\n";

/* The bytes up to the next empty line or the end; moves *at after it. */
static size_t
part(const uint8_t *data, size_t n, size_t *at)
{
	const size_t from = *at;
	size_t end = from;

	while (end < n && (data[end] != '\n' || (end + 1 < n && data[end + 1] != '\n')))
		end++;
	end += end < n;
	*at = end + (end < n);
	return end - from;
}

static size_t
read_runs(struct facts run[MOST], const uint8_t *data, size_t n)
{
	size_t runs = 0;
	struct err e;

	for (size_t at = 0; at < n && runs < MOST; ) {
		const uint8_t *p = data + at;

		if (!facts_read_memory(&run[runs], "fuzz", p, part(data, n, &at), &e)) {
			runs++;
			continue;
		}
		must(e.status == EXIT_INPUT && e.text[0]);
		facts_release(&run[runs]);
	}
	return runs;
}

static void
print(const struct grid *g, const struct grid_section *s, struct facts *run, size_t runs)
{
	struct outcomes o = { .grid = g, .section = s, .run = run, .n_runs = runs };
	struct buf out = { 0 };
	struct err e;

	outcomes_init(&o);
	for (int form = OUTCOME_TSV; form <= OUTCOME_MD; form++) {
		must(!outcome_table(&o, (enum outcome_form)form, &out, &e));
		must(out.n && out.data[out.n - 1] == '\n');
	}
	outcomes_release(&o);
	buf_release(&out);
}

int
LLVMFuzzerTestOneInput(const uint8_t *data, size_t n)
{
	struct facts run[MOST];
	const size_t runs = read_runs(run, data, n);
	struct grid g;
	struct err e;

	must(!grid_read_memory(&g, "paper", paper, sizeof(paper) - 1, &e));
	for (size_t i = 0; i < g.n; i++)
		print(&g, &g.section[i], run, runs);
	grid_release(&g);
	for (size_t i = 0; i < runs; i++)
		facts_release(&run[i]);
	return 0;
}
