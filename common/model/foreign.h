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

/* Warns about many unknown tokens.  u: counts over the input; name: that of the input. */
void foreign_warn(const struct model *m, const struct unknown *u, const char *name);

#endif
