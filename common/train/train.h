/*
 * train: trains a model on a stream of sentence pairs, for nmt-train.
 *
 * An update is the forward and backward passes of some batches, whose gradients are summed and
 * clipped by their norm, and a step of the optimizer.  The result is a function of the settings and
 * the data alone, so a training that is killed and resumes from its checkpoint ends with the same
 * bytes as an uninterrupted one.
 */
#ifndef TRAIN_H
#define TRAIN_H

#include <stdbool.h>
#include <stdint.h>

#include "base/cli.h"
#include "base/err.h"

struct ranks;

enum { STOP_ON_NLL, STOP_ON_BLEU };
enum { GRADIENTS_FP32, GRADIENTS_BF16 };

/*
 * The options of nmt-train.  A member that is negative or NULL was not given, and gets its value
 * from the preset or the model.
 */
struct train_settings {
	const char *input, *output, *dev, *checkpoint, *log, *codes, *spm[2], *init;
	int preset;			/* index into presets, -1: not given */
	const char *size;
	struct opt_list arch, attention, freeze;
	int64_t seed, threads;
	int64_t dropout_seed;		/* of dropout and other noise; -1: seed */
	const char *backend;
	int precision;			/* PRECISION_*, runtime.h */

	int64_t min_count, max_types;	/* of the vocabularies */
	bool joint_vocab;
	int64_t max_length;		/* tokens on a side; 0: the model's */

	int64_t updates, epochs;	/* 0: no limit */
	int64_t batch_tokens, accumulate, pool, curriculum;
	int64_t part_tokens;		/* approximate number of tokens on a tape at once */
	int schedule;
	double lr, lr_init, lr_factor, lr_shrink;
	int64_t warmup, lr_patience;
	double label_smoothing, dropout, word_dropout;
	int smoothing;			/* enum smoothing, or -1 */
	double clip, clamp, weight_decay, beta1, beta2, eps;
	double explode;			/* 0: no limit on the loss */

	int64_t validate_every;		/* updates; 0: after each epoch */
	int64_t patience;
	int stop_on;
	bool dev_bleu, keep_best;
	int64_t dev_beam;
	int64_t checkpoint_every, save_every, keep_last, keep_every, average;
	int64_t log_every;
	int64_t rank_timeout;		/* seconds; 0: no limit */
	int gradients;			/* GRADIENTS_*: type in which ranks exchange them */
	bool profile, quiet, force;
};

extern const struct train_settings train_defaults;
extern const char *const train_preset_names[];	/* for OPT_CHOICE, in the order of presets */

/*
 * Trains and writes the model, together with the other ranks.  Returns 0; or the number of a signal
 * that ended it early, after the checkpoint was written; or -1 (EXIT_DIVERGED if the loss exploded
 * or is not finite).
 */
int train(const struct train_settings *s, struct ranks *r, struct err *e) MUST_USE;
/*
 * Checks the settings as train() does, including the attention variants and their settings, without
 * reading data and without training.  An output and a development set need not be given.  If the
 * model of --init does not exist, the settings are checked for a new model.
 */
int train_check_options(const struct train_settings *s, struct ranks *r, struct err *e) MUST_USE;

#endif
