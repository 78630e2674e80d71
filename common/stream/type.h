/*
 * type: what a field's type text says, and whether a value has that type.
 *
 * str int float bool [str] [int] f32[n] f32[n,m] i8[n,n] bits[n,n]: letters are
 * dimensions that must agree inside a record, numbers are fixed.
 */
#ifndef TYPE_H
#define TYPE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/err.h"
#include "stream/msgpack-in.h"

#define TYPE_DIMS 4
#define TYPE_LIST_MAX ((size_t)1 << 20)	/* elements of a [str] or [int], so that decoding needs no trust */

enum type_base {
	TYPE_OTHER,	/* not one of ours: any value passes */
	TYPE_STR, TYPE_INT, TYPE_FLOAT, TYPE_BOOL, TYPE_STRS, TYPE_INTS,
	TYPE_F32, TYPE_I8, TYPE_BITS
};

struct type {
	enum type_base base;
	int n_dim;
	char letter[TYPE_DIMS];		/* 0: a fixed size */
	int64_t size[TYPE_DIMS];
};

/* -1 and TYPE_OTHER if the text is none of the above. */
int type_parse(const char *text, struct type *t);

/* The same but for the names of the dimensions: bits[n,n] and bits[m,m], not bits[n,m]. */
bool type_agrees(const struct type *a, const struct type *b);

/* What the letters of a record stand for so far; all zeros at its start. */
struct type_sizes {
	int64_t size[128];		/* by letter, one more than the size; 0: not yet known */
};

/*
 * Over the value at p, which must be of type t and agree with the sizes.  NULL
 * and *state if it is not there whole (mp_skip()), or *state MP_FINE and why.
 */
const uint8_t *type_check(const struct type *t, const uint8_t *p, const uint8_t *end,
			  struct type_sizes *sizes, enum mp_state *state, struct err *why);

/* Bytes of a tensor's cells; -1 if the sizes are beyond reason. */
int64_t type_bytes(enum type_base base, const int64_t *d, int n_dim);

/* Reads {"s": shape, "d": bin} in any order; NULL if it is anything else. */
const uint8_t *type_tensor(const uint8_t *p, const uint8_t *end, int64_t *d, int *n_dim,
			   struct mp *data, enum mp_state *state);

#endif
