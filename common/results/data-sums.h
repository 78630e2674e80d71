/*
 * data-sums: reads the checksums of the data that a run uses, and makes facts of them (facts.h,
 * ledger.h).
 *
 * Each line of the file has, separated by tabs, a split (train, dev or test), a field of the
 * stream, the checksum of the field, and the number of records, as heed-check --sum prints them.
 * The field "together" stands for all fields that models can read.
 */
#ifndef DATA_SUMS_H
#define DATA_SUMS_H

#include "base/buf.h"
#include "base/compiler.h"
#include "base/err.h"

/*
 * Reads the file at `path`, and appends lines with the facts pairs.SPLIT and data.SPLIT, the number
 * of records and the checksum of "together", and target.SPLIT, the checksum of tgt.pieces.  Returns
 * 0, or -1 with EXIT_INPUT if a line is malformed or a split has no line with "together", or -1 if
 * the file cannot be read.
 */
int data_sums_facts(const char *path, struct buf *out, struct err *e) MUST_USE;

#endif
