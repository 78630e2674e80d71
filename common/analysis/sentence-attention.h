/*
 * sentence-attention: the attention weights of one sentence, from a model that has just read it or
 * from a stream (stored-attention.h), so that measures need not know which.
 */
#ifndef SENTENCE_ATTENTION_H
#define SENTENCE_ATTENTION_H

#include <stdint.h>

#include "analysis/attention-sums.h"
#include "data/batch.h"
#include "model/model.h"

/* The attention layers whose weights are measured. */
struct site_list { const struct site *site; size_t n; };

struct sentence_attention {
	const struct record *rec;	/* the record, including the first tokens that the model
					 * adds */
	int64_t number;			/* of the record in its stream, from 0 */
	/*
	 * source: the number of positions of the encoder, of which the last is an end token if
	 * source_end is 1.  target: the number of positions of the decoder, of which the last
	 * predicts the end; 0 without a target.
	 */
	int source, source_end, target;
	/* Whether the first token of the source, and of the target, is one that the model added. */
	bool first, first_target;
	const int *id;			/* [source] in the vocabulary of the model; NULL: unknown */
	const real **x;			/* by site: [heads, queries, keys] of its retained heads;
					 * NULL: not computed */
};

/* The sites of a model, which remain the model's. */
struct site_list sites_of_model(const struct model *m);

/*
 * A function that is called for each sentence; s is valid only during the call.  It returns 0, or
 * -1 with an error without the name of the record, which the caller of the function adds.
 */
typedef int sentence_attention_take(void *arg, const struct sentence_attention *s, struct err *e);
/*
 * Passes on the sentences of a batch that has just passed through the encoder, or through both
 * sides.  Returns -1 if take() does, with the name of the record before its message.
 */
int sentence_attention_each(const struct model *m, struct tape *t, const struct batch *b,
			    sentence_attention_take *take, void *arg, struct err *e) MUST_USE;

/* The shape of the weights at sites of a kind in a sentence; x is NULL. */
struct head_weights sentence_attention_shape(const struct sentence_attention *s,
					     enum site_where where);
/* The weights of a head at a site in a sentence; x is NULL if they were not computed. */
struct head_weights sentence_attention_head(const struct sentence_attention *s,
					    const struct site_list *sites, size_t site, int head);

#endif
