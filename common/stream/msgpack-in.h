/*
 * msgpack-in: one msgpack object after another out of bytes that may be hostile.
 *
 * Nothing is allocated, nothing is copied, no byte beyond the end is looked at,
 * and nesting is limited.  (msgpack-c 4 allocates what a count claims.)
 */
#ifndef MSGPACK_IN_H
#define MSGPACK_IN_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/compiler.h"

#define MP_DEPTH 8	/* arrays and maps inside one another, at most */

enum mp_kind {
	MP_NIL, MP_BOOL, MP_INT, MP_FLOAT, MP_STR, MP_BIN, MP_ARRAY, MP_MAP, MP_EXT
};

enum mp_state {
	MP_FINE,
	MP_SHORT,	/* the bytes end inside the object */
	MP_WRONG,	/* a byte that msgpack does not know */
	MP_DEEP		/* nested deeper than MP_DEPTH */
};

struct mp {
	enum mp_kind kind;
	bool minimal;		/* as short as msgpack allows; floats: 64 bits */
	bool huge;		/* an integer above INT64_MAX: the value is (uint64_t)i */
	int8_t ext;		/* type of an extension */
	uint32_t n;		/* bytes of str, bin, ext; elements of array, pairs of map */
	int64_t i;		/* int, bool */
	double f;
	const char *data;	/* str, bin, ext */
};

/*
 * The object at p: what follows it, or, for an array or map, its first element.
 * NULL and *state if there is none.  An array or map that claims more elements
 * than there are bytes is MP_SHORT.
 */
const uint8_t *mp_get(const uint8_t *p, const uint8_t *end, struct mp *m, enum mp_state *state);

/* Over one whole object that lies depth arrays or maps deep; NULL and *state if it is not there whole. */
const uint8_t *mp_skip(const uint8_t *p, const uint8_t *end, int depth, enum mp_state *state);

/* "a map", "an integer" ...: what stands at p, for messages. */
const char *mp_name(const uint8_t *p, const uint8_t *end);

const char *mp_problem(enum mp_state state);

/* Is this str exactly that text? */
bool mp_is(const struct mp *m, const char *text);

/*
 * Finding the end of an object that comes in pieces: walk over what is there,
 * and go on where it stopped when more has come.  Begin with all zeros.
 */
struct mp_walk {
	size_t at;			/* bytes walked over */
	size_t want;			/* set by MP_SHORT: so many bytes are needed at least */
	int depth;
	uint64_t left[MP_DEPTH + 1];	/* objects to come at each depth */
	bool begun;
};

enum mp_state mp_walk(struct mp_walk *w, const uint8_t *p, size_t n);

#endif
