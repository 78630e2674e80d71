/*
 * score-table: the tables of score-report.h.  Only score-report.c and score-table.c use this
 * header.
 */
#ifndef SCORE_TABLE_H
#define SCORE_TABLE_H

#include "scores/score-report.h"

/*
 * Returns a score or a difference of scores, from 0 to 100, in the unit of the report: BLEU of
 * mteval is from 0 to 1, all other scores are from 0 to 100.  `one` tells the metric.
 */
double report_scaled(const struct report *r, const struct result *one, double score);
/* Appends report_scaled(), rounded as the report requires. */
void report_score(const struct report *r, const struct result *one, double score, struct buf *out);
/* Appends `before` and the details of the metric, such as precisions; nothing without details. */
void report_details(const struct result *one, const char *before, struct buf *out);

/*
 * Appends the `n` results as TSV: a line with the names of the columns, and a line for each result.
 * A missing value is an empty cell.
 */
void table_tsv(const struct report *r, const struct result *result, size_t n, struct buf *out);

/*
 * Appends a table for each metric, in aligned columns or as a tabular for LaTeX.  If r->paired is
 * true, it includes the tests of each system against the baseline, which is the first result of the
 * metric.
 */
void table_paired(const struct report *r, const struct result *result, size_t n, struct buf *out);

#endif
