/*
 * probe: runs a model without some of its heads, on one sentence at a time: translates the
 * sentence, and computes attention weights and log-probabilities.
 *
 * Several probes can share a model and run at the same time if each has its own runtime.  They
 * share everything of the model except the gates of the heads.
 */
#ifndef PROBE_H
#define PROBE_H

#include "draw/look.h"
#include "search/segmenter.h"
#include "search/translate.h"

struct probe {
	struct look look;		/* results of the last probe_score(); look.m is &view */
	/* Private: */
	struct model view;		/* a copy of the model struct with other gates */
	real *gates;			/* [heads] 0 for a removed head, 1 for others */
	size_t heads;			/* number of heads of all attention layers */
	struct runtime *run;
	struct segmenter segmenter;
	struct translator translator;
	bool translates;		/* `translator` is open */
	struct record *rec, *scored;
	struct str *piece;		/* [n_pieces] tokens of the target, inside `texts` */
	size_t n_pieces, room;
	struct buf texts;
};

/*
 * Overwrites *p.  `m` and `run` must outlive `p`; `m` may have been prepared (search/next-token.h)
 * on the back end of `run`.  `name` is the name of the model, for messages.  The struct must not be
 * moved afterward.  Returns -1 as segmenter_init(); then, probe_close() must not be called.
 */
int probe_open(struct probe *p, struct model *m, struct runtime *run, const char *name,
	       struct err *e) MUST_USE;
void probe_close(struct probe *p);

/*
 * Sets which heads are removed from now on; heads that only earlier calls removed are used again.
 * `removed` is an array [heads of all sites] (attention/attention-heads.h), which is copied; NULL:
 * none.
 */
void probe_remove(struct probe *p, const bool *removed);

/*
 * The first function sets the source to a text of `n` bytes, which is segmented with the BPE codes
 * or the SentencePiece model in the model file.  The second one sets the source to that of a
 * record.  The first one returns -1 with EXIT_INPUT if the text cannot be segmented, the second one
 * if the record cannot be copied.
 */
int probe_text(struct probe *p, const char *text, size_t n, struct err *e) MUST_USE;
int probe_record(struct probe *p, const struct record *rec, struct err *e) MUST_USE;
/* The number of tokens of the source, not counting those that the model adds. */
int probe_source_tokens(const struct probe *p);

/*
 * Sets *s to the search settings of the model.  Before passing them to the functions below, callers
 * may change only `beam` and `length_penalty`.
 */
void probe_search(const struct probe *p, struct search_settings *s);
/*
 * These set the target: to a text of `n` bytes, to a copy of `n` tokens, or to the translation of
 * the source with the search settings `s`.  They return -1 with EXIT_INPUT if the text cannot be
 * segmented, or if the source does not fit the model.
 */
int probe_target_text(struct probe *p, const char *text, size_t n, struct err *e) MUST_USE;
void probe_target_tokens(struct probe *p, const struct str *token, size_t n);
int probe_translate(struct probe *p, const struct search_settings *s,
		    struct err *e) MUST_USE;
/*
 * Translates the sources of `n` jobs (search/translate.h) with the search settings `s`, independent
 * of the source above.  The results are valid until the next translation.
 */
int probe_window(struct probe *p, struct translate_job *job, int n,
		 const struct search_settings *s, struct err *e) MUST_USE;
/* Appends the target as text, with subwords joined. */
int probe_target_add(struct probe *p, struct buf *out, struct err *e) MUST_USE;

/*
 * Runs the model on source and target.  Afterward, p->look has the attention weights; the caller
 * must call look_clear() before the next run.  Sets *n to the number of target tokens, the end
 * token included, and returns an array [*n] of their log-probabilities.  The array is on the tape,
 * and valid until the next run.  Returns NULL with EXIT_INPUT if the sentence does not fit the
 * model.
 */
const real *probe_score(struct probe *p, int *n, struct err *e);
/*
 * Like probe_score(), for a record with source and target; `number` is its number in the stream,
 * from 0.
 */
const real *probe_score_record(struct probe *p, const struct record *rec, int64_t number, int *n,
			       struct err *e);
/*
 * Returns the sentence as a record with its target, as probe_score() passes it to the model.  The
 * record belongs to `p`.  Returns NULL with EXIT_INPUT if there is no target.
 */
const struct record *probe_scored(struct probe *p, struct err *e);
/*
 * The sum of the `n` log-probabilities that probe_score() returned, except that of a first token
 * which the model adds.
 */
double probe_sum(const struct probe *p, const real *log_prob, int n);

#endif
