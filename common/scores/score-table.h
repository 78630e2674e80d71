/* score-table: scores in rows and columns; functions that score-report.c shares with it. */
#ifndef SCORE_TABLE_H
#define SCORE_TABLE_H

#include "scores/score-report.h"

/* The number of decimals to print for a metric. */
int report_decimals(const struct report *r, const struct metric *m);
/* Appends a score, on the scale of the report. */
void report_score(const struct report *r, const struct result *one, double score, struct buf *out);

/* Appends TSV: a header line and one line per result; missing values are empty. */
void table_tsv(const struct report *r, const struct result *result, size_t n, struct buf *out);

/*
 * Appends an aligned table, or a tabular for LaTeX, for each metric.  If r->paired, the systems are
 * compared with the baseline, which is the first result of the metric.
 */
void table_paired(const struct report *r, const struct result *result, size_t n, struct buf *out);

#endif
