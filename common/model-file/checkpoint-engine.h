/*
 * checkpoint-engine: the precision and back end with which a training resumes.
 *
 * A training that was interrupted and resumed ends with the same bytes as one that was not.  It
 * therefore resumes with the precision and back end of its checkpoint, even if others are faster on
 * this processor.
 */
#ifndef CHECKPOINT_ENGINE_H
#define CHECKPOINT_ENGINE_H

#include "base/err.h"
#include "model/runtime.h"

/*
 * Opens r with runtime_open_training() (model/runtime.h).  `checkpoint` is NULL or the path of a
 * checkpoint, in which the member called `member` has lines "set NAME VALUE" (base/set-lines.h),
 * among them --precision and --backend of the training so far.  If `precision` is PRECISION_AUTO,
 * that of the checkpoint is used.  If `backend` is NULL and the precision is that of the
 * checkpoint, its back end is used, too.  A checkpoint that cannot be read is treated like NULL,
 * because the function that loads it reports the error.  Fails with EXIT_SYSTEM if this processor
 * does not support the precision or back end of the checkpoint.
 */
int checkpoint_engine(struct runtime *r, const char *checkpoint, const char *member,
		      const char *backend, int precision, int64_t threads, struct err *e) MUST_USE;

/*
 * Replaces a name of earlier versions in such a member, `text` of n bytes, in place: with
 * --precision bf16, the back end onednn becomes native, of which its products are now a part.
 */
void checkpoint_engine_renew(char *text, size_t n);

#endif
