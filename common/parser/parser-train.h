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

/* The options of parse-train(1). */
struct parser_settings {
	char **train;			/* treebanks, each as for treebank_read() (treebank.h); NULL
					 * at the end */
	struct opt_list dev, config;
	struct opt_list leave_out;	/* documents of the training data to skip; see struct
					 * leave_out of treebank.h */
	const char *output, *checkpoint, *lang, *backend;
	int precision;
	int64_t updates, batch_words, pool, warmup, validate_every, min_count, max_words;
	int64_t seed, threads;
	double lr, beta2, eps, clip, weight_decay;
	bool projective, keep_best, i8, quiet;
};

extern const struct parser_settings parser_defaults;

/*
 * Trains a parser and writes it to s->output.  Returns 0, or -1 on error.  If a signal ends the
 * training early, writes the checkpoint, if there is one, and returns the number of the signal.
 */
int parser_train(const struct parser_settings *s, struct err *e) MUST_USE;

#endif
