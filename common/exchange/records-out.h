/*
 * records-out: records as tab-separated values, as JSON objects and as NumPy arrays.
 *
 * In lines of tab-separated values, text is written unchanged; a list has a space between its
 * elements; a number is a decimal; an absent field is an empty cell; other values are JSON.  There
 * is no quoting.  Text with a tab, a line feed or a carriage return is an error; with `escape`,
 * these and backslashes are written as \t, \n, \r and \\.
 */
#ifndef RECORDS_OUT_H
#define RECORDS_OUT_H

#include "base/buf.h"
#include "exchange/name-map.h"

/*
 * Appends the line with the keys of the columns.  Returns -1 with EXIT_USAGE if a key does not fit.
 */
int table_header(struct buf *line, const struct name_map *columns, struct err *e) MUST_USE;

/*
 * Appends the line of the current record of a reader.  Returns -1 with EXIT_INPUT, naming the
 * record, if a value does not fit a table.
 */
int table_line(struct buf *line, const struct name_map *columns, const struct record *rec,
	       const struct reader *reader, bool escape, struct err *e) MUST_USE;

/* Records as JSON objects, one a line, with keys of the user's choice. */

/*
 * Appends the object of a record, with the keys in the order of the map.  Keys with a common part
 * before a period become an object: "translation.en", "translation.de" are {"translation": {"en":
 * ..., "de": ...}}.  Absent fields are left out.  A float that is not finite is null; other
 * values are those of json-out.h.
 */
void object_line(struct buf *line, const struct name_map *m, const struct record *rec);

/*
 * Fields of records as NumPy arrays, in a .npy or .npz file.
 *
 * The elements, with the types of fields (stream/type.h) in parentheses, are int64 (int), float64
 * (float), bool (bool, bits), int32 ([int]), float32 (f32), int8 (i8), and UTF-32 text of fixed
 * length (str, [str]).
 *
 * A .npy file has one array with the values of one field.  Its first axis is the record, so all
 * values need the same shape.  In an .npz file, a field whose type has a fixed shape, such as int,
 * str or f32[4], is one array of this kind; of any other field, each value is an array of its own,
 * whose name is that of the field, a slash, and the number of the record, counting from 1.  The
 * layout therefore depends on types, not on values.
 */
struct arrays_out;

/*
 * `fields` has the types of the stream; the caller keeps it until the end.  `zip` chooses an .npz
 * file.  `flags` are those of output_open().  Returns -1 with EXIT_INPUT if a field's type is none
 * of the above.
 */
struct arrays_out *arrays_out_open(const char *path, const struct name_map *fields, bool zip,
				   unsigned flags, struct err *e) MUST_USE;
/*
 * Adds the current record of a reader.  Returns -1 with EXIT_INPUT, naming the record, if its
 * values have another shape than those before, or if one is absent that belongs to a common array.
 */
int arrays_out_add(struct arrays_out *a, const struct record *rec, const struct reader *reader,
		   struct err *e) MUST_USE;
/* Both free a in any case; finish() writes the common arrays, which are in memory until then. */
int arrays_out_finish(struct arrays_out *a, struct err *e) MUST_USE;
void arrays_out_abandon(struct arrays_out *a);	/* a may be NULL */

#endif
