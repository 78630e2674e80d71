/*
 * outcome-table: a section of the grid of a paper (grid.h) with the results of runs, as a table;
 * see heed-table(1).
 */
#ifndef OUTCOME_TABLE_H
#define OUTCOME_TABLE_H

#include "base/buf.h"
#include "results/outcome.h"

enum outcome_form { OUTCOME_TSV, OUTCOME_BRIEF, OUTCOME_MD, OUTCOME_LATEX };

/*
 * Appends the table of o->section.  OUTCOME_TSV, for programs, has one comparison with a baseline
 * per line, with all values.  The other forms are for people and have one row per system:
 * OUTCOME_BRIEF tab-separated, OUTCOME_MD in Markdown, and OUTCOME_LATEX for LaTeX.  Sections of
 * claims are written by claims_table() (claims-table.h).  Returns 0, or -1 like claims_judge()
 * (claims.h).
 */
int outcome_table(const struct outcomes *o, enum outcome_form form, struct buf *out,
		  struct err *e) MUST_USE;

#endif
