/*
 * corpus: sentence pairs for training, their batches in an epoch, and the parts of a batch.
 *
 * corpus_open() reads and checks the stream once and builds an index: the position of each record
 * (store.h) and the number of subwords on its two sides.  The batches of an epoch are a function
 * of this index, the seed and the number of the epoch, so that a resumed training uses the same
 * batches.
 */
#ifndef CORPUS_H
#define CORPUS_H

#include <stddef.h>
#include <stdint.h>

#include "base/compiler.h"
#include "base/err.h"
#include "data/batch.h"
#include "text/vocab.h"
#include "text/word-count.h"

struct field;
struct store;

/* Pairs with more tokens on a side are left out, whatever the limit. */
enum { CORPUS_MAX_TOKENS = UINT16_MAX - 1 };

struct corpus {
	struct store *store;		/* the records */
	size_t n;			/* records */
	/*
	 * [n] The numbers of subwords of both sides; after corpus_select(), the numbers of tokens,
	 * with those that the model adds.  At most UINT16_MAX.
	 */
	struct corpus_pair {
		uint16_t src, tgt;
	} *pair;
	uint32_t *used;			/* [n_used] the records used for training, in order */
	size_t n_used, n_empty, n_long;	/* n_empty, n_long: records that were left out */
	uint32_t digest;		/* checksum of all fields of all records */
	struct word_count fields;	/* the number of records with each field */
	size_t room;
	struct word_count *src, *tgt;	/* only during corpus_open() */
};

/*
 * Opens a stream of sentences with src.pieces and tgt.pieces and reads it once.  Adds the counts of
 * their subwords to src and tgt, which may be NULL.
 */
int corpus_open(struct corpus *c, const char *path, unsigned flags, struct word_count *src,
		struct word_count *tgt, struct err *e) MUST_USE;
void corpus_close(struct corpus *c);
size_t corpus_with_field(const struct corpus *c, const char *name);	/* number of records */

/*
 * Selects the records used for training; call it once.  Leaves out pairs with an empty side and
 * pairs with more than r->max_length tokens on a side, including the tokens that the rules add.
 * With a first token, reads the stream again.  Returns -1 with EXIT_INPUT if it has changed.
 */
int corpus_select(struct corpus *c, const struct batch_rules *r, struct err *e) MUST_USE;

/* The batches of an epoch.  Batch i is record[start[i]] ... record[start[i + 1] - 1]. */
struct corpus_order {
	uint32_t *record;		/* [n_used] */
	size_t *start;			/* [n_batches + 1] */
	uint32_t *turn;			/* [n_batches] the order of the batches */
	size_t n_batches, room;
};

struct corpus_rules {
	uint64_t seed;
	int64_t tokens;			/* in a batch, on the side that has more, without padding */
	int64_t pool;			/* batches per pool, see corpus_epoch(); 0: whole epoch */
};

void corpus_order_init(struct corpus_order *o);
void corpus_order_release(struct corpus_order *o);

/*
 * Computes the batches of an epoch.  All pairs are shuffled and split into pools.  Each pool is
 * sorted by length and split into batches of at most r->tokens tokens; a longer sentence is a batch
 * of its own.  Then the batches are shuffled.
 */
void corpus_epoch(const struct corpus *c, struct corpus_order *o, const struct corpus_rules *r,
		  uint32_t epoch);
/* The same without shuffling, longest first, for validation and the curriculum. */
void corpus_sorted(const struct corpus *c, struct corpus_order *o, int64_t tokens);

/* Points *record to the records of the i-th batch and returns their number. */
size_t corpus_order_records(const struct corpus_order *o, size_t i, const uint32_t **record);
/* Sums the source and target tokens of n records. */
void corpus_tokens(const struct corpus *c, const uint32_t *record, size_t n, int64_t *src,
		   int64_t *tgt);

/*
 * Builds the vocabularies of both sides from counts.  If `joint`, both are the same and counts are
 * summed over both sides.  `min_count` and `max_types` are as in vocab_from_counts().
 */
void corpus_vocab(const struct word_count *src, const struct word_count *tgt, int joint,
		  int64_t min_count, int max_types, struct vocab *v_src, struct vocab *v_tgt);

/*
 * Trains on short sentences first.
 *
 * This is the curriculum of Platanios et al. 2019, Competence-based curriculum learning for neural
 * machine translation, with length as difficulty and the square root as competence (equation 8).
 * For the first T updates, the pairs of update t are drawn with replacement from the shortest
 * share c(t) of the corpus:
 *
 *	c(t) = min(1, sqrt(t (1 - c0^2) / T + c0^2))        c0 = 0.01
 *
 * The draws are a function of the seed and the number of the batch, so a checkpoint needs no state
 * for them.
 */
struct curriculum {
	const struct corpus *corpus;
	uint64_t seed;
	int64_t updates;		/* T; 0: no curriculum */
	int64_t tokens;			/* in a batch, as in struct corpus_rules */
	uint32_t *record;		/* [corpus->n_used] shortest first */
	uint32_t *batch;		/* the last batch */
	size_t room;
};

/* Call it after corpus_select(); the corpus must outlive c. */
void curriculum_init(struct curriculum *c, const struct corpus *corpus, uint64_t seed,
		     int64_t updates, int64_t tokens);
void curriculum_release(struct curriculum *c);

/* c(t), after t updates. */
double curriculum_competence(const struct curriculum *c, int64_t t);

/*
 * Draws a batch after t updates, t < T.  `number` identifies the batch and addresses its random
 * numbers.  Returns the number of records, at least 1; a batch of 1 may have too many tokens.
 * *record is valid until the next call.
 */
size_t curriculum_batch(struct curriculum *c, int64_t t, uint32_t number, const uint32_t **record);

/*
 * Divides the records of a batch.
 *
 * Each record goes to the part that has the fewest tokens so far (source plus target), and to the
 * first of several such parts.  No two parts differ by more tokens than the longest record has.
 * The division depends on the records and the number of parts alone.
 */

/* All zeros: no parts.  Reused from one batch to the next. */
struct batch_parts {
	uint32_t *record;		/* [n] the records, part by part, each part in order */
	size_t *start;			/* [parts + 1] part k begins at record[start[k]] */
	uint32_t *of;			/* [n] the part of each record */
	struct part_load *heap;		/* [parts] */
	size_t room[4];
};

/* Divides n records of the corpus into `parts` parts, at least 1. */
void batch_parts_divide(struct batch_parts *p, const struct corpus *c, const uint32_t *record,
			size_t n, int parts);
/* Points *record to the records of a part and returns their number. */
size_t batch_parts_get(const struct batch_parts *p, int part, const uint32_t **record);
void batch_parts_release(struct batch_parts *p);

#endif
