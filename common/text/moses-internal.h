/* moses-internal: declarations shared by the files that implement moses.h. */
#ifndef MOSES_INTERNAL_H
#define MOSES_INTERNAL_H

#include "base/strmap.h"
#include "text/chars.h"
#include "text/moses.h"
#include "text/unicode.h"

enum apostrophes {		/* how to split an apostrophe between letters */
	APOSTROPHE_APART,	/* l ' eau */
	APOSTROPHE_RIGHT,	/* he 's: en */
	APOSTROPHE_LEFT,	/* l' eau: fr it ga ca */
	APOSTROPHE_INSIDE	/* so */
};

struct moses {
	char language[8];
	enum apostrophes apostrophes;
	bool word_colons;		/* fi, sv: EU:n */
	bool ideographs;		/* ja, zh */
	struct strmap prefixes;
	bool *numeric;			/* [prefixes.n] whether a prefix counts only before a
					 * number */
	size_t numeric_room;
	struct chars a, b;		/* scratch memory: the line before and after a rule */
	struct buf word;
	struct moses_word { size_t at, n; } *words;
	size_t words_room;
	struct strmap quotes;		/* the kinds of quotation marks in this line */
	unsigned char *opened;		/* [quotes.n] whether one of this kind is open */
	size_t opened_room;
};

static inline bool
moses_is(int32_t c, unsigned classes)
{
	return unicode_classes(c) & classes;
}

/* Does the line have only white space?  It is then copied unchanged. */
bool moses_is_blank(const char *s, size_t n);

#endif
