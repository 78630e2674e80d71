/*
 * forced: the sentences of a stream through a model with given targets, batch after batch.
 *
 * What programs share that look at what a model does with translations that are there: the fields
 * it takes, which field is the target, and batches of about as many symbols each.
 */
#ifndef FORCED_H
#define FORCED_H

#include <stdbool.h>
#include <stdint.h>

#include "base/err.h"
#include "data/batch.h"
#include "data/unknown.h"
#include "model/masked.h"
#include "model/runtime.h"
#include "model/too-long.h"
#include "stream/stream.h"

enum { FORCED_SENTENCES = 512 };	/* in a batch at most */

/*
 * Whose words are the target: the model's translation, hyp, which must be there and has no
 * substitute; those given, tgt; or hyp where a sentence has it, else tgt.
 */
enum forced_target { TARGET_ANY, TARGET_HYP, TARGET_REF };
extern const char *const forced_targets[];	/* for an option */
#define OPT_TARGET(v, text) { .kind = OPT_CHOICE, .long_name = "target", .arg = "name", \
	.help = text, .to = (v), .choice = forced_targets }

struct forced {
	struct model *m;		/* the caller's, up to arg */
	struct runtime *run;
	struct reader *in;
	enum forced_target target;
	bool encoder;			/* only that: there is no target */
	int64_t batch_tokens;		/* symbols of both sides in a batch, about */
	const char *masked_so;		/* what follows where the model masks target tokens, for a
					 * warning; NULL: nothing */
	/*
	 * A batch, which model_batch() has seen, and which outlives the tape, empty now.  Its
	 * records are f->rec[0 .. f->n), in the order of the stream, which it may change when
	 * it is done with the batch.  What it says of an input names the input itself.
	 */
	int (*work)(void *arg, struct forced *f, struct batch *b, struct err *e);
	/*
	 * NULL, or a record that is left out by --too-long skip, as it came, when all before it are
	 * done.
	 */
	int (*skip)(void *arg, struct record *rec, struct err *e);
	struct too_long too_long;	/* its action */
	void *arg;
	struct record *rec[FORCED_SENTENCES];	/* from here on forced.c's: all zeros at first */
	int64_t number[FORCED_SENTENCES];
	int n;
	int64_t tokens;
	int64_t hyps;			/* sentences so far whose target was hyp */
	struct unknown unknown;
	struct masked masked;
	struct arena mem;		/* of a batch */
};

/*
 * The fields that a model takes from its stream, the variants' among them, and then those in more
 * (NULL: none): an array that is the caller's to free.  A target is asked for only if it must
 * be given.
 */
struct field *forced_needs(const struct model *m, enum forced_target target,
			   const struct field *more);
/* Does the header promise a target? */
bool forced_has_target(const struct header *h);

/*
 * Reads the stream to its end, once, and warns of sentences that are too long, and if the model
 * hardly knows its symbols, or masks some.
 * EXIT_INPUT, naming stream and record, if one does not fit the model.
 */
int forced_run(struct forced *f, struct err *e) MUST_USE;

/* Has it a translation that the model can read: hyp.pieces, or, without byte pair encoding, hyp? */
bool forced_has_hyp(const struct model *m, const struct record *rec);
/*
 * Puts the translation in the place of the target, where that is asked for.  -1 and EXIT_INPUT
 * if there is none and TARGET_HYP.
 */
int forced_choose(const struct model *m, struct record *rec, enum forced_target target,
		  struct err *e) MUST_USE;

#endif
