/*
 * claims-notes: what a section of claims found, in sentences, and whether the model of its runs
 * holds.
 */
#ifndef CLAIMS_NOTES_H
#define CLAIMS_NOTES_H

#include "results/claims.h"

/*
 * Appends, for each column in which section s has runs, a line "> " with sentences on the verdicts,
 * and then, for each host group of its claims, a line "> - " with the check of the model.  These
 * lines are a quotation in Markdown, and the notes of a sheet (sheet.h).
 */
void claims_notes(const struct claims *c, const struct outcomes *o, const struct grid_section *s,
		  struct buf *out);

#endif
