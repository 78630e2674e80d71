/*
 * tokenize: lines into tokens separated by single blanks, and back.
 *
 * Input is valid UTF-8 and one line without its end; output is appended to out,
 * valid UTF-8 too, and never holds a newline.  Lines are independent.
 */
#ifndef TOKENIZE_H
#define TOKENIZE_H

#include <stddef.h>

#include "base/buf.h"

/* The tokenizers of sacreBLEU 2.6, to the byte for lines as its command line reads them. */
void tokenize_13a(const char *s, size_t n, struct buf *out);
void tokenize_intl(const char *s, size_t n, struct buf *out);
void tokenize_zh(const char *s, size_t n, struct buf *out);
void tokenize_char(const char *s, size_t n, struct buf *out);
void tokenize_none(const char *s, size_t n, struct buf *out);

typedef void tokenizer(const char *s, size_t n, struct buf *out);

/* By name: "13a" "intl" "zh" "char" "none"; NULL if there is no such. */
tokenizer *tokenizer_find(const char *name);

#endif
