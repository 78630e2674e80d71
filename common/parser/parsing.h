/*
 * parsing: parses sentences in batches, with several threads.
 *
 * The caller gives sentences in windows.  A window is sorted by length and divided into batches;
 * each batch is parsed by one thread.  The trees do not depend on the number of threads or on the
 * other sentences of the batch.  Every sentence with at least one word gets a tree.
 *
 * A sentence with more than max_words words is parsed in parts of equal length.  The root of the
 * first part is the root; the roots of the other parts depend on it with relation PARSE_JOINT.  The
 * constituency trees of the parts are the children of a node PARSE_WHOLE.
 */
#ifndef PARSING_H
#define PARSING_H

#include "model/runtime.h"
#include "parser/corrupt.h"
#include "parser/parser-file.h"
#include "parser/pcfg.h"
#include "trees/control.h"

#define PARSE_JOINT "parataxis"
#define PARSE_WHOLE "X"

struct parse_job {
	const char *const *word;	/* [n]; the caller's */
	int n;
	uint32_t number;		/* index of the sentence, of which random numbers are a
					 * function */

	/*
	 * Results; they live until the next parsing_begin().  NULL if not predicted, or if n is 0.
	 */
	int *head;
	const char **rel, **upos, **xpos;	/* [n] */
	const char *tree;		/* in brackets, on one line */
};

/* The parser, which is a network, a grammar or a baseline, and its settings. */
struct parse_settings {
	const char *language;		/* of the parser, or NULL if it is not known */
	struct network *network;	/* NULL: the parser is the grammar or the baseline */
	const struct pcfg *grammar;	/* predicts constituents only; or NULL */
	int control;			/* the baseline, enum control, if there is neither network
					 * nor grammar */
	bool projective, arcs, spans;	/* arcs, spans: predict these, if possible */
	double corrupt;			/* share of arcs and phrases to corrupt */
	uint64_t seed;
	int max_words, batch_words;
	const char *backend;
	int precision;
	int64_t threads;
};

struct parsing;

/*
 * The network and the grammar must outlive the result.  Returns NULL if the back end cannot be
 * opened.
 */
struct parsing *parsing_new(const struct parse_settings *s, struct err *e) MUST_USE;
void parsing_free(struct parsing *p);
/* Releases the results of the previous window. */
void parsing_begin(struct parsing *p);
/* Parses `job[n]`. */
void parsing_window(struct parsing *p, struct parse_job *job, int n);
/* Counts over all windows so far. */
struct parsing_counts {
	int64_t split;			/* sentences parsed in parts */
	int64_t fallbacks;		/* sentences or parts without a parse by the grammar */
};
struct parsing_counts parsing_counts(const struct parsing *p);

#endif
