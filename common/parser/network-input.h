/*
 * network-input: surface features of a word.  Each feature selects a row of a table of embeddings
 * that all words share.
 *
 * The features are the lower-cased form; its prefixes and suffixes of one to five characters; its
 * character 3-grams and 4-grams, with the word boundaries as characters; and the shape of the form,
 * such as "Xxxdd" for "Heed2021", in which at most two characters of the same kind follow each
 * other.  Of a long word, not all are used.  A hash of the feature is the index of its row
 * (Bojanowski et al. 2017, Enriching Word Vectors with Subword Information).
 */
#ifndef NETWORK_INPUT_H
#define NETWORK_INPUT_H

#include "base/buf.h"

enum { FEATURES_MAX = 64 };		/* maximum number of features of a word */

/*
 * Writes the rows of the features of a word to `id` [FEATURES_MAX] and returns their number.
 * `form` is the word in UTF-8.  The table has `rows` rows, at least 1.  `room` is a buffer for the
 * function.
 */
int word_features(const char *form, int rows, int *id, struct buf *room);

#endif
