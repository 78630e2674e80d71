/* unicode: character classes of code points, from the Unicode character database. */
#ifndef UNICODE_H
#define UNICODE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum unicode_class {		/* general category or property */
	UNICODE_PUNCTUATION = 1,	/* P* */
	UNICODE_SYMBOL      = 2,	/* S* */
	UNICODE_NUMBER      = 4,	/* N* */
	UNICODE_ALPHA       = 8,	/* Alphabetic */
	UNICODE_ALNUM       = 16,	/* Alphabetic or Nd */
	UNICODE_LOWER       = 32,	/* Lowercase */
	UNICODE_CURRENCY    = 64,	/* Sc */
	UNICODE_SPACE       = 128	/* White_Space */
};

/*
 * The tables of unicode_classes().  The entries of unicode_table[unicode_table_n] are sorted.
 * Entry i is for the code points from unicode_table[i] >> 8 to the one before that of the next
 * entry; its lowest 8 bits are their classes.  unicode_ascii[c] has the classes of ASCII character
 * c.
 */
extern const uint32_t unicode_table[];
extern const uint8_t unicode_ascii[128];
extern const size_t unicode_table_n;

/*
 * Returns the classes of the code point c, a combination of enum unicode_class; 0 if c is not a
 * code point.
 */
unsigned unicode_classes(int32_t c);

/* Is c in one of n ranges, whose first and last code points are given? */
bool unicode_in(int32_t c, const int32_t (*range)[2], size_t n);

/* Is c white space for Python's str.split(): UNICODE_SPACE or U+001C to U+001F? */
bool unicode_python_space(int32_t c);

/* Is c Chinese, Japanese or Korean, by the blocks of Moses' detokenizer? */
bool unicode_cjk(int32_t c);

#endif
