/* training: the state of a parser training, and the order of its batches. */
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

/* The batches of a treebank in training, by the rules of data/corpus.h. */
struct sentence_order {
	struct corpus corpus;		/* has only lengths, the same for both sides */
	struct corpus_order order;
};

void sentence_order_init(struct sentence_order *o, const struct treebank *b);
void sentence_order_release(struct sentence_order *o);

/*
 * The position of a training.  Together with the parameters and the moments of Adam, it determines
 * the rest of the training.
 */
struct training_state {
	int64_t update, epoch, batch;
	double best;			/* accuracy_score() of the best validation; -1: none yet */
	int64_t best_update;
};

struct training {
	const struct parser_settings *set;
	struct lock *lock;		/* of the checkpoint, or NULL */
	struct network_config config;
	struct treebank bank, dev;
	struct parser parser;
	struct gold_bank gold, gold_dev;
	struct sentence_order order;
	int64_t order_epoch;		/* the epoch in order, or -1 */
	struct optimizer optimizer;
	struct schedule schedule;
	struct runtime run;
	bool running, prepared;
	struct part_gradients *parts;
	real *best;			/* parameters at state.best_update, or NULL */
	struct buf settings;		/* set-lines.h: must be equal when resuming */
	struct training_state state;
	struct progress progress;
	double loss;			/* sum since the last validation */
	int64_t words;			/* number of words since then */
};

/* Fills t->settings from the command line and the data, which must have been read. */
void training_describe(struct training *t);
/* Writes the checkpoint. */
int training_save(struct training *t, struct err *e) MUST_USE;
/*
 * Reads t->parser and t->state from the checkpoint, and calls training_prepare() when it has the
 * network.  Returns -1 with EXIT_USAGE for a checkpoint of other settings or data.
 */
int training_resume(struct training *t, struct err *e) MUST_USE;
/*
 * The same after t->parser has been read from b: reads the other members and closes b.  Fails if b
 * is NULL.
 */
int training_take(struct training *t, struct bundle_in *b, struct err *e) MUST_USE;
/* Makes what depends on the network: optimizer, encoded treebanks, and part_gradients. */
void training_prepare(struct training *t);
void training_release(struct training *t);

#endif
