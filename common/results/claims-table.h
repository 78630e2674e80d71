/*
 * claims-table: a section of claims with their verdicts, as tab-separated lines; see heed-table(1).
 */
#ifndef CLAIMS_TABLE_H
#define CLAIMS_TABLE_H

#include <stdbool.h>

#include "base/buf.h"
#include "results/outcome.h"

/*
 * Appends the claims of o->section as tab-separated lines, column names first.  All claims of the
 * grid are judged, because p-values are adjusted over all claims of a family (claims.h).  With
 * `all`, there is one line per comparison, with every value; otherwise one line per claim, for
 * readers.  Unless `notes` is NULL, appends the lines of claims_notes() to it.  Returns 0, or -1
 * like claims_judge().
 */
int claims_table(const struct outcomes *o, bool all, struct buf *out, struct buf *notes,
		 struct err *e) MUST_USE;

#endif
