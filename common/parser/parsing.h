/*
 * parsing: trees for sentences in any number and order of lengths.
 *
 * Sentences come in windows, are sorted by length, dealt out into batches, and each batch is parsed
 * by one thread; results do not depend on threads or on what shares a batch.  A sentence of more
 * words than the limit is parsed in parts of equal length: the first part's root is the root, other
 * parts' roots depend on it as PARSE_JOINT, and the parts' constituents stand side by side under
 * PARSE_WHOLE.  Every sentence of a word or more gets a tree.
 */
#ifndef PARSING_H
#define PARSING_H

#include "model/runtime.h"
#include "parser/control.h"
#include "parser/corrupt.h"
#include "parser/parser-file.h"
#include "parser/pcfg.h"

#define PARSE_JOINT "parataxis"
#define PARSE_WHOLE "X"

struct parse_job {
	const char *const *word;	/* [n]; the caller's */
	int n;
	uint32_t number;		/* of the sentence: what is random depends on it */

	/* Found; in the parses' memory until parsing_begin().  NULL: not predicted, or no words. */
	int *head;
	const char **rel, **upos, **xpos;	/* [n] */
	const char *tree;		/* in brackets, on one line */
};

/* Who parses: a network, a grammar, or a control. */
struct parse_settings {
	struct network *network;	/* or NULL, and then: */
	const struct pcfg *grammar;	/* constituents alone; or NULL, and then: */
	int control;			/* enum control */
	bool projective, arcs, spans;	/* spans and arcs: what is wanted */
	double corrupt;			/* share of arcs and phrases */
	uint64_t seed;
	int max_words, batch_words;
	const char *backend;
	int precision;
	int64_t threads;
};

struct parsing;

struct parsing *parsing_new(const struct parse_settings *s, struct err *e) MUST_USE;
void parsing_free(struct parsing *p);
/* Forgets what the window before found. */
void parsing_begin(struct parsing *p);
void parsing_window(struct parsing *p, struct parse_job *job, int n);
struct parsing_counts {
	int64_t cut;			/* sentences over the limit so far */
	int64_t unknown;		/* parts of which the grammar knew no tree */
};
struct parsing_counts parsing_counts(const struct parsing *p);

#endif
