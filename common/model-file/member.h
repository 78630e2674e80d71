/*
 * member: a row of the table of members in a model file; see heed-model(5).
 *
 * The table has one row for each member between the map and `end`.  As text a row is NAME TYPE
 * SHAPE SIZE CRC, separated by tabs.  TYPE is "text", "bytes", "f32" or "i8".  SHAPE is like
 * "768x256", or "-" if the member is not a tensor.  CRC has eight hexadecimal digits.
 */
#ifndef MEMBER_H
#define MEMBER_H

#include <stdint.h>

#include "base/buf.h"
#include "base/err.h"
#include "tape/params.h"

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

#endif
