/* trainer: a training in progress; only for files of train/. */
#ifndef TRAINER_H
#define TRAINER_H

#include "base/buf.h"
#include "base/progress.h"
#include "data/corpus.h"
#include "data/means.h"
#include "model/model.h"
#include "model/runtime.h"
#include "tape/profile.h"
#include "train/gradient-sum.h"
#include "train/optimizer.h"
#include "train/ranks.h"
#include "train/train.h"

struct record;
struct train_log;

/*
 * The state of a training, without the parameters and the moments of Adam.  A checkpoint has all of
 * these.
 */
struct train_state {
	int64_t update;			/* completed updates */
	int64_t epoch, batch;		/* the next batch; epochs, and batches of an epoch, count
					 * from 0 */
	int64_t tokens;			/* source and target tokens so far */
	int64_t validations, bad;	/* bad: number of the last validations without a new best */
	double best;			/* best validation score; lower is better */
	int64_t best_update;
	int64_t lr_bad;			/* like bad, since the learning rate was last reduced */
	double lr_scale;		/* product of the reductions by the plateau schedule */
	double mean, lowest;		/* running mean of the loss, and its minimum */
	/* Since the last row of the log: updates, target tokens, all tokens; sums over updates. */
	int64_t row_updates, row_target, row_tokens;
	double row_loss, row_nll, row_norm;
	int64_t saves, output, since;	/* --save-every; with --average, a digest of the name of the
					 * output; the update since which both have these values */
	int64_t path, own;		/* a digest of the output's path; the update since which
					 * path and --save-every have these values */
};

extern const struct opt train_state_options[];	/* offsets into struct train_state */

/* The records of a batch, one per sentence. */
struct records {
	struct record **record;		/* [room] */
	const struct record **lent;	/* the same, const */
	int64_t *number;		/* their numbers in the corpus */
	size_t room;
};

struct trainer {
	const struct train_settings *set;
	struct ranks *ranks;
	struct lock *lock;		/* on the checkpoint, at rank 0; or NULL */
	struct model_config config;	/* as requested */
	struct opt_list specs;
	struct model *model;
	struct recipe recipe;
	struct schedule schedule;
	struct optimizer optimizer;
	struct gradient_sum sum;
	real *best;			/* parameters at state.best_update, with --keep-best */

	struct corpus corpus, dev;
	struct corpus_order order, dev_order;
	struct curriculum curriculum;	/* for the first updates, before the epochs */
	int64_t order_epoch;		/* the epoch of order; -1: none */
	int64_t max_length;
	int64_t part_tokens;		/* approximate number of tokens on a tape at once */

	struct runtime run;
	bool running;			/* run is open */
	struct records records;
	double *counts;			/* of the current update, or NULL: see struct batch */
	double target;
	struct lanes *lanes;		/* private to gradients.c */
	struct batch_parts shares;	/* of the ranks in a batch */

	struct train_state state;
	char init[24];			/* a digest of the parameters of --init, as a setting */
	struct buf settings;		/* lines "set NAME VALUE" that must match on resuming */
	int64_t saved;			/* update of the checkpoint on disk; -1: none */
	bool resumed, diverged;

	struct train_log *log;
	struct profile *profile;	/* or NULL */
	struct progress progress;
	bool announced;			/* a line about the progress was printed */
	double train_seconds, row_seconds;	/* time in updates: in all except the first ones of
						 * this process; since the last row */
	int64_t timed_tokens, row_timed;	/* tokens of these updates */
	double row_waited, row_all_seconds;	/* of all ranks, see struct batch_sums */
	int64_t began;			/* completed updates when this process began */
};

/*
 * train-choose.c: before anything is read, checks the combination of options, and that their files
 * can be written.
 */
int train_settings_check(const struct train_settings *s, const struct ranks *r,
			 struct err *e) MUST_USE;
/*
 * Checks that there is a stopping criterion; called last, when nothing else is wrong with the
 * options.
 */
int train_end_check(const struct train_settings *s, struct err *e) MUST_USE;
/*
 * Sets t->config, recipe, schedule and specs.  Settings that the options do not give are those of
 * the preset or, without --preset, those of `init`, the model of --init (or NULL).
 */
int trainer_choose(struct trainer *t, const struct model *init, struct err *e) MUST_USE;

/* train-setup.c: everything before the first update. */
int trainer_open(struct trainer *t, const struct train_settings *s, struct ranks *r,
		 struct err *e) MUST_USE;
void trainer_close(struct trainer *t);

/* train-model.c: a new model, from the model of --init (or NULL) and the counts of the corpus. */
int trainer_begin_model(struct trainer *t, const struct model *init,
			const struct word_count *src, const struct word_count *tgt,
			struct err *e) MUST_USE;
/*
 * Freezes the parameters of t->model that match a pattern.  Returns -1 with EXIT_USAGE if there are
 * none.
 */
int trainer_freeze(struct trainer *t, const char *pattern, struct err *e) MUST_USE;
/* Freezes parameters and makes the optimizer, after t->model has its parameters. */
int trainer_prepare(struct trainer *t, struct err *e) MUST_USE;
/* Adds the segmentation and the provenance to the model. */
int trainer_add_origin(struct trainer *t, const struct model *init, struct err *e) MUST_USE;
/* Warns if the training data has other subwords than the model's segmentation gives. */
void trainer_check_segmentation(const struct trainer *t);

/* train-ranks.c: training with several processes; with one, these functions do nothing. */
int train_ranks_check(const struct train_settings *s, const struct ranks *r,
		      struct err *e) MUST_USE;
/*
 * trainer_check_alike() checks that settings, data and state are the same on all ranks, and
 * trainer_check_params() that the parameters are.
 */
int trainer_check_alike(struct trainer *t, struct err *e) MUST_USE;
int trainer_check_params(const struct trainer *t, struct err *e) MUST_USE;
/* Sets *record to this rank's part of a batch of t->corpus, and returns its length. */
size_t trainer_part(struct trainer *t, const uint32_t **record, size_t n);
/* Replace the sums, or the means of the variants, by those over all ranks. */
struct batch_sums;
void trainer_sum(const struct trainer *t, struct batch_sums *sums);
void trainer_sum_means(const struct trainer *t, struct means *y);	/* rank 0 has all names */
/* Calls `write` on rank 0 and returns its result on all ranks. */
typedef int trainer_write(struct trainer *t, struct err *e);
int trainer_on_first_rank(struct trainer *t, trainer_write *write, struct err *e) MUST_USE;

/*
 * update.c: one update.  `seconds`: time until the gradients are summed, of which `waited` is spent
 * waiting for other ranks; both are sums over the ranks.
 */
struct batch_sums { double loss, nll, seconds, waited; int64_t target, tokens, masked; };

/* Makes the batches of the current epoch if there are none yet, as trainer_update() does. */
void trainer_begin_epoch(struct trainer *t);
/* Makes the next update.  Returns 0, or -1 with an error, such as that of trainer_diverged(). */
int trainer_update(struct trainer *t, struct err *e) MUST_USE;
double trainer_rate(const struct trainer *t, int64_t update);	/* the learning rate */
/*
 * Sets e to EXIT_DIVERGED with a message that names the update, the reason `why` and the loss.
 * Returns -1.
 */
int trainer_diverged(const struct trainer *t, int64_t update, const char *why, double loss,
		     struct err *e);
/*
 * The forward pass of a batch: returns the loss, and adds to sums.  A target token that the output
 * mask excludes counts in masked and not in nll.
 */
struct node *trainer_forward(const struct trainer *t, struct tape *tape, const struct batch *b,
			     struct batch_sums *sums);
/*
 * Forward and backward pass: adds the gradients of `scale` times the loss, or stores them where
 * tape_gradients_to() says, and adds to sums.  b may be empty.  Rewinds the tape.
 */
void trainer_run_batch(const struct trainer *t, struct tape *tape, const struct batch *b,
		       double scale, struct batch_sums *sums);

/*
 * gradients.c: the gradients of an update are the sum over its batches of t->corpus.  `is_last`:
 * the last batch; the sum over the ranks begins during its last part.  n may be 0.
 */
void trainer_begin_gradients(struct trainer *t);
int trainer_gradients(struct trainer *t, const uint32_t *record, size_t n, double scale,
		      bool is_last, struct batch_sums *sums, struct err *e) MUST_USE;
void trainer_lanes_free(struct trainer *t);
/* Loads n records, with the first tokens that the variants of m need. */
int records_load(struct records *r, const struct model *m, const struct corpus *c,
		 const uint32_t *record, size_t n, struct err *e) MUST_USE;
void records_release(struct records *r);
/*
 * Makes a batch of n records in `mem`.  x holds the records, and must not change while the batch is
 * used.
 */
int trainer_make_batch(struct trainer *t, struct records *x, const struct corpus *c,
		       const uint32_t *record, size_t n, struct arena *mem, struct batch *b,
		       struct err *e) MUST_USE;

/* train-validate.c */
struct dev_result {
	double nll, perplexity, bleu;
	bool has_bleu;
	double score;			/* lower is better */
	struct means means;		/* of the variants; the caller releases it */
};
/* Computes the loss of the development set and, with dev_bleu, its BLEU. */
int trainer_validate(struct trainer *t, struct dev_result *r, struct err *e) MUST_USE;

/*
 * The default of --part-tokens.  With wider models, two parts of 2048 tokens would need more memory
 * than parameters and moments, and smaller parts are as fast.
 */
enum { PART_TOKENS = 2048, WIDE_PART_TOKENS = 1024, NARROW = 256 };

/*
 * train-state.c: the settings that must match when a training is resumed, and the member "train" of
 * a checkpoint.
 */
void train_settings_describe(struct trainer *t);	/* fills t->settings */
void train_state_write(const struct trainer *t, struct buf *out);
int train_state_read(struct trainer *t, const char *text, size_t n, struct err *e) MUST_USE;

/* train-checkpoint.c */
/* Sets model, optimizer, best, state and log from the checkpoint. */
int checkpoint_load(struct trainer *t, struct err *e) MUST_USE;
int checkpoint_save(struct trainer *t, struct err *e) MUST_USE;

/* train-output.c: the models of --save-every, and the output. */
bool train_is_snapshot(const struct train_settings *s, const char *path);	/* or will be */
int trainer_save_snapshot(struct trainer *t, struct err *e) MUST_USE;
/*
 * Notes which models of --save-every belong to this training; call it before and after a checkpoint
 * is read.
 */
void trainer_renew_saves(struct trainer *t);
/* After resuming: removes models that a changed --keep-last does not keep. */
int trainer_remove_snapshots(struct trainer *t, struct err *e) MUST_USE;
/* Writes the output: the last, the best or the averaged parameters, as the settings require. */
int trainer_save_output(struct trainer *t, struct err *e) MUST_USE;

/* train-log.c */
void train_log_new(struct trainer *t);
void train_log_free(struct trainer *t);
/*
 * Without a progress line, prints once, after some seconds, an estimate of the duration of the
 * training, because the first row may take minutes.
 */
void train_log_first(struct trainer *t);
/* Adds a row for the updates since the last one; `dev` may be NULL. */
void train_log_row(struct trainer *t, double lr, const struct dev_result *dev);
int train_log_write(struct trainer *t, struct err *e) MUST_USE;	/* writes the stream of --log */
void train_log_summary(const struct trainer *t);
/* The rows so far, without speeds, for the checkpoint. */
const struct buf *train_log_rows(const struct trainer *t);
int train_log_restore(struct trainer *t, const void *p, size_t n, struct err *e) MUST_USE;

#endif
