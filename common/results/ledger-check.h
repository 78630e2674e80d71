/*
 * ledger-check: checks entries of the ledger, alone and with each other.
 */
#ifndef LEDGER_CHECK_H
#define LEDGER_CHECK_H

#include <stdbool.h>
#include <stdint.h>

#include "base/compiler.h"
#include "base/err.h"
#include "results/facts.h"
#include "results/run-scores.h"

/*
 * Reads n records and prints every error with err_print(), not only the first: entries that
 * ledger_admit() or ledger_check_files() refuses, scores that are not those of the recorded
 * sentences, entries with the same digest that do not agree, a training that is recorded as two
 * seeds, and entries of a paper and column that ledger_check_comparable() refuses.  *good is set to
 * whether there was none.  Returns -1 if a record cannot be read.
 */
int ledger_check(const char *const *path, int n, int64_t engine, bool drafts, bool *good,
		 struct err *e) MUST_USE;

/*
 * Returns 0 if the files next to a record are complete, else -1; the message names the file.  The
 * streams must have their ends, and model.tsv the facts parameters and version, which are in its
 * last rows.
 */
int ledger_check_files(const struct facts *f, struct err *e) MUST_USE;

/*
 * Returns 0 if the scores of a record are those of its sentences, else -1 (EXIT_INPUT); the message
 * names file and fact.
 */
int ledger_check_scores(const struct facts *f, const struct run_scores *s, struct err *e) MUST_USE;

#endif
