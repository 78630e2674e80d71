/*
 * training: the state of the training of a parser (parser-train.h), its checkpoints, and the order
 * of its batches.
 */
#ifndef TRAINING_H
#define TRAINING_H

#include "base/progress.h"
#include "data/corpus.h"
#include "model/runtime.h"
#include "parser/gold.h"
#include "parser/parser-file.h"
#include "parser/parser-train.h"
#include "parser/part-gradients.h"
#include "parser/treebank.h"
#include "train/optimizer.h"

/* The order of the batches of a treebank, by the rules of data/corpus.h. */
struct sentence_order {
	struct corpus corpus;		/* has only the lengths of sentences, the same for source
					 * and target */
	struct corpus_order order;
};

void sentence_order_init(struct sentence_order *o, const struct treebank *b);
void sentence_order_release(struct sentence_order *o);

/*
 * The position of a training: number of completed updates; the current epoch, and the index of the
 * next batch in it.  Together with the parameters and the moments of Adam, it determines the rest
 * of the training.
 */
struct training_state {
	int64_t update, epoch, batch;
	double best;			/* accuracy_score() of the best validation; -1: none yet */
	int64_t best_update;		/* the update before that validation */
};

struct training {
	const struct parser_settings *set;
	struct lock *lock;		/* of the checkpoint; or NULL */
	struct network_config config;
	struct treebank bank, dev;
	struct parser parser;
	struct gold_bank gold, gold_dev;
	struct sentence_order order;
	int64_t order_epoch;		/* the epoch whose batches are in `order`, or -1 */
	struct optimizer optimizer;
	struct schedule schedule;
	struct runtime run;
	bool running, prepared;		/* `run` is open; training_prepare() was called */
	struct part_gradients *parts;
	real *best;			/* parameters after state.best_update; NULL without
					 * keep_best */
	struct buf settings;		/* lines of base/set-lines.h, which must be the same when a
					 * training resumes */
	struct training_state state;
	struct progress progress;
	double loss;			/* sum of the losses since the last validation */
	int64_t words;			/* number of words since the last validation */
};

/* Fills t->settings with the settings and the digests of the data, which must have been read. */
void training_describe(struct training *t);
/* Writes the checkpoint.  Fails with EXIT_DIVERGED if a value is not finite. */
int training_save(struct training *t, struct err *e) MUST_USE;
/*
 * Reads t->parser and t->state from the checkpoint, calls training_prepare(), and reads the moments
 * of Adam.  Returns -1 with EXIT_USAGE if the checkpoint is of other settings or data.
 */
int training_resume(struct training *t, struct err *e) MUST_USE;
/*
 * The part of training_resume() after t->parser has been read from the bundle b: reads the other
 * members, and closes b.  Returns -1 also if b is NULL.
 */
int training_take(struct training *t, struct bundle_in *b, struct err *e) MUST_USE;
/*
 * Makes what depends on the network: optimizer, schedule, encoded treebanks, order of batches, and
 * part_gradients.
 */
void training_prepare(struct training *t);
void training_release(struct training *t);

#endif
