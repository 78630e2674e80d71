/*
 * search: beam search over a batch of sentences.
 *
 * There are five variants, which follow five toolkits.  Below, log_prob is the sum of the
 * log-probabilities of the tokens of a hypothesis, len is their number including the end token, and
 * a is the length penalty.  The search of a sentence always stops at the maximum length, and
 * otherwise as stated.
 *
 *   fairseq  score = log_prob / len^a.  Each step considers the best 2*beam continuations.  Those
 *            that end and rank among the best `beam` are finished; the best `beam` of those that
 *            do not end are extended.  Stops when `beam` hypotheses are finished.  At the maximum
 *            length, only the end token is allowed.
 *   gnmt     score = log_prob / ((5 + len) / 6)^a (Wu et al. 2016, Google's neural machine
 *            translation system, eq. 14).  Finished hypotheses keep their score
 *            and compete for places in the beam.  Stops when the whole beam is finished.
 *   onmt     The score of gnmt.  Finished hypotheses leave the beam.  Stops when `n_best`
 *            hypotheses are finished and one of these was the best continuation of its step.
 *   voita    score = log_prob / (1 + len / 6)^a.  Finished hypotheses leave the beam.  Hypotheses
 *            whose score or log_prob is more than `spread` below that of the best finished
 *            hypothesis are dropped.  Stops when the beam is empty.
 *   marian   score = log_prob / len^a.  Each finished hypothesis leaves the beam, which has one
 *            place less from then on.  Stops when the beam is empty.  <unk> is never produced, but
 *            the probabilities of other tokens do not grow for that.
 *
 * In gnmt, onmt and marian, hypotheses that reach the maximum length are results although they have
 * no end token; in voita, they are results only if no hypothesis ended.  <pad> and <s> are never
 * produced.  Of continuations with equal scores, the one ranks higher whose hypothesis ranked
 * higher in the beam, and then the one with the lower token id.  The result of a sentence therefore
 * does not depend on the other sentences of the batch.
 *
 * With a coverage penalty b, the score of a hypothesis has the further term
 *
 *	b sum_i log min(sum_j p_ij, 1)
 *
 * (Wu et al. 2016, eq. 14), where p_ij is the weight with which target position j attends to
 * source position i: the mean over the heads of cross-attention in the penultimate decoder layer of
 * the first model, or in its only layer.  The sums include the end tokens of both sides; a sum
 * below 1e-10 counts as 1e-10.  gnmt ranks all hypotheses by the score with this term; the other
 * variants add it only to the scores of finished hypotheses.
 *
 * With sampling, each sample is extended by one random token per step (mixture.h), until it ends or
 * has the maximum length.  Its score is that of the variant.  The log-probabilities in it are those
 * of the model, not changed by temperature, top_k and top_p.
 */
#ifndef SEARCH_H
#define SEARCH_H

#include <stdint.h>

#include "data/batch.h"
#include "model/model.h"
#include "model/search-variant.h"
#include "search/mixture.h"

/*
 * A hypothesis has at least `min_length` and at most max_ratio * source + max_extra tokens, where
 * `source` is the number of source tokens, including an end token.  SEARCH_MARIAN rounds this
 * maximum up; the others round it down.  It is at least 1.  The end token of the hypothesis and a
 * free prefix are not counted.  The hypothesis never has more tokens than the model has positions.
 */
struct search_settings {
	enum search_variant variant;
	int beam, n_best;
	double length_penalty;		/* the exponent a */
	double coverage_penalty;	/* the factor b; 0: no coverage penalty, the default */
	double max_ratio;
	int max_extra, min_length;
	int free_prefix;	/* number of forced first tokens that count in no length and no
				 * log-probability.  Set by searcher_new(): 1 if all targets of the
				 * model begin with a first token (model/model-input.h), otherwise
				 * 0 */
	bool count_first;	/* the length penalty counts the free prefix after all, as in
				 * Hugging Face transformers */
	double spread;			/* SEARCH_VOITA only; 0: no hypotheses are dropped */
	struct sampling sampling;	/* if sampling.n is not 0, sentences are sampled, not
					 * searched */
	const char *noun;		/* what messages call a sentence: "record" or "line" */
};

/*
 * Sets *s to the defaults of a variant: beam size, lengths and spread as in its toolkit, length
 * penalty 1 for fairseq and marian and 0.6 for the others, one hypothesis for each sentence, and
 * the noun "record".
 */
void search_defaults(struct search_settings *s, enum search_variant variant);

/* The score of a hypothesis of `len` tokens, including the end token, without the coverage term. */
double search_score(const struct search_settings *s, double log_prob, int len);

/*
 * The maximum number of tokens, including a free prefix, of the translation of `source` tokens.  It
 * does not consider the number of positions of the model.
 */
int search_max_tokens(const struct search_settings *s, int source);

struct hypothesis {
	int n;
	int *id;			/* [n] without the end token */
	double score, log_prob;		/* score, and sum of the log-probabilities, as described
					 * above */
};

/*
 * The hypotheses of a sentence, at most n_best, best first.  With sampling, the n samples in the
 * order of their indices.  With searcher_mask(), the best hypothesis for each mask, in the order of
 * the masks.
 */
struct translation { int n; struct hypothesis *best; };

/*
 * A searcher searches one batch after another, and keeps its memory between batches.  Models and
 * pass must outlive it.  Several searchers may share a model and run at the same time if each has a
 * pass of its own.
 */
struct searcher;

/* Makes a searcher with a copy of the settings `s`. */
struct searcher *searcher_new(struct model *m, struct pass *p, const struct search_settings *s);
void searcher_free(struct searcher *x);		/* x may be NULL */

/*
 * The index of the site, an attention layer (attention/attention.h), whose weights the coverage
 * penalty reads.  The site has no heads if they were all pruned.
 */
size_t search_coverage_site(const struct model *m);

/*
 * Adds a model to the ensemble (mixture.h).  Must be called before the first batch.  All models, at
 * most ENSEMBLE_MAX, must have the same target vocabulary.
 */
enum { ENSEMBLE_MAX = 16 };
void searcher_add(struct searcher *x, struct model *m);

/*
 * Restricts translations to the candidates of a shortlist (shortlist.h), which must outlive x.  If
 * s is NULL, nothing is restricted.
 */
struct shortlist;
void searcher_restrict(struct searcher *x, const struct shortlist *s);

/*
 * From now on, searches each sentence n times, each time with another mask: a row of `gates` [n,
 * heads of all sites], which are gates of the heads in place of those of model_gate().  A
 * translation has the best hypothesis of each search, in the order of the rows.  Neither sampling
 * nor an ensemble is allowed.  The caller owns the gates, which must not change during a search.
 * If `gates` is NULL, each sentence is searched once, with the gates of the model.
 *
 * Results are shared where gates are the same, so that the order of the masks matters for speed:
 * the encoder begins at the first layer that differs from that of the preceding mask.  Adjacent
 * masks with the same gates in the encoder are searched together; without attention variants and a
 * coverage penalty, these searches also share the decoder layers before the first one that differs.
 */
void searcher_mask(struct searcher *x, const real *gates, int n);
/*
 * From now on, search_batch() calls done(done_arg, searches) each time that it has searched all
 * sentences with some of the masks.  `searches` is the number of these sentences times that of
 * the masks.
 */
typedef void search_progress(void *done_arg, int searches);
void searcher_progress(struct searcher *x, search_progress *done, void *done_arg);

/*
 * Translates the sentences of a batch into `out` [b->n], with memory in `mem`.  `b` is an array
 * with a batch for each model, all of the same records, made by model_batch().  The translation of
 * sentence i begins with the `prefix_n[i]` tokens `prefix[i]`; `prefix` may be NULL.  If all
 * targets of the model begin with a first token, this token is forced before them, and is not in
 * `out`.  Returns -1 with EXIT_INPUT if a prefix is too long or has an invalid token, or if no
 * hypothesis of a sentence has a finite score.  The message names the sentence.
 */
int search_batch(struct searcher *x, const struct batch *b, const int *const *prefix,
		 const int *prefix_n, struct arena *mem, struct translation *out,
		 struct err *e) MUST_USE;

#endif
