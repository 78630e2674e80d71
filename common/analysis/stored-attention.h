/*
 * stored-attention: reads attention weights from the records of a stream, sentence after sentence.
 *
 * Such streams are written by nmt-score --attention-weights or, for models of other toolkits, by
 * heed.py.  The weights of layer N are in the fields att.enc-self.N [heads, source, source],
 * att.dec-self.N [heads, target, target] and att.cross.N [heads, target, source] (heed-fields(5)).
 * In a record with n source and m target tokens, the number of positions of the encoder is
 *
 *	n	if the positions are the source tokens
 *	n + 1	if an end token follows the source tokens
 *	n + 2	if also a tag, such as a language, precedes the source tokens
 *
 * The decoder has m + 1 positions, which predict the target tokens and the end, or m + 2 with a
 * tag.  When a sentence has been read, its tags are inserted into the record as first tokens, as
 * models of heed do; n and m do not count them.  A head whose weights are all 0 in the first
 * sentence with weights of its layer counts as pruned; its weights must be 0 in all other
 * sentences.  An empty source without an end token has no weights of the encoder and of
 * cross-attention.
 */
#ifndef STORED_ATTENTION_H
#define STORED_ATTENTION_H

#include "analysis/sentence-attention.h"
#include "stream/stream.h"

struct stored_attention {
	struct reader *in;
	struct site_list sites;		/* attention layers: encoder self-attention, decoder
					 * self-attention, cross-attention, each by layer */
	struct sentence_attention sentence;	/* the last one that was read */
	int64_t without;		/* number of records so far without weights, which were left
					 * out */

	/* The other members are private. */
	struct stored_site {
		char *field, *name;
		enum site_where where;
		int layer, all_heads, heads, *head;	/* members of struct site
							 * (attention/attention.h); `head` is
							 * NULL while unknown */
		struct tensor given;	/* the field in the record */
		real *x;		/* [heads, queries, keys] */
		size_t room;
	} *stored;
	struct site *site;		/* [n] the sites, to which `sites` points */
	size_t n;
	/* The sentences that were read to find the heads: stored_attention_next() returns them. */
	struct stored_ahead {
		struct record *rec;
		char *where;
		int64_t number;
	} *ahead;
	size_t n_ahead, ahead_room, next;
	const char *where;		/* of the sentence, if it was read ahead; or NULL */
};

/*
 * Overwrites *a, and opens the stream of sentences `path`; `flags` is that of reader_open().  Also
 * reads ahead, up to the first sentence with positions on both sides, so that a->sites is complete;
 * stored_attention_next() returns these sentences first.  `more`, unless NULL, lists further fields
 * as reader_open() expects them.  Returns -1 with EXIT_USAGE if the stream has no fields of
 * weights, with EXIT_INPUT if no sentence has weights or the weights are malformed, or as
 * reader_open().  Call stored_attention_close() also after an error.
 */
int stored_attention_open(struct stored_attention *a, const char *path, const struct field *more,
			  unsigned flags, struct err *e) MUST_USE;
/*
 * Like stored_attention_open() for a stream that is already open.  `a` owns the reader from then
 * on.
 */
int stored_attention_begin(struct stored_attention *a, struct reader *reader,
			   struct err *e) MUST_USE;
void stored_attention_close(struct stored_attention *a);	/* accepts a struct of zeros */

/*
 * Reads the next sentence with weights into a->sentence; the contents are valid until the next
 * call.  Returns 1, or 0 after the last record.  Returns -1 with EXIT_INPUT for malformed records;
 * the message names the stream and the record.
 */
int stored_attention_next(struct stored_attention *a, struct err *e) MUST_USE;
/*
 * The place of this sentence, for messages, as of reader_where().  That of the reader itself is
 * further on if sentences were read ahead.
 */
const char *stored_attention_where(const struct stored_attention *a);
/*
 * Calls take() with `arg` for each of the remaining sentences.  Stops and returns -1 if take()
 * does, with the name of the record before the message, or as stored_attention_next().
 */
int stored_attention_each(struct stored_attention *a, sentence_attention_take *take, void *arg,
			  struct err *e) MUST_USE;

#endif
