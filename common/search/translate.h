/*
 * translate: translates any number of sentences of any length in efficient batches.
 *
 * The caller passes windows of sentences.  translate_window() sorts a window by length, deals
 * the sentences out into batches of about the same number of source tokens, and searches each
 * batch on one thread, or a single batch on all threads.  Results are stored with their
 * sentence, so the caller can write them in input order.  Which sentences share a batch depends
 * only on the window.
 */
#ifndef TRANSLATE_H
#define TRANSLATE_H

#include "base/arena.h"
#include "search/search.h"

enum { TRANSLATE_BATCH = 4096 };	/* default number of source tokens in a batch */

/* A sentence to translate. */
struct translate_job {
	const struct record *rec;
	int64_t number;			/* index of the record in its stream, from 0 */
	int n_tokens;			/* number of source tokens; 0: the translation is empty */
	bool skip;			/* do not translate it: the translation is empty */
	int *prefix, n_prefix;		/* forced tokens after the model's first token */
	struct translation out;		/* the result */
};

struct translator {
	struct model *model;
	struct model *const *others;	/* [n_others] further models of an ensemble, the caller's */
	int n_others;
	struct pass *pass;
	struct search_settings search;
	int64_t batch_tokens;		/* approximate number of source tokens in a batch */
	bool cut;			/* cut sentences that are too long; otherwise an error */
	bool repeat;			/* see translate_batches() */
	const real *masks;		/* [n_masks] gates as in searcher_mask(), or NULL; for
					 * translate_batches() */
	int n_masks;
	const struct shortlist *shortlist;	/* of the output layer, or NULL */
	struct stream *stream;		/* [n_streams] searchers; private to translate.c */
	int n_streams;
	struct arena results;		/* memory of the results of the last window, except those in
					 * the streams */
	int64_t n_sentences, n_tokens;	/* number of sentences translated so far; of tokens of their
					 * best hypotheses */
	int64_t n_unknown;		/* tokens of prefixes that are not in the vocabulary */
};

/* Initializes t with the search settings of the model's recipe.  m and p must outlive it. */
void translator_init(struct translator *t, struct model *m, struct pass *p);
void translator_release(struct translator *t);

/*
 * Sets the prefix of a job to n tokens, given as texts, and adds those that are not in the target
 * vocabulary to t->n_unknown.
 */
void translate_prefix(struct translator *t, struct translate_job *job, const struct str *piece,
		      size_t n);

/* Starts a window: frees the results of the last one.  Call it before translate_prefix(). */
void translate_begin(struct translator *t);

/* Translates n jobs; `job[i].out` is valid until the next translate_begin(). */
int translate_window(struct translator *t, struct translate_job *job, int n,
		     struct err *e) MUST_USE;

/*
 * The same in steps, for windows that are translated again and again.  The jobs that have tokens
 * and are not skipped are sorted and dealt out: batch i has jobs order[i], order[i + n_batches],
 * and so on.  The other jobs get their empty translations at once.  The jobs must outlive the plan.
 */
struct translate_plan { struct translate_job **order; int n, n_batches; };
void translate_plan(struct translator *t, struct translate_job *job, int n,
		    struct translate_plan *p);
void translate_plan_release(struct translate_plan *p);
/*
 * Translates batches `from` to `to` - 1 of a plan.  With t->repeat, the caller guarantees that the
 * last call had the same batches, at most t->n_streams, with the same encoder outputs; the encoder
 * then does not run again, unless the model has attention variants.
 */
int translate_batches(struct translator *t, const struct translate_plan *p, int from, int to,
		      struct err *e) MUST_USE;

/* The tokens of a hypothesis as texts: an array in `mem`; the texts belong to the model. */
struct str *translate_pieces(const struct model *m, const struct hypothesis *h, struct arena *mem);

#endif
