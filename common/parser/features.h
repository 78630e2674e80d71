/*
 * features: what a word looks like, as rows of a table that many words share.
 *
 * Its lower-cased form, its first and last one to five letters, its runs of three and four letters
 * with its edges marked, and its shape (capitals, small letters, digits, others, runs shortened),
 * each hashed to one of so many rows (Bojanowski et al. 2017, Enriching word vectors with subword
 * information).
 */
#ifndef FEATURES_H
#define FEATURES_H

#include "base/buf.h"

enum { FEATURES_MOST = 64 };		/* of a word, however long */

/*
 * Into id[FEATURES_MOST]; how many.  form is UTF-8; rows > 0.  room is for the function's own use.
 */
int word_features(const char *form, int rows, int *id, struct buf *room);

#endif
