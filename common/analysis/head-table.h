/*
 * head-table: a table of heads: a row for each head, a column for each measure.
 *
 * A row is identified by the kind of attention, the layer and the head, both numbered from 1.  Rows
 * and columns are in order of first appearance.  A head need not have all measures.
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

struct head_table {
	struct head_row { enum site_where where; int layer, head; } *row;
	size_t n, room;			/* rows */
	struct head_column {
		char *name;
		enum head_column_type type;
		double *x;		/* [known] NAN if missing */
		char **text;		/* [known] for HEAD_STR, instead of x; NULL if missing */
		size_t known, room;	/* rows from known on have no value */
	} *column;
	size_t n_columns, column_room;
	struct strmap heads;		/* maps a key of each head to its row */
	char *model;			/* digest of the model of which the streams are; NULL:
					 * unknown */
	char *signature;		/* of the streams so far (stream/signature.h); NULL:
					 * unknown */
	const char *only;		/* patterns of the columns to read, see head_table_keep();
					 * set by the caller, NULL: all */
};

void head_table_init(struct head_table *t);
void head_table_release(struct head_table *t);

/* The row of a head, added if it is new.  `head` counts from 1. */
size_t head_table_row(struct head_table *t, enum site_where where, int layer, int head);
/* The column of this name, added if it is new; bug() if it has another type. */
size_t head_table_column(struct head_table *t, const char *name, enum head_column_type type);
/* The column of this name, or NULL. */
struct head_column *head_table_find(const struct head_table *t, const char *name);
/*
 * The column of this name, which must have numbers.  NULL with EXIT_INPUT if it is missing or text;
 * `path` is the file of the table, for the message.
 */
const struct head_column *head_table_measure(const struct head_table *t, const char *name,
					     const char *path, struct err *e);

/* Adds the float columns NAME and, if `errors`, NAME.error, unless they exist. */
void head_table_mean_columns(struct head_table *t, const char *name, bool errors);

/* Sets a value; NAN deletes it. */
void head_table_set(struct head_table *t, size_t row, size_t column, double x);
/*
 * Sets a float measure of head `head`, from 1, at a site.  Row and column are added if necessary.
 * Ignores values that are not finite.
 */
void head_table_fill(struct head_table *t, const struct site *s, int head, const char *name,
		     double x);
/* Sets the column NAME.error of a measure; ignores values that are not finite. */
void head_table_set_error(struct head_table *t, size_t row, const char *name, double x);
/* head_table_fill() of a measure, and head_table_set_error() of its standard error. */
void head_table_fill_mean(struct head_table *t, const struct site *s, int head, const char *name,
			  double x, double error);
/* Sets a value of a column of type HEAD_STR to a copy of n bytes. */
void head_table_set_text(struct head_table *t, size_t row, size_t column, const char *s, size_t n);
double head_table_get(const struct head_column *c, size_t row);		/* NAN if missing */
const char *head_table_text(const struct head_column *c, size_t row);	/* NULL if missing */

/* Does the name match one of a list of shell patterns, separated by commas? */
bool head_table_match(const char *patterns, const char *name);
/*
 * Keeps only the columns whose names match a list of shell patterns, separated by commas, in the
 * order of the list.  Returns -1 with EXIT_USAGE if a pattern matches no column.
 */
int head_table_keep(struct head_table *t, const char *patterns, struct err *e) MUST_USE;

/*
 * Adds the fields of types float, int and str of a stream of kind head; other fields are ignored.
 * A value that the table already has must be equal, and all streams must be of one model, if they
 * name it.  Warns if their signatures differ.  Returns -1 with EXIT_INPUT if these conditions do
 * not hold, or as reader_next(); the message names the record.
 */
int head_table_read(struct head_table *t, struct reader *reader, struct err *e) MUST_USE;
/*
 * Returns -1 with EXIT_INPUT if the streams, of which the last was `path`, name another model.
 * Streams of older versions name none.  `hint` is advice for the error message, or NULL.
 */
int head_table_check_model(const struct head_table *t, const struct model *m, const char *path,
			   const char *hint, struct err *e) MUST_USE;
/* The same for a model of this name, or, with NULL, an unknown one, which fits all streams. */
int head_table_check_name(const struct head_table *t, const char *model, const char *path,
			  const char *hint, struct err *e) MUST_USE;
/*
 * Writes the name of the model to the header; if `m` is NULL, that of the model which computed the
 * attention weights of the stream with the header `input`, if it is known.
 */
void head_table_name_model(struct writer *out, const struct model *m, const struct header *input);

/* The fields of these columns, for writer_open(); the caller frees the array. */
struct field *head_table_fields(const struct head_table *t);
/* Writes a record for each head; values that are missing have no field. */
int head_table_put(const struct head_table *t, struct writer *out, struct err *e) MUST_USE;
/* Appends a tab-separated table with column names in the first line; '-' if a value is missing. */
void head_table_tsv(const struct head_table *t, struct buf *out);
/* The same as a table for readers, followed by the signature, in LaTeX as a comment. */
void head_table_layout(const struct head_table *t, enum table_layout layout, struct buf *out);

#endif
