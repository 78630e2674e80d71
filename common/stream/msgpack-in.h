/*
 * msgpack-in: parses msgpack objects from untrusted bytes.
 *
 * The parser allocates and copies nothing, never reads beyond the end of the bytes, and limits
 * nesting.  msgpack-c 4 is not used for this, because it allocates as much memory as a count in the
 * bytes claims.
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
	MP_WRONG,	/* byte 0xc1, which msgpack does not use */
	MP_DEEP		/* nested deeper than MP_DEPTH */
};

/* An object, without the elements of an array or map.  Only the members of its kind are set. */
struct mp {
	enum mp_kind kind;
	bool minimal;		/* encoded in the shortest way; floats: 64 bits */
	bool huge;		/* an integer above INT64_MAX: the value is (uint64_t)i */
	int8_t ext;		/* the type of an extension */
	uint32_t n;		/* bytes of str, bin, ext; elements of an array; pairs of a map */
	int64_t i;		/* value of int, bool (0 or 1) */
	double f;		/* value of float */
	const char *data;	/* the n bytes of str, bin, ext; they are in the parsed bytes */
};

/*
 * For mp_get(): parses a small integer, whose only byte is its value, or a short str, whose first
 * byte gives its length; most objects are of these kinds.  Returns NULL for other objects and if
 * the object is incomplete.
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
 * Parses the object at p into *m; the bytes end before `end`.  Returns the address after the object
 * or, for an array or map, the address of its first element.  On failure, returns NULL and sets
 * *state.  For an array or map that claims more elements than there are bytes, *state is MP_SHORT.
 */
static inline const uint8_t *
mp_get(const uint8_t *p, const uint8_t *end, struct mp *m, enum mp_state *state)
{
	const uint8_t *after = mp_get_short(p, end, m);

	return after ? after : mp_get_other(p, end, m, state);
}

/*
 * Returns the address after the object at p, including the elements of an array or map.  `depth` is
 * the number of arrays and maps that contain the object.  If the object is incomplete or malformed,
 * returns NULL and sets *state.
 */
const uint8_t *mp_skip(const uint8_t *p, const uint8_t *end, int depth, enum mp_state *state);

/* Returns the kind of the object at p for messages, such as "a map" or "an integer". */
const char *mp_name(const uint8_t *p, const uint8_t *end);

const char *mp_problem(enum mp_state state);	/* returns what is wrong, for messages */

/* Is m a str that is equal to text? */
bool mp_is(const struct mp *m, const char *text);

/*
 * Finds the end of an object that arrives in pieces.  Zero-initialize the struct.  Each call of
 * mp_walk() gets the n bytes at p, all bytes of the object that have arrived, and continues where
 * the previous call stopped.  Returns MP_FINE when the object is complete; w->at is then its size.
 * Returns MP_SHORT if more bytes are needed, and another state if the object is malformed.
 */
struct mp_walk {
	size_t at;			/* bytes parsed */
	size_t want;			/* with MP_SHORT: minimum number of bytes needed */
	int depth;
	uint64_t left[MP_DEPTH + 1];	/* number of missing objects at each depth */
	bool begun;			/* the first byte was parsed */
};

enum mp_state mp_walk(struct mp_walk *w, const uint8_t *p, size_t n);

#endif
