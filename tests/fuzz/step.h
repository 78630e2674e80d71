/* step: one step of a model, for targets to which a model or a sentence is hostile. */
#ifndef STEP_H
#define STEP_H

#include "model/model.h"

/* A sentence pair of three pieces a side with all fields that a variant may want; the caller's. */
struct record *step_sentence(void);

/*
 * The loss of a sentence pair, and a short translation of its source.  If that cannot be, the
 * error must be EXIT_INPUT: anything else ends the process.  The model has values and stays the
 * caller's.
 */
void step_model(struct model *m, const struct record *rec);

#endif
