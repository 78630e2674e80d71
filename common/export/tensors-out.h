/* tensors-out: tensors in files of other toolkits. */
#ifndef TENSORS_OUT_H
#define TENSORS_OUT_H

#include "base/compiler.h"
#include "base/output.h"
#include "export/tensor-views.h"

/*
 * Writes a zip of NumPy's .npy files, as Marian reads it: nothing is compressed, and each size
 * precedes its data.  The tensors come in their order, and then `settings` as the array
 * special:model.yml of bytes, with a NUL byte at the end.  Fails with EXIT_INPUT if the file would
 * have 4 GiB, more than such a zip can have.
 */
int npz_write(struct output *o, const struct tensor_views *v, const char *settings,
	      struct err *e) MUST_USE;

/* Writes tensors in the format that safetensors.h describes, as F32. */
int safetensors_write(struct output *o, const struct tensor_views *v, struct err *e) MUST_USE;

#endif
