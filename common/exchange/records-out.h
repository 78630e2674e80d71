/*
 * records-out: writes records of a stream as tab-separated values, as JSON objects and as NumPy
 * arrays.  Fields and their names in the output are given by a map (name-map.h).
 *
 * In tab-separated values, text is written unchanged and without quotes, the elements of a list are
 * separated by spaces, numbers are decimal, nan or inf, an absent field is an empty cell, and other
 * values are JSON.  Text with a line feed is an error, with several columns also text with a tab,
 * and so is an element of a list that is empty or has a space.  With the argument `escape`, tabs,
 * line feeds, carriage returns and backslashes are written as \t, \n, \r and \\ instead.
 */
#ifndef RECORDS_OUT_H
#define RECORDS_OUT_H

#include "base/buf.h"
#include "exchange/name-map.h"

/*
 * Appends the first line of a table, with the keys of the columns.  Returns -1 with EXIT_USAGE if a
 * key has a tab or a line end.
 */
int table_header(struct buf *line, const struct name_map *columns, struct err *e) MUST_USE;

/*
 * Appends the line of `rec`, the current record of `reader`.  Returns -1 with EXIT_INPUT, naming
 * the record, if a value cannot be written in a cell.
 */
int table_line(struct buf *line, const struct name_map *columns, const struct record *rec,
	       const struct reader *reader, bool escape, struct err *e) MUST_USE;

/* Records as JSON objects, one in each line. */

/*
 * Appends the object of a record, with the keys in the order of the map.  Keys with a common part
 * before a period are combined into an object: "translation.en" and "translation.de" become
 * {"translation": {"en": ..., "de": ...}}.  Absent fields are left out.  A float that is not finite
 * is written as null; other values are written as in stream/json-out.h.
 */
void object_line(struct buf *line, const struct name_map *m, const struct record *rec);

/*
 * Fields of records as NumPy arrays, in a .npy file (one array) or in a .npz file (several).
 *
 * The types of elements, with the types of fields (stream/type.h) in parentheses, are int64 (int),
 * float64 (float), bool (bool, bits), int32 ([int]), float32 (f32), int8 (i8), and UTF-32 text of
 * fixed length (str, [str]).
 *
 * A .npy file has the values of one field.  The first axis of the array is the record, so that all
 * values must have the same shape.  In an .npz file, a field whose type has a fixed shape, such as
 * int, str or f32[4], is written in the same way, as one array.  For any other field, each value is
 * a separate array, named FIELD/N, where N is the number of the record from 1.  The layout
 * therefore depends only on types, not on values.
 */
struct arrays_out;

/*
 * Opens the file `path`; `flags` is that of output_open().  `zip` chooses an .npz file.  `fields`
 * has the fields to write with their types in the stream; it must outlive the result.  Returns NULL
 * with EXIT_INPUT if the type of a field is not listed above, or as output_open().
 */
struct arrays_out *arrays_out_open(const char *path, const struct name_map *fields, bool zip,
				   unsigned flags, struct err *e) MUST_USE;
/*
 * Adds `rec`, the current record of `reader`.  Returns -1 with EXIT_INPUT, naming the record, if a
 * value of an array with several records has another shape than the values before, or is absent.
 */
int arrays_out_add(struct arrays_out *a, const struct record *rec, const struct reader *reader,
		   struct err *e) MUST_USE;
/*
 * Both functions free `a`.  The first one writes the arrays of several records, which are kept in
 * memory until then, and completes the file; it returns -1 if this fails.  The second one removes
 * the file.
 */
int arrays_out_finish(struct arrays_out *a, struct err *e) MUST_USE;
void arrays_out_abandon(struct arrays_out *a);	/* `a` may be NULL */

#endif
