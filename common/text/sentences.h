/*
 * sentences: splits running text into sentences.
 *
 * A sentence ends with a period, exclamation mark, question mark or ellipsis, and any marks,
 * closing quotes and brackets directly after it.  A space must follow.  The next character, not
 * counting opening quotes and brackets, must be neither a lowercase letter nor a dash.  A single
 * period does not end a sentence if the word before it is one character, a number in ASCII digits,
 * a known abbreviation of the language, or a word with a period inside.  The full-width marks 。 ！ ？
 * and the end of the text always end a sentence.
 */
#ifndef SENTENCES_H
#define SENTENCES_H

#include <stddef.h>

struct span { size_t at, n; };		/* n bytes from offset at */

/*
 * Splits the n bytes of UTF-8 at s, with single spaces between words, into sentences.  Stores at
 * most `room` > 0 sentences, without the spaces between them, in `out`, and returns their number, 0
 * for an empty text.  If the text has more sentences, the last element has all the rest.
 * Abbreviations are known for the languages `lang` "cs", "de", "en", "fr", "ru", "tr" and "vi",
 * also with a region, as in "en-gb"; texts in other languages are split without abbreviations.
 */
size_t sentences_cut(const char *lang, const char *s, size_t n, struct span *out, size_t room);

/*
 * Splits a text and its translations, its sides, into corresponding sentences.  Side k is the text
 * s[k] of n[k] bytes in language lang[k]; its sentences are stored in out[k * room] and following.
 * Returns the number of sentences, which is the same for all sides.
 *
 * Sentence i of side k corresponds to sentence i of side 0 if their shares of the texts are
 * similar.  The share is (length + 10) / n[k], with lengths in bytes; two shares are similar if
 * they differ by less than a factor of 2.5.  If a sentence does not correspond, if the sides have
 * different numbers of sentences, or if side 0 has `room` or more, the result is a single sentence:
 * the whole text of each side.
 */
size_t sentences_cut_alike(const char *const *lang, const char *const *s, const size_t *n,
			   int sides, struct span *out, size_t room);

#endif
