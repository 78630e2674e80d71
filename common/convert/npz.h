/*
 * npz: tensors in a zip of NumPy's .npy files, as Marian and numpy.savez write it.
 *
 * A .npy file is the six bytes \x93NUMPY, two of the version, the size of the header, little-endian
 * in two bytes (version 1) or four (2 and 3), a Python dict of descr, fortran_order and shape, and
 * the elements.  Elements of type <f2, <f4 and <f8 are read, others are kept as bytes.
 */
#ifndef NPZ_H
#define NPZ_H

#include "convert/weights.h"

/*
 * Adds the tensors of the file at `path` to w, which must be initialized, in memory; their names
 * are without ".npy".  They may be compressed, but to not less than a twentieth of their size.
 * Returns -1 if the file cannot be read, and with EXIT_INPUT if it is malformed or has a tensor
 * twice.
 */
int npz_open(struct weights *w, const char *path, struct err *e) MUST_USE;
/* The same from bytes in memory, which remain the caller's; `name` is for messages. */
int npz_memory(struct weights *w, const char *name, const void *p, size_t n,
	       struct err *e) MUST_USE;

#endif
