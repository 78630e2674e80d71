/*
 * moses: tokenizes and detokenizes by the rules of Moses' tokenizer.perl and detokenizer.perl
 * (Koehn et al. 2007, Moses: open source toolkit for statistical machine translation).
 *
 * The tokenizer has special rules for en, fr, it, ga, ca, fi, sv and so.  Moses does not split
 * Japanese and Chinese (ja, zh); here each ideograph is a token, and sequences of kana are kept.
 * All other languages use the default rules.
 */
#ifndef MOSES_H
#define MOSES_H

#include <stdbool.h>
#include <stddef.h>

#include "base/buf.h"
#include "base/err.h"

struct moses;

bool moses_is_language(const char *code);	/* is it two or three lower-case letters? */

/* Does the tokenizer have rules or nonbreaking prefixes for this language? */
bool moses_has_rules(const char *language);

/*
 * Makes a tokenizer and detokenizer; never NULL.  It uses the built-in nonbreaking prefixes of the
 * language, or the English ones if there are none.
 */
struct moses *moses_new(const char *language);
void moses_free(struct moses *m);		/* m may be NULL */

/*
 * Replaces the built-in prefixes by a list in Moses' format: one per line, "#" starts a comment,
 * and "No #NUMERIC_ONLY#" counts only before a number.  Returns -1 with EXIT_INPUT and a message
 * with the line if the list is not UTF-8.
 */
int moses_prefixes(struct moses *m, const char *text, size_t n, struct err *e);

/*
 * Appends the tokens of a line to `out`, separated by spaces.  `aggressive`: "a-b" gives "a @-@ b".
 * `escape`: & | < > ' " [ ] become entities, as Moses' decoder requires.
 */
void moses_tokenize(struct moses *m, const char *s, size_t n, bool aggressive, bool escape,
		    struct buf *out);

/* The inverse: appends the text of a line of tokens.  Entities and @-@ are always undone. */
void moses_detokenize(struct moses *m, const char *s, size_t n, struct buf *out);

/*
 * Sets *always and *numeric to the built-in prefixes of a language, constants, separated by spaces:
 * those that always count, and those that count only before numbers.  Returns false, and sets
 * nothing, if there are no prefixes for the language.
 */
bool moses_own_prefixes(const char *language, const char **always, const char **numeric);

#endif
