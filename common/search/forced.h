/*
 * forced: runs a model over the sentences of a stream with given targets, batch after batch.
 *
 * It is what programs with teacher forcing have in common: the fields that a model reads, the
 * choice of the target field, and batches of about the same number of tokens.
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
 * Which field has the targets.  TARGET_HYP: the translation, hyp, which every sentence must have.
 * TARGET_REF: the reference, tgt.  TARGET_ANY: hyp if the sentence has it, otherwise tgt.
 */
enum forced_target { TARGET_ANY, TARGET_HYP, TARGET_REF };
extern const char *const forced_targets[];	/* the names, for an option */
#define OPT_TARGET(v, text) { .kind = OPT_CHOICE, .long_name = "target", .arg = "name", \
	.help = text, .to = (v), .choice = forced_targets }

struct forced {
	/* The members up to arg are set by the caller. */
	struct model *m;
	struct runtime *run;
	struct reader *in;
	enum forced_target target;
	bool encoder;			/* run only the encoder: there are no targets */
	int64_t batch_tokens;		/* approximate number of tokens of both sides in a batch; 0:
					 * forced_tokens() */
	/*
	 * The last part of the warning about target tokens that the model's output mask excludes,
	 * such as "no loss counts them".  NULL: no warning.
	 */
	const char *masked_effect;
	/*
	 * Called for each batch.  The batch has been passed to model_batch(), the tape is empty,
	 * and the batch outlives what is put on it.  Its records are f->rec[0 .. f->n), in the
	 * order of the stream, with the model's first tokens; f->given[i] is record i as it was
	 * read.  The function may change the records when it no longer needs the batch.  Errors
	 * must name the input.
	 */
	int (*work)(void *arg, struct forced *f, struct batch *b, struct err *e);
	/*
	 * May be NULL.  Called for each record that --too-long skip leaves out, unchanged, after
	 * work() for all records before it.
	 */
	int (*skip)(void *arg, struct record *rec, struct err *e);
	struct audit audit;		/* the caller sets its action, too_long */
	void *arg;

	/* The other members are private to forced.c; the caller sets them to zero. */
	struct record *rec[FORCED_SENTENCES], *given[FORCED_SENTENCES];
	int64_t number[FORCED_SENTENCES];
	int n;
	int64_t tokens;
	int64_t hyps;			/* sentences so far whose target was hyp */
	struct arena mem;		/* memory that is reused for each batch */
};

/*
 * Returns the fields that a model and its attention variants need, followed by those in `more`
 * (which may be NULL).  A target is required only for TARGET_REF.  A model without BPE codes reads
 * subwords or text: neither is required here, but batch_make() fails without both.  The caller
 * frees the array.
 */
struct field *forced_needs(const struct model *m, enum forced_target target,
			   const struct field *more);

/*
 * The usual number of tokens of both sides in a batch: 2048, or fewer for a large model, so that
 * the memory of the tape is about 512 MiB.
 */
int64_t forced_tokens(const struct model *m);

/* Does the header declare a field that can be the target? */
bool forced_has_target(const struct header *h);

/*
 * Reads the stream once to its end.  Warns about sentences that are too long or lack a field that
 * the model reads, about many unknown tokens, and about target tokens that the model's output mask
 * excludes.  Returns -1 with EXIT_INPUT, naming stream and record, if a record does not fit the
 * model.
 */
int forced_run(struct forced *f, struct err *e) MUST_USE;

/* Does the record have a translation that the model can read: hyp.pieces or, without BPE, hyp? */
bool forced_has_hyp(const struct model *m, const struct record *rec);

/*
 * Replaces the target of the record by its translation, if `target` is TARGET_HYP or, for a record
 * that has one, TARGET_ANY.  Returns -1 with EXIT_INPUT if there is no translation and `target` is
 * TARGET_HYP.
 */
int forced_choose(const struct model *m, struct record *rec, enum forced_target target,
		  struct err *e) MUST_USE;
/*
 * Replaces the source of the record, src and src.pieces, by corrupted and corrupted.pieces.  All
 * other fields of the source are kept.  Returns -1 with EXIT_INPUT if the record has no corrupted
 * source that the model can read.
 */
int forced_corrupt(const struct model *m, struct record *rec, struct err *e) MUST_USE;

/* The rules of the batches that the function work() gets. */
struct batch_rules forced_rules(const struct forced *f);

#endif
