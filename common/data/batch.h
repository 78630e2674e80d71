/*
 * batch: sentences of a stream, packed as input of a model.
 *
 * All arrays are in the arena with which the batch was made.  Each source row is a subword of the
 * source, or its end token if the model adds one.  Each target row is a position of the decoder:
 * row t reads id[t] and predicts out[t].
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
	struct layout layout;
	const int *id;			/* [rows] the token read; -1: a zero vector */
	const int *pos;			/* [rows] position in the sentence, from 0 */
	const int *out;			/* [rows] target only: the token to predict */
};

struct batch {
	int n;				/* sentences */
	struct batch_side src, tgt;	/* tgt.layout.n is 0 if there are no targets */
	int src_end;			/* 1 if the last row of each source is an end token */
	const struct record *const *record;	/* [n] the records, which variants read; they must
						 * outlive the batch */
	const int64_t *number;		/* [n] index of the record in its stream, from 0 */
	struct arena *mem;
	struct batch_note *notes;	/* see batch_keep() */
	const void *ready;		/* the attention_set for which attention_set_batch() was
					 * called, or NULL */
	/*
	 * If the batch is a part of an update: the counts of attention_set_count() and the number
	 * of target tokens of the whole update.  Otherwise counts is NULL.
	 */
	const double *counts;
	double target;
};

/* How to make batches for a model. */
struct batch_rules {
	const struct vocab *src, *tgt;
	/*
	 * The first token of every source and target, which is added where it is missing; n is 0 if
	 * there is none.
	 */
	struct str first_token[2];
	bool src_eos;			/* append an end token to the source */
	enum { TARGET_BOS, TARGET_EOS, TARGET_ZERO } first;	/* what the decoder reads first */
	bool with_target;
	int max_length;			/* maximum number of tokens of a side, with those that the
					 * rules add; 0: no limit */
	bool cut;			/* cut longer sides; otherwise they are an error */
	real word_dropout;		/* share of input tokens to replace by <unk> */
	uint64_t seed;			/* for word_dropout */
	uint32_t step;			/* for word_dropout */
};

/*
 * The maximum number of tokens that a side of a record may have, without those that the rules add;
 * a first token in the record itself is not counted.  INT_MAX if there is no limit.
 */
int batch_room(const struct batch_rules *r, bool target);
/* Does a side of the record itself begin with the first token of the rules? */
bool batch_has_first(const struct record *rec, const struct batch_rules *r, bool target);
/* The number of tokens that the rules add to a side of the record. */
int batch_added(const struct record *rec, const struct batch_rules *r, bool target);
/* Returns -1 with EXIT_INPUT if a side that the rules use is longer than max_length. */
int batch_fits(const struct record *rec, const struct batch_rules *r, struct err *e);

/*
 * Packs n records with the indices `number` [n]: their fields src.pieces and tgt.pieces or, in
 * streams without subwords, the blank-separated tokens of src and tgt.  The arrays of b are in
 * `mem`.  Returns -1 with EXIT_INPUT; the message names the record.
 */
int batch_make(struct batch *b, struct arena *mem, const struct record *const *rec,
	       const int64_t *number, int n, const struct batch_rules *rules, struct err *e);

/* The number of target tokens of the update that b is a part of. */
double batch_update_targets(const struct batch *b);

/*
 * Stores a value that was computed from the records of the batch, so that it is computed only once.
 * `key` is an address that identifies it.  `value` must live as long as the batch.
 */
void batch_keep(struct batch *b, const void *key, const void *value);
/* What was stored under the key, or NULL. */
const void *batch_kept(const struct batch *b, const void *key);

/*
 * Makes a batch of the sentences `from` to `to` - 1 of b, source side only.  Its arrays are in
 * `mem` and in b, so it must not outlive either.  It does not have what was stored with
 * batch_keep().
 */
void batch_part(struct batch *part, const struct batch *b, int from, int to, struct arena *mem);

#endif
