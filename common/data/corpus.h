/*
 * corpus: sentence pairs for training, the batches of an epoch, and the parts of a batch.
 *
 * corpus_open() reads and checks the stream once and builds an index: the position of each record
 * (stream/store.h) and the numbers of subwords on its two sides.  The batches of an epoch are a
 * function of this index, the seed and the number of the epoch.  A resumed training therefore uses
 * the same batches.  Records are identified by their index in the stream, from 0.
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

/* Pairs with more than this number of tokens on a side are left out, even without a limit. */
enum { CORPUS_MAX_TOKENS = UINT16_MAX - 1 };

struct corpus {
	struct store *store;		/* the records */
	size_t n;			/* number of records */
	/*
	 * [n] The numbers of subwords on both sides.  After corpus_select(), the numbers of tokens,
	 * including those that the model adds.  UINT16_MAX stands for all larger numbers, too.
	 */
	struct corpus_pair {
		uint16_t src, tgt;
	} *pair;
	uint32_t *used;			/* [n_used] the records used for training, in order */
	size_t n_used, n_empty, n_long;	/* n_empty, n_long: numbers of records that were left out,
					 * because a side is empty or too long */
	uint32_t digest;		/* checksum of all fields of all records */
	struct word_count fields;	/* for each field, the number of records that have it */
	size_t room;
	struct word_count *src, *tgt;	/* only during corpus_open() */
};

/*
 * Opens a stream of sentences that has src.pieces and tgt.pieces, and reads it once.  `flags` are
 * those of reader_open() (stream/stream.h).  Adds the frequencies of source subwords to `src`, and
 * of target subwords to `tgt`; either may be NULL.  Returns -1 with the error of store_open(); c is
 * then closed.
 */
int corpus_open(struct corpus *c, const char *path, unsigned flags, struct word_count *src,
		struct word_count *tgt, struct err *e) MUST_USE;
void corpus_close(struct corpus *c);
/* Returns the number of records that have the field `name`. */
size_t corpus_with_field(const struct corpus *c, const char *name);

/*
 * Selects the records used for training; call it once.  Leaves out pairs with an empty side, and
 * pairs with more than r->max_length tokens on a side, including the tokens that the rules add.  If
 * the rules have a first token, reads the stream again.  Returns -1 with EXIT_INPUT if the stream
 * has changed.
 */
int corpus_select(struct corpus *c, const struct batch_rules *r, struct err *e) MUST_USE;

/*
 * The batches of an epoch.  Batch k has the records record[start[k]] to record[start[k + 1] - 1].
 * In training, the i-th batch is batch turn[i].
 */
struct corpus_order {
	uint32_t *record;		/* [n_used of struct corpus] */
	size_t *start;			/* [n_batches + 1] */
	uint32_t *turn;			/* [n_batches] the order of the batches */
	size_t n_batches, room;
};

struct corpus_rules {
	uint64_t seed;
	int64_t tokens;			/* maximum number of tokens of a batch, on each side */
	int64_t pool;			/* size of a pool, as a number of batches of this maximum
					 * size; see corpus_epoch(); 0: the whole epoch */
};

/* A zero-initialized order is empty. */
void corpus_order_release(struct corpus_order *o);

/*
 * Computes the batches of epoch number `epoch`.  All pairs are shuffled and divided into pools.
 * Each pool is sorted by target length and then by source length.  The pairs in this order are
 * divided into batches of at most r->tokens tokens on each side; a pair with a longer side is a
 * batch of its own.  Then the batches are shuffled.
 */
void corpus_epoch(const struct corpus *c, struct corpus_order *o, const struct corpus_rules *r,
		  uint32_t epoch);
/*
 * Computes batches without shuffling, for validation and the curriculum: all pairs are sorted by
 * target length and then by source length, and the batches with the longest sentences are first in
 * `turn`.
 */
void corpus_sorted(const struct corpus *c, struct corpus_order *o, int64_t tokens);

/* Sets *record to the records of the i-th batch, an array in o, and returns their number. */
size_t corpus_order_records(const struct corpus_order *o, size_t i, const uint32_t **record);
/* Sets *src and *tgt to the numbers of source and target tokens in the n records `record[n]`. */
void corpus_tokens(const struct corpus *c, const uint32_t *record, size_t n, int64_t *src,
		   int64_t *tgt);

/*
 * Initializes `v_src` and `v_tgt` as vocabularies from the frequencies of subwords `src` and `tgt`.
 * If `joint` is not 0, both vocabularies have the same entries, by the sums of the frequencies of
 * both sides.  `min_count` and `max_types` are those of vocab_from_counts() (text/vocab.h).
 */
void corpus_vocab(const struct word_count *src, const struct word_count *tgt, int joint,
		  int64_t min_count, int max_types, struct vocab *v_src, struct vocab *v_tgt);

/*
 * The following functions draw batches for training on short sentences first.
 *
 * This is the curriculum of Platanios et al. 2019, Competence-based curriculum learning for neural
 * machine translation, with length as difficulty and the square root as competence (equation 8).
 * For the first T updates, the pairs of update t are drawn with replacement from the shortest
 * pairs, a share c(t) of the corpus:
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
	int64_t tokens;			/* maximum number of tokens of a batch, on each side */
	struct corpus_order sorted;	/* shortest pairs first */
	uint32_t *batch;		/* the records of the last batch */
	size_t room;
};

/*
 * Call it after corpus_select().  `updates` is T; with T = 0, only curriculum_competence() and
 * curriculum_release() may be called.  `corpus` must outlive c.
 */
void curriculum_init(struct curriculum *c, const struct corpus *corpus, uint64_t seed,
		     int64_t updates, int64_t tokens);
void curriculum_release(struct curriculum *c);

/* Returns c(t), after t updates; 1 from T on. */
double curriculum_competence(const struct curriculum *c, int64_t t);

/*
 * Draws a batch after t < T updates.  Its random numbers are a function of c->seed and `number`,
 * the number of the batch.  Sets *record to its records, which are valid until the next call, and
 * returns their number, at least 1.  A batch has at most c->tokens tokens on each side, unless it
 * is a single longer pair.
 */
size_t curriculum_batch(struct curriculum *c, int64_t t, uint32_t number, const uint32_t **record);

/*
 * The following functions divide a batch into parts, which are computed separately.
 *
 * Each record in turn goes to the part with the fewest tokens so far (source plus target), and to
 * the first of several such parts.  The numbers of tokens of any two parts differ by at most that
 * of the longest record.  The division depends only on the records and the number of parts.
 */

/* The parts of a batch.  Zero-initialize it; it can be reused for one batch after another. */
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
/* Sets *record to the records of a part, from 0, an array in p, and returns their number. */
size_t batch_parts_get(const struct batch_parts *p, int part, const uint32_t **record);
void batch_parts_release(struct batch_parts *p);

#endif
