/*
 * bpe: applying byte pair encoding, as subword-nmt's apply-bpe does.
 *
 * A struct bpe is a list of merges, read once and then only looked at: many
 * threads may share it.  A struct bpe_coder is one thread's way to use it: which
 * separator, vocabulary, glossaries and dropout, and a cache of words.
 */
#ifndef BPE_H
#define BPE_H

#include <stddef.h>
#include <stdint.h>

#include "base/buf.h"
#include "base/compiler.h"
#include "base/err.h"

struct bpe;
struct bpe_coder;

enum { BPE_NO_LIMIT = -1 };

/*
 * Codes from text: "#version: 0.2" (or 0.1, or nothing, which means 0.1), then
 * one merge "left right" a line.  Lines of three columns are fastBPE's: the third
 * is ignored and the version is 0.2.  Only the first merges lines are used.
 * NULL and EXIT_INPUT with the line on anything else.
 */
struct bpe *bpe_read(const char *text, size_t n, int64_t merges, struct err *e) MUST_USE;
struct bpe *bpe_open(const char *path, int64_t merges, struct err *e) MUST_USE;	/* the same from a file */
void bpe_free(struct bpe *b);			/* NULL is fine */
const char *bpe_text(const struct bpe *b, size_t *n);	/* the text as it was read, to be stored elsewhere */
int64_t bpe_merges(const struct bpe *b);		/* distinct pairs */

/* b must outlive the coder.  The separator marks pieces that are not the last of their word; NULL: "@@". */
struct bpe_coder *bpe_coder_new(const struct bpe *b, const char *separator);
void bpe_coder_free(struct bpe_coder *c);	/* NULL is fine */

/*
 * Pieces that are not in the vocabulary ("piece count" lines) with at least the
 * threshold's count are taken apart again.  An empty vocabulary restricts nothing.
 */
int bpe_coder_vocabulary(struct bpe_coder *c, const char *text, size_t n, int64_t threshold,
			 struct err *e) MUST_USE;

/* What matches this POSIX extended regular expression is set apart and stays whole; may be called several times. */
int bpe_coder_glossary(struct bpe_coder *c, const char *regex, struct err *e) MUST_USE;

/*
 * From now on each merge is skipped with probability p each time it is possible
 * (Provilkov, Emelianenko and Voita 2020, BPE-dropout).  The random numbers are
 * a function of seed, purpose and what bpe_coder_at() said last, so the sentence's number
 * decides and not what was done before.  Words of more than 1000 characters
 * are coded without dropout.
 */
void bpe_coder_dropout(struct bpe_coder *c, double p, uint64_t seed, uint32_t purpose);
void bpe_coder_at(struct bpe_coder *c, uint32_t sentence);

/* Appends the pieces of a word (n > 0, no blanks in it), a blank between them, and returns how many they are. */
size_t bpe_coder_word(struct bpe_coder *c, const char *word, size_t n, struct buf *out);

/*
 * The same for a line: words are separated by blanks, of which each run becomes
 * one; blanks and CRs at the line's ends stay as they are.
 */
void bpe_coder_line(struct bpe_coder *c, const char *line, size_t n, struct buf *out);

/* The other way round: appends the line without separators and the blanks behind them. */
void bpe_restore(const char *line, size_t n, const char *separator, struct buf *out);

#endif
