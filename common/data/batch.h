/*
 * batch: sentences of a stream, packed as input of a model.
 *
 * All arrays are in the arena with which the batch was made.  The rows of all sentences follow each
 * other without padding.  A source row is a token that the encoder reads: a subword, or the end
 * token if the model adds one.  A target row is a position of the decoder: row t reads token id[t]
 * and predicts token out[t].  Tokens are ids of a vocabulary (text/vocab.h).
 */
#ifndef BATCH_H
#define BATCH_H

#include <stdbool.h>
#include <stdint.h>

#include "base/arena.h"
#include "base/err.h"
#include "data/side-tokens.h"
#include "stream/stream.h"
#include "tape/tape.h"
#include "text/vocab.h"

struct batch_side {
	struct layout layout;		/* which rows a sentence has (tape/tape.h) */
	const int *id;			/* [rows] the token read; -1: a zero vector */
	const int *pos;			/* [rows] position in the sentence, from 0 */
	const int *out;			/* [rows] target only: the token to predict */
};

struct batch {
	int n;				/* number of sentences */
	struct batch_side src, tgt;	/* tgt.layout.n is 0 if there are no targets */
	int src_end;			/* 1 if the last row of each source is an end token */
	const struct record *const *record;	/* [n] the records, which attention variants
						 * read; they must outlive the batch */
	const int64_t *number;		/* [n] index of the record in its stream, from 0 */
	struct arena *mem;
	struct batch_note *notes;	/* see batch_keep() */
	const void *ready;		/* the attention_set for which attention_set_batch() was
					 * called, or NULL */
	/*
	 * If the batch is one of several parts of an update of training: the counts of
	 * attention_set_count() (attention/attention.h) and the number of target tokens, both of
	 * the whole update.  Otherwise, and if no variant counts anything, counts is NULL.
	 */
	const double *counts;
	double target;
};

/* How to make batches for a model. */
struct batch_rules {
	const struct vocab *src, *tgt;
	/*
	 * The first token of every source [0] and target [1], such as a language token, which is
	 * added where it is missing; n is 0 for no first token.
	 */
	struct str first_token[2];
	bool src_eos;			/* append an end token to the source */
	enum { TARGET_BOS, TARGET_EOS, TARGET_ZERO } first;	/* what the decoder reads first */
	bool with_target;		/* pack targets, too */
	int max_length;			/* maximum number of tokens of a side, including those that
					 * the rules add; 0: no limit */
	bool cut;			/* cut longer sides; otherwise they are an error */
	real word_dropout;		/* probability of replacing an input token by <unk> */
	uint64_t seed;			/* random numbers of word_dropout are a function of seed, */
	uint32_t step;			/* step, record number and position */
};

/*
 * Returns the maximum number of tokens of a side of a record, not counting a first token, whether
 * the record has it or the rules add it, or other tokens that the rules add.  INT_MAX if there is
 * no limit.  In this and the next functions, `target` is false for the source and true for the
 * target.
 */
int batch_room(const struct batch_rules *r, bool target);
/* Lowers r->max_length so that batch_room() of the source is at most `room`. */
void batch_limit(struct batch_rules *r, int room);
/* Does a side of the record begin with the first token of the rules, so that it is not added? */
bool batch_has_first(const struct record *rec, const struct batch_rules *r, bool target);
/* Returns the number of tokens that the rules add to a side of the record. */
int batch_added(const struct record *rec, const struct batch_rules *r, bool target);
/*
 * Returns -1 with EXIT_INPUT if the source or, with r->with_target, the target of the record is
 * longer than r->max_length.
 */
int batch_fits(const struct record *rec, const struct batch_rules *r, struct err *e);

/*
 * Packs the n records `rec[n]`, which have the indices `number[n]` in their stream.  The tokens of
 * a side are its subwords, src.pieces or tgt.pieces, or in streams without subwords the tokens of
 * src or tgt that are separated by spaces.  The arrays of b are in `mem`.  Returns -1 with
 * EXIT_INPUT and the number of the record if a side is missing or too long.
 */
int batch_make(struct batch *b, struct arena *mem, const struct record *const *rec,
	       const int64_t *number, int n, const struct batch_rules *rules, struct err *e);

/*
 * Returns the number of target tokens of the update of which b is a part, or of b if b->counts is
 * NULL.
 */
double batch_update_targets(const struct batch *b);

/*
 * Stores a value that was computed from the records of the batch, so that it is computed only once.
 * `key` is any address that identifies the value.  `value` is not copied, and must live as long as
 * the batch.
 */
void batch_keep(struct batch *b, const void *key, const void *value);
/* Returns the value that was stored under `key`, or NULL. */
const void *batch_kept(const struct batch *b, const void *key);

/*
 * Makes a batch of the sentences `from` to `to` - 1 of b, with the source side only.  Its arrays
 * are in `mem` and in b, so that it must not outlive either.  Values stored in b by batch_keep()
 * are not in the new batch.
 */
void batch_part(struct batch *part, const struct batch *b, int from, int to, struct arena *mem);

#endif
