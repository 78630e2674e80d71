/*
 * vocab: a vocabulary maps subwords to ids.
 *
 * The first ids are those of four special tokens.  The ids of the subwords follow.  In a vocabulary
 * of vocab_from_counts(), subwords are sorted by descending frequency, and those of equal frequency
 * by their bytes.  The text form of a vocabulary,
 * used in models, has a line for each subword, but none for the special tokens: line i, from 1, is
 * the subword with id VOCAB_SPECIALS + i - 1.  A subword that looks like a special token ("<s>" in
 * a corpus) is a different entry.
 */
#ifndef VOCAB_H
#define VOCAB_H

#include <stddef.h>
#include <stdint.h>

#include "base/buf.h"
#include "base/err.h"
#include "base/strmap.h"

enum { VOCAB_PAD, VOCAB_BOS, VOCAB_EOS, VOCAB_UNK, VOCAB_SPECIALS };	/* <pad> <s> </s> <unk> */

struct vocab {
	struct strmap types;		/* the subwords: number i has the id VOCAB_SPECIALS + i */
	int n;				/* number of entries, including the special tokens */
};

/*
 * Initializes v, with only the special tokens.  vocab_from_counts(), vocab_read() and vocab_copy()
 * also initialize a vocabulary: they do not free earlier contents.
 */
void vocab_init(struct vocab *v);
void vocab_release(struct vocab *v);

/*
 * Returns the id of a subword of n bytes; VOCAB_UNK if v does not have it.  Never returns the id of
 * another special token.
 */
int vocab_id(const struct vocab *v, const char *s, size_t n);

/*
 * Returns the subword or special token with this id, 0 <= id < v->n, and sets *n to its length
 * unless n is NULL.
 */
const char *vocab_text(const struct vocab *v, int id, size_t *n);

/*
 * Sets v to the subwords in `types` with a count of at least `min_count`, the most frequent first;
 * if there are more than `max_types`, to the first `max_types`.  `max_types` 0 means no limit.
 * `count[types->n]` has the count of each subword.  Skips subwords that the text form cannot
 * represent: empty ones, and those with a newline or invalid UTF-8.
 */
void vocab_from_counts(struct vocab *v, const struct strmap *types, const int64_t *count,
		       int64_t min_count, int max_types);

/* Appends the text form of v to `out`. */
void vocab_write(const struct vocab *v, struct buf *out);

/*
 * Sets v to the vocabulary whose text form is the n bytes at `text`.  If a line is empty, a
 * duplicate, not UTF-8 or without a line end, returns -1 with EXIT_INPUT and the number of the
 * line; v then has only the special tokens.
 */
int vocab_read(struct vocab *v, const char *text, size_t n, struct err *e);
void vocab_copy(struct vocab *copy, const struct vocab *original);
uint64_t vocab_digest(const struct vocab *v);	/* FNV-1a of the text form; the same in all
						 * versions of heed */

#endif
