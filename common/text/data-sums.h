/*
 * data-sums: sums of the data that a run reads, as facts (facts.h, ledger.h).
 *
 * A line of the file is a split, a field, its sum and the number of records, as heed-check --sum has
 * them, with tabs between; the field "together" is all fields that models can read.
 */
#ifndef DATA_SUMS_H
#define DATA_SUMS_H

#include "base/buf.h"
#include "base/compiler.h"
#include "base/err.h"

/* Appends pairs.SPLIT and data.SPLIT of "together", and target.SPLIT of tgt.pieces. */
int data_sums_facts(const char *path, struct buf *out, struct err *e) MUST_USE;

#endif
