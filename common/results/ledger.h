/*
 * ledger: a ledger is a folder with the results of runs, an entry for each.  Here is what
 * identifies a run, and the conditions under which entries may be used and compared.
 *
 * The main file of an entry is its record, the facts of the run (facts.h).  A run is identified by
 * its digest: a hash of the engine number, its settings, the runs that it depends on, and its data.
 * The facts that are used here are:
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
 * Appends the words of a command in a canonical form: separated by single blanks, in their order,
 * without options that do not change the result, such as threads, progress, and the names of input,
 * output and log files.
 */
void ledger_settings(const char *command, struct buf *out);

/* Computes the digest of f, 16 hexadecimal digits, from the other facts. */
enum { DIGEST_LENGTH = 16 };
void ledger_digest(const struct facts *f, char digest[DIGEST_LENGTH + 1]);

/*
 * The name of the first fact in which two entries differ and which is part of the digest; NULL if
 * there is none.
 */
const char *ledger_digests_differ(const struct facts *a, const struct facts *b);

/*
 * Returns 0 if the fact digest is the digest of the other facts, and otherwise -1 with EXIT_INPUT.
 * heed-record writes this fact last, so that a record without it is truncated.
 */
int ledger_check_digest(const struct facts *f, struct err *e) MUST_USE;

/*
 * ledger_checksum() computes the checksum of the names, values and order of all facts but checksum
 * and digest: 16 hexadecimal digits.  ledger_check_checksum() returns 0 if the fact checksum has
 * this value or is missing, and otherwise -1 with EXIT_INPUT.
 */
void ledger_checksum(const struct facts *f, char sum[DIGEST_LENGTH + 1]);
int ledger_check_checksum(const struct facts *f, struct err *e) MUST_USE;

/*
 * Returns 0 if an entry may be used, and otherwise -1 with EXIT_INPUT and a message that names file
 * and fact.  An entry is refused if its engine number is not `engine` or its digest is not that of
 * its facts.  An entry without a digest is accepted, because heed-table reads records that were
 * made by hand.  Unless `drafts` is true, an entry is also refused if it has no engine number or
 * commit, or if the source tree of its programs had uncommitted changes.
 */
int ledger_admit(const struct facts *f, int64_t engine, bool drafts, struct err *e) MUST_USE;

/*
 * Compares an entry with the facts of a wanted run (wanted.h).  Returns the name of the first of
 * the facts paper, column, variant, seed, settings, after and data.* that differs, or NULL if the
 * entry is that of the wanted run.  Facts data.* that `wanted` lacks are not compared.
 */
const char *ledger_differs(const struct facts *entry, const struct facts *wanted);

/*
 * Returns 0 if, in each column, the scores of all runs can be compared, and otherwise -1 with
 * EXIT_INPUT.  In a column that is a sample of the data, only runs with the same seed must be
 * comparable.  Two runs are comparable if the target tokens of all splits are the same (target.*).
 * If both have the facts, these must also be equal: profile; the signatures of the scores, except
 * for versions; test.sentences; and the number of target tokens of the test set, test.tokens +
 * test.masked.
 */
int ledger_all_comparable(const struct facts *run, size_t n, struct err *e) MUST_USE;
/*
 * Checks whether run i is comparable, in this sense, with the runs before it in the array or, with
 * `of_paper`, with those of the same paper.
 */
int ledger_check_comparable(const struct facts *run, size_t i, bool of_paper,
			    struct err *e) MUST_USE;

/*
 * Returns 0 if two entries have the same seed or are different trainings, and otherwise -1 with
 * EXIT_INPUT.  They are the same training if all facts of their digests are equal and their results
 * agree, or if they agree in test.nll, bleu, updates and finished.
 */
int ledger_check_seeds(const struct facts *a, const struct facts *b, struct err *e) MUST_USE;

/*
 * Are two entries of a column and seed the same training, perhaps of two variants?  They are if
 * they agree in test.nll, bleu, updates and tokens, even if settings that have no effect differ.
 */
bool ledger_same_training(const struct facts *a, const struct facts *b);

/*
 * Returns 0 if each run would count once in tables and claims, and otherwise -1 with EXIT_INPUT and
 * a message that names both files.  No two runs may have the same column, variant and seed, and two
 * seeds of a variant on a column must be different trainings (ledger_check_seeds()).
 */
int ledger_all_distinct(const struct facts *run, size_t n, struct err *e) MUST_USE;

/*
 * The fact test.masked, the number of target tokens with probability 0, which test.nll leaves out;
 * 0 if the entry lacks the fact.
 */
double ledger_masked(const struct facts *f);

/*
 * For two entries with the same digest: returns 0 if their results differ by no more than the
 * results of different processors may, and otherwise -1 with EXIT_INPUT and a message that names
 * the fact that differs.
 */
int ledger_agree(const struct facts *a, const struct facts *b, struct err *e) MUST_USE;

#endif
