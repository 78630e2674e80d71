/* outcome-table: a section of a paper's grid with our numbers, as text; see heed-table(1). */
#ifndef OUTCOME_TABLE_H
#define OUTCOME_TABLE_H

#include "base/buf.h"
#include "text/outcome.h"

enum table_form { TABLE_TSV, TABLE_BRIEF, TABLE_MD };

int outcome_table(const struct outcomes *o, enum table_form form, struct buf *out,
		  struct err *e) MUST_USE;

#endif
