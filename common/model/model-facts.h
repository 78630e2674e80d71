/*
 * model-facts: what the record of a run says of its model (text/facts.h).
 */
#ifndef MODEL_FACTS_H
#define MODEL_FACTS_H

#include "base/buf.h"
#include "base/compiler.h"
#include "base/err.h"

/*
 * Appends to out: engine, version of the program that trained it, parameters, vocab.src, vocab.tgt,
 * attention.N, heads and heads.KIND that it has left, strength.min, .max and .range of relations
 * (relation-mask) as they are learned, and finished, when the file was written.
 *
 * info: where the rows of nmt-info(1) go, but for single parameters; NULL: nowhere.
 */
int model_facts(const char *path, const char *info, struct buf *out, struct err *e) MUST_USE;

#endif
