/* marian-vocab: reads the vocabularies of Marian's models, and finds their tables of embeddings. */
#ifndef MARIAN_VOCAB_H
#define MARIAN_VOCAB_H

#include <stdbool.h>

#include "convert/import.h"

/*
 * Returns the name, a constant, of the tensor with the embeddings of a side: 0 is the source, 1 the
 * target.  Never NULL, but the file may lack the tensor; marian_vocabs() then fails.
 */
const char *marian_table(const struct import *im, int side);

/*
 * Returns the number of files that decoder.yml lists under a key, such as models; 0 without
 * decoder.yml or the key.  Returns -1 with EXIT_INPUT if the value is not a list of texts.
 *
 * Sets *name to the name of file i of this list, from 0, or to NULL if the list is shorter; the
 * caller frees it, also on error.  The name is without a folder: Marian writes the folder in which
 * the model was trained, but the files must be in the folder of the model.
 */
int marian_listed(const struct import *im, const char *key, int i, char **name,
		  struct err *e) MUST_USE;

/*
 * Reads the vocabularies into im->ids and im->side.  They are in the files that the user named, or
 * else in those that decoder.yml lists.  Otherwise, a list of patterns, such as *src.vocab.yml and
 * *vocab*.spm, is tried for each side: the first pattern that fits exactly one file in the folder
 * gives the vocabulary.  If both sides have the same file and share one table of embeddings, sets
 * im->one_vocab and reads only one vocabulary.  If they do not share a table, each side has its own
 * vocabulary, even if both are read from the same file.
 *
 * Returns -1 with EXIT_INPUT if a table is missing or not a matrix, if a side has no vocabulary, if
 * a vocabulary cannot be read or lacks </s> or <unk>, or if import_all_rows() fails.
 */
int marian_vocabs(struct import *im, struct err *e) MUST_USE;

#endif
