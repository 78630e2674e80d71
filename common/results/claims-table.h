/*
 * claims-table: a section of claims with their verdicts, cells with tabs between; see
 * heed-table(1).
 */
#ifndef CLAIMS_TABLE_H
#define CLAIMS_TABLE_H

#include <stdbool.h>

#include "base/buf.h"
#include "results/outcome.h"

/*
 * Appends the claims of o->section as tab-separated lines, column names first.  Their p-values are
 * adjusted for the claims of all sections of a family, so all are judged (claims.h).  `all`: every
 * value, one line per comparison; otherwise one line per claim, for readers.  `notes`: gets the
 * lines of claims_notes(); or NULL. Returns 0, or -1 like claims_judge().
 */
int claims_table(const struct outcomes *o, bool all, struct buf *out, struct buf *notes,
		 struct err *e) MUST_USE;

#endif
