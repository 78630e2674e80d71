/*
 * head-search: searches for the heads of a model to retain, given their number, without training.
 * The other heads are masked: their output is multiplied by a gate of 0 (model_gate() in
 * model/model.h).
 *
 * The loss is the negative log-likelihood of the target tokens in a sample of sentences, as in
 * gated-scores.h.  Fisher information is that of head-losses.h.  A site is an attention layer.
 * Heads are numbered as the retained heads of all sites (attention/attention-heads.h).  There are
 * two methods:
 *
 *	fisher	Kwon et al. 2022, A fast post-training pruning framework for transformers: retain
 *		the heads with the highest Fisher information (mask search, section 4.1), then
 *		exchange masked and retained heads of a layer while this lowers the sum of the
 *		layer's Fisher matrix (head_losses_block()) over all pairs of masked heads (mask
 *		rearrangement, section 4.2, equation 10)
 *	greedy	mask one head after another, each time the one without which the loss is lowest
 *
 * Swaps may follow each method.  Each round of swaps exchanges the masked head and the retained
 * head whose exchange lowers the loss most, until no exchange lowers the loss.
 *
 * With n heads of which k are retained, greedy computes the loss of the sample (n (n + 1) - k (k +
 * 1)) / 2 times, and each round of swaps k (n - k) times.
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
/* The names of enum head_search_method: fisher, fisher-swap, greedy, greedy-swap; then NULL. */
extern const char *const head_search_methods[];

struct head_search {
	struct model *m;		/* the caller's; NULL: not begun */
	struct tape *tape;		/* the caller's */
	size_t n_gates, n;		/* number of heads of all sites; of heads that may be
					 * masked */
	size_t *head;			/* [n] the heads that may be masked, as indices of the array
					 * of model_gate() */
	bool *masked;			/* [n_gates] the result: true for masked heads */
	size_t *place;			/* [n_gates] place of each head in the order of greedy
					 * masking, from 1; 0: not masked by greedy */
	double nll, whole;		/* loss of the sample, in nats: with the heads of `masked`
					 * masked; with no head masked */
	int64_t tokens, passes;		/* number of target tokens of the sample; number of passes
					 * over the sample so far */
	struct head_losses losses;
	struct kept_batches sample;
	/*
	 * Unless NULL, called after each batch with `arg` and the number of passes so far.  The
	 * caller sets `done` and `arg` after head_search_begin().
	 */
	void (*done)(void *arg, int64_t passes);
	void *arg;
};

/*
 * Overwrites *s, and prepares the model as head_losses_begin(), for Fisher information.  The heads
 * that may be masked are those at sites of one `kind` (enum site_where), or at all sites if `kind`
 * is negative.  The gates of the model are 1 until head_search_run().  `m` and `t` must outlive
 * `s`.
 */
void head_search_begin(struct head_search *s, struct model *m, struct tape *t, int kind);
void head_search_release(struct head_search *s);	/* `s` may be all zeros */
/*
 * Adds copies of the records of the current batch of forced_run() (search/forced.h) to the sample.
 * Returns -1 with EXIT_INPUT if they do not fit the model.
 */
int head_search_add(struct head_search *s, const struct forced *f, struct err *e) MUST_USE;
/*
 * Adds all sentences of the stream `path` to the sample, with their references as targets.  `flags`
 * is that of reader_open().  `too_long` is what to do with sentences that are too long for the
 * model, TOO_LONG_* (data/audit.h).  The tape of `run` must be that of head_search_begin().
 * Returns -1 as reader_open() or forced_run().
 */
int head_search_read(struct head_search *s, struct runtime *run, const char *path, unsigned flags,
		     int too_long, struct err *e) MUST_USE;
/*
 * Searches, and sets s->masked, so that `n_kept` of the heads that may be masked are retained.
 * Returns -1 with EXIT_USAGE if there are fewer such heads.  Returns -1 with EXIT_INPUT if each
 * sentence of the sample has a target token with probability 0, if the loss with all heads is not
 * finite, or if greedy finds no head that can be masked with a finite loss.  By fisher, the loss
 * s->nll may be infinite.
 */
int head_search_run(struct head_search *s, enum head_search_method method, int64_t n_kept,
		    struct err *e) MUST_USE;

#endif
