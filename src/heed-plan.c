/* heed-plan: lists the runs that a ledger lacks, with estimated times.  See heed-plan(1). */
#include <stdio.h>

#include "base/cli.h"
#include "results/run-cost.h"
#include "results/wanted.h"
#include "stream/input.h"

static bool kept, strict, drafts, quiet;
static const char *ledger = "results", *command = "";

static const struct opt options[] = {
	{ .kind = OPT_STRING, .long_name = "ledger", .arg = "folder",
	  .help = "compare with the ledger in folder (results)", .to = &ledger },
	{ .kind = OPT_STRING, .long_name = "command", .arg = "text", .to = &command,
	  .help = "print text before the name of the run in the last column" },
	{ .kind = OPT_FLAG, .long_name = "kept", .to = &kept,
	  .help = "list the runs that the ledger has, with their digests, instead" },
	{ .kind = OPT_FLAG, .long_name = "strict", .to = &strict,
	  .help = "exit with status 3 if the ledger lacks a run" },
	{ .kind = OPT_FLAG, .long_name = "drafts", .to = &drafts,
	  .help = "accept entries without a commit or engine, or with uncommitted changes" },
	OPT_MAX_LINE,
	OPT_QUIET(&quiet),
	OPT_OLD_LETTER('l', "--ledger"),
	{ .kind = OPT_END }
};

static const struct program program = {
	.name = "heed-plan",
	.synopsis = "[--ledger folder] [--command text] [--drafts] [--kept] [--strict] [wanted]",
	.summary = "list the runs that a ledger lacks",
	.example = "heed-plan --ledger results --command "
		   "'make -f pipeline.mk run-one RUN_NAME=' wanted",
	.options = options, .reads = "-", .writes = "-",
};

/* The runs that r depends on and the ledger lacks, separated by blanks, or "-". */
static void
add_lacking(const struct wanted *w, const struct wanted_run *r, struct buf *out)
{
	const size_t from = out->n;
	const char *names = r->after;
	struct wanted_run *before;

	while ((before = wanted_next(w, &names)))
		if (before->state == WANTED_LACKING)
			buf_printf(out, "%s%s", out->n > from ? " " : "", before->name);
	if (out->n == from)
		buf_add_char(out, '-');
}

/* Prints a run after the runs that it depends on. */
static void
print_run(const struct wanted *w, struct wanted_run *r, const struct run_costs *costs,
	  double *minutes)
{
	const char *names = r->after;
	struct buf lacking = { 0 };
	struct wanted_run *before;
	double cost;

	if (r->state != WANTED_LACKING || r->printed)
		return;
	r->printed = true;
	while ((before = wanted_next(w, &names)))
		print_run(w, before, costs, minutes);
	cost = run_cost_minutes(costs, r->name, r->settings);
	*minutes += cost;
	add_lacking(w, r, &lacking);
	printf("%.1f\t%s\t%s\t%s%s\n", cost, r->name, lacking.data, command, r->name);
	buf_release(&lacking);
}

static void
print_plan(const struct wanted *w)
{
	struct run_costs costs;
	double minutes = 0;

	run_costs_read(&costs, ledger);
	for (size_t i = 0; i < w->n; i++)
		print_run(w, &w->run[i], &costs, &minutes);
	run_costs_release(&costs);
	if (!quiet)
		fprintf(stderr, "%s: %zu of %zu runs to make, about %.1f hours\n",
			err_program_name(), w->lacking, w->n, minutes / 60);
}

static void
print_kept(const struct wanted *w)
{
	for (size_t i = 0; i < w->n; i++)
		if (w->run[i].state == WANTED_KEPT)
			printf("%s\t%s\n", w->run[i].name, w->run[i].digest);
}

int
main(int argc, char **argv)
{
	struct wanted w = { .n = 0 };
	bool lacking;
	struct err e;
	char **file;
	const int n = cli_begin(&program, argc, argv, &file);

	if (n > 1)
		die_usage("%d lists, expected one", n);
	w.ledger = ledger;
	w.drafts = drafts;
	w.report = !quiet && !kept;
	if (wanted_read(&w, n ? file[0] : NULL, &e) || wanted_compare(&w, &e))
		die(&e);
	if (kept)
		print_kept(&w);
	else
		print_plan(&w);
	lacking = w.lacking;
	wanted_release(&w);
	return cli_end(strict && lacking ? EXIT_INPUT : EXIT_OK);
}
