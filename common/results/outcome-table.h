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
 * Appends o->section: every value and one comparison per line (OUTCOME_TSV), or one row per system
 * for readers (OUTCOME_BRIEF), also in Markdown (OUTCOME_MD) and for LaTeX (OUTCOME_LATEX).
 * Sections of claims are judged, see claims.h.  Returns 0, or -1 like claims_judge().
 */
int outcome_table(const struct outcomes *o, enum outcome_form form, struct buf *out,
		  struct err *e) MUST_USE;

#endif
