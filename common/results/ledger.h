/*
 * ledger: the identity of runs, and the conditions under which they may be used and compared.
 *
 * The entry of a run is its facts (facts.h).  A run is identified by its digest: a hash of the
 * engine that made it, its settings, the runs that it depends on, and its data.  The facts are:
 *
 *	engine              number of the engine, model/engine.h
 *	settings            options of training, decoding and scoring, see ledger_settings()
 *	after               digests of the runs that it depends on, separated by blanks, or "-"
 *	closed              list of the heads that were masked from the first update, if any
 *	data.SPLIT          checksum of all fields of train, dev or test that models can read
 *	target.SPLIT        checksum of the target tokens; equal where scores are comparable
 *	checksum            hash of all facts but digest; records of heed 0.6.0 lack it
 *	digest              hash of engine, settings, after, closed and data.*
 *	commit              output of git describe --always --dirty
 */
#ifndef LEDGER_H
#define LEDGER_H

#include <stdbool.h>
#include <stdint.h>

#include "base/buf.h"
#include "base/compiler.h"
#include "base/err.h"
#include "results/facts.h"

/*
 * Appends the options of a command in a canonical form: separated by single blanks, without options
 * that do not change the result (threads, input, output and log files).  The order is kept.
 */
void ledger_settings(const char *command, struct buf *out);

/* Computes the digest of f: 16 hexadecimal digits.  The fact "digest" is not read. */
enum { DIGEST_LENGTH = 16 };
void ledger_digest(const struct facts *f, char digest[DIGEST_LENGTH + 1]);

/* The first fact of two entries that makes their digests differ, or NULL if these are equal. */
const char *ledger_digests_differ(const struct facts *a, const struct facts *b);

/*
 * Returns 0 if the fact "digest" is that of the other facts, else -1 (EXIT_INPUT).  heed-record
 * writes this fact last: a record without it is truncated.
 */
int ledger_check_digest(const struct facts *f, struct err *e) MUST_USE;

/*
 * ledger_checksum() computes the checksum of the names, values and order of the facts, without
 * "checksum" and "digest": 16 hexadecimal digits.  ledger_check_checksum() returns 0 if f has this
 * checksum or none, else -1 (EXIT_INPUT).
 */
void ledger_checksum(const struct facts *f, char sum[DIGEST_LENGTH + 1]);
int ledger_check_checksum(const struct facts *f, struct err *e) MUST_USE;

/*
 * Returns 0 if the entry may be used.  Otherwise returns -1 (EXIT_INPUT); the message names file
 * and fact.  An entry is refused if its engine differs or its digest is not that of its facts.  An
 * entry without a digest is accepted, since heed-table reads entries that were made by hand.
 * Unless `drafts` is set, it is also refused if it has no engine or commit, or if the source tree
 * had uncommitted changes.
 */
int ledger_admit(const struct facts *f, int64_t engine, bool drafts, struct err *e) MUST_USE;

/*
 * Compares an entry with a wanted run.  Returns the name of the first fact that differs, of paper,
 * column, variant, seed, settings, after and data.*, or NULL if the entry is the wanted run.  Facts
 * data.* that wanted lacks are not compared.
 */
const char *ledger_differs(const struct facts *entry, const struct facts *wanted);

/*
 * Returns 0 if the scores of all runs of a column can be compared, else -1 (EXIT_INPUT).  In a
 * column that is a sample of the data, only runs with the same seed must be comparable.  The target
 * tokens must be the same in all splits.  If both entries have them, these must be equal, too: the
 * profile, the signatures except for versions, test.sentences, and the number of tokens of the test
 * set, test.tokens and test.masked.
 */
int ledger_all_comparable(const struct facts *run, size_t n, struct err *e) MUST_USE;
/*
 * The same for run i and the runs before it or, with `of_paper`, those of the same paper before it.
 */
int ledger_check_comparable(const struct facts *run, size_t i, bool of_paper,
			    struct err *e) MUST_USE;

/*
 * Returns 0 if two entries have the same seed or are different trainings, else -1 (EXIT_INPUT).
 * They are the same training if their settings, data and everything else in their digests are
 * equal and so are their results, or if they agree in test.nll, bleu, updates and finished.
 */
int ledger_check_seeds(const struct facts *a, const struct facts *b, struct err *e) MUST_USE;

/*
 * Returns 0 if each run counts once, else -1 (EXIT_INPUT); the message names both files.  No two
 * runs may have the same column, variant and seed, which identify a run in tables and claims, and
 * two seeds of a variant must be different trainings.
 */
int ledger_all_distinct(const struct facts *run, size_t n, struct err *e) MUST_USE;

/* test.masked, the number of tokens that test.nll leaves out; 0 if the entry lacks it. */
double ledger_masked(const struct facts *f);

/*
 * For two entries with the same digest: returns 0 if their results agree within the differences
 * between processors, else -1 (EXIT_INPUT); the message names the fact that differs.
 */
int ledger_agree(const struct facts *a, const struct facts *b, struct err *e) MUST_USE;

#endif
