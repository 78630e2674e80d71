/* trial-grid: any bytes are a search space, whose trials can be merged, or are refused. */
#include <string.h>

#include "base/buf.h"
#include "tune/trial-grid.h"

#include "fuzz.h"

/* A trial has each option once, so that merging it again does not change it. */
static void
merge(const struct train_table *t, const char *options)
{
	struct buf once = { 0 }, twice = { 0 };

	buf_add(&once, "", 0);
	buf_add(&twice, "", 0);
	train_options_merge(t, options, &once);
	train_options_merge(t, once.data, &twice);
	must(!strcmp(once.data, twice.data));
	buf_release(&once);
	buf_release(&twice);
}

int
LLVMFuzzerTestOneInput(const uint8_t *data, size_t n)
{
	static const char tsv[] =
		"\tlr\tx\thelp\t1\t\nq\tquiet\t\thelp\t+\t\n"
		"\tarch\tkey=value,...\thelp\t+\t\no\toutput\tfile\thelp\t1\t\n";
	static const struct reserved reserved[] = { { "--output", "it is set" }, { NULL, NULL } };
	struct train_table t;
	struct trial_grid g;
	struct err e;

	train_table_read(&t, tsv);
	if (trial_grid_read_memory(&g, "grid", data, n, &t, reserved, &e))
		must(e.status == EXIT_INPUT);
	else
		must(g.n && g.stage[0].n);
	for (size_t i = 0; i < g.n; i++)
		for (size_t k = 0; k < g.stage[i].n && k < 1000; k++)
			merge(&t, g.stage[i].combination[k].options);
	trial_grid_release(&g);
	train_table_release(&t);
	return 0;
}
