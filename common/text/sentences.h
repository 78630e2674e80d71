/*
 * sentences: splits running text into sentences.
 *
 * A sentence ends with a period, exclamation mark, question mark or ellipsis, including further
 * marks, closing quotes and brackets that follow.  After these there must be a space and then,
 * apart from opening quotes and brackets, neither a lowercase letter nor a dash.  A single period
 * ends no sentence after one character, ASCII digits, a known abbreviation of the language, or a
 * word with a period inside.  The full-width marks 。 ！ ？ end a sentence whatever follows, and so
 * does the end of the text.
 */
#ifndef SENTENCES_H
#define SENTENCES_H

#include <stddef.h>

struct span { size_t at, n; };		/* n bytes from offset at */

/*
 * Splits s, n bytes of UTF-8 with single spaces, into at most room > 0 sentences, without the
 * spaces between them.  Returns their number, 0 for an empty text.  If there are more, the last one
 * contains the rest.  Abbreviations are known for lang "cs", "de", "en", "fr", "ru", "tr" and "vi";
 * texts in other languages are split without.
 */
size_t sentences_cut(const char *lang, const char *s, size_t n, struct span *out, size_t room);

/*
 * Splits all sides of a text into corresponding sentences.  Side k is the text s[k] of n[k] bytes
 * in lang[k]; its spans become out[k * room] and following.  Returns the number of sentences, the
 * same for all sides.
 *
 * Sentence i of a side corresponds to sentence i of side 0 if both are about the same share of
 * their sides: (length + 10) / n[k], in bytes, differs by less than a factor of 2.5.  If a sentence
 * does not, if the sides have different numbers of sentences, or if side 0 has `room` or more, the
 * result is one sentence, the whole text of each side.
 */
size_t sentences_cut_alike(const char *const *lang, const char *const *s, const size_t *n,
			   int sides, struct span *out, size_t room);

#endif
