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
		char *settings;		/* "" if unknown */
		double seconds, tokens, epochs, updates, pairs;	/* NAN if unknown; seconds are
								 * always known */
		double operations;	/* estimated from the settings */
		bool elsewhere;		/* from a ledger of another machine */
	} *entry;
	size_t n;
	struct run_cost_plan { const char *name, *settings; } *planned;
	size_t n_planned, planned_room;
	/*
	 * The ratio of times on this machine to those elsewhere.  scale_of() computes it when it is
	 * first needed; until then it is 0.
	 */
	double scale;
	double (*scale_of)(void);
	size_t n_here, n_elsewhere;	/* numbers of estimates from runs on this machine, and from
					 * elsewhere */
};

/*
 * Adds all entries of a ledger that have the fact "seconds", of any engine, to c, which begins as
 * all zeros.  Damaged entries are skipped.  The times of entries from elsewhere, the ledger of
 * another machine, are multiplied by the scale.
 */
void run_costs_add(struct run_costs *c, const char *ledger, bool elsewhere);
void run_costs_release(struct run_costs *c);
/*
 * Adds a run that is planned, whose length others may refer to (--updates @VARIANT+N) before the
 * ledger has it.  `name` and `settings` must outlive c.
 */
void run_costs_plan(struct run_costs *c, const char *name, const char *settings);

/*
 * Estimates the minutes of the run PAPER/COLUMN/VARIANT/SEED on a free processor: the time of the
 * fastest run of the same paper, column and variant, since other programs on the machine can only
 * make a run slower; a run on this machine is preferred.  If there are none, the estimate is six
 * operations for each parameter and token, divided by a speed: that of the fastest run of the same
 * paper on the same corpus (a column without its @SIZE), else of all runs on this corpus, else of
 * all runs, else 2e10 operations per second.  The numbers of parameters and tokens are estimated
 * from the settings, and the length of an epoch from the runs on the corpus.
 *
 * A search PAPER/search/COLUMN/NAME takes the time of a run on its column, times the number
 * "trainings=" in its settings.  Trials that --rungs ends early are counted like the others.
 */
double run_cost_minutes(struct run_costs *c, const char *name, const char *settings);

#endif
