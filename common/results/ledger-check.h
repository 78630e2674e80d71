/*
 * ledger-check: checks the entries of a ledger (ledger.h), each by itself and against the others.
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
 * Checks the n records at `path`, and prints errors with err_print(): for each entry the first
 * error of the entry itself, and its conflicts with the entries before.  `engine` and `drafts` are
 * those of ledger_admit().  Errors of an entry are a refusal by ledger_admit(),
 * ledger_check_digest(), ledger_check_files() or ledger_check_checksum(), and facts that do not
 * agree with the files next to the record.  Conflicts are entries of the same run that do not
 * agree; entries of different runs with the same name; a training that is recorded with two seeds;
 * and, if there are none of these, entries of a paper that ledger_check_comparable() refuses.
 * *good becomes true if there were no errors, and false otherwise.  Returns -1 if a record cannot
 * be read.
 */
int ledger_check(const char *const *path, int n, int64_t engine, bool drafts, bool *good,
		 struct err *e) MUST_USE;

/*
 * Returns 0 if the files next to a record are complete, else -1; the message names the file.  The
 * files are the streams SCORES_FILE and SCORES_LOG of run-scores.h, which must have their end
 * records, and model.tsv, the output of nmt-info(1), which must end with a line end and have rows
 * with the parameters and the version of the record.
 */
int ledger_check_files(const struct facts *f, struct err *e) MUST_USE;

/*
 * Returns 0 if the scores of a record are those that follow from its sentences, s, and otherwise -1
 * with EXIT_INPUT and a message that names file and fact.
 */
int ledger_check_scores(const struct facts *f, const struct run_scores *s, struct err *e) MUST_USE;

#endif
