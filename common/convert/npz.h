/*
 * npz: reads the tensors in a zip of NumPy's .npy files, as Marian and numpy.savez write it.
 *
 * A .npy file consists of the six bytes \x93NUMPY, two bytes for the version, the size of the
 * header, the header, and the elements.  The size is little-endian, and has two bytes in version 1
 * and four in versions 2 and 3.  The header is a Python dict of descr, fortran_order and shape.
 * Elements of the types <f2, <f4 and <f8 can be converted to numbers; integers and booleans are
 * kept as bytes (WEIGHT_OTHER in weights.h), and a file with other types is malformed.
 */
#ifndef NPZ_H
#define NPZ_H

#include "convert/weights.h"

/*
 * Reads the tensors of the file at `path` into memory, and adds them to w, which must be
 * initialized.  Their names are without ".npy".  The zip may be compressed, but it is rejected if
 * the elements of all tensors take more than twenty times its size plus 1 MiB.  Returns -1 with
 * EXIT_SYSTEM if the file cannot be read, and with EXIT_INPUT if it is malformed or has a tensor
 * twice.
 */
int npz_open(struct weights *w, const char *path, struct err *e) MUST_USE;
/*
 * The same from the n bytes at p, which may be freed afterwards.  `name` is the name of the file
 * for messages.
 */
int npz_memory(struct weights *w, const char *name, const void *p, size_t n,
	       struct err *e) MUST_USE;

#endif
