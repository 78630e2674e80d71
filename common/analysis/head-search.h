/*
 * head-search: searches for the heads to retain, given their number, without training.
 *
 * The loss is the negative log-likelihood of the target tokens, as in gated-scores.h, on a sample
 * of sentences.  Fisher information is that of head-losses.h.
 *
 *	fisher	Kwon et al. 2022, A fast post-training pruning framework for transformers: retain
 *		the heads with the highest Fisher information (mask search, section 4.1), then
 *		exchange heads within layers while this lowers the sum of the layer's Fisher block
 *		over all pairs of masked heads (mask rearrangement, section 4.2, equation 10)
 *	greedy	mask one head after another, each time the one without which the loss is lowest
 *
 * Both may be followed by swaps: the masked and the retained head whose exchange lowers the loss
 * most are exchanged, until no exchange lowers it.
 *
 * With n heads of which k are retained, greedy computes the loss (n (n + 1) - k (k + 1)) / 2 times,
 * and each round of swaps k (n - k) times.
 */
#ifndef HEAD_SEARCH_H
#define HEAD_SEARCH_H

#include <stdbool.h>
#include <stdint.h>

#include "analysis/head-losses.h"
#include "analysis/kept-batches.h"
#include "model/model.h"
#include "model/runtime.h"
#include "search/forced.h"

enum head_search_method { SEARCH_FISHER, SEARCH_FISHER_SWAP, SEARCH_GREEDY, SEARCH_GREEDY_SWAP };
/* The names by enum head_search_method, then NULL. */
extern const char *const head_search_methods[];

struct head_search {
	struct model *m;		/* the caller's */
	struct tape *tape;		/* the caller's */
	size_t n_gates, n;		/* number of all heads; of those that may be masked */
	size_t *head;			/* [n] the heads that may be masked, as indices of the gates
					 * of model_gate() */
	bool *masked;			/* [n_gates] the result: heads that are not retained */
	size_t *place;			/* [n_gates] the head's number in the order of greedy
					 * masking, from 1; or 0 */
	double nll, whole;		/* loss with these heads masked, and with none, summed */
	int64_t tokens, passes;		/* target tokens of the sample; passes over it so far */
	struct head_losses losses;
	struct kept_batches sample;
	/*
	 * Called after each batch with `arg` and the number of passes so far, or NULL.  Set by the
	 * caller after head_search_begin().
	 */
	void (*done)(void *arg, int64_t passes);
	void *arg;
};

/*
 * Overwrites s, and begins a search among the heads of one kind of site, or of all if `kind` < 0,
 * as head_losses_begin() begins measures.  The gates of the model are 1 until head_search_run().
 */
void head_search_begin(struct head_search *s, struct model *m, struct tape *t, int kind);
void head_search_release(struct head_search *s);
/*
 * Adds a batch of forced_run() to the sample, with its targets.  Copies the records.  Fails with
 * EXIT_INPUT if they do not fit the model.
 */
int head_search_add(struct head_search *s, const struct forced *f, struct err *e) MUST_USE;
/*
 * Adds all sentences of a stream, in batches, with their references as targets; `path` and flags as
 * in reader_open().  `too_long`: TOO_LONG_*, what to do with sentences that are too long.  The tape
 * of the search is that of `run`.
 */
int head_search_read(struct head_search *s, struct runtime *run, const char *path, unsigned flags,
		     int too_long, struct err *e) MUST_USE;
/*
 * Sets s->masked to all but `n_kept` heads of those that may be masked.  Fails with EXIT_USAGE if
 * there are fewer, EXIT_INPUT if the sample has no target token, or the loss with all heads is not
 * finite.
 */
int head_search_run(struct head_search *s, enum head_search_method method, int64_t n_kept,
		    struct err *e) MUST_USE;

#endif
