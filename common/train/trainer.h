/*
 * trainer: a training in progress; only for files of train/.  train.c has the loop: trainer_open()
 * prepares everything, trainer_update() makes one update, and the other functions validate, log and
 * save.  Comments name options of nmt-train, which are members of struct train_settings.
 */
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
 * The state of a training after an update, without the parameters, the moments of Adam and the
 * error feedback (ranks.h).  A checkpoint has all of these, so that a training can resume from it.
 */
struct train_state {
	int64_t update;			/* completed updates */
	int64_t epoch, batch;		/* the next batch: its epoch, and its number in the epoch;
					 * both count from 0 */
	int64_t tokens;			/* source and target tokens so far */
	int64_t validations, bad;	/* number of all validations, and of those since the best
					 * one */
	double best;			/* the best score of a validation, see struct dev_result;
					 * lower is better */
	int64_t best_update;
	int64_t lr_bad;			/* like `bad`, but counts from the last reduction of the
					 * learning rate */
	double lr_scale;		/* factor on the learning rate: the product of all
					 * reductions by the plateau schedule */
	double mean, lowest;		/* running mean of the loss per target token over the
					 * updates, and its minimum, for --explode */
	/*
	 * Since the last row of the log: numbers of updates, target tokens and all tokens; sums
	 * over the tokens of the loss and of the negative log-likelihood, and over the updates of
	 * the norm of the gradient.
	 */
	int64_t row_updates, row_target, row_tokens;
	double row_loss, row_nll, row_norm;
	int64_t saves, output, since;	/* --save-every; with --average, a digest of the name of the
					 * output without its folder, otherwise 0; the update since
					 * which both have these values: only models of later
					 * updates are averaged */
	int64_t path, own;		/* a digest of the path of the output; the update since
					 * which it and --save-every have these values: only models
					 * of later updates are removed */
};

extern const struct opt train_state_options[];	/* its members as options, with offsets (opt.at)
						 * into struct train_state */

/*
 * The records of a batch (stream/stream.h), one per sentence pair.  Zero-initialize it; it can be
 * used for one batch after another.
 */
struct records {
	struct record **record;		/* [room] */
	int64_t *number;		/* [room] their numbers in the corpus */
	size_t room;			/* the most records of a batch so far */
};

struct trainer {
	const struct train_settings *set;
	struct ranks *ranks;
	struct lock *lock;		/* on the checkpoint, at rank 0, so that no other training
					 * uses it; or NULL */
	struct model_config config;	/* of the new model, from the options */
	struct opt_list specs;		/* texts "name:key=value,..." of all attention variants of
					 * the model */
	struct model *model;
	struct recipe recipe;
	struct schedule schedule;
	struct optimizer optimizer;
	struct gradient_sum sum;
	real *best;			/* [params.total] parameters at state.best_update, with
					 * --keep-best; or NULL */

	struct corpus corpus, dev;
	struct corpus_order order, dev_order;
	struct curriculum curriculum;	/* the batches of the first updates, before the first
					 * epoch */
	int64_t order_epoch;		/* the epoch whose batches `order` has; -1: none */
	int64_t max_length;		/* the most tokens on a side of the pairs that are used */
	int64_t part_tokens;		/* approximate number of tokens per side on a tape */

	struct runtime run;
	bool running;			/* `run` is open */
	struct records records;
	double *counts;			/* of the current update, or NULL: see `counts` of struct
					 * batch (data/batch.h) */
	double target;			/* number of target tokens of this update, of all ranks */
	struct lanes *lanes;		/* private to gradients.c */
	struct batch_parts shares;	/* the parts of the current batch, one for each rank */

	struct train_state state;
	char init[24];			/* text for `settings`: a digest of the parameters of
					 * --init, "none", or "the output" if it replaces that
					 * file */
	struct buf settings;		/* lines "set NAME VALUE", which must be those of the
					 * checkpoint when the training resumes */
	int64_t saved;			/* update of the checkpoint on disk; -1: none */
	bool resumed, diverged;		/* resumed: from a checkpoint */

	struct train_log *log;
	struct profile *profile;	/* the time of each op, with --profile; or NULL */
	struct progress progress;
	bool announced;			/* a line about the progress was printed */
	double train_seconds, row_seconds;	/* seconds in updates: in all except the first ones
						 * of this process, which are slower; and since the
						 * last row of the log */
	int64_t timed_tokens, row_timed;	/* numbers of tokens of these updates */
	double row_waited, row_all_seconds;	/* sums since the last row of `waited` and `seconds`
						 * of struct batch_sums */
	int64_t began;			/* completed updates when this process began: 0, or those of
					 * the checkpoint */
};

/*
 * train-choose.c: before anything is read, checks that options do not contradict each other.  Rank
 * 0 also checks that the output, log and checkpoint can be written and are no other file of the
 * training; only the output may be the model of --init.  Returns -1 with EXIT_USAGE for wrong
 * options.
 */
int train_settings_check(const struct train_settings *s, const struct ranks *r,
			 struct err *e) MUST_USE;
/*
 * Checks that there is a stopping criterion, --updates, --epochs or --patience.  Call it last, so
 * that messages about other options come first.
 */
int train_end_check(const struct train_settings *s, struct err *e) MUST_USE;
/*
 * Sets config, recipe, schedule, specs, max_length and part_tokens of t.  Settings that the options
 * do not give are those of the preset or, without --preset, those of `init`, the model of --init,
 * if it is not NULL.  The specs are those of `init` and of a preset that is used, then those of the
 * options; an option replaces one of the same variant, and "plain" drops those of `init` and
 * preset.
 */
int trainer_choose(struct trainer *t, const struct model *init, struct err *e) MUST_USE;

/*
 * train-setup.c.  trainer_open() does everything before the first update of this process: it reads
 * the data, and makes a model or loads the checkpoint.  s and r must live as long as t.  Call
 * trainer_close() also after an error.
 */
int trainer_open(struct trainer *t, const struct train_settings *s, struct ranks *r,
		 struct err *e) MUST_USE;
void trainer_close(struct trainer *t);

/*
 * train-model.c: sets t->model to a new model, with vocabularies from the counts of the corpus,
 * `src` and `tgt`, and random parameters, or with those of `init`, the model of --init (or NULL);
 * then calls trainer_prepare().
 */
int trainer_begin_model(struct trainer *t, const struct model *init,
			const struct word_count *src, const struct word_count *tgt,
			struct err *e) MUST_USE;
/*
 * Sets t->model to a new model of the settings, without memory for its parameters.  Heads that are
 * pruned in `init` do not exist unless --preset is given.  Takes the contents of the vocabularies.
 */
int trainer_new_model(struct trainer *t, const struct model *init, struct vocab *src,
		      struct vocab *tgt, struct err *e) MUST_USE;
/*
 * Freezes the parameters of t->model whose names match the patterns of --freeze (params_freeze()),
 * so that updates leave them as they are.  Returns -1 with EXIT_USAGE if a pattern matches none.
 */
int trainer_freeze(struct trainer *t, struct err *e) MUST_USE;
/*
 * Freezes the parameters of --freeze, and makes the optimizer and t->sum, after t->model has its
 * parameters.
 */
int trainer_prepare(struct trainer *t, struct err *e) MUST_USE;
/*
 * Adds to the model what it stores besides its parameters: the segmentation (BPE codes or
 * SentencePiece models, from the options or from `init`), the first tokens of `init`, the name of
 * the training (`training` of struct model), and the provenance, that is, the commands that made
 * it.
 */
int trainer_add_origin(struct trainer *t, const struct model *init, struct err *e) MUST_USE;
/*
 * Warns if the training data has other subwords than the model's segmentation gives for most of the
 * first sentences.
 */
void trainer_check_segmentation(const struct trainer *t);

/*
 * train-ranks.c: training with several processes; with one, these functions do nothing.  Before the
 * training: the data must be in files, since all ranks read them; otherwise EXIT_USAGE.
 */
int train_ranks_check(const struct train_settings *s, const struct ranks *r,
		      struct err *e) MUST_USE;
/*
 * trainer_check_alike() checks that settings, data and state are the same on all ranks
 * (EXIT_INPUT), and trainer_check_params() that the parameters are (EXIT_SYSTEM).
 */
int trainer_check_alike(struct trainer *t, struct err *e) MUST_USE;
int trainer_check_params(const struct trainer *t, struct err *e) MUST_USE;
/*
 * Replaces *record, the n records of a batch of t->corpus, by those in the part of this rank, and
 * returns their number, which may be 0.
 */
size_t trainer_part(struct trainer *t, const uint32_t **record, size_t n);
/*
 * Replace the sums over the sentences of this rank, or the means of the variants, by those over all
 * ranks.  A rank without batches has no names of means; rank 0 has all of them.
 */
struct batch_sums;
void trainer_sum(const struct trainer *t, struct batch_sums *sums);
void trainer_sum_means(const struct trainer *t, struct means *y);
/*
 * Calls `write`, which returns 0 or -1, on rank 0, and returns its result and error on all ranks.
 */
typedef int trainer_write(struct trainer *t, struct err *e);
int trainer_on_first_rank(struct trainer *t, trainer_write *write, struct err *e) MUST_USE;

/*
 * update.c: one update.  The sums of some sentences over their target tokens: `loss`, which is
 * trained, with label smoothing and the losses of variants, and `nll`, the negative log-likelihood
 * without these.  Numbers of tokens: `target`; `tokens` of both sides; and `masked`, see
 * trainer_forward().  `seconds`: time until the gradients are summed, of which `waited` is spent
 * waiting for other ranks.  After trainer_sum(), all are sums over the ranks.
 */
struct batch_sums { double loss, nll, seconds, waited; int64_t target, tokens, masked; };

/*
 * Makes the batches of the current epoch, t->order, unless they are made.  trainer_update() does
 * so, too; train.c needs their number before.
 */
void trainer_begin_epoch(struct trainer *t);
/*
 * Makes the next update, number t->state.update + 1, and counts it in t->state.  Returns 0, or -1
 * with an error, such as that of trainer_diverged().
 */
int trainer_update(struct trainer *t, struct err *e) MUST_USE;
/* The learning rate of an update, after all reductions by the plateau schedule so far. */
double trainer_rate(const struct trainer *t, int64_t update);
/*
 * Sets *e to EXIT_DIVERGED with a message that names the update, the reason `why` and a value,
 * `loss`, such as the loss.  Returns -1.
 */
int trainer_diverged(const struct trainer *t, int64_t update, const char *why, double loss,
		     struct err *e);
/*
 * The forward pass of a batch: returns the loss, a sum over the target tokens, as a node on the
 * tape, and adds to *sums except the times.  A target token that the output mask excludes (its loss
 * is infinite) counts in `masked` and `target`, and not in `nll`.
 */
struct node *trainer_forward(const struct trainer *t, struct tape *tape, const struct batch *b,
			     struct batch_sums *sums);
/*
 * Forward and backward pass: computes the gradients of `scale` times the loss, and adds or stores
 * them as the last tape_gradients_add() or tape_gradients_to() says, and adds to *sums.  b may be
 * empty: its gradients are 0.  Rewinds the tape.
 */
void trainer_run_batch(const struct trainer *t, struct tape *tape, const struct batch *b,
		       double scale, struct batch_sums *sums);

/*
 * gradients.c: the gradients of an update are the sum over its batches of t->corpus.  Call
 * trainer_begin_gradients() once, and trainer_gradients() for each batch, with the n records of
 * this rank's part; it computes the gradients of `scale` times the loss, sums them up in
 * params.grad, and adds to *sums.  `is_last`: this is the last batch; the sum over the ranks begins
 * during its last part, and ends in gradient_sum_end().  n may be 0.
 */
void trainer_begin_gradients(struct trainer *t);
int trainer_gradients(struct trainer *t, const uint32_t *record, size_t n, double scale,
		      bool is_last, struct batch_sums *sums, struct err *e) MUST_USE;
void trainer_lanes_free(struct trainer *t);
/*
 * Loads the n records with the numbers record[n] of a corpus into *r, and prepares each for model m
 * with model_put_first_tokens() (model/model-input.h).
 */
int records_load(struct records *r, const struct model *m, const struct corpus *c,
		 const uint32_t *record, size_t n, struct err *e) MUST_USE;
void records_release(struct records *r);
/*
 * Loads the n records with the numbers record[n] of a corpus into *x, and makes a batch of them in
 * `mem`, with word dropout if t->run.pass is a training pass.  *x must not change while the batch
 * is used.
 */
int trainer_make_batch(struct trainer *t, struct records *x, const struct corpus *c,
		       const uint32_t *record, size_t n, struct arena *mem, struct batch *b,
		       struct err *e) MUST_USE;

/*
 * train-validate.c.  The result of a validation: the negative log-likelihood per target token, its
 * exponential, and BLEU from 0 to 100 if has_bleu.
 */
struct dev_result {
	double nll, perplexity, bleu;
	bool has_bleu;
	double score;			/* nll or, by --stop-on, -bleu; lower is better */
	struct means means;		/* what attention variants report; the caller releases it,
					 * also after an error */
};
/*
 * Computes the loss of the development set and, with --dev-bleu or --stop-on bleu, its BLEU; the
 * ranks share the work.
 */
int trainer_validate(struct trainer *t, struct dev_result *r, struct err *e) MUST_USE;

/*
 * The default of --part-tokens, the approximate number of tokens per side whose values are in
 * memory at once: PART_TOKENS for models of a width up to NARROW, otherwise WIDE_PART_TOKENS.  With
 * wider models, two parts of 2048 tokens would need more memory than parameters and moments, and
 * smaller parts are as fast.
 */
enum { PART_TOKENS = 2048, WIDE_PART_TOKENS = 1024, NARROW = 256 };

/*
 * train-state.c: the settings that must match when a training is resumed, and the member "train" of
 * a checkpoint, text with t->state and these settings.  train_state_write() appends it;
 * train_state_read() sets t->state and t->part_tokens from n bytes, or returns -1 with EXIT_INPUT
 * or, for other settings, EXIT_USAGE.
 */
void train_settings_describe(struct trainer *t);	/* sets t->settings */
void train_state_write(const struct trainer *t, struct buf *out);
int train_state_read(struct trainer *t, const char *text, size_t n, struct err *e) MUST_USE;

/*
 * train-checkpoint.c: the file of --checkpoint.  Loading makes t->model, optimizer, sum, best and
 * log, and sets t->state; saving writes all of these, and replaces the file at once.
 */
int checkpoint_load(struct trainer *t, struct err *e) MUST_USE;
int checkpoint_save(struct trainer *t, struct err *e) MUST_USE;

/*
 * train-output.c: the models of --save-every, which are next to the output, such as model.200.tar
 * at update 200 for model.tar, and the output itself.
 */
/* Is the path that of a model of --save-every of this training, past or future? */
bool train_is_snapshot(const struct train_settings *s, const char *path);
int trainer_save_snapshot(struct trainer *t, struct err *e) MUST_USE;
/*
 * Notes in t->state which models of --save-every belong to this training, and not to one with
 * another output or --save-every; call it before and after a checkpoint is read.
 */
void trainer_renew_saves(struct trainer *t);
/* Call it after resuming: removes models that a changed --keep-last does not keep. */
int trainer_remove_snapshots(struct trainer *t, struct err *e) MUST_USE;
/*
 * Writes the output: the parameters of the last update, or with --keep-best those of the best
 * validation, or with --average the mean of the last saved models.
 */
int trainer_save_output(struct trainer *t, struct err *e) MUST_USE;

/*
 * train-log.c: the log, rows of numbers that are printed, and written to the file of --log when the
 * training ends.
 */
void train_log_new(struct trainer *t);
void train_log_free(struct trainer *t);
/*
 * Call it after each update: without a progress line (base/progress.h), prints once, after ten
 * seconds, an estimate of the duration of the training, because the first row may take minutes.
 */
void train_log_first(struct trainer *t);
/*
 * Adds a row for the updates since the last one, and prints it, with the learning rate `lr` of the
 * last update and the results of a validation after it, `dev`, or NULL.
 */
void train_log_row(struct trainer *t, double lr, const struct dev_result *dev);
int train_log_write(struct trainer *t, struct err *e) MUST_USE;	/* writes the stream of --log, if
								 * any */
void train_log_summary(const struct trainer *t);
/*
 * The rows so far, for the checkpoint: without speeds and times, so that its bytes do not depend on
 * the machine.
 */
const struct buf *train_log_rows(const struct trainer *t);
int train_log_restore(struct trainer *t, const void *p, size_t n, struct err *e) MUST_USE;

#endif
