/*
 * table-out: records as lines of tab-separated values.
 *
 * Text is written unchanged; a list has a space between its elements; a number is a decimal; an
 * absent field is an empty cell; other values are JSON.  There is no quoting.  Text that does not
 * fit is an error, or with escape, a tab, a line feed, a carriage return and a backslash are
 * written as \t, \n, \r and \\.
 */
#ifndef TABLE_OUT_H
#define TABLE_OUT_H

#include "base/buf.h"
#include "exchange/name-map.h"

/* Appends the line with the keys of the columns.  -1 and EXIT_USAGE if a key does not fit. */
int table_header(struct buf *line, const struct name_map *columns, struct err *e) MUST_USE;

/*
 * Appends the line of a record.  `where` is its position for messages.  -1 and EXIT_INPUT if a
 * value does not fit a table.
 */
int table_line(struct buf *line, const struct name_map *columns, const struct record *rec,
	       const char *where, bool escape, struct err *e) MUST_USE;

#endif
