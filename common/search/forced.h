/*
 * forced: runs a model over the sentences of a stream with given targets, batch after batch.
 *
 * Programs with teacher forcing, which compute losses or analyze attention, use it to find the
 * fields that a model reads, to choose the target field, and to get batches of about the same
 * number of tokens.
 */
#ifndef FORCED_H
#define FORCED_H

#include <stdbool.h>
#include <stdint.h>

#include "base/err.h"
#include "data/batch.h"
#include "model/model-input.h"
#include "model/runtime.h"
#include "stream/stream.h"

enum { FORCED_SENTENCES = 512 };	/* maximum number of sentences in a batch */

/*
 * The field with the targets.  TARGET_HYP: `hyp`, a translation, which every sentence must have.
 * TARGET_REF: `tgt`, the reference.  TARGET_ANY: `hyp` if the sentence has it, otherwise `tgt`.
 */
enum forced_target { TARGET_ANY, TARGET_HYP, TARGET_REF };
extern const char *const forced_targets[];	/* "any", "hyp", "ref", NULL: the values of
						 * OPT_TARGET */
#define OPT_TARGET(v, text) { .kind = OPT_CHOICE, .long_name = "target", .arg = "name", \
	.help = text, .to = (v), .choice = forced_targets }

struct forced {
	/* The members up to arg are set by the caller. */
	struct model *m;
	struct runtime *run;
	struct reader *in;
	enum forced_target target;
	bool encoder;			/* run only the encoder; targets are not read */
	int64_t batch_tokens;		/* approximate number of tokens of a batch, source and
					 * target together; 0: forced_tokens() */
	/*
	 * The last part of the warning about target tokens that the model's output mask excludes,
	 * such as "no loss counts them".  NULL: no warning.
	 */
	const char *masked_effect;
	/*
	 * Called for each batch `b`, which model_batch() made and which outlives the nodes on the
	 * tape.  The tape is empty.  The records of the batch are f->rec[0] to f->rec[f->n - 1], in
	 * the order of the stream, with the first tokens of the model (model/model-input.h);
	 * f->given[i] is record i as it was read.  When the function no longer needs the batch, it
	 * may change these records.  It returns 0, or -1 with an error that names the input.
	 */
	int (*work)(void *arg, struct forced *f, struct batch *b, struct err *e);
	/*
	 * NULL, or a function that is called for each record that --too-long skip leaves out, after
	 * work() was called for all records before it.  The record is unchanged.
	 */
	int (*skip)(void *arg, struct record *rec, struct err *e);
	struct audit audit;		/* the caller sets audit.too_long (data/audit.h) */
	void *arg;			/* the first argument of work() and skip() */

	/*
	 * The caller sets the other members to zero.  work() may read rec, given and n, and the
	 * caller hyps; the others are private to forced.c.
	 */
	struct record *rec[FORCED_SENTENCES], *given[FORCED_SENTENCES];
	int64_t number[FORCED_SENTENCES];
	int n;
	int64_t tokens;
	int64_t hyps;			/* number of sentences so far whose target was `hyp` */
	struct arena mem;		/* memory of the current batch */
};

/*
 * Opens a stream of sentences like reader_open() (stream.h), and checks that it has the fields that
 * a model and its attention variants need, and those in `more`, which may be NULL.  A target field
 * is required only with TARGET_REF.  A model without segmentation reads subwords or text, so that
 * neither field is required; batch_make() fails if a record has neither.  forced_check() checks
 * this, without `more`, for another model; it returns -1 with EXIT_INPUT if a field is missing.
 */
struct reader *forced_open(const struct model *m, enum forced_target target,
			   const struct field *more, const char *path, unsigned flags,
			   struct err *e) MUST_USE;
int forced_check(const struct model *m, enum forced_target target, const struct reader *reader,
		 struct err *e) MUST_USE;

/*
 * The default of `batch_tokens`: FORCED_TOKENS or, for a model larger than base, fewer, so that the
 * tape takes about 512 MiB.
 */
enum { FORCED_TOKENS = 2048 };
int64_t forced_tokens(const struct model *m);

/* Does the header declare a field with targets: tgt, hyp or their subwords? */
bool forced_has_target(const struct header *h);

/*
 * Reads the stream to its end and calls work() for all batches.  Then warns like model_audit_warn()
 * (model/model-input.h) about sentences, tokens and languages that do not suit the model and, if
 * f->masked_effect is set, about target tokens that the output mask excludes.  Returns -1 with
 * EXIT_INPUT if a record does not fit the model, and names stream and record.
 */
int forced_run(struct forced *f, struct err *e) MUST_USE;

/*
 * Does the record have a translation that the model can read: hyp.pieces or, for a model without
 * segmentation, hyp?
 */
bool forced_has_hyp(const struct model *m, const struct record *rec);

/*
 * Makes the translation of a record its target, with TARGET_HYP, and with TARGET_ANY if the record
 * has a translation; the other fields tgt.* are then deleted.  Also adds the first tokens of the
 * model to both sides.  Returns -1 with EXIT_INPUT if there is no translation with TARGET_HYP, or
 * as side_tokens_put_first() (data/side-tokens.h) does.
 */
int forced_choose(const struct model *m, struct record *rec, enum forced_target target,
		  struct err *e) MUST_USE;
/*
 * Replaces the source fields `src` and `src.pieces` of a record by its fields `corrupted` and
 * `corrupted.pieces`, and adds the first token of the model.  The other fields of the source, such
 * as trees, are unchanged.  Returns -1 with EXIT_INPUT if the record has no corrupted source that
 * the model can read.
 */
int forced_corrupt(const struct model *m, struct record *rec, struct err *e) MUST_USE;

/* The rules of the batches that are passed to work(). */
struct batch_rules forced_rules(const struct forced *f);

#endif
