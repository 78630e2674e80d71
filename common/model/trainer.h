/*
 * trainer: a training in progress; for the files train*.c only.
 */
#ifndef TRAINER_H
#define TRAINER_H

#include "base/buf.h"
#include "base/progress.h"
#include "data/corpus.h"
#include "data/curriculum.h"
#include "data/means.h"
#include "model/gradient-sum.h"
#include "model/model.h"
#include "model/optimizer.h"
#include "model/ranks.h"
#include "model/runtime.h"
#include "model/schedule.h"
#include "model/train.h"
#include "tape/profile.h"

struct record;
struct train_log;

/* Where a training is: all that its future depends on but for the parameters and Adam's moments. */
struct train_state {
	int64_t update;			/* done */
	int64_t epoch, batch;		/* the next batch: epochs and batches of an epoch count from 0 */
	int64_t tokens;			/* source and target symbols so far */
	int64_t validations, bad;	/* bad: in a row without a new best */
	double best;			/* of the validations; smaller is better */
	int64_t best_update;
	int64_t lr_bad;			/* as bad, since the rate was last lowered */
	double lr_scale;
	double mean, lowest;		/* of the loss: running mean, and the least that was */
	int64_t row_updates, row_target, row_tokens;	/* since the last row of the log */
	double row_loss, row_nll, row_norm;
};

extern const struct opt train_state_options[];	/* offsets into struct train_state */

/* Records of a batch, one a sentence. */
struct records {
	struct record **record;		/* [room] */
	const struct record **lent;	/* the same, const */
	int64_t *number;		/* in the corpus */
	size_t room;
};

struct trainer {
	const struct train_settings *set;
	struct ranks *ranks;
	struct lock *lock;		/* on the checkpoint; rank 0 has it, NULL without one */
	struct model_config config;	/* as asked for */
	struct opt_list specs;
	struct model *model;
	struct recipe recipe;
	struct schedule schedule;
	struct optimizer optimizer;
	struct gradient_sum sum;
	real *best;			/* parameters at state.best_update, with --keep-best */

	struct corpus corpus, dev;
	struct corpus_order order, dev_order;
	struct curriculum curriculum;	/* for the first updates; then come epochs */
	int64_t order_epoch;		/* which order is in order; -1: none */
	int64_t max_length;

	struct runtime run;
	bool running;			/* run is open */
	struct records records;
	double *counts;			/* of the update at work, or NULL: see struct batch */
	double target;
	struct lanes *lanes;		/* train-lanes.c's own */
	uint32_t *part;			/* this rank's part of a batch */
	size_t part_room;

	struct train_state state;
	struct buf settings;		/* "name value" a line: what must agree on resuming */
	int64_t saved;			/* update of the checkpoint on disk; -1: none */
	bool resumed;

	struct train_log *log;
	struct profile *profile;	/* or NULL */
	struct progress progress;
	double train_seconds, row_seconds;	/* spent on updates: since the first few, since the last row */
	int64_t timed_tokens, row_timed;	/* tokens in that time */
	int64_t began;			/* update at which this process began */
};

/* train-setup.c: everything up to the first update. */
int trainer_open(struct trainer *t, const struct train_settings *s, struct ranks *r, struct err *e) MUST_USE;
void trainer_close(struct trainer *t);
/* Freezes and makes the optimizer, once t->model has its parameters. */
int trainer_prepare(struct trainer *t, struct err *e) MUST_USE;

/* train-ranks.c: what many processes do differently; with one, nothing. */
int train_ranks_check(const struct train_settings *s, const struct ranks *r, struct err *e) MUST_USE;
/* Settings, data and state are the same on every rank; parameters are, to the bit. */
int trainer_check_alike(struct trainer *t, struct err *e) MUST_USE;
int trainer_check_params(const struct trainer *t, struct err *e) MUST_USE;
/* This rank's part of a batch of t->corpus: *record is set, how many is returned. */
size_t trainer_part(struct trainer *t, const uint32_t **record, size_t n);
/* Over all ranks. */
struct batch_sums;
void trainer_sum(const struct trainer *t, struct batch_sums *sums);
void trainer_sum_means(const struct trainer *t, struct means *y);	/* rank 0 has all names */
/* Rank 0 writes a file, and all hear how it went. */
typedef int trainer_write(struct trainer *t, struct err *e);
int trainer_on_first_rank(struct trainer *t, trainer_write *write, struct err *e) MUST_USE;

/* train-batch.c */
int records_load(struct records *r, const struct corpus *c, const uint32_t *record, size_t n,
		 struct err *e) MUST_USE;
void records_release(struct records *r);

struct batch_sums { double loss, nll; int64_t target, tokens, masked; };

/* Records as a batch, in mem; x's records stay in use. */
int trainer_make_batch(struct trainer *t, struct records *x, const struct corpus *c, const uint32_t *record,
		       size_t n, struct arena *mem, struct batch *b, struct err *e) MUST_USE;
/*
 * Forward and back: gradients of scale times the loss are added.  Sums are added to; a target type that can never come out (output_mask) counts in masked, not in nll.  The tape is rewound.
 */
void trainer_run_batch(const struct trainer *t, struct tape *tape, const struct batch *b, double scale,
		       struct batch_sums *sums);
/* Both, forward only; what the variants report is added to y. */
int trainer_batch(struct trainer *t, const struct corpus *c, const uint32_t *record, size_t n,
		  struct batch_sums *sums, struct means *y, struct err *e) MUST_USE;
/* Adds what the variants' losses are means over (attention_set_count()) in records of t->corpus. */
int trainer_count(struct trainer *t, const uint32_t *record, size_t n, double *counts, struct err *e) MUST_USE;

/*
 * train-lanes.c: gradients of a batch of t->corpus are added to the parameters'.  With `last` the sum over
 * the ranks begins before the last part.  n may be 0.
 */
int trainer_gradients(struct trainer *t, const uint32_t *record, size_t n, double scale, bool last,
		      struct batch_sums *sums, struct err *e) MUST_USE;
void trainer_lanes_free(struct trainer *t);

#define TRAINER_PART 2048	/* symbols, about, that are on a tape at a time */

/* train-validate.c */
struct dev_result {
	double nll, perplexity, bleu;
	bool has_bleu;
	double score;			/* smaller is better */
	struct means means;		/* of the variants; to be released */
};
int trainer_validate(struct trainer *t, struct dev_result *r, struct err *e) MUST_USE;

/* train-bleu.c: BLEU of the development set, translated; words are what pieces join to. */
int trainer_bleu(struct trainer *t, double *bleu, struct err *e) MUST_USE;

/* train-state.c: the settings that must agree, and the member "train" of a checkpoint. */
void train_settings_describe(struct trainer *t);	/* fills t->settings */
void train_state_write(const struct trainer *t, struct buf *out);
int train_state_read(struct trainer *t, const char *text, size_t n, struct err *e) MUST_USE;

/* train-checkpoint.c */
int checkpoint_load(struct trainer *t, struct err *e) MUST_USE;	/* fills model, optimizer, best, state, log */
int checkpoint_save(struct trainer *t, struct err *e) MUST_USE;

/* train-output.c: models beside the output, and the output itself. */
int trainer_save_snapshot(struct trainer *t, struct err *e) MUST_USE;
/* What the settings ask for: the last, the best or averaged parameters, under the output's name. */
int trainer_save_output(struct trainer *t, struct err *e) MUST_USE;

/* train-log.c */
void train_log_new(struct trainer *t);
void train_log_free(struct trainer *t);
/* A row for what happened since the last one; dev may be NULL. */
void train_log_row(struct trainer *t, double lr, const struct dev_result *dev);
int train_log_write(struct trainer *t, struct err *e) MUST_USE;		/* the stream of --log, all of it */
void train_log_summary(const struct trainer *t);
/* Rows so far, for the checkpoint, without what a clock says. */
const struct buf *train_log_rows(const struct trainer *t);
int train_log_restore(struct trainer *t, const void *p, size_t n, struct err *e) MUST_USE;

#endif
