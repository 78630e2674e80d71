/* heed-plan: lists the runs that a ledger lacks, with estimated times.  See heed-plan(1). */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/cli.h"
#include "base/mem.h"
#include "base/output.h"
#include "plan/machine-speed.h"
#include "plan/plan.h"
#include "results/run-cost.h"
#include "results/wanted.h"
#include "stream/input.h"

static bool kept, strict, drafts, quiet, draw, check;
static const char *ledger = "results", *command = "", *models, *timed, *rules;
static const char *top = "", *papers = "";
static double scale;

static const struct opt options[] = {
	OPT_GROUP("Missing runs"),
	OPT_ROW_TEXT(0, "ledger", "folder", &ledger, "compare with the ledger in folder (results)"),
	OPT_ROW_TEXT(0, "command", "text", &command,
		     "print text before the name of the run in the last column"),
	OPT_ROW_TEXT(0, "timed", "folder", &timed,
		     "estimate times from this ledger of another machine, too"),
	OPT_ROW_FLOAT("scale", &scale, 1e-6, 1e6,
		      "multiply times of --timed by x (default: as measured in three seconds)"),
	OPT_ROW_TEXT(0, "models", "folder", &models,
		     "also list runs whose model a missing run needs and folder lacks"),
	OPT_ROW_FLAG(0, "kept", &kept,
		     "list the runs that the ledger has, with their digests, instead"),
	OPT_ROW_FLAG(0, "strict", &strict, "exit with status 3 if the ledger lacks a run"),
	OPT_ROW_FLAG(0, "drafts", &drafts,
		     "accept entries without a commit or engine, or with uncommitted changes"),
	OPT_GROUP("Rules of papers"),
	OPT_ROW_TEXT(0, "make", "file", &rules,
		     "write the rules of make for all that papers need to file"),
	OPT_ROW_FLAG(0, "check", &check, "only check settings and papers"),
	OPT_ROW_TEXT(0, "papers", "names", &papers, "the papers, separated by blanks (all)"),
	OPT_ROW_TEXT(0, "top", "folder", &top,
		     "the folder with src/papers, with a slash at its end (the current one)"),
	OPT_ROW_FLAG(0, "draw", &draw, "only tables and figures of runs that the ledger has"),
	OPT_GROUP("Other"),
	OPT_MAX_LINE,
	OPT_QUIET(&quiet),
	OPT_NOT_WITH("command timed models", "--kept"), OPT_NEEDS("scale", "--timed"),
	OPT_NOT_WITH("ledger command timed models kept strict", "--make or --check"),
	OPT_NEEDS("papers top draw", "--make or --check"), OPT_NOT_WITH("check", "--make"),
	OPT_OLD_LETTER('l', "--ledger"),
	{ .kind = OPT_END }
};

static const struct program program = {
	.name = "heed-plan",
	.synopsis = "[--ledger folder] [--timed folder] [--scale x] [--models folder] "
		    "[--command text] [--drafts] [--kept] [--strict] [wanted]",
	.summary = "list the runs that a ledger lacks",
	.example = "heed-plan --ledger results --command "
		   "'make -f pipeline.mk run-one RUN_NAME=' wanted",
	.options = options,
};

/* The lines of the plan. */
struct lines {
	struct run_costs costs;
	size_t runs, searches, models;
	double minutes;
};

/*
 * Whether a run on which others depend has a line: the ledger lacks it, or its model must be
 * trained again.
 */
static bool
is_missing(const struct wanted_run *r)
{
	char *path;
	bool lacks;

	if (!models || r->state != WANTED_KEPT)
		return r->state == WANTED_LACKING;
	path = xasprintf("%s/%s/model.tar", models, r->name);
	lacks = access(path, F_OK);
	free(path);
	return lacks;
}

/* Prints a run after the runs that must be made before it. */
static void
print_run(const struct wanted *w, struct wanted_run *r, struct lines *p)
{
	const char *names = r->after;
	struct buf missing = { 0 };
	struct wanted_run *before;

	if (r->printed)
		return;
	r->printed = true;
	while ((before = wanted_next(w, &names))) {
		if (!is_missing(before))
			continue;
		print_run(w, before, p);
		buf_printf(&missing, "%s%s", missing.n ? " " : "", before->name);
	}
	const double cost = run_cost_minutes(&p->costs, r->name, r->settings);
	p->minutes += cost;
	++*(r->state == WANTED_KEPT ? &p->models
				    : wanted_is_search(r->name) ? &p->searches : &p->runs);
	printf("%.1f\t%s\t%s\t%s%s\n", cost, r->name, missing.n ? missing.data : "-", command,
	       r->name);
	buf_release(&missing);
}

static void
plan_add_count(struct buf *out, size_t n, const char *one, const char *many)
{
	if (n)
		buf_printf(out, ", %zu %s", n, n == 1 ? one : many);
}

static double
measured_scale(void)
{
	return MACHINE_PUBLISHED / machine_speed();
}

/* A ledger that is also that of another machine has no times of this one. */
static bool
same_ledger(const char *a, const char *b)
{
	char *x = realpath(a, NULL), *y = realpath(b, NULL);
	const bool same = x && y && !strcmp(x, y);

	free(x);
	free(y);
	return same;
}

/* Where the estimates are from. */
static void
add_origin(const struct run_costs *c, size_t n_timed, struct buf *out)
{
	const char *before = " (";

	if (!n_timed)
		buf_add_str(out, " (a guess: the ledger has no timed runs)");
	if (c->n_here) {
		buf_printf(out, "%s%zu by times in %s", before, c->n_here, ledger);
		before = ", ";
	}
	if (c->n_elsewhere)
		buf_printf(out, "%s%zu by times in %s, multiplied by %.2f%s", before,
			   c->n_elsewhere, timed, c->scale,
			   scale > 0 ? "" : ", as measured on this machine");
	if (c->n_here || c->n_elsewhere)
		buf_add_char(out, ')');
}

static void
print_plan(const struct wanted *w)
{
	struct lines p = { .minutes = 0 };
	struct buf text = { 0 };
	size_t n_timed;

	p.costs.scale = scale;
	p.costs.scale_of = measured_scale;
	if (!timed || !same_ledger(ledger, timed))
		run_costs_add(&p.costs, ledger, false);
	if (timed)
		run_costs_add(&p.costs, timed, true);
	n_timed = p.costs.n;
	for (size_t i = 0; i < w->n; i++)
		run_costs_plan(&p.costs, w->run[i].name, w->run[i].settings);
	for (size_t i = 0; i < w->n; i++)
		if (w->run[i].state == WANTED_LACKING)
			print_run(w, &w->run[i], &p);
	buf_printf(&text, "%zu of %zu runs", p.runs, w->n - p.searches);
	plan_add_count(&text, p.searches, "search", "searches");
	plan_add_count(&text, p.models, "model of a run in the ledger",
		       "models of runs in the ledger");
	buf_printf(&text, " to make, about %.1f hours on a free processor", p.minutes / 60);
	add_origin(&p.costs, n_timed, &text);
	fflush(stdout); /* which may be the same file as standard error */
	if (!quiet)
		fprintf(stderr, "%s: %s\n", err_program_name(), text.data);
	run_costs_release(&p.costs);
	buf_release(&text);
}

static void
print_kept(const struct wanted *w)
{
	for (size_t i = 0; i < w->n; i++)
		if (w->run[i].state == WANTED_KEPT)
			printf("%s\t%s\n", w->run[i].name, w->run[i].digest);
}

/* The rules must not replace a list that is written next to them. */
static void
check_rules(void)
{
	static const char *const lists[] = { "wanted", "options", "cksums", "papers",
					     "command" };
	struct err e;

	for (size_t i = 0; i < sizeof(lists) / sizeof(*lists); i++) {
		char *list = path_beside(rules, lists[i]);

		if (output_same(rules, list))
			die_usage("--make %s: this is the name of a list next to the rules, "
				  "expected another name than wanted, options, cksums, papers and "
				  "command",
				  rules);
		free(list);
	}
	if (output_check(rules, &e))
		die(&e);
}

/* Writes the rules of make; the operands are settings, NAME=VALUE. */
static void
write_rules(char **given, int n)
{
	struct plan p;
	struct buf out = { 0 };
	struct err e;

	if (rules)
		check_rules();
	plan_init(&p);
	p.top = top;
	p.folder = rules ? path_folder(rules) : "";
	p.drafts = drafts;
	p.draw = draw;
	p.goals = list_words(p.a, papers);
	for (int i = 0; i < n; i++) {
		const char *is = strchr(given[i], '=');

		if (!is)
			die_usage("'%s', expected a setting NAME=VALUE", given[i]);
		keyfile_give(&p.conf, (struct keyfile_entry){
			.key = text_copy(p.a, given[i], (size_t)(is - given[i])),
			.value = is + 1 });
	}
	if (plan_read(&p, &e) || (rules && (plan_runs(&p, &e) || plan_write(&p, &out, &e) ||
	    output_all(rules, 0, out.data, out.n, &e))))
		die(&e);
	if (rules)
		free((char *)p.folder);
	buf_release(&out);
	plan_release(&p);
}

/* A ledger and models may not be there yet. */
static void
check_folder(const char *option, const char *path, bool needed)
{
	struct stat st;

	if (path && (stat(path, &st) ? needed : !S_ISDIR(st.st_mode)))
		die_usage("--%s %s: this is no folder, expected one", option, path);
}

int
main(int argc, char **argv)
{
	struct wanted w = { .n = 0 };
	bool lacking;
	struct err e;
	char **file;
	const int n = cli_begin(&program, argc, argv, &file);

	if (rules || check) {
		write_rules(file, n);
		return cli_end(EXIT_OK);
	}
	if (n > 1)
		die_usage("%d lists, expected one", n);
	check_folder("ledger", ledger, false);
	check_folder("models", models, false);
	check_folder("timed", timed, true);
	if (strpbrk(command, "\t\n"))
		die_usage("--command '%s', expected a text without tabs and line ends", command);
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
