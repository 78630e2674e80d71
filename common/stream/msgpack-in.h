/*
 * msgpack-in: parses msgpack objects from untrusted bytes.
 *
 * It allocates and copies nothing, never reads beyond the end, and limits nesting.  (msgpack-c 4
 * allocates as much memory as a count claims.)
 */
#ifndef MSGPACK_IN_H
#define MSGPACK_IN_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/compiler.h"

#define MP_DEPTH 8	/* maximum nesting of arrays and maps */

enum mp_kind {
	MP_NIL, MP_BOOL, MP_INT, MP_FLOAT, MP_STR, MP_BIN, MP_ARRAY, MP_MAP, MP_EXT
};

enum mp_state {
	MP_FINE,
	MP_SHORT,	/* the bytes end inside the object */
	MP_WRONG,	/* a byte that msgpack does not use */
	MP_DEEP		/* nested deeper than MP_DEPTH */
};

struct mp {
	enum mp_kind kind;
	bool minimal;		/* encoded in the shortest way; floats: 64 bits */
	bool huge;		/* an integer above INT64_MAX: the value is (uint64_t)i */
	int8_t ext;		/* type of an extension */
	uint32_t n;		/* bytes of str, bin, ext; elements of an array; pairs of a map */
	int64_t i;		/* int, bool */
	double f;
	const char *data;	/* str, bin, ext */
};

/*
 * Parses an integer or str whose first byte also has its value or length, as most have.  Returns
 * NULL if the object is another one or incomplete.
 */
static inline const uint8_t *
mp_get_short(const uint8_t *p, const uint8_t *end, struct mp *m)
{
	const size_t n = p == end ? 0 : *p & 31;

	m->minimal = true;
	m->huge = false;
	if (p != end && (*p < 0x80 || *p >= 0xe0)) {
		m->kind = MP_INT;
		m->i = (int8_t)*p;
		return p + 1;
	}
	if ((size_t)(end - p) <= n || (*p & 0xe0) != 0xa0)
		return NULL;
	m->kind = MP_STR;
	m->n = (uint32_t)n;
	m->data = (const char *)p + 1;
	return p + 1 + n;
}

const uint8_t *mp_get_other(const uint8_t *p, const uint8_t *end, struct mp *m,
			    enum mp_state *state);	/* for mp_get() */

/*
 * Parses the object at p into *m.  Returns the address after it; for an array or map, the address
 * of its first element.  Returns NULL and sets *state on failure.  An array or map that claims
 * more elements than there are bytes is MP_SHORT.
 */
static inline const uint8_t *
mp_get(const uint8_t *p, const uint8_t *end, struct mp *m, enum mp_state *state)
{
	const uint8_t *after = mp_get_short(p, end, m);

	return after ? after : mp_get_other(p, end, m, state);
}

/*
 * Returns the address after the complete object at p, which is inside depth arrays or maps.
 * Returns NULL, and sets *state, if it is incomplete or malformed.
 */
const uint8_t *mp_skip(const uint8_t *p, const uint8_t *end, int depth, enum mp_state *state);

/* The kind of the object at p for messages, such as "a map" or "an integer". */
const char *mp_name(const uint8_t *p, const uint8_t *end);

const char *mp_problem(enum mp_state state);	/* the state for messages */

/* Is m a str that is equal to text? */
bool mp_is(const struct mp *m, const char *text);

/*
 * Finds the end of an object that arrives in pieces.  Each call of mp_walk() continues where the
 * previous one stopped; p and n are all bytes of the object that have arrived.  Initialize the
 * struct with zeros.  The result is MP_FINE when the object is complete, and its size is then in
 * at.
 */
struct mp_walk {
	size_t at;			/* bytes parsed */
	size_t want;			/* with MP_SHORT: minimum number of bytes needed */
	int depth;
	uint64_t left[MP_DEPTH + 1];	/* number of missing objects at each depth */
	bool begun;
};

enum mp_state mp_walk(struct mp_walk *w, const uint8_t *p, size_t n);

#endif
