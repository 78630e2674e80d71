/* step: runs a model on one sentence, for targets with untrusted models or sentences. */
#ifndef STEP_H
#define STEP_H

#include "model/model.h"

/* A pair of three subwords per side with the fields of all variants; the caller frees it. */
struct record *step_sentence(void);

/*
 * Computes the loss of a sentence pair and a short translation of its source.  An error must be
 * EXIT_INPUT; any other ends the process.  The model has values; the caller owns it.
 */
void step_model(struct model *m, const struct record *rec);
/* The same for a model of model_load_narrow_memory(), and in int8: only the translation. */
void step_narrow(struct model *m, const struct record *rec);

#endif
