/*
 * too-long: what becomes of sentences that are longer than a model takes.
 *
 * One mechanism for all programs that run a model over a stream: --too-long fail ends the program,
 * skip leaves the sentence out, cut leaves out its end.  The last two warn of each such sentence,
 * and of their number at the end.
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

/* usual: the action in v unless the user gives one, for --help. */
#define OPT_TOO_LONG(v, usual) { .kind = OPT_CHOICE, .long_name = "too-long", .arg = "action", \
	.to = (v), .choice = too_long_actions, \
	.help = "sentences longer than the model takes: fail, skip or cut (" usual ")" }

struct too_long {
	int action;			/* the caller's, before too_long_begin() */
	struct batch_rules rules;	/* with_target may be changed between sentences */
	int64_t sentences, found;	/* checked so far; longer than the model takes */
};

/*
 * -1 and EXIT_USAGE if sentences are to be cut and a variant reads more of a record than symbols:
 * masks and positions of whole sentences.
 */
int too_long_begin(struct too_long *t, const struct model *m, bool with_target,
		   struct err *e) MUST_USE;
/*
 * Of one record, at a place like "in.heed: record 3": 1: leave it out; 0: it goes into batches
 * that have rules.cut if that is the action; -1 and EXIT_INPUT, which does not name the place.
 */
int too_long_check(struct too_long *t, const struct record *rec, const char *where,
		   struct err *e) MUST_USE;
/*
 * In a record that is written, how many symbols are left of what was checked: src.cut and tgt.cut,
 * which are deleted where nothing was cut.
 */
void too_long_mark(const struct too_long *t, const struct record *checked, struct record *written);
void too_long_declare(const struct too_long *t, bool with_target,
		      struct writer *out);	/* these fields, if any */
const char *too_long_note(const struct too_long *t);	/* "sentences.skipped" or "sentences.cut" */
/* The summary: a warning, if there were any. */
void too_long_end(const struct too_long *t);

#endif
