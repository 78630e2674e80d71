/*
 * claims-table: a section of claims (claims.h) with their verdicts, as tab-separated lines; see
 * heed-table(1).
 */
#ifndef CLAIMS_TABLE_H
#define CLAIMS_TABLE_H

#include <stdbool.h>

#include "base/buf.h"
#include "results/outcome.h"

/*
 * Appends the claims of o->section as tab-separated lines, first the names of the columns.  All
 * claims of the grid are judged, because p-values are adjusted over all claims of a family.  If
 * `all` is true, each comparison of a system with a baseline has a line with all values, for
 * programs; otherwise each claim has one line, for people.  If `notes` is not NULL, the lines of
 * claims_notes() are appended to it.  Returns 0, or -1 like claims_judge().
 */
int claims_table(const struct outcomes *o, bool all, struct buf *out, struct buf *notes,
		 struct err *e) MUST_USE;

#endif
