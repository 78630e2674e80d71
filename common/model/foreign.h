/*
 * foreign: warnings about input that is not like the training data of a model.
 *
 * Such input is well-formed, so that every program that runs a model on sentences would compute
 * numbers from it without an error.  All of them call this function.
 */
#ifndef FOREIGN_H
#define FOREIGN_H

#include "data/unknown.h"
#include "model/model.h"

/*
 * Warns about other languages, if they are known, and about many unknown tokens.  A side that has
 * no tokens in u, the counts over the input, is not compared.  h: the header of the input, or NULL
 * for text; name: its name.
 */
void foreign_warn(const struct model *m, const struct unknown *u, const struct header *h,
		  const char *name);

#endif
