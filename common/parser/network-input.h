/*
 * network-input: surface features of a word, as rows of an embedding table that words share.
 *
 * The features are: the lower-cased form; prefixes and suffixes of one to five characters;
 * character 3-grams and 4-grams with marked word boundaries; and the shape (upper case, lower case,
 * digit, other, with repetitions shortened).  Each is hashed to a row of the table (Bojanowski et
 * al. 2017, Enriching word vectors with subword information).
 */
#ifndef NETWORK_INPUT_H
#define NETWORK_INPUT_H

#include "base/buf.h"

enum { FEATURES_MAX = 64 };		/* features of a word */

/*
 * Writes the rows of a word's features to `id[FEATURES_MAX]` and returns their number.  `form` is
 * UTF-8; the table has `rows` rows, at least 1.  `room` is a scratch buffer.
 */
int word_features(const char *form, int rows, int *id, struct buf *room);

#endif
