/* score-table: results in rows and columns; what score-report.c shares with score-table.c. */
#ifndef SCORE_TABLE_H
#define SCORE_TABLE_H

#include "text/score-report.h"

int report_decimals(const struct report *r, const struct metric *m);
void report_score(const struct report *r, const struct result *one, double score, struct buf *out);

/* For other programs: one header line, one line a result, absent values empty. */
void table_tsv(const struct report *r, const struct result *result, size_t n, struct buf *out);

/* For people: the systems against the baseline, which is the first result of each metric. */
void table_paired(const struct report *r, const struct result *result, size_t n, struct buf *out);

#endif
