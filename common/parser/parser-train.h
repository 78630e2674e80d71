/*
 * parser-train: trains a parser on treebanks; the library part of parse-train.
 *
 * A training is a function of the settings and the data: one that was killed resumes from its
 * checkpoint and ends with the same bytes.
 */
#ifndef PARSER_TRAIN_H
#define PARSER_TRAIN_H

#include "base/cli.h"
#include "base/err.h"

/* The options of parse-train. */
struct parser_settings {
	char **train;			/* NULL-terminated; see treebank_read() */
	struct opt_list dev, config;
	struct opt_list leave_out;	/* of the training data; see struct leave_out */
	const char *output, *checkpoint, *lang, *backend;
	int precision;
	int64_t updates, batch_words, pool, warmup, validate_every, min_count, max_words;
	int64_t seed, threads;
	double lr, beta2, eps, clip, weight_decay;
	bool projective, keep_best, i8, quiet;
};

extern const struct parser_settings parser_defaults;

/*
 * Returns 0, or the number of the signal that ended the training early, after the checkpoint was
 * written, or -1 and e.
 */
int parser_train(const struct parser_settings *s, struct err *e) MUST_USE;

#endif
