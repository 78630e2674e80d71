/* claims-table: a section of claims with their verdicts, cells with tabs between; see heed-table(1). */
#ifndef CLAIMS_TABLE_H
#define CLAIMS_TABLE_H

#include <stdbool.h>

#include "base/buf.h"
#include "text/outcome.h"

/*
 * The claims of o->section, judged with those of all other sections of the grid: with all there is to
 * know, a line a comparison, or as people read them, a line a claim.
 */
int claims_table(const struct outcomes *o, bool all, struct buf *out, struct err *e) MUST_USE;

#endif
