/*
 * bpe: applies byte pair encoding, as subword-nmt's apply-bpe does.
 *
 * A struct bpe is a list of merges.  It is immutable, so threads may share it.  A struct
 * bpe_coder is for one thread: it has a separator, a vocabulary, glossaries, dropout and a cache
 * of words.
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
 * Reads BPE codes from `text`: a first line "#version: 0.2" (or 0.1, or none, which means 0.1),
 * then one merge "left right" per line.  Lines of three columns have fastBPE's format: the third
 * column is ignored and the version is 0.2.  Only the first `merges` lines are used, or all with
 * BPE_NO_LIMIT.  Returns NULL and EXIT_INPUT, with the number of the line, if the text is
 * malformed.
 */
struct bpe *bpe_read(const char *text, size_t n, int64_t merges, struct err *e) MUST_USE;
/*
 * The same for the file at `path`, after bpe_check_kind().  Returns NULL with EXIT_SYSTEM if it
 * cannot be read.
 */
struct bpe *bpe_open(const char *path, int64_t merges, struct err *e) MUST_USE;
/*
 * Returns -1 with EXIT_INPUT for the text of byte-level BPE codes, as of GPT-2, in which no subword
 * ends with </w> and one begins with U+0120, which stands for a space; and for the text of a
 * vocabulary.  bpe_read() accepts both, because older models may have such codes.
 */
int bpe_check_kind(const char *text, size_t n, struct err *e) MUST_USE;
void bpe_free(struct bpe *b);			/* b may be NULL */
const char *bpe_text(const struct bpe *b, size_t *n);	/* the text of the BPE codes */
int64_t bpe_merges(const struct bpe *b);		/* number of distinct merges */

#define BPE_SEPARATOR "@@"	/* the default */

/*
 * b must outlive the coder.  The separator marks subwords that do not end a word; NULL:
 * BPE_SEPARATOR.
 */
struct bpe_coder *bpe_coder_new(const struct bpe *b, const char *separator);
void bpe_coder_free(struct bpe_coder *c);	/* c may be NULL */

/*
 * Reads a vocabulary of lines "subword frequency".  Subwords that are not in it, or have a
 * frequency below the threshold, are split by undoing their merges.  An empty vocabulary has no
 * effect.
 */
int bpe_coder_vocabulary(struct bpe_coder *c, const char *text, size_t n, int64_t threshold,
			 struct err *e) MUST_USE;

/*
 * Adds a glossary: parts of words that match this POSIX extended regular expression are not
 * segmented, and are separated from the rest of their words.  Returns -1 with EXIT_USAGE if the
 * expression is malformed.
 */
int bpe_coder_glossary(struct bpe_coder *c, const char *regex, struct err *e) MUST_USE;

/*
 * Enables dropout: each merge is skipped with probability p each time it is possible (Provilkov,
 * Emelianenko and Voita 2020, BPE-dropout).  The random numbers are a function of `seed`, `purpose`
 * (rng_purpose()) and the sentence number that bpe_coder_at() sets, and do not depend on other
 * sentences.  Words of more than 1000 characters are segmented without dropout.
 */
void bpe_coder_dropout(struct bpe_coder *c, double p, uint64_t seed, uint32_t purpose);
void bpe_coder_at(struct bpe_coder *c, uint32_t sentence);

/*
 * Appends the subwords of a word of n > 0 bytes without spaces, separated by spaces, and returns
 * their number.
 */
size_t bpe_coder_word(struct bpe_coder *c, const char *word, size_t n, struct buf *out);

/*
 * The same for a line of words, separated by spaces.  Several spaces between words become one;
 * spaces and CRs at the ends of the line are kept.
 */
void bpe_coder_line(struct bpe_coder *c, const char *line, size_t n, struct buf *out);

/*
 * The inverse of bpe_coder_line(): appends the line without separators and the spaces after them.
 */
void bpe_restore(const char *line, size_t n, const char *separator, struct buf *out);

#endif
