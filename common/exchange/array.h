/* array: values of one field, as the elements of a NumPy array. */
#ifndef ARRAY_H
#define ARRAY_H

#include <stdint.h>

#include "base/buf.h"
#include "exchange/name-map.h"

#define ARRAY_DIMS (TYPE_DIMS + 1)

struct array {
	struct buf data;		/* the elements of all values; for text, code points of 32
					 * bits */
	struct buf lengths;		/* for text: the number of code points of each string, as
					 * size_t */
	size_t longest;			/* for text: the number of code points of the longest
					 * string */
	int64_t d[TYPE_DIMS];		/* the shape of each value */
	int64_t n;			/* number of values */
};

void array_release(struct array *a);
void array_clear(struct array *a);

/* Returns -1 with EXIT_INPUT unless the type has a known encoding. */
int array_check(const struct name_pair *f, struct err *e) MUST_USE;
/* Does the type give every value the same shape? */
bool array_is_fixed(const struct type *t);

/*
 * Appends the value of the field.  Returns 1, 0 if the field is absent, and -1 with EXIT_INPUT if
 * its shape is not that of the values before, naming the current record of the reader.
 */
int array_add(struct array *a, const struct name_pair *f, const struct record *rec,
	      const struct reader *reader, struct err *e) MUST_USE;

/* A function that receives the bytes of a file in order. */
typedef int array_put(void *arg, const void *p, size_t n, struct err *e);
/*
 * array_write() writes the bytes of a .npy file, and array_bytes() returns their number.  If `axis`
 * is true, the array has a further first axis, whose length is the number of values; otherwise
 * there must be exactly one value.  array_write() returns -1 if `put` does.
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
 * Appends the header of an array in row-major order.  `descr` is the type of the elements, such as
 * "<f4"; d are the n_dim sizes, from 0 (a single element) to 8 of them.  The header ends at a
 * multiple of 64 bytes, and the elements follow it.
 */
void npy_header(struct buf *out, const char *descr, int n_dim, const int64_t *d);

/* Appends the lowest bytes of x, little-endian. */
void npy_number(struct buf *out, uint64_t x, int bytes);

#endif
