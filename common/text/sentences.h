/*
 * sentences: where one sentence ends and the next begins, in running text.
 *
 * A sentence ends with . ! ? or an ellipsis, closing quotes and brackets
 * counted to it, when a blank and then no lower-case letter follow; with 。 ！ ？
 * it ends at once.  No sentence ends after a lone letter, a number, a known
 * abbreviation of the language, or a word with a full stop inside.
 */
#ifndef SENTENCES_H
#define SENTENCES_H

#include <stddef.h>

struct span { size_t at, n; };

/*
 * Cuts s, UTF-8 with single blanks, into at most room sentences (room > 0), without the
 * blanks between them; returns how many.  If there are more, the last one holds the rest.
 * lang is "en", "de", ...; of other languages no abbreviations are known.
 */
size_t sentences_cut(const char *lang, const char *s, size_t n, struct span *out, size_t room);

/*
 * Cuts both sides of a pair where they cut alike: into the same number of sentences, the
 * k-th of similar share in the length of both sides.  Otherwise the whole texts are the one
 * pair.  Returns how many pairs; a and b have the given room.
 */
size_t sentences_cut_alike(const char *const lang[2], const char *const s[2], const size_t n[2],
			   struct span *a, struct span *b, size_t room);

#endif
