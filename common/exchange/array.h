/* array: collects the values of one field of several records, and writes them as a NumPy array. */
#ifndef ARRAY_H
#define ARRAY_H

#include <stdint.h>

#include "base/buf.h"
#include "exchange/name-map.h"

#define ARRAY_DIMS (TYPE_DIMS + 1)

struct array {
	struct buf data;		/* elements of all values; for text, the code points, 32
					 * bits each */
	struct buf lengths;		/* for text: number of code points of each string, as
					 * size_t */
	size_t longest;			/* for text: number of code points of the longest string */
	int64_t d[TYPE_DIMS];		/* shape of each value */
	int64_t n;			/* number of values */
};

void array_release(struct array *a);
void array_clear(struct array *a);

/* Returns -1 with EXIT_INPUT if values of the type of `f` cannot be elements of a NumPy array. */
int array_check(const struct name_pair *f, struct err *e) MUST_USE;
/* Whether all values of the type have the same shape. */
bool array_is_fixed(const struct type *t);

/*
 * Adds the value of field `f` in a record.  Returns 1, or 0 if the record does not have the field.
 * Returns -1 with EXIT_INPUT if the value is not of the type of `f`, or has another shape than
 * earlier values.  The message names `rec`, the current record of `reader`.
 */
int array_add(struct array *a, const struct name_pair *f, const struct record *rec,
	      const struct reader *reader, struct err *e) MUST_USE;

/* A function that receives the next `n` bytes of a file.  It returns 0, or -1 with an error. */
typedef int array_put(void *arg, const void *p, size_t n, struct err *e);
/*
 * array_write() passes the bytes of a .npy file to put(), and array_bytes() returns their number.
 * If `axis` is true, the first axis of the NumPy array has an element for each value.  If `axis` is
 * false, the array has no such axis, and there must be exactly one value.  `t` is the type of the
 * field.  array_write() returns -1 if put() does.
 */
size_t array_bytes(const struct array *a, const struct type *t, bool axis);
int array_write(const struct array *a, const struct type *t, bool axis, array_put *put, void *arg,
		struct err *e) MUST_USE;

/*
 * The header of NumPy's .npy files, version 1.0.
 *
 * https://numpy.org/doc/stable/reference/generated/numpy.lib.format.html
 */

/*
 * Appends the header of an array in row-major order.  `descr` is NumPy's name of the type of the
 * elements, such as "<f4".  `d` [n_dim] has the lengths of the dimensions; `n_dim` is 0 (a single
 * element) to 8.  The length of the header is a multiple of 64 bytes.  The elements must follow it.
 */
void npy_header(struct buf *out, const char *descr, int n_dim, const int64_t *d);

/* Appends the `bytes` lowest bytes of `x`, the lowest first (little-endian). */
void npy_number(struct buf *out, uint64_t x, int bytes);

#endif
