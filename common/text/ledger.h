/*
 * ledger: which runs are the same, which may be used, and which compared.
 *
 * A run's entry is its facts (facts.h).  A run is known by its digest: of the engine that made it,
 * its settings, the runs that it began with, and its data.  Facts by their names:
 *
 *	engine              model/engine.h
 *	settings            options of training, decoding and scoring, ledger_settings()
 *	after               digests of the runs that it depends on, blanks between, or "-"
 *	closed              the list of heads that were closed from the start, if any
 *	data.SPLIT          sums of all fields of train, dev and test that models can read
 *	target.SPLIT        sums of the target tokens alone: what makes scores comparable
 *	digest              of all these but target.*
 *	commit              git describe --always --dirty
 */
#ifndef LEDGER_H
#define LEDGER_H

#include <stdbool.h>
#include <stdint.h>

#include "base/buf.h"
#include "base/compiler.h"
#include "base/err.h"
#include "text/facts.h"

/*
 * Options of a command in one form: single blanks, without those that change no result
 * (threads, files of input and output, logs).  Their order stays as it was given.
 */
void ledger_settings(const char *command, struct buf *out);

enum { DIGEST_LENGTH = 16 };
void ledger_digest(const struct facts *f, char digest[DIGEST_LENGTH + 1]);

/*
 * May the entry be used?  0, or -1 and EXIT_INPUT with the file, the fact and the reason: another
 * engine, another digest than its facts have, and, unless drafts are welcome, no engine, no commit
 * or that of a tree with changes.
 */
int ledger_admit(const struct facts *f, int64_t engine, bool drafts, struct err *e) MUST_USE;

/*
 * Is the entry that of a wanted run?  The first of settings, after and data.* that is another one in
 * what is wanted, or NULL; data.* count only as far as they are known there.
 */
const char *ledger_differs(const struct facts *entry, const struct facts *wanted);

/* May two entries be compared?  Their target tokens are the same in all splits. */
int ledger_comparable(const struct facts *a, const struct facts *b, struct err *e) MUST_USE;
/* The same for all that have one column, and one seed where the column is a draw. */
int ledger_all_comparable(const struct facts *run, size_t n, struct err *e) MUST_USE;

/*
 * Two entries of one digest: 0 if they agree in results but for rounding, or -1 and EXIT_INPUT with
 * the facts that differ.
 */
int ledger_agree(const struct facts *a, const struct facts *b, struct err *e) MUST_USE;

#endif
