/*
 * checkpoint-engine: with which precision and back end a training goes on.
 *
 * A training ends with the same bytes however often it is interrupted, so what a checkpoint was
 * begun with stays, whatever is fastest on the processor that resumes it.
 */
#ifndef CHECKPOINT_ENGINE_H
#define CHECKPOINT_ENGINE_H

#include "base/err.h"
#include "model/runtime.h"

/*
 * runtime_open_training().  checkpoint: NULL, or a file whose member, of lines "set NAME VALUE"
 * (base/set-lines.h), says with which --precision and --backend it was begun: those are taken where
 * the caller has PRECISION_AUTO and no back end.  A checkpoint that cannot be read is left to its
 * reader; if this processor lacks what it was begun with, EXIT_SYSTEM, and the message says so.
 */
int checkpoint_engine(struct runtime *r, const char *checkpoint, const char *member,
		      const char *backend, int precision, int64_t threads, struct err *e) MUST_USE;

#endif
