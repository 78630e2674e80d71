/*
 * head-table: a table with a row for each attention head and a column for each measure.
 *
 * A row is identified by the kind of attention, the number of the layer, and the number of the head
 * in the layer before pruning; both numbers count from 1.  Rows and columns are in the order in
 * which they were added.  A head need not have a value in each column.
 */
#ifndef HEAD_TABLE_H
#define HEAD_TABLE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "attention/attention-heads.h"
#include "base/buf.h"
#include "base/compiler.h"
#include "base/err.h"
#include "base/strmap.h"
#include "exchange/table.h"
#include "model/model.h"
#include "stream/stream.h"

enum head_column_type { HEAD_FLOAT, HEAD_INT, HEAD_STR };

/* A table of zeros has no rows. */
struct head_table {
	struct head_row { enum site_where where; int layer, head; } *row;
	size_t n, room;			/* n: number of rows */
	struct head_column {
		char *name;
		enum head_column_type type;
		double *x;		/* [known] values by row, NAN if missing */
		char **text;		/* [known] values of HEAD_STR, which has no x; NULL if
					 * missing */
		size_t known, room;	/* known: rows from this one on have no value */
	} *column;
	size_t n_columns, column_room;
	struct strmap heads;		/* private: maps a key of each head to its row */
	char *model;			/* digest of the model, as the streams give it; NULL:
					 * unknown */
	char *signature;		/* of the streams so far (stream/signature.h), NULL:
					 * unknown */
	const char *only;		/* shell patterns, as in head_table_keep(), of the columns
					 * that head_table_read() reads; NULL: all; set by the
					 * caller */
};

void head_table_release(struct head_table *t);

/*
 * Returns the index of the row of a head; adds the row if it is new.  `layer` and `head` count from
 * 1.
 */
size_t head_table_row(struct head_table *t, enum site_where where, int layer, int head);
/*
 * The same for a head of a model with these sites; `head` is its index among all retained heads
 * (attention/attention-heads.h).
 */
size_t head_table_row_of(struct head_table *t, const struct site *sites, size_t head);
/*
 * Returns the index of the column `name`; adds the column if it is new.  If the column exists with
 * another type, this is a bug() of the caller.
 */
size_t head_table_column(struct head_table *t, const char *name, enum head_column_type type);
/* Returns the column `name`, or NULL if there is none.  Valid until a column is added. */
struct head_column *head_table_find(const struct head_table *t, const char *name);
/*
 * Returns the column `name`, which must have numbers.  Returns NULL with EXIT_INPUT if the column
 * is missing or has text.  `path` is the file of the table, for the message.
 */
const struct head_column *head_table_measure(const struct head_table *t, const char *name,
					     const char *path, struct err *e);

/* Adds the float columns NAME and, if `errors` is true, NAME.error, unless they exist. */
void head_table_mean_columns(struct head_table *t, const char *name, bool errors);

/* Sets a value of a column of numbers; NAN deletes the value. */
void head_table_set(struct head_table *t, size_t row, size_t column, double x);
/*
 * Sets the float column `name` of a head, which is given as in head_table_row_of().  Row and column
 * are added if necessary.  A value `x` that is not finite is ignored.
 */
void head_table_fill(struct head_table *t, const struct site *sites, size_t head, const char *name,
		     double x);
/*
 * Sets the column NAME.error, the standard error of the measure `name`.  A value that is not finite
 * is ignored.
 */
void head_table_set_error(struct head_table *t, size_t row, const char *name, double x);
/*
 * head_table_fill() of the value `x` of a measure, and head_table_set_error() of its standard
 * error, which is ignored, too, if `x` is not finite.
 */
void head_table_fill_mean(struct head_table *t, const struct site *sites, size_t head,
			  const char *name, double x, double error);
/* Sets a value of a column of type HEAD_STR to a copy of the `n` bytes at `s`. */
void head_table_set_text(struct head_table *t, size_t row, size_t column, const char *s, size_t n);
double head_table_get(const struct head_column *c, size_t row);		/* NAN if missing */
const char *head_table_text(const struct head_column *c, size_t row);	/* NULL if missing */

/*
 * Whether both tables have the same heads in the same order, and the same values in all columns of
 * numbers that both have, of which there is at least one.
 */
bool head_table_same(const struct head_table *a, const struct head_table *b);

/*
 * Returns the next name or pattern of a list, separated by commas, and moves *list after it.  The
 * caller frees it.  Returns NULL at the end of the list.
 */
char *head_table_next(const char **list);
/* Whether the name matches one of the shell patterns in `patterns`, separated by commas. */
bool head_table_match(const char *patterns, const char *name);
/*
 * Removes all columns whose names match none of the shell patterns in `patterns`, separated by
 * commas.  The remaining columns are put in the order of the patterns.  Returns -1 with EXIT_USAGE
 * if a pattern matches no column.
 */
int head_table_keep(struct head_table *t, const char *patterns, struct err *e) MUST_USE;

/*
 * Adds the heads of a stream of kind "head"; fields of types float, int and str become columns,
 * other fields are ignored.  Returns -1 with EXIT_INPUT if a value differs from the one that the
 * table already has, if a field has another type than its column, if there are too many heads or
 * columns, if the stream names another model than earlier streams, or as reader_next().  The
 * message names the stream, and the record if it is at fault.  Warns if the signature differs from
 * that of earlier streams.
 */
int head_table_read(struct head_table *t, struct reader *reader, struct err *e) MUST_USE;
/*
 * Returns -1 with EXIT_INPUT if the streams that were read name another model than `m`.  Streams of
 * older versions name no model and fit any.  `path` is the name of the streams for the message, and
 * `hint` is advice to append to the message, or NULL.
 */
int head_table_check_model(const struct head_table *t, const struct model *m, const char *path,
			   const char *hint, struct err *e) MUST_USE;
/*
 * Like head_table_check_model(), for the model with the digest `model`; NULL means an unknown
 * model, which fits all streams.
 */
int head_table_check_name(const struct head_table *t, const char *model, const char *path,
			  const char *hint, struct err *e) MUST_USE;
/*
 * Writes the digest of the model to the header of `out`.  If `m` is NULL, this is the model that
 * computed the attention weights of the stream with the header `input`; if that is unknown, nothing
 * is written.
 */
void head_table_name_model(struct writer *out, const struct model *m, const struct header *input);

/*
 * Returns the fields site, layer and head, and those of all columns, for writer_open().  The caller
 * frees the array; the names belong to `t`.
 */
struct field *head_table_fields(const struct head_table *t);
/* Writes a record for each head.  A missing value has no field.  Returns -1 as writer_put(). */
int head_table_put(const struct head_table *t, struct writer *out, struct err *e) MUST_USE;
/*
 * Appends the table as tab-separated values, with column names in the first line and '-' for
 * missing values.
 */
void head_table_tsv(const struct head_table *t, struct buf *out);
/*
 * Appends the table in Markdown or LaTeX, followed by the signature, which is a comment in LaTeX.
 */
void head_table_layout(const struct head_table *t, enum table_layout layout, struct buf *out);

#endif
