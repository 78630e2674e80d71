/*
 * type: parses the types of fields, and checks values against them.
 *
 * The types are str, int, float, bool, [str], [int], f32[n,m], i8[n,m] and bits[n,m], with one to
 * four dimensions.  A letter is a dimension that must be the same in all fields of a record; a
 * number is a fixed dimension.
 */
#ifndef TYPE_H
#define TYPE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/err.h"
#include "stream/msgpack-in.h"

#define TYPE_DIMS 4
#define TYPE_LIST_MAX ((size_t)1 << 20)	/* maximum number of elements of [str] and [int] */

enum type_base {
	TYPE_OTHER,	/* unknown: any value is accepted */
	TYPE_STR, TYPE_INT, TYPE_FLOAT, TYPE_BOOL, TYPE_STRS, TYPE_INTS,
	TYPE_F32, TYPE_I8, TYPE_BITS
};

struct type {
	enum type_base base;
	int n_dim;
	char letter[TYPE_DIMS];		/* 0: a fixed size */
	int64_t size[TYPE_DIMS];
};

/* Parses a type; returns -1 and sets TYPE_OTHER if it is unknown. */
int type_parse(const char *text, struct type *t);

/*
 * Are the types equal except for the names of dimensions?  bits[n,n] and bits[m,m] are; bits[n,n]
 * and bits[n,m] are not.
 */
bool type_agrees(const struct type *a, const struct type *b);

/* The dimensions of a record that are known so far; all zeros at its start. */
struct type_sizes {
	int64_t size[128];		/* by letter: the size of the dimension plus 1, or 0 if
					 * unknown */
};

/*
 * Checks the value at p against type t and the known dimensions, and returns the address after
 * it.  Returns NULL and sets *state as mp_skip() does if the value is incomplete or malformed; if
 * it has another type, *state is MP_FINE and `why` has the reason.
 */
const uint8_t *type_check(const struct type *t, const uint8_t *p, const uint8_t *end,
			  struct type_sizes *sizes, enum mp_state *state, struct err *why);

/*
 * The size of a tensor's data in bytes; -1 if a dimension is negative or the size exceeds 1 TiB.
 * For this limit, dimensions of 0 count as 1.
 */
int64_t type_bytes(enum type_base base, const int64_t *d, int n_dim);

/* Parses {"s": shape, "d": bin}, in any order; NULL if p is anything else. */
const uint8_t *type_tensor(const uint8_t *p, const uint8_t *end, int64_t *d, int *n_dim,
			   struct mp *data, enum mp_state *state);

#endif
