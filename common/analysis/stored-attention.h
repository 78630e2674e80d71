/*
 * stored-attention: attention weights in the records of a stream, sentence after sentence.
 *
 * They are those of nmt-score --attention-weights, or of another toolkit, which heed.py wrote:
 * att.enc-self.N [heads, source, source], att.dec-self.N [heads, target, target] and att.cross.N
 * [heads, target, source], as heed-fields(5) says.  In a record with n source and m target tokens,
 * the encoder has
 *
 *	n	positions
 *	n + 1	and an end token after the source tokens
 *	n + 2	and a tag before them, such as a language
 *
 * and the decoder m + 1 positions, which predict the tokens and the end, or m + 2 with a tag.  Tags
 * are put into the record, as the models of heed do.  A head whose weights are all 0 in the first
 * sentence was pruned, and must be 0 in all others.
 */
#ifndef STORED_ATTENTION_H
#define STORED_ATTENTION_H

#include "analysis/sentence-attention.h"
#include "stream/stream.h"

struct stored_attention {
	struct reader *in;
	struct site_list sites;		/* encoder, decoder, cross-attention, by layer */
	struct sentence_attention sentence;	/* the last one */
	int64_t without;		/* records so far without weights, which were left out */

	/* The other members are private. */
	struct stored_site {
		char *field, *name;
		enum site_where where;
		int layer, all_heads, heads, *head;	/* as in struct site; heads is 0 while
							 * unknown */
		struct tensor given;	/* of the record */
		real *x;		/* [heads, queries, keys] */
		size_t room;
	} *stored;
	struct site *site;		/* [n] the sites, to which `sites` points */
	size_t n;
	bool ahead;			/* the first sentence, from which the number of heads was
					 * read, is still to be returned */
};

/*
 * Overwrites a, opens a stream of sentences, and reads the first one with weights, which
 * stored_attention_next() returns first.  `more`, which may be NULL, lists further fields that the
 * stream must have or, if optional, may have with this type.  Returns -1 with EXIT_USAGE if it has
 * no fields of weights and therefore needs a model, with EXIT_INPUT if no sentence has weights or
 * they are malformed, or as reader_open().  Call stored_attention_close() in any case.
 */
int stored_attention_open(struct stored_attention *a, const char *path, const struct field *more,
			  unsigned flags, struct err *e) MUST_USE;
/* Like stored_attention_open() for an open reader, which a owns from then on. */
int stored_attention_begin(struct stored_attention *a, struct reader *reader,
			   struct err *e) MUST_USE;
void stored_attention_close(struct stored_attention *a);	/* accepts a struct of zeros */

/*
 * Reads the next sentence with weights into a->sentence, where it is valid until the next call.
 * Returns 1, 0 after the last record, or -1 with EXIT_INPUT, naming stream and record.
 */
int stored_attention_next(struct stored_attention *a, struct err *e) MUST_USE;
/*
 * Passes on all sentences that are left.  Returns -1 also if take() fails, with the record's name.
 */
int stored_attention_each(struct stored_attention *a, sentence_attention_take *take, void *arg,
			  struct err *e) MUST_USE;

#endif
