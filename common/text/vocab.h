/*
 * vocab: a vocabulary maps subwords to ids.
 *
 * It starts with four special tokens, followed by the subwords by descending frequency; ties are
 * sorted by their bytes.  The text form, used in models, has one subword per line without the
 * special tokens, so that line i has the id VOCAB_SPECIALS + i - 1.  A subword that looks like a
 * special token ("<s>" in a corpus) is a different entry.
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
 * Sets v to only the special tokens.  vocab_from_counts(), vocab_read() and vocab_copy() initialize
 * a vocabulary, too: they do not free what it had before.
 */
void vocab_init(struct vocab *v);
void vocab_release(struct vocab *v);

/* The id of a subword, VOCAB_UNK if it is unknown; never the id of another special token. */
int vocab_id(const struct vocab *v, const char *s, size_t n);

/* The text of an id, 0 <= id < v->n, and its length in *n unless n is NULL. */
const char *vocab_text(const struct vocab *v, int id, size_t *n);

/*
 * Sets v to the subwords whose count is at least min_count, at most max_types of them (0: all), the
 * most frequent first.  `count` [types->n] has the count of each subword.  Skips subwords that the
 * text form cannot represent: empty ones, and those with a newline or invalid UTF-8.
 */
void vocab_from_counts(struct vocab *v, const struct strmap *types, const int64_t *count,
		       int64_t min_count, int max_types);

/* Appends the text form to `out`. */
void vocab_write(const struct vocab *v, struct buf *out);

/*
 * Sets v to the text form, n bytes.  Returns -1 with EXIT_INPUT, and v is then empty, if a line is
 * empty, a duplicate, not UTF-8 or without a line end; the message names the line.
 */
int vocab_read(struct vocab *v, const char *text, size_t n, struct err *e);
/* Sets `copy` to the same entries.  Returns -1 as vocab_read(). */
int vocab_copy(struct vocab *copy, const struct vocab *original, struct err *e);
uint64_t vocab_digest(const struct vocab *v);	/* FNV-1a of the text form; never changes */

#endif
