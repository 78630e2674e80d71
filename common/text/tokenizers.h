/*
 * tokenizers: sacreBLEU's tokenizers.
 *
 * The input is one line of valid UTF-8, n bytes at s, without its line end.  The tokens are
 * appended to `out`, separated by single spaces.  The output is valid UTF-8, and has no newline
 * that is not in the input.
 */
#ifndef TOKENIZERS_H
#define TOKENIZERS_H

#include <stdbool.h>
#include <stddef.h>

#include "base/buf.h"
#include "base/err.h"

/*
 * The tokenizers of sacreBLEU 2.6, as its BLEU calls them: trailing white space is removed first.
 * tokenize_char() and tokenize_none() do not change white space inside of the line.  A caller that
 * counts n-grams then splits the line at white space, by unicode_python_space() (unicode.h).
 */
typedef void tokenizer(const char *s, size_t n, struct buf *out);

tokenizer tokenize_13a, tokenize_intl, tokenize_zh, tokenize_char, tokenize_none;
tokenizer tokenize_ja_mecab;		/* only after tokenizer_find() has returned it */

/*
 * The names of the tokenizers, such as "13a", by the numbers of the enum below, NULL-terminated.
 * The last one, ja-mecab, has the number after TOKENIZER_NONE.
 */
extern const char *const tokenizer_names[];
enum { TOKENIZER_13A, TOKENIZER_INTL, TOKENIZER_ZH, TOKENIZER_CHAR, TOKENIZER_NONE };

/*
 * Tercom's tokenizer, as in sacreBLEU's TER: converts the line to lower case, unless
 * `case_sensitive` is true, and splits it at white space.  The other members ask for further steps.
 */
struct tercom {
	bool normalized;	/* replace entities, and separate punctuation as 13a does */
	bool no_punct;		/* remove . , ? : ; ! " ( ) */
	/*
	 * With `normalized`: separate Chinese and Japanese characters.  With `no_punct`: remove
	 * Chinese and Japanese punctuation.
	 */
	bool asian_support;
	bool case_sensitive;
};
void tokenize_tercom(const struct tercom *t, const char *s, size_t n, struct buf *out);

/*
 * Returns the tokenizer with this number.  Returns NULL with EXIT_USAGE if the tokenizer needs a
 * library without which heed was built, or another dictionary than the library uses (mecab.h).
 */
tokenizer *tokenizer_find(int number, struct err *e) MUST_USE;

/* The name of the tokenizer with this number in signatures of sacreBLEU. */
const char *tokenizer_signature(int number);

/*
 * Is at least half of the characters of a line, not counting spaces, Japanese, Chinese, Korean or
 * Thai?  13a and intl hardly split such text.
 */
bool tokenizer_unspaced(const char *s, size_t n);

/* Appends the n bytes at s to `out`, without trailing white space. */
void tokenize_rstrip(const char *s, size_t n, struct buf *out);

/*
 * Appends the n bytes at s to `out`, without white space at both ends, and with single spaces
 * between words.
 */
void tokenize_squeeze(const char *s, size_t n, struct buf *out);

#endif
