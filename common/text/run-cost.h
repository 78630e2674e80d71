/*
 * run-cost: how long a run may take, from those that a ledger has.
 */
#ifndef RUN_COST_H
#define RUN_COST_H

#include <stdbool.h>
#include <stddef.h>

struct run_costs {
	struct run_cost_entry {
		char *name;		/* PAPER/COLUMN/VARIANT/SEED */
		double seconds, tokens, parameters;
	} *entry;
	size_t n;
};

/* All entries of a ledger that say how long they took, of any engine; a damaged one is left out. */
void run_costs_read(struct run_costs *c, const char *ledger);
void run_costs_release(struct run_costs *c);

/*
 * The mean of the runs of the same variant and column, of the same paper and column, or of the same
 * column.  If there is none, six operations for each parameter and token, as the settings tell them,
 * at the speed of the ledger's runs, or at 2e10 operations a second.
 */
double run_cost_minutes(const struct run_costs *c, const char *name, const char *settings);

#endif
