/*
 * claims-findings: what the claims of a whole grid show: the finding sentences of the grid with
 * filled slots (finding.h), the number of claims with each verdict (verdict.h), and the numbers of
 * further seeds that would decide the open claims.
 */
#ifndef CLAIMS_FINDINGS_H
#define CLAIMS_FINDINGS_H

#include "results/claims.h"

/*
 * Appends tab-separated lines with the columns kind, claims and text, first the names of the
 * columns.  A line of kind "finding" has a sentence of the grid whose slots all have a value,
 * "verdict" has a verdict and its number of claims, and "open" has a sentence on the open claims
 * and their number.  A claim counts once in each column of data in which it was run, and once if it
 * was not run.  Returns 0; -1 like claims_judge() (claims.h); or -1 with EXIT_INPUT if a sentence
 * has the mean of a fact that is not a number in its range (outcome_check_number() of outcome.h).
 */
int claims_findings(const struct outcomes *o, struct buf *out, struct err *e) MUST_USE;

#endif
