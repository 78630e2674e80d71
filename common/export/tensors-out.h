/* tensors-out: writes tensors (tensor-views.h) into files in the formats of other toolkits. */
#ifndef TENSORS_OUT_H
#define TENSORS_OUT_H

#include "base/compiler.h"
#include "base/output.h"
#include "export/tensor-views.h"

/*
 * Writes an .npz file, a zip archive of NumPy's .npy files, as Marian reads it: without
 * compression, and with the size of each member before its data.  The members are the tensors in
 * their order, and then an array of bytes named special:model.yml, which has `settings` and a NUL
 * byte.  Returns -1 with EXIT_INPUT if the file would have almost 4 GiB or more, which such an
 * archive cannot have, and with EXIT_SYSTEM if it cannot be written.
 */
int npz_write(struct output *o, const struct tensor_views *v, const char *settings,
	      struct err *e) MUST_USE;

/*
 * Writes the tensors as F32 in the format safetensors (convert/safetensors.h).  Returns -1 if the
 * file cannot be written.
 */
int safetensors_write(struct output *o, const struct tensor_views *v, struct err *e) MUST_USE;

#endif
