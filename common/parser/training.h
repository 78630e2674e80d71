/* training: what a training of a parser is made of; for parser-train.c and parser-checkpoint.c. */
#ifndef TRAINING_H
#define TRAINING_H

#include "base/progress.h"
#include "model/optimizer.h"
#include "model/runtime.h"
#include "model/schedule.h"
#include "parser/gold.h"
#include "parser/order.h"
#include "parser/parser-file.h"
#include "parser/parser-train.h"
#include "parser/parts.h"

/* Where a training is: all that its future depends on but for parameters and moments. */
struct training_state {
	int64_t update, epoch, batch;
	double best;			/* accuracy_score() of the best validation; -1: none yet */
	int64_t best_update;
};

struct training {
	const struct parser_settings *set;
	struct lock *lock;		/* on the checkpoint, or NULL */
	struct network_config config;
	struct treebank bank, dev;
	struct parser parser;
	struct gold_bank gold, gold_dev;
	struct sentence_order order;
	int64_t order_epoch;		/* which is in order; -1: none */
	struct optimizer optimizer;
	struct schedule schedule;
	struct runtime run;
	bool running, prepared;
	struct parts *parts;
	real *best;			/* parameters at state.best_update; NULL: not kept */
	struct buf settings;		/* set-lines.h: what must agree on resuming */
	struct training_state state;
	struct progress progress;
	double loss;			/* of the words since the last validation */
	int64_t words;
};

/* Fills t->settings from the command line and the data, which are there. */
void training_describe(struct training *t);
int training_save(struct training *t, struct err *e) MUST_USE;
/*
 * t->parser and t->state from the checkpoint; training_prepare() is called when the network is
 * there.  Usage errors if it is of other settings or data.
 */
int training_resume(struct training *t, struct err *e) MUST_USE;
/* The same once t->parser is read: takes what follows its parameters, closes b; NULL fails. */
int training_take(struct training *t, struct bundle_in *b, struct err *e) MUST_USE;
/* What hangs on the network: moments, batches. */
void training_prepare(struct training *t);

#endif
