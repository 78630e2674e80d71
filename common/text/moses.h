/*
 * moses: tokenizing and detokenizing by the rules of Moses' tokenizer.perl and
 * detokenizer.perl (Koehn et al. 2007, Moses: open source toolkit for
 * statistical machine translation).
 *
 * Rules of their own have en, fr, it, ga, ca, fi, sv and so, and with Japanese
 * and Chinese (ja, zh), which Moses leaves alone, each ideograph is a token and
 * runs of kana stay together.  All other languages have the default rules.
 */
#ifndef MOSES_H
#define MOSES_H

#include <stdbool.h>
#include <stddef.h>

#include "base/buf.h"
#include "base/err.h"

struct moses;

bool moses_is_language(const char *code);	/* two or three small letters */

/* With our list of non-breaking prefixes for the language, or else the English one. */
struct moses *moses_new(const char *language);
void moses_free(struct moses *m);		/* NULL is fine */

/* Instead of ours: one a line, "#" starts a comment, "No #NUMERIC_ONLY#" only counts in front of a number. */
int moses_prefixes(struct moses *m, const char *text, size_t n, struct err *e);

/*
 * Appends the tokens of a line to out.  aggressive: "a-b" gives "a @-@ b".
 * escape: & | < > ' " [ ] become entities, as Moses' decoder needs it.
 */
void moses_tokenize(struct moses *m, const char *s, size_t n, bool aggressive, bool escape,
		    struct buf *out);

/* The other way round; entities and @-@ are always undone. */
void moses_detokenize(struct moses *m, const char *s, size_t n, struct buf *out);

/* Our prefixes of a language, separated by blanks, and those that only count in front of numbers; or false. */
bool moses_own_prefixes(const char *language, const char **always, const char **numeric);

#endif
