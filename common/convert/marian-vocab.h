/* marian-vocab: the vocabularies and tables of embeddings of Marian's models. */
#ifndef MARIAN_VOCAB_H
#define MARIAN_VOCAB_H

#include <stdbool.h>

#include "convert/import.h"

bool marian_has(const struct import *im, const char *tensor);	/* has the file this tensor? */
const char *marian_table(const struct import *im, int side);	/* the name of its embeddings */

/*
 * Reads the vocabularies: those of the settings, of decoder.yml, or found by their names.  One
 * vocabulary for both sides can only be where both have one table.
 */
int marian_vocabs(struct import *im, struct err *e) MUST_USE;

#endif
