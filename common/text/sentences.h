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
 * `lang` is "en", "de" and so on; other languages have no known abbreviations.
 */
size_t sentences_cut(const char *lang, const char *s, size_t n, struct span *out, size_t room);

/*
 * Splits all sides of a text if that gives the same number of sentences and the k-th sentences have
 * similar shares of the length of their sides, compared with side 0.  Otherwise the whole texts
 * belong together.  The spans of side k are out[k * room] and following.  Returns the number of
 * sentences of each side.
 */
size_t sentences_cut_alike(const char *const *lang, const char *const *s, const size_t *n,
			   int sides, struct span *out, size_t room);

#endif
