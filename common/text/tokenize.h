/*
 * tokenize: lines into tokens separated by single blanks.
 *
 * Input is valid UTF-8, one line without its end; output is appended to out,
 * valid UTF-8 too, and never holds a newline that was not in the input.
 * Lines are independent of each other.
 */
#ifndef TOKENIZE_H
#define TOKENIZE_H

#include <stddef.h>

#include "base/buf.h"

/*
 * The tokenizers of sacreBLEU 2.6, as its BLEU calls them: trailing whitespace
 * is stripped first.  char and none keep inner whitespace as it is; whoever
 * counts n-grams splits at whitespace (unicode_python_space()) afterwards.
 */
typedef void tokenizer(const char *s, size_t n, struct buf *out);

tokenizer tokenize_13a, tokenize_intl, tokenize_zh, tokenize_char, tokenize_none;

/* By name: "13a" "intl" "zh" "char" "none"; NULL if there is no such. */
tokenizer *tokenizer_find(const char *name);

/* Appends s without its trailing whitespace; and the same with each run of whitespace one blank, none at the ends. */
void tokenize_rstrip(const char *s, size_t n, struct buf *out);
void tokenize_squeeze(const char *s, size_t n, struct buf *out);

#endif
