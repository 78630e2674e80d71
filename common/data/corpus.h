/*
 * corpus: sentence pairs to train on, in the order in which an epoch takes them.
 *
 * One checking pass over the stream leaves an index: where each record is
 * (store.h) and how many pieces its two sides have.  What an epoch looks like is a
 * function of that index, the seed and the epoch's number, so that a resumed run
 * makes the same batches again.
 */
#ifndef CORPUS_H
#define CORPUS_H

#include <stddef.h>
#include <stdint.h>

#include "base/compiler.h"
#include "base/err.h"
#include "base/strmap.h"
#include "text/vocab.h"

struct field;
struct store;

/* How often each type occurs on one side of a stream. */
struct corpus_counts {
	struct strmap types;
	int64_t *count;
	size_t room;
};

void corpus_counts_init(struct corpus_counts *c);
void corpus_counts_release(struct corpus_counts *c);
void corpus_counts_add(struct corpus_counts *c, const char *s, size_t n, int64_t times);

struct corpus {
	struct store *store;
	size_t n;			/* records */
	struct corpus_pair {
		uint16_t src, tgt;	/* pieces; symbols after corpus_select(); at most UINT16_MAX */
	} *pair;			/* [n] */
	uint32_t *used;			/* [n_used] the records that are trained on, in order */
	size_t n_used, n_empty, n_long;
	uint32_t digest;		/* of all records, every field */
	size_t room;
	struct corpus_counts *src, *tgt;	/* while it opens */
};

/*
 * Opens a stream of sentences with src.pieces and tgt.pieces and reads it once.  Types are
 * counted into src and tgt, which may be NULL.
 */
int corpus_open(struct corpus *c, const char *path, unsigned flags, struct corpus_counts *src,
		struct corpus_counts *tgt, struct err *e) MUST_USE;
void corpus_close(struct corpus *c);

/*
 * Once: pairs with an empty side are left out, and those of more than max symbols on a side, where
 * the source has src_extra symbols beyond its pieces and the target tgt_extra.
 */
void corpus_select(struct corpus *c, int src_extra, int tgt_extra, int64_t max);

/* The batches of one epoch. */
struct corpus_order {
	uint32_t *record;		/* [n_used] */
	size_t *start;			/* [n_batches + 1] batch i is record[start[i]] ... record[start[i+1]-1] */
	uint32_t *turn;			/* [n_batches] which batch comes i-th */
	size_t n_batches, room;
};

struct corpus_rules {
	uint64_t seed;
	int64_t tokens;			/* in a batch: real symbols of the side that has more of them */
	int64_t pool;			/* batches' worth of sentences sorted together; 0: the whole epoch */
};

void corpus_order_init(struct corpus_order *o);
void corpus_order_release(struct corpus_order *o);

/*
 * All pairs in a seeded permutation, cut into pools; a pool is sorted by length; the sorted
 * sentences are cut into batches of at most so many tokens (a longer sentence alone is
 * one, too); the batches are shuffled.
 */
void corpus_epoch(const struct corpus *c, struct corpus_order *o, const struct corpus_rules *r, uint32_t epoch);
/* The same without any shuffling, longest first: for measuring. */
void corpus_sorted(const struct corpus *c, struct corpus_order *o, int64_t tokens);

/* The i-th batch; how many records. */
size_t corpus_order_batch(const struct corpus_order *o, size_t i, const uint32_t **record);
/* Symbols of some records. */
void corpus_tokens(const struct corpus *c, const uint32_t *record, size_t n, int64_t *src, int64_t *tgt);

/*
 * What the part-th of some parts has of n records, in their order, into out, which has room for
 * all; how many.  A record goes where the fewest symbols are so far (source and target), so that
 * no two parts differ by more symbols than the longest record has.  All records are in just one part.
 */
size_t corpus_part(const struct corpus *c, const uint32_t *record, size_t n, int part, int parts,
		   uint32_t *out);

/*
 * Vocabularies from counts: two, or one for both sides (then a type counts wherever it occurs).
 * min_count and max_types as for vocab_from_counts().
 */
void corpus_vocab(const struct corpus_counts *src, const struct corpus_counts *tgt, int joint,
		  int64_t min_count, int max_types, struct vocab *v_src, struct vocab *v_tgt);

#endif
