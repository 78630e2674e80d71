/*
 * run-cost: estimates of the time that a run takes, from the runs in a ledger.
 */
#ifndef RUN_COST_H
#define RUN_COST_H

#include <stdbool.h>
#include <stddef.h>

struct run_costs {
	struct run_cost_entry {
		char *name;		/* PAPER/COLUMN/VARIANT/SEED */
		double seconds, tokens, parameters;	/* tokens and parameters may be NAN */
	} *entry;
	size_t n;
};

/*
 * Reads all entries of a ledger that have the fact "seconds", of any engine.  Damaged entries are
 * skipped.
 */
void run_costs_read(struct run_costs *c, const char *ledger);
void run_costs_release(struct run_costs *c);

/*
 * Estimates the minutes of the run PAPER/COLUMN/VARIANT/SEED: the mean over the runs of the same
 * paper, column and variant; if there are none, of the same paper and column; else of the same
 * column. Without any of these the estimate is six operations per parameter and token, with
 * numbers guessed from the settings, at the mean speed of the ledger's runs, or 2e10 operations
 * per second.
 */
double run_cost_minutes(const struct run_costs *c, const char *name, const char *settings);

#endif
