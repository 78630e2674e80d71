/*
 * type: parses the types of fields, and checks values against them.
 *
 * The types are str, int, float, bool, the lists [str] and [int], and the tensors f32[n,m], i8[n,m]
 * and bits[n,m], which have one to four dimensions.  A dimension is a number, its size, or a
 * letter; dimensions of the same letter must have the same size in all fields of a record.
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
	int n_dim;			/* number of dimensions; 0 unless a tensor */
	char letter[TYPE_DIMS];		/* 0: a dimension of fixed size */
	int64_t size[TYPE_DIMS];	/* the fixed sizes */
};

/* Sets *t to the type in `text`.  Returns 0, or -1 and sets TYPE_OTHER if the type is unknown. */
int type_parse(const char *text, struct type *t);

/*
 * Are the types equal, except that letters may be exchanged for other letters?  bits[n,n] agrees
 * with bits[m,m], but not with bits[n,m].
 */
bool type_agrees(const struct type *a, const struct type *b);

/*
 * The sizes of the dimensions of a record that are known so far.  Zero-initialize it for each
 * record.
 */
struct type_sizes {
	int64_t size[128];		/* by letter: the size of the dimension plus 1, or 0 if
					 * unknown */
};

/*
 * Checks the msgpack value at p, whose bytes end before `end`, against type t and the known sizes
 * of dimensions, to which it adds those of the value.  Returns the address after the value.
 * Returns NULL and sets *state as mp_skip() does if the value is incomplete or malformed
 * (msgpack-in.h).  If the value has another type, returns NULL, sets *state to MP_FINE, and stores
 * the reason in `why`.
 */
const uint8_t *type_check(const struct type *t, const uint8_t *p, const uint8_t *end,
			  struct type_sizes *sizes, enum mp_state *state, struct err *why);

/*
 * Returns the size in bytes of the data of a tensor with the dimensions `d[n_dim]`; -1 if a
 * dimension is negative, or if the size exceeds 1 TiB when dimensions of 0 count as 1.
 */
int64_t type_bytes(enum type_base base, const int64_t *d, int n_dim);

/*
 * Parses the tensor at p, a msgpack map {"s": shape, "d": bin} with its keys in any order.  Sets
 * `d[*n_dim]` to the dimensions, and *data to the bin.  Returns the address after the tensor, or
 * NULL if p has anything else; *state is then MP_FINE, or says what is malformed.
 */
const uint8_t *type_tensor(const uint8_t *p, const uint8_t *end, int64_t *d, int *n_dim,
			   struct mp *data, enum mp_state *state);

#endif
