/* nmt-search: search for training settings, stage by stage, with a journal; see nmt-search(1). */
#include <ctype.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/cli.h"
#include "base/mem.h"
#include "base/num.h"
#include "base/output.h"
#include "model/engine.h"
#include "tune/trial-run.h"
#include "tune/trial-stage.h"

enum { NLL, BLEU };

static const char *const objectives[] = { "nll", "bleu", NULL };
static const char *output, *grid_path, *journal_path, *dev, *rungs_text, *seeds_text = "1";
static int64_t threads;
static int objective;

static const struct opt options[] = {
	OPT_ROW_TEXT('g', "grid", "file", &grid_path, "search space, in stages (required)"),
	OPT_ROW_TEXT(0, "journal", "file", &journal_path,
		     "record training runs in file; resume from it if it exists (required)"),
	OPT_ROW_TEXT(0, "dev", "file", &dev, "development set for scoring trials (required)"),
	OPT_ROW_CHOICE("objective", "name", &objective, objectives, "score of a trial (nll)"),
	OPT_ROW_TEXT(0, "rungs", "list", &rungs_text,
		     "successive halving: updates after which the worse half of the trials stops"),
	OPT_ROW_TEXT(0, "seeds", "list", &seeds_text,
		     "train each trial with each seed in this list (1)"),
	OPT_THREADS(&threads),
	OPT_OUTPUT(&output),
	OPT_OLD_LETTER('j', "--journal"),
	{ .kind = OPT_END }
};

static const struct program program = {
	.name = "nmt-search",
	.synopsis = "-g grid --journal file --dev file [options] train [-- training options]",
	.summary = "search for training settings",
	.example = "nmt-search -g grid --journal journal --dev dev.heed train.heed \\\n"
		   "      -- --size small --epochs 20",
	.options = options,
};

struct search {
	struct trial_plan plan;
	struct trial_grid grid;
	struct buf begin;		/* of each line of the journal */
};

/* --- options --- */

/* Numbers separated by commas. */
static void
search_read_numbers(struct numbers *list, const char *name, const char *text)
{
	for (const char *s = text;; s++) {
		const size_t n = strspn(s, "0123456789");
		struct err e;

		list->v = xreallocarray(list->v, list->n + 1, sizeof(*list->v));
		if (!n || (s[n] && s[n] != ',') ||
		    num_int(s, n, 0, 9007199254740992, &list->v[list->n++], &e))
			die_usage("%s: '%s', expected numbers separated by commas", name, text);
		s += n;
		if (!*s)
			break;
	}
}

static void
read_lists(struct search *s)
{
	search_read_numbers(&s->plan.seeds, "--seeds", seeds_text);
	for (size_t i = 0; i < s->plan.seeds.n; i++)
		for (size_t k = 0; k < i; k++)
			if (s->plan.seeds.v[i] == s->plan.seeds.v[k])
				die_usage("--seeds: '%s', expected different numbers", seeds_text);
	if (rungs_text)
		search_read_numbers(&s->plan.rungs, "--rungs", rungs_text);
	for (size_t i = 0; i < s->plan.rungs.n; i++)
		if (s->plan.rungs.v[i] <= (i ? s->plan.rungs.v[i - 1] : 0))
			die_usage("--rungs: '%s', expected increasing numbers from 1", rungs_text);
}

/* The options after --.  They are in the journal as one text, which is split at blanks. */
static void
read_common(struct trial_run *run, char *const *word)
{
	buf_add(&run->options, "", 0);
	for (; *word; word++) {
		bool bad = !**word || strpbrk(*word, " \"\\");

		for (const char *c = *word; *c; c++)
			bad |= iscntrl((unsigned char)*c) != 0;
		if (bad)
			die_usage("'%s' in nmt-train's options, expected no blank, quote or "
				  "backslash", *word);
		buf_printf(&run->options, "%s%s", run->options.n ? " " : "", *word);
	}
}

static void
search_check_files(const struct trial_run *run)
{
	const char *const path[] = { grid_path, dev, run->train };
	struct err e;

	for (int i = 0; i < 3; i++)
		if (access(path[i], R_OK) && err_system(&e, "cannot read %s", path[i]))
			die(&e);
	if (output_check(journal_path, &e) || (output && output_check(output, &e)))
		die(&e);
}

static void
read_grid(struct search *s)
{
	static const char sets[] = "nmt-search sets it", none[] = "it trains nothing";
	const struct reserved all[] = {
		{ "--output", sets }, { "--checkpoint", sets }, { "--log", sets },
		{ "--check-options", none }, { "--help", none }, { "--version", none },
		{ "--dev", "--dev of nmt-search sets it" },
		{ "--threads", "--threads of nmt-search sets it" },
		{ "--seed", "--seeds sets it" },
		{ s->plan.rungs.n ? "--updates" : "", "--rungs sets it" },
		{ objective == BLEU ? "--stop-on" : "", "--objective sets it" }, { NULL, NULL }
	};
	struct train_options common;
	struct err e;

	if (trial_run_open(&s->plan.run, &e))
		die(&e);
	train_options_parse(&common, &s->plan.run.table, s->plan.run.options.data);
	if (train_options_allowed(&common, all, &e) ||
	    trial_grid_read(&s->grid, grid_path, &s->plan.run.table, all, &e))
		die(&e);
	train_options_release(&common);
}

/*
 * Only trials with the same data, objective and common options are compared.  The files that these
 * options name belong to them; those that options of a trial name belong to the trial.
 */
static void
open_journal(struct search *s)
{
	struct buf *begin = &s->begin;
	struct err e;

	buf_add_str(begin, "{\"data\":\"");
	if (stream_cksum(s->plan.run.train, begin, &e))
		die(&e);
	buf_add_char(begin, ',');
	if (stream_cksum(dev, begin, &e))
		die(&e);
	trial_files(&s->plan.run.table, s->plan.run.options.data, begin);
	buf_printf(begin, "\",\"objective\":\"%s\",\"base\":\"%s\",", objectives[objective],
		   s->plan.run.options.data);
	s->plan.journal = journal_open(journal_path, begin->data, HEED_ENGINE, &e);
	if (!s->plan.journal)
		die(&e);
}

/* A hint if the winner replaces an option after --, which nmt-train then accepts only once. */
static void
hint_replaced(const struct trial_run *run, const char *winner)
{
	char *text = xasprintf("%s %s", run->options.data, winner);
	struct buf all = { 0 }, apart = { 0 };

	buf_add(&all, "", 0);
	train_options_merge(&run->table, text, &all);
	train_options_merge(&run->table, run->options.data, &apart);
	buf_printf(&apart, "%s%s", apart.n && *winner ? " " : "", winner);
	if (strcmp(all.data, apart.data))
		fprintf(stderr, "%s: hint: the winner replaces options after --; train with: %s\n",
			program.name, all.data);
	buf_release(&all);
	buf_release(&apart);
	free(text);
}

/*
 * The options of the winner of all stages, which the caller frees.  Before the journal is open, the
 * stages are only checked.
 */
static char *
run_stages(struct search *s)
{
	char *winner = xstrdup(""), *next = NULL;
	struct err e;

	for (size_t i = 0; i < s->grid.n; i++) {
		const int status = trial_stage_run(&s->plan, &s->grid.stage[i], winner, &next, &e);

		if (status < 0)
			die(&e);
		if (status)
			exit(status);
		free(winner);
		winner = next;
	}
	return winner;
}

int
main(int argc, char **argv)
{
	struct search s = { .begin = { 0 } };
	struct trial_run *run = &s.plan.run;
	struct err e;
	char **operand, *winner, *line;
	const int n = cli_begin(&program, argc, argv, &operand), files = cli_before_dashes(n);

	if (!grid_path)
		die_usage("no grid, expected -g file");
	if (!journal_path)
		die_usage("no journal, expected --journal file");
	if (!dev)
		die_usage("no development set, expected --dev file");
	if (!files)
		die_usage("no training data, expected a file");
	if (files > 1)
		die_usage("%d training files, expected one: %s %s", files, operand[0], operand[1]);
	read_lists(&s);
	*run = (struct trial_run){
		.train = operand[0], .dev = dev, .grid = grid_path, .journal = journal_path,
		.threads = threads, .bleu = objective == BLEU, .limited = s.plan.rungs.n
	};
	read_common(run, operand + 1);
	search_check_files(run);
	read_grid(&s);
	free(run_stages(&s));
	open_journal(&s);
	winner = run_stages(&s);
	hint_replaced(run, winner);
	line = xasprintf("%s\n", winner);
	if (output_all(output, 0, line, strlen(line), &e))
		die(&e);
	free(line);
	free(winner);
	journal_close(s.plan.journal);
	trial_grid_release(&s.grid);
	trial_run_close(run);
	buf_release(&s.begin);
	free(s.plan.seeds.v);
	free(s.plan.rungs.v);
	return cli_end(EXIT_OK);
}
