/*
 * wanted: reads a list of wanted runs, and finds out which of them a ledger (ledger.h) has.
 *
 * A line of the list has four fields, separated by tabs: the name of a run,
 * PAPER/COLUMN/VARIANT/SEED; the names of the runs that it depends on, separated by blanks, or "-";
 * a file of checksums of its data (data-sums.h), or "-"; and its settings.  A search for settings,
 * PAPER/search/COLUMN/NAME, is in the list like a run until it has been made.
 */
#ifndef WANTED_H
#define WANTED_H

#include <stdbool.h>
#include <stddef.h>

#include "results/ledger.h"

struct wanted_run {
	char *name, *after, *sums, *settings;
	int64_t line;			/* number of its line */
	enum { WANTED_UNKNOWN, WANTED_VISITING, WANTED_KEPT, WANTED_LACKING } state;
	bool printed;			/* for the caller's use */
	char digest[DIGEST_LENGTH + 1];	/* digest of its ledger entry, if state is WANTED_KEPT */
};

struct wanted {
	/* Set by the caller: */
	const char *ledger;		/* the folder of the ledger */
	bool drafts;			/* see ledger_admit() */
	bool report;			/* print the reason if an entry is not used */

	char *list;			/* name of the file, for messages */
	struct wanted_run *run;		/* [n] in the order of the list; number of them that are
					 * lacking */
	size_t n, lacking;
};

/*
 * Read the list at `path`, or from standard input if `path` is NULL; or from n bytes at p, which
 * messages call `name`.  Return -1 with EXIT_INPUT and a message that names the line if a line is
 * malformed or a run is given twice.  The values of --updates and trainings= are checked, too,
 * since they determine estimates (run-cost.h).
 */
int wanted_read(struct wanted *w, const char *path, struct err *e) MUST_USE;
int wanted_read_memory(struct wanted *w, const char *name, const void *p, size_t n,
		       struct err *e) MUST_USE;
void wanted_release(struct wanted *w);

/*
 * Compares all runs with the ledger: sets `state` and `digest` of each, and w->lacking.  A run is
 * WANTED_LACKING if the ledger has no entry of it that may be used, or if a run that it depends on
 * is lacking.  Returns -1 with EXIT_USAGE if a run depends on itself or on a run that is not in the
 * list, or as data_sums_facts() (data-sums.h) for a file of checksums; a file that is not there is
 * ignored.
 */
int wanted_compare(struct wanted *w, struct err *e) MUST_USE;

/* Is a name that of a search, PAPER/search/COLUMN/NAME? */
bool wanted_is_search(const char *name);

/*
 * After wanted_compare(), for a loop over the runs that a run r depends on: returns the next one,
 * or NULL after the last.  Before the first call, set *s to r->after.
 */
struct wanted_run *wanted_next(const struct wanted *w, const char **s);

#endif
