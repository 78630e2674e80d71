/*
 * checkpoint-engine: the precision and back end with which a training resumes.
 *
 * An interrupted training ends with the same bytes as an uninterrupted one, so it resumes with the
 * precision and back end of its checkpoint, even if others are faster on this processor.
 */
#ifndef CHECKPOINT_ENGINE_H
#define CHECKPOINT_ENGINE_H

#include "base/err.h"
#include "model/runtime.h"

/*
 * Calls runtime_open_training().  `checkpoint` is NULL or a file with a member of lines "set NAME
 * VALUE" (base/set-lines.h), which have the --precision and --backend of the training so far.  They
 * are used if `precision` is PRECISION_AUTO and `backend` is NULL.  Errors in reading the
 * checkpoint are ignored here; its reader reports them.  Fails with EXIT_SYSTEM if this processor
 * does not support the checkpoint's precision or back end.
 */
int checkpoint_engine(struct runtime *r, const char *checkpoint, const char *member,
		      const char *backend, int precision, int64_t threads, struct err *e) MUST_USE;

/*
 * Replaces names of earlier versions in such lines of a checkpoint by those of this version: the
 * back end onednn, which computed products in bf16, is now a part of native.
 */
void checkpoint_engine_renew(char *text, size_t n);

#endif
