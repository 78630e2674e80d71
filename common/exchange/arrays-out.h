/*
 * arrays-out: fields of records as NumPy arrays, in a .npy or .npz file.
 *
 * The elements are int64 (int), float64 (float), bool (bool, bits), int32 ([int]), float32 (f32),
 * int8 (i8), and UTF-32 text of fixed length (str, [str]).
 *
 * A .npy file has one array with the values of one field.  Its first axis is the record, so all
 * values need the same shape.  In an .npz file, a field whose type has a fixed shape, such as int,
 * str or f32[4], is one array of this kind; of any other field, each value is an array of its own,
 * whose name is that of the field, a slash, and the number of the record, counting from 1.  The
 * layout therefore depends on types, not on values.
 */
#ifndef ARRAYS_OUT_H
#define ARRAYS_OUT_H

#include "exchange/name-map.h"

struct arrays_out;

/*
 * fields stays the caller's until the end, and has the types of the stream.  `zip`: an .npz file.
 * `flags` are those of output_open().  -1 and EXIT_INPUT if a field's type is none of the above.
 */
struct arrays_out *arrays_out_open(const char *path, const struct name_map *fields, bool zip,
				   unsigned flags, struct err *e) MUST_USE;
/*
 * Adds a record; `where` is its position for messages, number counts records from 1.  -1 and
 * EXIT_INPUT if its values have another shape than those before, or if one is absent that belongs
 * to a common array.
 */
int arrays_out_add(struct arrays_out *a, const struct record *rec, const char *where,
		   int64_t number, struct err *e) MUST_USE;
/* Both free a in any case; finish() writes the common arrays, which are in memory until then. */
int arrays_out_finish(struct arrays_out *a, struct err *e) MUST_USE;
void arrays_out_abandon(struct arrays_out *a);	/* a may be NULL */

#endif
