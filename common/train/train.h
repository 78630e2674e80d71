/*
 * train: trains a model on a stream of sentence pairs, for nmt-train.
 *
 * An update is the forward and backward passes of some batches, whose gradients are summed and
 * clipped by their norm, and a step of the optimizer.  An epoch is a pass over all training data.
 * A validation computes the loss of a development set or translates it.  The result is a function
 * of the settings and the data alone, so a training that is killed and resumes from its checkpoint
 * ends with the same bytes as an uninterrupted one.
 */
#ifndef TRAIN_H
#define TRAIN_H

#include <stdbool.h>
#include <stdint.h>

#include "base/cli.h"
#include "base/err.h"

struct ranks;

/*
 * Of train_settings: the score of a validation by which the best one is chosen, the negative
 * log-likelihood (NLL) per target token or BLEU; and the type in which ranks exchange gradients.
 */
enum { STOP_ON_NLL, STOP_ON_BLEU };
enum { GRADIENTS_FP32, GRADIENTS_BF16 };

/*
 * The options of nmt-train, whose manual page describes them; copy train_defaults and change
 * members.  A member that is negative or NULL was not given, and gets its value from the preset, a
 * named set of settings (presets of model/model.h), or from the model of --init.
 */
struct train_settings {
	/*
	 * Paths: the training data (NULL: standard input), the model, the development set, the
	 * checkpoint, the training log, the BPE codes and the SentencePiece models by side that the
	 * model stores, and the model with whose parameters the training begins.
	 */
	const char *input, *output, *dev, *checkpoint, *log, *codes, *spm[2], *init;
	int preset;			/* index into train_preset_names; -1: not given */
	const char *size;		/* a name for model_size() */
	struct opt_list arch, attention, freeze;	/* lists "key=value,..." of model_config,
							 * specs of attention variants, and patterns
							 * of names of parameters */
	int64_t seed, threads;		/* threads: of this rank, 0: its share of the processors */
	int64_t dropout_seed;		/* of dropout and other noise; -1: `seed` */
	const char *backend;
	int precision;			/* PRECISION_* of model/runtime.h */

	int64_t min_count, max_types;	/* the fewest occurrences of a type in a vocabulary, and the
					 * most types of one; 0: no limit */
	bool joint_vocab;
	int64_t max_length;		/* the most tokens on a side of a sentence pair; 0: the
					 * model's */

	int64_t updates, epochs;	/* the training ends after these numbers; 0: no limit */
	/*
	 * The most tokens per side of a batch; number of batches of an update; number of batches
	 * whose sentences are sorted by length together, 0: a whole epoch; number of updates of a
	 * curriculum from short to long sentences before the first epoch.
	 */
	int64_t batch_tokens, accumulate, pool, curriculum;
	int64_t part_tokens;		/* approximate number of tokens per side on a tape */
	int schedule;			/* SCHEDULE_* of model/model.h */
	double lr, lr_init, lr_factor, lr_shrink;	/* see struct schedule of optimizer.h;
							 * lr_shrink: SCHEDULE_PLATEAU multiplies
							 * the rate by this after lr_patience
							 * validations without a new best */
	int64_t warmup, lr_patience;	/* warmup: in updates */
	double label_smoothing, dropout, word_dropout;
	int smoothing;			/* enum smoothing, or -1 */
	/*
	 * Limits of the norm of the gradient, and of each of its elements, 0: none; and the
	 * settings of Adam, see optimizer.h.
	 */
	double clip, clamp, weight_decay, beta1, beta2, eps;
	double explode;			/* after 100 updates, the training ends if the running mean
					 * of the loss exceeds its minimum times this, plus 1; 0: no
					 * such limit */

	int64_t validate_every;		/* updates; 0: after each epoch */
	int64_t patience;		/* the training ends after this number of validations
					 * without a new best; 0: no limit */
	int stop_on;			/* STOP_ON_* */
	bool dev_bleu, keep_best;	/* dev_bleu: compute BLEU, too; keep_best: the output has
					 * the parameters of the best validation */
	int64_t dev_beam;		/* size of the beam for BLEU */
	/*
	 * In updates: checkpoint_every, save_every (from one model that is saved next to the output
	 * to the next; 0: none), log_every (from one row of the log to the next) and keep_every.
	 * Of the saved models, the last keep_last (0: all) and those of the multiples of keep_every
	 * (0: none) remain.  `average`: the output is the mean of this number of last ones; 0: it
	 * is not.
	 */
	int64_t checkpoint_every, save_every, keep_last, keep_every, average;
	int64_t log_every;
	int64_t rank_timeout;		/* for ranks_limit() */
	int gradients;			/* GRADIENTS_*: type in which ranks exchange them */
	bool profile, quiet, force;	/* profile: print the time of each op; force: binary data
					 * may come from a terminal or go to one */
};

extern const struct train_settings train_defaults;
extern const char *const train_preset_names[];	/* for OPT_CHOICE, in the order of `presets`, with
						 * NULL at the end */

/*
 * Trains and writes the model, together with the other ranks, from the checkpoint if that exists.
 * Returns 0; or the number of a signal that ended it early, after the checkpoint was written, if
 * there is one; or -1 with an error, EXIT_DIVERGED if the loss exploded, or if it, the gradient or
 * a value to be saved is not finite.  After that error, the log is written, but not the model.
 */
int train(const struct train_settings *s, struct ranks *r, struct err *e) MUST_USE;
/*
 * Checks the settings as train() does, including the attention variants and their settings, without
 * reading data and without training.  An output, a development set and a stopping criterion need
 * not be given.  If the model of --init does not exist, the settings are checked for a new model.
 */
int train_check_options(const struct train_settings *s, struct ranks *r, struct err *e) MUST_USE;

#endif
