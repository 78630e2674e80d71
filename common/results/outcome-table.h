/*
 * outcome-table: a section of a paper's grid with the results of runs, as text; see
 * heed-table(1).
 */
#ifndef OUTCOME_TABLE_H
#define OUTCOME_TABLE_H

#include "base/buf.h"
#include "results/outcome.h"

enum outcome_form { OUTCOME_TSV, OUTCOME_BRIEF, OUTCOME_MD, OUTCOME_LATEX };

/*
 * Appends the table of o->section.  OUTCOME_TSV has one comparison per line, with every value.  The
 * other forms are for readers and have one row per system: OUTCOME_BRIEF tab-separated, OUTCOME_MD
 * in Markdown, OUTCOME_LATEX for LaTeX.  Sections of claims are written by claims_table() of
 * claims-table.h.  Returns 0, or -1 like claims_judge().
 */
int outcome_table(const struct outcomes *o, enum outcome_form form, struct buf *out,
		  struct err *e) MUST_USE;

#endif
