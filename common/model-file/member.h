/*
 * member: a row of the table of members in a model file; see heed-model(5).
 *
 * The table has one row for each member between the map and `end`.  As text a row is NAME TYPE
 * SHAPE SIZE CRC, separated by tabs.  TYPE is "text", "bytes", "f32" or "i8".  SHAPE is like
 * "768x256", or "-" if the member is not a tensor.  CRC has eight hexadecimal digits.
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
	char *name, *type, *shape;	/* in one allocation, owned by name */
	size_t size;
	uint32_t crc;
};

/* Parses a row of n bytes.  Returns -1 with EXIT_INPUT if it is malformed. */
int member_parse(struct member *m, const char *text, size_t n, struct err *e);
void member_release(struct member *m);

/* Appends the row as text. */
void member_describe(const struct member *m, struct buf *out);

/* Appends the shape of a parameter, "768x256". */
void member_shape(const struct param *p, struct buf *out);

/* The number of elements in a row, which is the last dimension; a vector is one row. */
size_t member_columns(const struct param *p);

/* The size in bytes of a parameter as "f32" or "i8"; SIZE_MAX if it overflows. */
size_t member_param_size(const struct param *p, const char *type);

/*
 * Checks that p->n elements at x, stored as folder/NAME, are finite.  Otherwise returns -1 with the
 * given status; e names the first element that is not, by its indices from 1.
 */
int member_finite(const char *folder, const struct param *p, const real *x, enum exit_status status,
		  struct err *e);

/*
 * The same for a block of all parameters, each at its offset p->at.  Frozen parameters are
 * checked only if `frozen` is true.
 */
int member_finite_block(const char *folder, const struct params *p, const real *block, bool frozen,
			enum exit_status status, struct err *e);

/* Appends the contents of `end`: the CRC of all n members before it, and n. */
void member_end(uint32_t crc, size_t n, struct buf *out);

/*
 * Conversion of a parameter's elements to bytes of a file and back; see heed-model(5).
 *
 * f32 is little-endian IEEE 754 single precision.  i8 is a signed byte for each element, whose
 * value is scale * byte.  Each row has one scale, its unit in tensor/int8.h: max |x| / 127,
 * truncated to 11 bits, so the rounding error of an element is at most half the scale.  If another
 * scale of 11 bits has no rounding error, the row gets that one.  Storing values of i8 again thus
 * gives the same values, also those of some of the columns only, as in a pruned matrix.
 *
 * A scale is at least I8_SCALE_MIN, that of a row of zeros.  It is less than I8_SCALE_END, since
 * other rows have a byte of at least 64, whose element is finite.
 */
#define F32_SIZE ((size_t)4)

/* Converts n elements of x to F32_SIZE * n bytes, and back. */
void f32_put(const real *x, size_t n, unsigned char *out);
void f32_get(const unsigned char *p, size_t n, real *x);

#define I8_SCALE_MIN 0x1p-126
#define I8_SCALE_END 0x1p122

/* The scale of n elements: NaN if any is not finite. */
real i8_scale(const real *x, size_t n);

/* Converts n elements of x, at most INT_MAX, to n bytes, and back. */
void i8_put(const real *x, size_t n, real scale, unsigned char *out);
void i8_get(const unsigned char *p, size_t n, real scale, real *x);

#endif
