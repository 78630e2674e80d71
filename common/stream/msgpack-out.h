/*
 * msgpack-out: functions that append a msgpack object to a buf, encoded in the shortest way (by
 * msgpack-c).
 */
#ifndef MSGPACK_OUT_H
#define MSGPACK_OUT_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/buf.h"

void mp_put_nil(struct buf *b);
void mp_put_bool(struct buf *b, bool v);
void mp_put_int(struct buf *b, int64_t v);
void mp_put_uint(struct buf *b, uint64_t v);
void mp_put_float(struct buf *b, double v);		/* 64 bits */
void mp_put_single(struct buf *b, float v);		/* 32 bits */
void mp_put_str(struct buf *b, const char *s, size_t n);
void mp_put_text(struct buf *b, const char *s);		/* a C string as str */
void mp_put_bin(struct buf *b, const void *p, size_t n);
void mp_put_array(struct buf *b, size_t n);		/* then put the n elements */
void mp_put_map(struct buf *b, size_t n);		/* then put n times a key and its value */

#endif
