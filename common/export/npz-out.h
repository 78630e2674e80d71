/*
 * npz-out: writes tensors as a zip of NumPy's .npy files, as Marian reads it: nothing is
 * compressed, and each size precedes its data.
 */
#ifndef NPZ_OUT_H
#define NPZ_OUT_H

#include "base/compiler.h"
#include "base/output.h"
#include "export/tensor-views.h"

/*
 * The tensors in their order, then settings, as the array special:model.yml of bytes that a NUL
 * byte ends.  EXIT_INPUT if the file would have 4 GiB, more than such a zip can have.
 */
int npz_write(struct output *o, const struct tensor_views *v, const char *settings,
	      struct err *e) MUST_USE;

#endif
