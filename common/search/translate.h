/*
 * translate: translates any number of sentences of any length in efficient batches.
 *
 * The caller passes windows, that is, arrays of sentences.  translate_window() sorts a window by
 * length and distributes its sentences over batches with about the same number of source tokens.
 * Several batches are searched in parallel, each by one thread; a single batch is searched by all
 * threads, and so is each batch in turn if the back end is not thread-safe.  The result is stored
 * with each sentence, so that the caller can write the sentences in input order.  Which sentences
 * share a batch depends only on the window.
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
	bool skip;			/* the sentence is not translated: the translation is
					 * empty */
	int *prefix, n_prefix;		/* forced tokens, which follow the first token of the model;
					 * see translate_prefix() */
	struct translation out;		/* the result */
};

struct translator {
	struct model *model;
	struct model *const *others;	/* [n_others] further models of an ensemble, the caller's */
	int n_others;
	struct pass *pass;
	struct search_settings search;
	int64_t batch_tokens;		/* approximate number of source tokens in a batch */
	bool cut;			/* sentences that are too long are cut; otherwise they are
					 * an error */
	int room;			/* `cut`: the most tokens of a source that are translated,
					 * not counting those that a model adds.  If a model accepts
					 * fewer, it reads fewer. */
	const real *masks;		/* [n_masks] NULL, or gates for searcher_mask() (search.h):
					 * each job gets n_masks hypotheses */
	int n_masks;
	/*
	 * Reports progress under masks; or NULL.  It is called by the thread that called
	 * translate_batches(), and by no other, with the number of translations so far in this call
	 * and with `done_arg`.
	 */
	void (*done)(void *done_arg, int64_t translations);
	void *done_arg;
	const struct shortlist *shortlist;	/* for the output layer; or NULL */
	struct stream *stream;		/* [n_streams] searchers; private to translate.c */
	int n_streams;
	struct arena results;		/* memory of results and prefixes of the last window; other
					 * results are in the streams */
	int64_t n_sentences, n_tokens;	/* number of sentences passed to translate_window() so
					 * far, with skipped ones, and of tokens of their best
					 * hypotheses */
	int64_t n_unknown;		/* number of tokens of prefixes that are not in the
					 * vocabulary */
};

/*
 * Initializes t with the search settings of m->recipe.  m and p must outlive t.  The caller may
 * change the settings in t before the first window.
 */
void translator_init(struct translator *t, struct model *m, struct pass *p);
void translator_release(struct translator *t);

/*
 * Sets the forced tokens of a job to n tokens, which are given as texts.  Those that are not in the
 * target vocabulary become <unk> and are counted in t->n_unknown.
 */
void translate_prefix(struct translator *t, struct translate_job *job, const struct str *piece,
		      size_t n);

/*
 * Starts a window: frees the results and prefixes of the last one.  Must be called before
 * translate_prefix().
 */
void translate_begin(struct translator *t);

/*
 * Translates n jobs.  `job[i].out` is valid until the next translate_begin().  Returns -1 with the
 * error of model_batch() (model/model-input.h) or search_batch() (search.h).
 */
int translate_window(struct translator *t, struct translate_job *job, int n,
		     struct err *e) MUST_USE;

/*
 * A plan divides translate_window() into steps, for windows that are translated several times.
 * translate_plan() sorts the jobs that have tokens and are not skipped, and distributes them over
 * batches: batch i has the jobs order[i], order[i + n_batches], and so on.  The other jobs get
 * their empty translations at once.  The jobs must outlive the plan.
 */
struct translate_plan { struct translate_job **order; int n, n_batches; };
void translate_plan(struct translator *t, struct translate_job *job, int n,
		    struct translate_plan *p);
void translate_plan_release(struct translate_plan *p);
/* Translates the batches `from` to `to` - 1 of a plan. */
int translate_batches(struct translator *t, const struct translate_plan *p, int from, int to,
		      struct err *e) MUST_USE;

/*
 * Returns the texts of the tokens of a hypothesis [h->n], in an array in `mem`.  The texts belong
 * to the model.
 */
struct str *translate_pieces(const struct model *m, const struct hypothesis *h, struct arena *mem);

#endif
