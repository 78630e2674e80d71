/*
 * npy: the header of NumPy's .npy files, version 1.0.
 *
 * https://numpy.org/doc/stable/reference/generated/numpy.lib.format.html
 */
#ifndef NPY_H
#define NPY_H

#include <stdint.h>

#include "base/buf.h"

/*
 * Appends the header of an array in row-major order.  `descr` is the type of the elements, such as
 * "<f4"; d are the n_dim sizes, from 0 (a single element) to 8 of them.  The header ends at a
 * multiple of 64 bytes, and the elements follow it.
 */
void npy_header(struct buf *out, const char *descr, int n_dim, const int64_t *d);

/* Appends the lowest bytes of x, little-endian. */
void npy_number(struct buf *out, uint64_t x, int bytes);

#endif
