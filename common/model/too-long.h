/*
 * too-long: what to do with sentences that have more tokens than a model accepts.
 *
 * This is the same in all programs that run a model over a stream.  --too-long fail ends the
 * program, skip leaves the sentence out, and cut drops its end.  skip and cut print a warning for
 * each such sentence, and their number at the end.
 */
#ifndef TOO_LONG_H
#define TOO_LONG_H

#include <stdbool.h>
#include <stdint.h>

#include "base/cli.h"
#include "data/batch.h"
#include "model/model.h"

enum too_long_action { TOO_LONG_FAIL, TOO_LONG_SKIP, TOO_LONG_CUT };
extern const char *const too_long_actions[];

/* A row of the option table.  usual: the name of the default, for --help. */
#define OPT_TOO_LONG(v, usual) { .kind = OPT_CHOICE, .long_name = "too-long", .arg = "action", \
	.to = (v), .choice = too_long_actions, \
	.help = "action on sentences longer than the model accepts (" usual ")" }

struct too_long {
	int action;			/* set by the caller before too_long_begin() */
	struct batch_rules rules;	/* with_target may be changed between sentences */
	int64_t sentences, found;	/* checked so far; too long among them */
};

/*
 * Takes the maximum length from the model.  Returns -1 with EXIT_USAGE if the action is to cut and
 * an attention variant reads masks or positions of whole sentences from the records.
 */
int too_long_begin(struct too_long *t, const struct model *m, bool with_target,
		   struct err *e) MUST_USE;

/*
 * Checks a record; where is its place, such as "in.heed: record 3", for the warning.  Returns 1 to
 * leave the record out, and 0 to use it: in batches with rules.cut if the action is to cut.
 * Returns -1 with EXIT_INPUT if the action is to fail; the error does not name the place.
 */
int too_long_check(struct too_long *t, const struct record *rec, const char *where,
		   struct err *e) MUST_USE;

/*
 * Sets src.cut and tgt.cut of a record to be written: the number of its tokens that are retained if
 * the checked record, which may have the model's first token in addition, is cut.  Deletes the
 * field of a side that is not cut.
 */
void too_long_mark(const struct too_long *t, const struct record *checked, struct record *written);

/* Declares the fields that too_long_mark() sets in the header of a stream. */
void too_long_declare(const struct too_long *t, bool with_target, struct writer *out);

/* The name of the note that counts such sentences: "sentences.skipped" or "sentences.cut". */
const char *too_long_note(const struct too_long *t);

/* Prints the number of sentences that were skipped or cut as a warning, unless it is 0. */
void too_long_end(const struct too_long *t);

#endif
