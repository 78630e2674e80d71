/*
 * stored: what a ledger stores for later commands: in RESULTS/PAPER/command the settings of a
 * report, as NAME=VALUE or NAME='VALUE' in one line, and in a file "best" the options of nmt-train
 * that a search found.
 *
 * These texts become words of shell commands and of rules of make, and a ledger may be that of a
 * stranger.  So a character that these interpret is an error with file and line, and so is a
 * setting on which no report depends, such as a folder to write to.  Errors are those of the plan,
 * see fault() in plan.h.
 */
#ifndef PLAN_STORED_H
#define PLAN_STORED_H

#include "plan/plan.h"

/*
 * Gives p->conf the settings in RESULTS/PAPER/command that the command line does not have.  Without
 * this file, there are none.
 */
void stored_read(struct plan *p, const char *results, const char *paper);
/* Appends the line for this file, of the settings in p->conf; after stored_read(), see there. */
void stored_add(struct plan *p, struct buf *out);
/* The options in the file, which must be one line, an empty one for no options. */
const char *stored_best(struct plan *p, const char *path);

#endif
