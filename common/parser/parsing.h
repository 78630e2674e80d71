/*
 * parsing: parses sentences in batches, with several threads.
 *
 * The caller passes windows, that is, arrays of sentences.  A window is sorted by length and
 * divided into batches, each of which is parsed by one thread.  The tree of a sentence depends
 * neither on the number of threads nor on other sentences.  Every sentence with at least one word
 * gets a tree.
 *
 * A sentence with more than max_words words is parsed in parts of about equal length.  The root
 * word of the first part becomes that of the sentence, and is the head of the root words of the
 * other parts, with the relation PARSE_JOINT.  The constituency trees of the parts become the
 * children of a node with the label PARSE_WHOLE.  Sentences of a control are parsed whole, unless
 * its trees are corrupted.
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
	const char *const *word;	/* [n] the words; the caller's */
	int n;
	uint32_t number;		/* index of the sentence; random numbers are a function of
					 * it */

	/*
	 * Results, which are valid until the next parsing_begin().  Each is NULL if it is not
	 * predicted, or if n is 0.
	 */
	int *head;
	const char **rel, **upos, **xpos;	/* [n] */
	const char *tree;		/* constituency tree in brackets, on one line */
};

/*
 * The parser and its settings.  The parser is a network, a grammar or, as a baseline, a control
 * (trees/control.h).
 */
struct parse_settings {
	const char *language;		/* code of the language of the parser, or NULL if unknown */
	struct network *network;	/* NULL: the parser is the grammar or the control */
	const struct pcfg *grammar;	/* predicts only constituency trees; NULL: see `network` and
					 * `control` */
	int control;			/* enum control, if there is neither a network nor a
					 * grammar */
	bool projective, arcs, spans;	/* projective: dependency trees without crossing arcs; arcs,
					 * spans: predict dependency trees, constituency trees, if
					 * the parser can */
	double corrupt;			/* share of arcs and phrases to corrupt (corrupt.h), with
					 * this seed */
	uint64_t seed;
	/* The most words of a sentence that is parsed in one part, and of a batch. */
	int max_words, batch_words;
	/* Of the runtime: see runtime_open() of model/runtime.h. */
	const char *backend;
	int precision;
	int64_t threads;
};

struct parsing;

/*
 * Opens the back end and prepares the network.  The network, whose parameters must not change
 * afterwards, and the grammar must outlive the result.  Returns NULL if the back end cannot be
 * opened.
 */
struct parsing *parsing_new(const struct parse_settings *s, struct err *e) MUST_USE;
void parsing_free(struct parsing *p);
/* Starts a window: frees the results of the previous one. */
void parsing_begin(struct parsing *p);
/* Parses the n sentences `job`, and sets their results. */
void parsing_window(struct parsing *p, struct parse_job *job, int n);
/* Counts over all windows so far. */
struct parsing_counts {
	int64_t split;			/* sentences that were parsed in parts */
	int64_t fallbacks;		/* sentences or parts for which the grammar found no
					 * parse */
};
struct parsing_counts parsing_counts(const struct parsing *p);

#endif
