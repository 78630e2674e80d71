/* marian-vocab: the vocabularies and tables of embeddings of Marian's models. */
#ifndef MARIAN_VOCAB_H
#define MARIAN_VOCAB_H

#include <stdbool.h>

#include "convert/import.h"

bool marian_has(const struct import *im, const char *tensor);	/* is the tensor in the file? */
const char *marian_table(const struct import *im, int side);	/* embeddings of a side */

/*
 * The number of files that decoder.yml lists under a key, such as models; 0 if there is no list.
 * Stores the name of file i in *name, which the caller frees, or NULL if there are fewer files.
 * The name is without the folder: Marian writes the folder of its training, but the files must be
 * in the folder of the model.
 */
int marian_listed(const struct import *im, const char *key, int i, char **name,
		  struct err *e) MUST_USE;

/*
 * Reads the vocabularies: those that the user named, else those of decoder.yml, else files with the
 * usual names.  Both sides can share one vocabulary only if they share one table.
 */
int marian_vocabs(struct import *im, struct err *e) MUST_USE;

#endif
