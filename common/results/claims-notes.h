/*
 * claims-notes: sentences on the verdicts of a section of claims, and the check of the statistical
 * model of its runs.
 */
#ifndef CLAIMS_NOTES_H
#define CLAIMS_NOTES_H

#include "results/claims.h"

/*
 * Appends lines for section s of the grid.  For each column of data in which a claim of the section
 * was tested, there is a line that begins with "> " and has sentences on the verdicts.  After
 * these, for each column and each host group whose systems its claims compare, there is a line that
 * begins with "> - " and has the check of the additive model (group_check() of host-group.h).  In
 * Markdown these lines are a quotation; in a sheet (sheet.h) they are the notes.
 */
void claims_notes(const struct claims *c, const struct outcomes *o, const struct grid_section *s,
		  struct buf *out);

#endif
