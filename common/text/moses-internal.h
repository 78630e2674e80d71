/* moses-internal: declarations shared by the files that implement moses.h. */
#ifndef MOSES_INTERNAL_H
#define MOSES_INTERNAL_H

#include "base/strmap.h"
#include "text/chars.h"
#include "text/moses.h"
#include "text/unicode.h"

enum apostrophes {		/* what an apostrophe between letters becomes, in which languages */
	APOSTROPHE_APART,	/* a token, as in "l ' eau": all other languages */
	APOSTROPHE_RIGHT,	/* the start of a token, as in "he 's": en */
	APOSTROPHE_LEFT,	/* the end of a token, as in "l' eau": fr, it, ga, ca */
	APOSTROPHE_INSIDE	/* a character inside of a token: so */
};

struct moses {
	char language[8];
	enum apostrophes apostrophes;
	bool word_colons;		/* fi, sv: no split at a colon in a word, as in EU:n */
	bool ideographs;		/* ja, zh: each ideograph is a token */
	struct strmap prefixes;		/* the nonbreaking prefixes (moses.h) */
	bool *numeric;			/* [prefixes.n] whether a prefix counts only before a
					 * number */
	size_t numeric_room;
	struct chars a, b;		/* scratch memory: the line before and after a rule */
	struct buf word;		/* scratch */
	struct moses_word { size_t at, n; } *words;	/* scratch: start and length of words */
	size_t words_room;
	struct strmap quotes;		/* the kinds of quotation marks in the line */
	unsigned char *opened;		/* [quotes.n] whether a mark of this kind is open */
	size_t opened_room;
};

/*
 * The entities that the detokenizer replaces by characters, up to a text NULL.  The tokenizer
 * writes the first one of a character.
 */
extern const struct moses_entity { const char *text; char c; } moses_entities[];

/* Has the code point c one of these classes (unicode.h)? */
static inline bool
moses_is(int32_t c, unsigned classes)
{
	return unicode_classes(c) & classes;
}

/*
 * Does a line of n bytes have only white space?  The tokenizer and the detokenizer copy such a line
 * unchanged.
 */
bool moses_is_blank(const char *s, size_t n);

#endif
