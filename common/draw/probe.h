/*
 * probe: a model without some of its heads, which translates and scores one sentence at a time.
 *
 * Several probes can share a model and run at the same time, each with its own runtime; they share
 * everything except the gates of the heads.
 */
#ifndef PROBE_H
#define PROBE_H

#include "draw/look.h"
#include "search/segmenter.h"
#include "search/translate.h"

struct probe {
	struct look look;		/* of the last probe_score(); look.m is &view */
	/* Private: */
	struct model view;		/* the model with other gates */
	real *gates;			/* [heads] 1, or 0 for a removed head */
	size_t heads;			/* number of heads of all sites */
	struct runtime *run;
	struct segmenter segmenter;
	struct translator translator;
	bool translates;		/* the translator is open, with its search settings */
	struct record *rec, *scored;
	struct str *piece;		/* [n_pieces] the target, in texts */
	size_t n_pieces, room;
	struct buf texts;
};

/*
 * m may be prepared (search/next-token.h) on the back end of `run`; both must outlive p.  `name` is
 * the name of the model in messages.  p must not be moved.  Returns -1 as segmenter_init(); then
 * probe_close() must not be called.
 */
int probe_open(struct probe *p, struct model *m, struct runtime *run, const char *name,
	       struct err *e) MUST_USE;
void probe_close(struct probe *p);

/* Sets the heads that are removed from now on: `removed` [heads of all sites]. */
void probe_remove(struct probe *p, const bool *removed);

/*
 * Set the source to a text, which is segmented with the model's own BPE codes or SentencePiece
 * model, or to the source of a record.
 */
int probe_text(struct probe *p, const char *text, size_t n, struct err *e) MUST_USE;
int probe_record(struct probe *p, const struct record *rec, struct err *e) MUST_USE;
/* The number of tokens of the source, without those that the model adds. */
int probe_source_tokens(const struct probe *p);

/* The search settings of the model.  Callers may change beam and length_penalty only. */
void probe_search(const struct probe *p, struct search_settings *s);
/*
 * Set the target: to a text, to tokens, which are copied, or to the translation with these
 * settings.
 */
int probe_target_text(struct probe *p, const char *text, size_t n, struct err *e) MUST_USE;
void probe_target_tokens(struct probe *p, const struct str *token, size_t n);
int probe_translate(struct probe *p, const struct search_settings *s,
		    struct err *e) MUST_USE;
/* Translates n jobs with these settings; their results are valid until the next translation. */
int probe_window(struct probe *p, struct translate_job *job, int n,
		 const struct search_settings *s, struct err *e) MUST_USE;
/* Appends the text of the target. */
int probe_target_add(struct probe *p, struct buf *out, struct err *e) MUST_USE;

/*
 * Runs the model over source and target; p->look then has the attention weights.  look_clear() must
 * follow.  Returns the log-probability of each target token, the end token last, in an array [*n]
 * on the tape.  Returns NULL with EXIT_INPUT if the sentence does not fit the model.
 */
const real *probe_score(struct probe *p, int *n, struct err *e);
/* The same for a record with a target, and its number in the stream. */
const real *probe_score_record(struct probe *p, const struct record *rec, int64_t number, int *n,
			       struct err *e);
/* The sentence with its target, as probe_score() runs it; NULL with EXIT_INPUT without a target. */
const struct record *probe_scored(struct probe *p, struct err *e);
/*
 * The sum of the log-probabilities that probe_score() returned, without that of a first token which
 * the model adds.
 */
double probe_sum(const struct probe *p, const real *log_prob, int n);

#endif
