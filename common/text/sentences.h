/*
 * sentences: splits running text into sentences.
 *
 * A sentence ends with a period, exclamation mark, question mark or ellipsis, including the closing
 * quotes and brackets that follow, if a space and then no lowercase letter follow.  It also ends
 * with the full-width marks 。 ！ ？.  No sentence ends after a single letter, a number, a known
 * abbreviation of the language, or a word that contains a period.
 */
#ifndef SENTENCES_H
#define SENTENCES_H

#include <stddef.h>

struct span { size_t at, n; };		/* n bytes from offset at */

/*
 * Splits s, n bytes of UTF-8 with single spaces, into at most room > 0 sentences, without the
 * spaces between them.  Returns their number.  If there are more, the last one contains the rest.
 * lang is "en", "de" and so on; other languages have no known abbreviations.
 */
size_t sentences_cut(const char *lang, const char *s, size_t n, struct span *out, size_t room);

/*
 * Splits both sides of a pair if that gives the same number of sentences and the k-th sentences
 * have similar shares of the length of their sides.  Otherwise the whole texts are one pair.  a and
 * b have the given room.  Returns the number of pairs.
 */
size_t sentences_cut_alike(const char *const lang[2], const char *const s[2], const size_t n[2],
			   struct span *a, struct span *b, size_t room);

#endif
