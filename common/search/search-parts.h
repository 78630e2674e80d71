/*
 * search-parts: the searcher, for search.c, which plans the searches of a batch, and
 * search-steps.c, which runs the models.
 */
#ifndef SEARCH_PARTS_H
#define SEARCH_PARTS_H

#include "search/beam.h"
#include "search/decoder.h"
#include "search/gated-encoder.h"

/* A model, with the memory of its nodes. */
struct member {
	struct model *m;
	struct arena mem;
	struct tape *tape;
	struct decoder_cache *cache;
	const struct batch *b;		/* the current batch */
};

struct searcher {
	struct member member[ENSEMBLE_MAX];	/* [n] */
	int n;
	struct pass *pass;
	struct search_settings set;
	int each;			/* searches of each sentence at a time: its samples, some of
					 * its masks, or 1 */
	const real *masks;		/* [n_masks, n_gates] gates of each search, or NULL */
	int n_masks, mask;		/* mask: the first one of those that are searched */
	size_t n_gates;
	struct gated_encoder encoder;	/* with masks */
	search_progress *done;		/* or NULL */
	void *done_arg;
	const int *which;		/* [n] the search of each hypothesis of the step */
	int live;			/* maximum number of sentences searched at a time */
	const struct shortlist *shortlist;	/* or NULL */
	struct arena lists;
	struct candidates *candidates;	/* of each sentence of the batch, with a shortlist */
	int encoded;			/* number of sentences of the batch in the caches */
	struct arena sums;
	double *covered;		/* [slots, covered_n] sums of attention weights, or NULL */
	int covered_n;			/* the longest source of the batch */
};

/* The gates of a mask. */
const real *search_gates(const struct searcher *x, int mask);
/*
 * Encodes the sentences of the batch from x->encoded to `end` - 1, and adds them to the caches of
 * all members.
 */
void search_encode(struct searcher *x, int end);
/*
 * Prepares the steps of a batch: memory of the coverage penalty, and candidates of each sentence.
 * `prefix` and `prefix_n` are those of search_batch(); the tokens of a prefix are candidates,
 * because they are forced.
 */
void search_begin_steps(struct searcher *x, const int *const *prefix, const int *prefix_n);
/* The functions of struct scorer (beam.h), of which `arg` is the searcher. */
void search_step(void *arg, const struct beam_step *all);
void search_copy(void *arg, int n, const int *from, const int *to, const int *len);

#endif
