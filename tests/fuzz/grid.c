/* grid: any bytes are a paper's tables and the facts of a run, or are refused. */
#include <stdlib.h>
#include <string.h>

#include "results/outcome-table.h"

#include "fuzz.h"

/* Makes the table of each section, from one arbitrary run. */
static void
print(const struct grid *g, struct facts *run)
{
	for (size_t i = 0; i < g->n; i++)
		for (int form = OUTCOME_TSV; form <= OUTCOME_MD; form++) {
			struct outcomes o = {
				.grid = g, .section = &g->section[i], .run = run, .n_runs = 1
			};
			struct buf out = { 0 };
			struct err e;

			must(grid_find(g, g->section[i].name) == &g->section[i]);
			outcomes_init(&o);
			must(!outcome_table(&o, (enum outcome_form)form, &out, &e));
			must(out.n && out.data[out.n - 1] == '\n');
			outcomes_release(&o);
			buf_release(&out);
		}
}

/* The input is a grid, an empty line, and facts; or one of the two. */
int
LLVMFuzzerTestOneInput(const uint8_t *data, size_t n)
{
	static const char usual[] =
		"paper\tp\ncolumn\ttoy.en-de@100\nvariant\tdea\nseed\t1\nbleu\t20\n"
		"pairs.train\t100\n";
	const char *text = (const char *)data;
	size_t cut = 0;
	struct facts run;
	struct grid g;
	struct err e;

	while (cut + 1 < n && (text[cut] != '\n' || text[cut + 1] != '\n'))
		cut++;
	if (facts_read_memory(&run, "facts", cut + 2 < n ? text + cut + 2 : text,
			      cut + 2 < n ? n - cut - 2 : n, &e)) {
		must(e.status == EXIT_INPUT);
		facts_release(&run);
		must(!facts_read_memory(&run, "facts", usual, sizeof(usual) - 1, &e));
	}
	if (!grid_read_memory(&g, "grid", data, cut < n ? cut + (n > 0) : n, &e))
		print(&g, &run);
	else
		must(e.status == EXIT_INPUT);
	grid_release(&g);
	facts_release(&run);
	return 0;
}
