/*
 * claims-findings: what the claims of a whole grid show: the sentences of the grid with their slots
 * filled (finding.h), the number of claims with each verdict, and the numbers of seeds that would
 * decide the open claims.
 */
#ifndef CLAIMS_FINDINGS_H
#define CLAIMS_FINDINGS_H

#include "results/claims.h"

/*
 * Appends tab-separated lines with the columns kind, claims and text: "finding" for each sentence
 * of the grid whose slots all have a value, "verdict" for each verdict with its number of claims,
 * and "open" for a sentence on the open claims.  A claim counts once in each column in which it was
 * run, and once if it was not run.  Returns 0, or -1 like claims_judge().
 */
int claims_findings(const struct outcomes *o, struct buf *out, struct err *e) MUST_USE;

#endif
