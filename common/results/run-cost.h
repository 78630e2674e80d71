/* run-cost: estimates the time that a run takes, from the runs in a ledger (ledger.h). */
#ifndef RUN_COST_H
#define RUN_COST_H

#include <stdbool.h>
#include <stddef.h>

struct run_costs {
	struct run_cost_entry {
		char *name;		/* PAPER/COLUMN/VARIANT/SEED */
		char *settings;		/* the options of nmt-train; "" if unknown */
		double seconds, tokens, epochs, updates, pairs;	/* facts of the run; all but seconds
								 * may be NAN for unknown */
		double parameters;	/* their number, estimated from `settings` */
		double operations;	/* floating-point operations, estimated from `parameters`
					 * and from `tokens` or, if these are unknown, `settings` */
		bool elsewhere;		/* the run was on another machine */
	} *entry;
	size_t n;
	struct run_cost_plan { const char *name, *settings; } *planned;
	size_t n_planned, planned_room;
	/*
	 * The time of a run on this machine divided by its time on the other machine.  The value is
	 * 0 until it is first needed; then scale_of(), which the caller may set, computes it.
	 * Without scale_of() it is 1.
	 */
	double scale;
	double (*scale_of)(void);
	size_t n_here, n_elsewhere;	/* number of estimates that were made from runs on this
					 * machine, and from runs on another machine */
};

/*
 * Adds the entries of the ledger in the folder `ledger` that have the fact seconds, of any engine
 * number, to c, which begins as all zeros.  Damaged entries are skipped.  `elsewhere` is true for a
 * ledger of another machine, whose times are multiplied by c->scale.
 */
void run_costs_add(struct run_costs *c, const char *ledger, bool elsewhere);
void run_costs_release(struct run_costs *c);
/*
 * Adds a planned run that is not in the ledger yet, because the settings of other runs may refer to
 * its number of updates (--updates @VARIANT+N).  `name` and `settings` must outlive c.
 */
void run_costs_plan(struct run_costs *c, const char *name, const char *settings);

/*
 * Estimates the time in minutes of the run PAPER/COLUMN/VARIANT/SEED with these settings on a free
 * processor.  It is the time of the fastest run of the same paper, column and variant, because
 * other programs on the machine can only make a run slower; a run on this machine is preferred.  If
 * there is no such run, the estimate is six operations for each parameter and token, divided by a
 * speed.  The speed is the median speed of the runs of the same paper on the same corpus (a column
 * without its @SIZE), else of all runs on this corpus, else of all runs with a model of this size,
 * else of all runs, else 2e10 operations per second.  The numbers of parameters and tokens are
 * estimated from the settings, and the length of an epoch from the runs on the corpus, or, without
 * any, from those of the same variant.
 *
 * If `name` is that of a search for settings, PAPER/search/COLUMN/NAME, the estimate is that of a
 * run on its column, times the number after "trainings=" in `settings`.  Trials that end early
 * (--rungs) are counted like the others.
 */
double run_cost_minutes(struct run_costs *c, const char *name, const char *settings);

#endif
