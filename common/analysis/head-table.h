/*
 * head-table: what is known of a model's heads: a row a head, a column a measure.
 *
 * Heads are told apart by site, layer and head; rows and columns are in the order in which they
 * first came.  A head need not have all measures.
 */
#ifndef HEAD_TABLE_H
#define HEAD_TABLE_H

#include <stddef.h>
#include <stdint.h>

#include "attention/attention-heads.h"
#include "base/buf.h"
#include "base/compiler.h"
#include "base/err.h"
#include "base/strmap.h"
#include "stream/stream.h"

enum head_column_type { HEAD_FLOAT, HEAD_INT, HEAD_STR };

struct head_table {
	struct head_row { enum site_where where; int layer, head; } *row;
	size_t n, room;			/* rows */
	struct head_column {
		char *name;
		enum head_column_type type;
		double *x;		/* [known] NAN: not there */
		char **text;		/* [known] of HEAD_STR instead; NULL: not there */
		size_t known, room;	/* rows behind these have no value */
	} *column;
	size_t n_columns, column_room;
	struct strmap heads;		/* a name for each row */
};

void head_table_init(struct head_table *t);
void head_table_release(struct head_table *t);

size_t head_table_row(struct head_table *t, enum site_where where, int layer, int head);
/* The column of this name, new or old; bug() if it is there as another type. */
size_t head_table_column(struct head_table *t, const char *name, enum head_column_type type);
struct head_column *head_table_find(const struct head_table *t,
				    const char *name);	/* or NULL */

void head_table_set(struct head_table *t, size_t row, size_t column,
		    double x);	/* NAN: takes it away */
/*
 * The measure of a head by its number, from 1, which may be new, as a float; nothing for what
 * is no number or infinite.
 */
void head_table_fill(struct head_table *t, const struct site *s, int head, const char *name,
		     double x);
void head_table_set_text(struct head_table *t, size_t row, size_t column, const char *s, size_t n);
double head_table_get(const struct head_column *c, size_t row);		/* NAN: not there */
const char *head_table_text(const struct head_column *c, size_t row);	/* NULL: not there */

/*
 * Leaves only the columns whose names match a list of shell patterns with commas between, in
 * the list's order.  EXIT_USAGE if one matches nothing.
 */
int head_table_keep(struct head_table *t, const char *patterns, struct err *e) MUST_USE;

/*
 * Adds a stream of kind head: its fields of types float, int and str; those of others are passed
 * over.  A head or a measure that was there before may come again only with the same value.
 * EXIT_INPUT with the place in the stream.
 */
int head_table_read(struct head_table *t, struct reader *in, struct err *e) MUST_USE;

/* The fields of a stream with these columns, for writer_open(); the caller frees the array. */
struct field *head_table_fields(const struct head_table *t);
int head_table_put(const struct head_table *t, struct writer *out, struct err *e) MUST_USE;
/* Tab-separated, names in the first line, '-' for what is not there. */
void head_table_tsv(const struct head_table *t, struct buf *out);
/* The same as a table of Markdown. */
void head_table_markdown(const struct head_table *t, struct buf *out);

#endif
