/* marian-vocab: the vocabularies and tables of embeddings of Marian's models. */
#ifndef MARIAN_VOCAB_H
#define MARIAN_VOCAB_H

#include <stdbool.h>

#include "convert/import.h"

bool marian_has(const struct import *im, const char *tensor);	/* has the file this tensor? */
const char *marian_table(const struct import *im, int side);	/* the name of its embeddings */

/*
 * The number of files that decoder.yml lists under a key, such as models; 0 if there is no list.
 * Stores the name of file i in *name, malloc'ed, or NULL if there are fewer.  Marian writes where
 * the files were when it trained; now they are in the model's folder, so the name has no folder.
 */
int marian_listed(const struct import *im, const char *key, int i, char **name,
		  struct err *e) MUST_USE;

/*
 * Reads the vocabularies: those of the settings, of decoder.yml, or found by their names.  One
 * vocabulary for both sides can only be where both have one table.
 */
int marian_vocabs(struct import *im, struct err *e) MUST_USE;

#endif
