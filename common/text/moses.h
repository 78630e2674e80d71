/*
 * moses: tokenizes and detokenizes by the rules of Moses' tokenizer.perl and detokenizer.perl
 * (Koehn et al. 2007, Moses: open source toolkit for statistical machine translation).
 *
 * Languages are given as two- or three-letter codes.  The tokenizer has special rules for en, fr,
 * it, ga, ca, fi, sv and so.  Moses does not split Japanese and Chinese (ja, zh) into words; here,
 * each ideograph is a token, and so is each sequence of hiragana or of katakana.  All other
 * languages use the default rules.
 */
#ifndef MOSES_H
#define MOSES_H

#include <stdbool.h>
#include <stddef.h>

#include "base/buf.h"
#include "base/err.h"

struct moses;

bool moses_is_language(const char *code);	/* is it two or three lower-case letters? */

/*
 * Does the tokenizer have special rules or nonbreaking prefixes for this language?  A nonbreaking
 * prefix is a word such as "Dr" after which a period is not a token of its own.
 */
bool moses_has_rules(const char *language);

/*
 * Makes a tokenizer and detokenizer, with the built-in nonbreaking prefixes of the language, or the
 * English ones for a language without built-in ones.  Never NULL.  A struct moses is for one
 * thread.
 */
struct moses *moses_new(const char *language);
void moses_free(struct moses *m);		/* m may be NULL */

/*
 * Replaces the nonbreaking prefixes of m by those in `text`, n bytes in Moses' format: one prefix
 * per line; a line that begins with "#" is a comment; a prefix followed by "#NUMERIC_ONLY#", as in
 * "No #NUMERIC_ONLY#", counts only before a number.  Returns -1 with EXIT_INPUT and the number of
 * the line if the text is not UTF-8; m then has only the prefixes before this line.
 */
int moses_prefixes(struct moses *m, const char *text, size_t n, struct err *e);

/*
 * Appends the tokens of a line of n bytes to `out`, separated by spaces.  If `aggressive` is true,
 * hyphens in words are split, and "a-b" becomes "a @-@ b".  If `escape` is true, the characters & |
 * < > ' " [ ] become entities, as Moses' decoder requires.
 */
void moses_tokenize(struct moses *m, const char *s, size_t n, bool aggressive, bool escape,
		    struct buf *out);

/*
 * The inverse: appends the text of a line of tokens to `out`.  Entities and @-@ are always replaced
 * by the characters that they stand for, except in a line that begins with < and ends with >, which
 * is copied unchanged.
 */
void moses_detokenize(struct moses *m, const char *s, size_t n, struct buf *out);

/*
 * Sets *always to the built-in nonbreaking prefixes of a language that always count, and *numeric
 * to those that count only before numbers.  Both are constant strings of prefixes separated by
 * spaces.  Returns false, and sets nothing, if the language has no built-in prefixes.
 */
bool moses_own_prefixes(const char *language, const char **always, const char **numeric);

#endif
