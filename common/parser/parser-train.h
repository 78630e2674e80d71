/*
 * parser-train: trains a parser on treebanks; the part of parse-train that is in the library.
 *
 * The result is a function of the settings and the data: a training that was killed resumes from
 * its checkpoint, and the parser has the same bytes as without the interruption.
 */
#ifndef PARSER_TRAIN_H
#define PARSER_TRAIN_H

#include "base/cli.h"
#include "base/err.h"

/* The options of parse-train(1); copy parser_defaults and change members. */
struct parser_settings {
	char **train;			/* treebanks, each as for treebank_read() (treebank.h); NULL
					 * at the end */
	/*
	 * Treebanks to validate on; and texts "key=value,..." with members of network_config
	 * (network.h).
	 */
	struct opt_list dev, config;
	struct opt_list leave_out;	/* documents of the training data to skip; see struct
					 * leave_out of treebank.h */
	/*
	 * Paths of the parser and of the checkpoint; the code of the language, which is only
	 * stored; and the name of the back end.  All but `output` may be NULL.
	 */
	const char *output, *checkpoint, *lang, *backend;
	int precision;			/* PRECISION_* of model/runtime.h */
	/*
	 * Numbers: of updates; the most words of a batch; of batches whose sentences are sorted by
	 * length together (0: a whole epoch); of updates of the warm-up; of updates from one
	 * validation and checkpoint to the next; the fewest occurrences of a form with a word
	 * embedding; the most words of a sentence, longer ones are skipped.
	 */
	int64_t updates, batch_words, pool, warmup, validate_every, min_count, max_words;
	int64_t seed, threads;		/* threads: 0: one for each processor */
	/*
	 * lr: the learning rate after the warm-up; clip: the highest norm of the gradient, 0: no
	 * limit; the others are those of Adam (train/optimizer.h).
	 */
	double lr, beta2, eps, clip, weight_decay;
	/*
	 * Validate with projective trees; write the parameters of the best validation; store
	 * matrices as 8-bit integers; print no progress.
	 */
	bool projective, keep_best, i8, quiet;
};

extern const struct parser_settings parser_defaults;

/*
 * Trains a parser and writes it to s->output.  Returns 0, or -1 on error.  If a signal ends the
 * training early, writes the checkpoint, if there is one, and returns the number of the signal.
 */
int parser_train(const struct parser_settings *s, struct err *e) MUST_USE;

#endif
