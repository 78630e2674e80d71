/*
 * member: a row of the table of members in a model file; see heed-model(5).
 *
 * The table has one row for each member between the map and `end` (bundle.h).  As text, a row is
 * NAME TYPE SHAPE SIZE CRC, separated by tabs.  TYPE is "text", "bytes", "f32" or "i8".  SHAPE is,
 * for example, "768x256", or "-" if the member is not a parameter.  SIZE is a number of bytes.  CRC
 * is the CRC-32 of the contents in eight hexadecimal digits.
 */
#ifndef MEMBER_H
#define MEMBER_H

#include <stddef.h>
#include <stdint.h>

#include "base/buf.h"
#include "base/err.h"
#include "tape/params.h"
#include "tensor/real.h"

#define MEMBER_PARAM "param"		/* the folder of the parameters: param/NAME */
#define MEMBER_END   "end"

struct member {
	char *name, *type, *shape;	/* after member_parse(), in one allocation, which begins at
					 * name */
	size_t size;
	uint32_t crc;
};

/*
 * Parses the n bytes of a row.  member_release() frees the copies of its texts.  Returns -1 with
 * EXIT_INPUT if the row is malformed.
 */
int member_parse(struct member *m, const char *text, size_t n, struct err *e);
void member_release(struct member *m);

/* Appends the row as text. */
void member_describe(const struct member *m, struct buf *out);

/* Appends the shape of a parameter, "768x256". */
void member_shape(const struct param *p, struct buf *out);

/*
 * The number of elements in a row of a parameter: the size of its last dimension.  A vector is one
 * row.
 */
size_t member_columns(const struct param *p);

/* The size in bytes of a parameter as "f32" or "i8"; SIZE_MAX if it overflows. */
size_t member_param_size(const struct param *p, const char *type);

/*
 * Returns 0 if all p->n elements at x are finite.  Otherwise returns -1 with `status`; the message
 * names the member, folder/NAME with the name of p, and the first element that is not finite by its
 * indices, from 1.
 */
int member_finite(const char *folder, const struct param *p, const real *x, enum exit_status status,
		  struct err *e);

/*
 * Checks the elements of all parameters like member_finite().  Those of a parameter begin at its
 * offset `at` in `block`.  Frozen parameters are checked only if `frozen` is true.
 */
int member_finite_block(const char *folder, const struct params *p, const real *block, bool frozen,
			enum exit_status status, struct err *e);

/*
 * Appends the contents of the member `end`: `crc`, the CRC-32 of the contents of all n members
 * before it, including the map, and n.
 */
void member_end(uint32_t crc, size_t n, struct buf *out);

/*
 * Conversion of the elements of a parameter to bytes of a file and back; see heed-model(5).
 *
 * f32 is little-endian IEEE 754 single precision.  i8 is a signed byte for each element, whose
 * value is scale * byte, and one scale for each row.  The scale is max |x| / 127 over the row,
 * truncated to 11 significant bits (tensor/int8.h), so the rounding error of an element is at most
 * half the scale.  If another scale of 11 bits represents all elements of the row exactly, the row
 * gets that scale.  Values that were read from i8 are thus stored without change, even if some
 * columns were pruned in between.
 *
 * A scale is at least I8_SCALE_MIN, the scale of a row of zeros.  It is less than I8_SCALE_END: any
 * other row has a byte whose absolute value is at least 64, and its element is finite.
 */
#define F32_SIZE ((size_t)4)

/* Converts n elements of x to F32_SIZE * n bytes, and back. */
void f32_put(const real *x, size_t n, unsigned char *out);
void f32_get(const unsigned char *p, size_t n, real *x);

#define I8_SCALE_MIN 0x1p-126
#define I8_SCALE_END 0x1p122

/* The scale of a row of n elements; NaN if an element is not finite. */
real i8_scale(const real *x, size_t n);

/* Converts n elements of x, with n at most INT_MAX, to n bytes, and back. */
void i8_put(const real *x, size_t n, real scale, unsigned char *out);
void i8_get(const unsigned char *p, size_t n, real scale, real *x);

#endif
