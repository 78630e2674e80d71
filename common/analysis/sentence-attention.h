/*
 * sentence-attention: the attention weights of one sentence.  They come from a model that has just
 * processed the sentence, or from a stream (stored-attention.h); measures treat both alike.
 */
#ifndef SENTENCE_ATTENTION_H
#define SENTENCE_ATTENTION_H

#include <stdint.h>

#include "analysis/attention-sums.h"
#include "data/batch.h"
#include "model/model.h"

/*
 * The attention layers whose weights are measured.  `site` has n elements (attention/attention.h).
 */
struct site_list { const struct site *site; size_t n; };

struct sentence_attention {
	const struct record *rec;	/* the record; its tokens include a first token that the
					 * model adds */
	int64_t number;			/* of the record in its stream, from 0 */
	/*
	 * `source` is the number of positions of the encoder; the last one is an end token if
	 * `source_end` is 1, and a normal token if it is 0.  `target` is the number of positions of
	 * the decoder, of which the last one predicts the end; 0: the sentence has no target.
	 */
	int source, source_end, target;
	/*
	 * Whether the model added the first token of the source, and of the target, such as a
	 * language tag.
	 */
	bool first, first_target;
	const int *id;			/* [source] ids in the source vocabulary of the model; NULL:
					 * unknown */
	const real **x;			/* element k: the weights at site k, [retained heads,
					 * queries, keys]; NULL: not computed */
};

/* The sites of a model.  The array still belongs to the model. */
struct site_list sites_of_model(const struct model *m);

/*
 * A function that is called for each sentence; `s` is valid only during the call.  It returns 0, or
 * -1 with an error whose message does not name the record; its caller adds the name.
 */
typedef int sentence_attention_take(void *arg, const struct sentence_attention *s, struct err *e);
/*
 * Calls take() with `arg` for each sentence of a batch that has just passed, on tape `t`, through
 * the encoder or through encoder and decoder.  Stops and returns -1 if take() does, with the name
 * of the record before the message.
 */
int sentence_attention_each(const struct model *m, struct tape *t, const struct batch *b,
			    sentence_attention_take *take, void *arg, struct err *e) MUST_USE;

/* The shape of the weights of a sentence at sites of the kind `where`; the member x is NULL. */
struct head_weights sentence_attention_shape(const struct sentence_attention *s,
					     enum site_where where);
/*
 * The weights of a sentence for one head; the member x is NULL if they were not computed.  `head`
 * is an index among all retained heads (attention/attention-heads.h).
 */
struct head_weights sentence_attention_head(const struct sentence_attention *s,
					    const struct site_list *sites, size_t head);

#endif
