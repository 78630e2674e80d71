/*
 * member: the rows of a model file's table, one for each member between the map
 * and `end`, and the names that all models have; see heed-model(5).
 *
 * As text a row is NAME TYPE SHAPE SIZE CRC with tabs between: the type is
 * "text", "bytes" or "f32"; the shape "768x256", or "-" for what is no tensor; the crc
 * eight hexadecimal digits.
 */
#ifndef MEMBER_H
#define MEMBER_H

#include <stdint.h>

#include "base/buf.h"
#include "base/err.h"
#include "tape/params.h"

#define MODEL_FORMAT   1
#define MEMBER_MAP     "heed-model"
#define MEMBER_SRC     "vocab/src"
#define MEMBER_TGT     "vocab/tgt"
#define MEMBER_CODES   "bpe"
#define MEMBER_MASK    "mask/tgt"
#define MEMBER_PARAM   "param/"
#define MEMBER_END     "end"

struct member {
	char *name, *type, *shape;	/* in one block, name's */
	size_t size;
	uint32_t crc;
};

int member_parse(struct member *m, const char *text, size_t n, struct err *e);
void member_release(struct member *m);
void member_describe(const struct member *m, struct buf *out);

void member_shape(const struct param *p, struct buf *out);	/* "768x256" */

/* Text of `end`: crc of the contents of all members before it, and how many they are. */
void member_end(uint32_t crc, size_t n, struct buf *out);

#endif
