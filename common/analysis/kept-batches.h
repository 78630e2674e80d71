/*
 * kept-batches: sentences with targets that are kept in memory as batches of a model, so that the
 * model can be run on the same text many times.
 */
#ifndef KEPT_BATCHES_H
#define KEPT_BATCHES_H

#include <stdint.h>

#include "base/arena.h"
#include "model/model.h"
#include "search/forced.h"

struct kept_batches {
	struct model *m;		/* the caller's; must outlive this struct */
	struct kept_batch {
		struct batch batch;
		struct record **rec;	/* [n] copies of the records; `batch` points to them */
		int64_t *number;	/* [n] place of each record among all that were kept, from
					 * 0; `batch` points to them */
		int n;
	} *batch;			/* [n] */
	size_t n, room;
	int64_t sentences;		/* number of sentences in all batches */
	struct arena mem;
};

void kept_batches_begin(struct kept_batches *k, struct model *m);
void kept_batches_release(struct kept_batches *k);	/* accepts a struct of zeros */
/*
 * Adds copies of `n` records as one batch, made by `rules` (data/batch.h).  Returns -1 with
 * EXIT_INPUT if they do not fit the model; after an error, `k` can only be released.
 */
int kept_batches_add(struct kept_batches *k, const struct record *const *rec, int n,
		     const struct batch_rules *rules, struct err *e) MUST_USE;
/*
 * Like kept_batches_add(), for `n` records of a batch of forced_run() (search/forced.h), with its
 * rules but without word dropout.  The message names the input.
 */
int kept_batches_take(struct kept_batches *k, const struct forced *f,
		      const struct record *const *rec, int n, struct err *e) MUST_USE;

#endif
