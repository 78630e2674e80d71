/*
 * tokenizers: sacreBLEU's tokenizers.
 *
 * The input is one line of valid UTF-8, without its line end.  The tokens are appended to out,
 * separated by single spaces.  The output is valid UTF-8 and has no newline that is not in the
 * input.
 */
#ifndef TOKENIZERS_H
#define TOKENIZERS_H

#include <stdbool.h>
#include <stddef.h>

#include "base/buf.h"
#include "base/err.h"

/*
 * The tokenizers of sacreBLEU 2.6, as its BLEU calls them: trailing white space is removed first.
 * char and none keep inner white space unchanged; a caller that counts n-grams then splits at
 * white space (unicode_python_space()).
 */
typedef void tokenizer(const char *s, size_t n, struct buf *out);

tokenizer tokenize_13a, tokenize_intl, tokenize_zh, tokenize_char, tokenize_none;
tokenizer tokenize_ja_mecab;		/* once tokenizer_find() has found it */

/* The names of the tokenizers by number, NULL-terminated; the last is ja-mecab. */
extern const char *const tokenizer_names[];
enum { TOKENIZER_13A, TOKENIZER_INTL, TOKENIZER_ZH, TOKENIZER_CHAR, TOKENIZER_NONE };

/*
 * Tercom's tokenizer, as in sacreBLEU's TER: lowercases, unless the text is case_sensitive, and
 * splits at white space.
 */
struct tercom {
	bool normalized;	/* replace entities, and separate punctuation as 13a does */
	bool no_punct;		/* remove . , ? : ; ! " ( ) */
	bool asian_support;	/* with these: separate or remove Chinese and Japanese characters */
	bool case_sensitive;
};
void tokenize_tercom(const struct tercom *t, const char *s, size_t n, struct buf *out);

/* Finds a tokenizer by its number; NULL and EXIT_USAGE if heed lacks the library that it needs. */
tokenizer *tokenizer_find(int number, struct err *e) MUST_USE;

/* The name of a tokenizer in the signatures of sacreBLEU. */
const char *tokenizer_signature(int number);

/*
 * Is at least half of the line, without spaces, Japanese, Chinese, Korean or Thai?  13a and intl
 * hardly split such text.
 */
bool tokenizer_unspaced(const char *s, size_t n);

/* Appends s without trailing white space. */
void tokenize_rstrip(const char *s, size_t n, struct buf *out);

/* Appends s without white space at its ends and with single spaces between words. */
void tokenize_squeeze(const char *s, size_t n, struct buf *out);

#endif
