/*
 * batch: sentences from a stream, packed for the engine.
 *
 * All arrays live in the arena the batch was made in.  Source rows are the
 * source pieces (and an end symbol if the model has one); target rows are the
 * decoder's slots: row t takes in[t] and should give out[t].
 */
#ifndef BATCH_H
#define BATCH_H

#include <stdbool.h>
#include <stdint.h>

#include "base/arena.h"
#include "base/err.h"
#include "stream/stream.h"
#include "tape/tape.h"
#include "text/vocab.h"

struct batch_side {
	struct layout layout;
	const int *id;			/* [rows] what goes in (target: shifted by one); -1: a zero vector */
	const int *pos;			/* [rows] position in the sentence, from 0 */
	const int *out;			/* target only: [rows] what should come out; ends with VOCAB_EOS */
};

struct batch {
	int n;				/* sentences */
	struct batch_side src, tgt;	/* tgt.layout.n is 0 when only the source is there */
	int src_end;			/* rows at the end of every source that are no pieces: 0 or 1 */
	const struct record *const *record;	/* [n], for variants that want more fields; alive as long as the batch */
	const int64_t *number;		/* [n] the record's number in its stream, from 0 */
	struct arena *mem;
	struct batch_note *notes;	/* see batch_keep() */
	const void *ready;		/* the attention variants that have seen it */
	/*
	 * Of the update that it is a part of: what attention_set_count() gives, and its target symbols.  NULL: b
	 * is all of it.
	 */
	const double *counts;
	double target;
};

struct batch_rules {
	const struct vocab *src, *tgt;
	bool src_eos;			/* an end symbol behind the source */
	enum { TARGET_BOS, TARGET_EOS, TARGET_ZERO } first;	/* what the decoder sees first */
	bool with_target;
	int max_length;			/* longest source or target in symbols, end or beginning counted; 0: any */
	bool cut;			/* longer ones lose their end; otherwise an error */
	real word_dropout;		/* share of input symbols replaced by <unk>; needs seed, step */
	uint64_t seed;
	uint32_t step;
};

/* The next blank-separated token of a text from *at on; false at its end. */
bool batch_token(struct str text, size_t *at, struct str *token);

/*
 * Symbols of one side of a record: its pieces, or the blank-separated tokens of its text; -1 if it
 * has neither.  batch_room(): as many fit, without those that the rules add; INT_MAX: any number.
 */
int batch_pieces(const struct record *rec, bool target);
int batch_room(const struct batch_rules *r, bool target);
/* -1 and EXIT_INPUT if a side of the record that the rules want is longer than max_length. */
int batch_fits(const struct record *rec, const struct batch_rules *r, struct err *e);

/*
 * Packs n records: their src.pieces and tgt.pieces, or, in streams without pieces, the blank-separated
 * tokens of src and tgt.  Errors name the record (EXIT_INPUT).
 */
int batch_make(struct batch *b, struct arena *mem, const struct record *const *rec, const int64_t *number,
	       int n, const struct batch_rules *rules, struct err *e);

/* Target tokens of the update that b is a part of. */
double batch_update_targets(const struct batch *b);

/*
 * What is made of a batch's records once, for all who ask: kept under a key, which is an address.  It
 * lives as long as the batch.
 */
void batch_keep(struct batch *b, const void *key, const void *what);
const void *batch_kept(const struct batch *b, const void *key);		/* or NULL */

/*
 * Sentences [from, to) of a batch as a batch of their own, source side only; its arrays are in mem or
 * b's, so it must not outlive either.  Nothing that was kept with b goes along.
 */
void batch_part(struct batch *part, const struct batch *b, int from, int to, struct arena *mem);

#endif
