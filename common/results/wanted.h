/*
 * wanted: reads a list of wanted runs, and finds those that a ledger has.
 *
 * A line of the list has a run PAPER/COLUMN/VARIANT/SEED, the runs that it depends on, separated by
 * blanks, or "-", a file of checksums of its data or "-" (data-sums.h), and its settings, separated
 * by tabs.  A search for settings, PAPER/search/COLUMN/NAME, is in the list until it has been made.
 */
#ifndef WANTED_H
#define WANTED_H

#include <stdbool.h>
#include <stddef.h>

#include "results/ledger.h"

struct wanted_run {
	char *name, *after, *sums, *settings;
	enum { WANTED_UNKNOWN, WANTED_VISITING, WANTED_KEPT, WANTED_LACKING } state;
	bool printed;			/* for use by the caller */
	char digest[DIGEST_LENGTH + 1];	/* digest of its entry in the ledger, if state is
					 * WANTED_KEPT */
};

struct wanted {
	/* Set by the caller: */
	const char *ledger;		/* the folder */
	bool drafts;			/* see ledger_admit() */
	bool report;			/* print why an entry is not used */

	struct wanted_run *run;		/* [n] in the order of the list */
	size_t n, lacking;
};

/*
 * Reads a list (NULL: standard input); returns -1 with EXIT_INPUT, naming the line, if it is
 * malformed or a run is given twice.
 */
int wanted_read(struct wanted *w, const char *path, struct err *e) MUST_USE;
void wanted_release(struct wanted *w);

/*
 * Compares all runs with the ledger: sets state, digest and w->lacking.  A run is also lacking if a
 * run that it depends on is lacking.  Returns -1 with EXIT_USAGE if a run depends on itself or on a
 * run that is not in the list.
 */
int wanted_compare(struct wanted *w, struct err *e) MUST_USE;

/* Is the name that of a search, PAPER/search/COLUMN/NAME? */
bool wanted_is_search(const char *name);

/*
 * After wanted_compare(), loops over the runs that a run r depends on: returns the next one, or
 * NULL after the last.  *s must be r->after at first.
 */
struct wanted_run *wanted_next(const struct wanted *w, const char **s);

#endif
