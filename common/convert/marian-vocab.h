/* marian-vocab: the vocabularies and tables of embeddings of Marian's models. */
#ifndef MARIAN_VOCAB_H
#define MARIAN_VOCAB_H

#include <stdbool.h>

#include "convert/import.h"

bool marian_has(const struct import *im, const char *tensor);	/* is the tensor in the file? */
/*
 * The name of the tensor of the embeddings of a side, 0 for source and 1 for target: a constant.
 * Never NULL, but the file may lack the tensor, which marian_vocabs() reports.
 */
const char *marian_table(const struct import *im, int side);

/*
 * Returns the number of files that decoder.yml lists under a key, such as models; 0 without
 * decoder.yml or the key.  Returns -1 with EXIT_INPUT if the value is not a list of texts.
 *
 * Stores the name of file i, from 0, in *name, or NULL if there are fewer files; the caller frees
 * it, also on error.  The name is without the folder: Marian writes the folder of its training, but
 * the files must be in the folder of the model.
 */
int marian_listed(const struct import *im, const char *key, int i, char **name,
		  struct err *e) MUST_USE;

/*
 * Reads the vocabularies into im->ids and im->side: those that the user named, else those of
 * decoder.yml, else, for each side, the file of the first pattern in a list, such as *src.vocab.yml
 * and *vocab*.spm, that fits exactly one file of the folder.  Sets im->one_vocab, and reads only
 * one vocabulary, if both sides have the same file and share one table.  Without such a table, each
 * side has its own vocabulary, even if both are read from the same file.
 *
 * Returns -1 with EXIT_INPUT if a table is missing or not a matrix, if a side has no vocabulary or
 * one that cannot be read, if it lacks </s> or <unk>, or as import_all_rows().
 */
int marian_vocabs(struct import *im, struct err *e) MUST_USE;

#endif
