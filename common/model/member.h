/*
 * member: the rows of a model file's table, one for each member between the map
 * and `end`; see heed-model(5).
 *
 * As text a row is NAME TYPE SHAPE SIZE CRC with tabs between: the type is
 * "text", "bytes", "f32" or "i8"; the shape "768x256", or "-" for what is no tensor; the crc
 * eight hexadecimal digits.
 */
#ifndef MEMBER_H
#define MEMBER_H

#include <stdint.h>

#include "base/buf.h"
#include "base/err.h"
#include "tape/params.h"

#define MEMBER_PARAM "param"		/* the folder of parameters: param/NAME */
#define MEMBER_END   "end"

struct member {
	char *name, *type, *shape;	/* in one block, name's */
	size_t size;
	uint32_t crc;
};

int member_parse(struct member *m, const char *text, size_t n, struct err *e);
void member_release(struct member *m);
void member_describe(const struct member *m, struct buf *out);

void member_shape(const struct param *p, struct buf *out);	/* "768x256" */
/* Numbers in a row, which runs along the last dimension; a vector is one row. */
size_t member_columns(const struct param *p);
/* Bytes that a parameter takes as "f32" or "i8"; SIZE_MAX if that is more than memory has. */
size_t member_param_size(const struct param *p, const char *type);

/*
 * Are p->n elements at x, kept as folder/NAME, all finite?  If not, e names the first one by its
 * place along each dimension, counted from 1; the status is for the caller to choose.
 */
int member_finite(const char *folder, const struct param *p, const real *x, enum exit_status status,
		  struct err *e);

/* The same for a block of all parameters, each at its place; frozen: frozen ones, too. */
int member_finite_block(const char *folder, const struct params *p, const real *block, bool frozen,
			enum exit_status status, struct err *e);

/* Text of `end`: crc of the contents of all members before it, and how many they are. */
void member_end(uint32_t crc, size_t n, struct buf *out);

#endif
