/*
 * bpe: applies byte pair encoding, as subword-nmt's apply-bpe does.
 *
 * A struct bpe is a list of merges, the BPE codes.  It is immutable, so threads may share it.  A
 * struct bpe_coder segments text by a struct bpe; each thread needs its own.  It has settings
 * (separator, vocabulary, glossaries, dropout) and a cache of words.
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
 * Reads BPE codes from n bytes of `text`, which are copied.  The first line is "#version: 0.1" or
 * "#version: 0.2"; without such a line, the version is 0.1.  Each further line is a merge "left
 * right".  If the first line has three columns, all lines are in fastBPE's format: the third column
 * is a number without effect, and the version is 0.2.  Only the first `merges` merges are used, or
 * all with BPE_NO_LIMIT.  Returns NULL with EXIT_INPUT and the number of the line if the text is
 * malformed.
 */
struct bpe *bpe_read(const char *text, size_t n, int64_t merges, struct err *e) MUST_USE;
/*
 * Like bpe_read(), for the file at `path`, which must pass bpe_check_kind().  Returns NULL with
 * EXIT_SYSTEM if the file cannot be read.
 */
struct bpe *bpe_open(const char *path, int64_t merges, struct err *e) MUST_USE;
/*
 * Returns -1 with EXIT_INPUT if the text is a vocabulary, or byte-level BPE codes such as those of
 * GPT-2: there no subword ends with </w>, and some begin with U+0120, which stands for a space.
 * bpe_read() accepts both, because older models may contain them.  Otherwise returns 0.
 */
int bpe_check_kind(const char *text, size_t n, struct err *e) MUST_USE;
void bpe_free(struct bpe *b);			/* b may be NULL */
/* The text that was read, of *n bytes; it belongs to b. */
const char *bpe_text(const struct bpe *b, size_t *n);
int64_t bpe_merges(const struct bpe *b);		/* number of distinct merges */

#define BPE_SEPARATOR "@@"	/* the default */

/*
 * Makes a coder; b must outlive it.  `separator` is appended to subwords that do not end a word;
 * NULL means BPE_SEPARATOR.  The separator is copied.
 */
struct bpe_coder *bpe_coder_new(const struct bpe *b, const char *separator);
void bpe_coder_free(struct bpe_coder *c);	/* c may be NULL */

/*
 * Reads a vocabulary of lines "subword frequency" from n bytes of `text`; subwords that do not end
 * a word have the separator.  Subwords that are not in the vocabulary, or have a frequency below
 * `threshold`, are split by undoing their merges.  A vocabulary without subwords of at least this
 * frequency has no effect.  Returns -1 with EXIT_INPUT if a line is malformed.
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
 * Emelianenko and Voita 2020, BPE-dropout).  Call bpe_coder_at() with the number of each sentence
 * before its words.  The random numbers of a sentence are a function of `seed`, `purpose`
 * (rng_purpose(), in rng.h) and this number, and do not depend on other sentences.  Words of more
 * than 1000 characters are segmented without dropout.
 */
void bpe_coder_dropout(struct bpe_coder *c, double p, uint64_t seed, uint32_t purpose);
void bpe_coder_at(struct bpe_coder *c, uint32_t sentence);

/*
 * Appends the subwords of a word of n > 0 bytes without spaces, separated by spaces, and returns
 * their number.
 */
size_t bpe_coder_word(struct bpe_coder *c, const char *word, size_t n, struct buf *out);

/*
 * Appends the subwords of a line of n bytes, whose words are separated by spaces.  Several spaces
 * between words become one; spaces and CRs at both ends of the line are kept.
 */
void bpe_coder_line(struct bpe_coder *c, const char *line, size_t n, struct buf *out);

/*
 * The inverse of bpe_coder_line(): appends the line without the separators at ends of subwords, and
 * without the spaces after these separators.
 */
void bpe_restore(const char *line, size_t n, const char *separator, struct buf *out);

#endif
