/* head-table: see head-table.h; head-table-io.c reads and writes it. */
#include "analysis/head-table.h"

#include <fnmatch.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/mem.h"
#include "base/near-name.h"
#include "stream/fields.h"

static void
release_column(struct head_column *c)
{
	for (size_t i = 0; c->text && i < c->known; i++)
		free(c->text[i]);
	free(c->text);
	free(c->x);
	free(c->name);
}

void
head_table_release(struct head_table *t)
{
	for (size_t i = 0; i < t->n_columns; i++)
		release_column(&t->column[i]);
	free(t->column);
	free(t->row);
	free(t->model);
	free(t->signature);
	strmap_release(&t->heads);
	*t = (struct head_table){ .n = 0 };
}

size_t
head_table_row(struct head_table *t, enum site_where where, int layer, int head)
{
	char name[64];
	const int n = snprintf(name, sizeof(name), "%d.%d.%d", where, layer, head);
	const size_t row = (size_t)strmap_add(&t->heads, name, (size_t)n);

	if (row == t->n) {
		t->row = mem_grow(t->row, &t->room, t->n + 1, sizeof(*t->row));
		t->row[t->n++] = (struct head_row){ where, layer, head };
	}
	return row;
}

size_t
head_table_row_of(struct head_table *t, const struct site *sites, size_t head)
{
	int number;
	const struct site *s = site_of_head(sites, head, &number);

	return head_table_row(t, s->where, s->layer, number);
}

struct head_column *
head_table_find(const struct head_table *t, const char *name)
{
	for (size_t i = 0; i < t->n_columns; i++)
		if (!strcmp(t->column[i].name, name))
			return &t->column[i];
	return NULL;
}

/* The measures of the table; those with a period, such as standard errors, are left out. */
static void
list_measures(const struct head_table *t, struct buf *out)
{
	for (size_t i = 0; i < t->n_columns; i++)
		if (t->column[i].type != HEAD_STR && !strchr(t->column[i].name, '.'))
			buf_printf(out, "%s%s", out->n ? ", " : "", t->column[i].name);
}

static void
no_measure(const struct head_table *t, const char *name, const char *path, struct err *e)
{
	const struct field_info *known = fields_find("head", name);
	struct near_name best = { .name = NULL };
	struct buf all = { 0 };

	list_measures(t, &all);
	err_set(e, EXIT_INPUT, "%s has no measure %s, expected one of %s", path, name,
		all.n ? all.data : "its fields");
	buf_release(&all);
	for (size_t i = 0; i < t->n_columns; i++)
		near_name_add(&best, name, strlen(name), t->column[i].name);
	if (!near_name_hint(&best, e) && known && known->from)
		err_hint(e, "%s%s adds it", known->from, !strcmp(known->from, "head-stat") ?
			 ", for some measures with --measure," : "");
}

const struct head_column *
head_table_measure(const struct head_table *t, const char *name, const char *path, struct err *e)
{
	const struct head_column *c = head_table_find(t, name);

	if (c && c->type != HEAD_STR)
		return c;
	if (c) {
		err_set(e, EXIT_INPUT, "%s: %s is text, expected a number", path, name);
		return NULL;
	}
	no_measure(t, name, path, e);
	return NULL;
}

size_t
head_table_column(struct head_table *t, const char *name, enum head_column_type type)
{
	struct head_column *c = head_table_find(t, name);

	if (c && c->type != type)
		bug("column %s with two types", name);
	if (c)
		return (size_t)(c - t->column);
	t->column = mem_grow(t->column, &t->column_room, t->n_columns + 1, sizeof(*t->column));
	t->column[t->n_columns] = (struct head_column){ .name = xstrdup(name), .type = type };
	return t->n_columns++;
}

/* Makes room for a row of a column.  Arrays grow with the values set, never with the rows alone. */
static struct head_column *
reach(struct head_table *t, size_t row, size_t column)
{
	struct head_column *c = &t->column[column];
	const bool text = c->type == HEAD_STR;

	if (row < c->known)
		return c;
	if (text)
		c->text = mem_grow(c->text, &c->room, row + 1, sizeof(*c->text));
	else
		c->x = mem_grow(c->x, &c->room, row + 1, sizeof(*c->x));
	for (; c->known <= row; c->known++) {
		if (text)
			c->text[c->known] = NULL;
		else
			c->x[c->known] = NAN;
	}
	return c;
}

void
head_table_set(struct head_table *t, size_t row, size_t column, double x)
{
	reach(t, row, column)->x[row] = x;
}

void
head_table_fill(struct head_table *t, const struct site *sites, size_t head, const char *name,
		double x)
{
	if (isfinite(x))
		head_table_set(t, head_table_row_of(t, sites, head),
			       head_table_column(t, name, HEAD_FLOAT), x);
}

static size_t
error_column(struct head_table *t, const char *name)
{
	char *error = xasprintf("%s.error", name);
	const size_t column = head_table_column(t, error, HEAD_FLOAT);

	free(error);
	return column;
}

void
head_table_mean_columns(struct head_table *t, const char *name, bool errors)
{
	head_table_column(t, name, HEAD_FLOAT);
	if (errors)
		error_column(t, name);
}

void
head_table_set_error(struct head_table *t, size_t row, const char *name, double x)
{
	if (isfinite(x))
		head_table_set(t, row, error_column(t, name), x);
}

void
head_table_fill_mean(struct head_table *t, const struct site *sites, size_t head,
		     const char *name, double x, double error)
{
	head_table_fill(t, sites, head, name, x);
	if (isfinite(x))
		head_table_set_error(t, head_table_row_of(t, sites, head), name, error);
}

void
head_table_set_text(struct head_table *t, size_t row, size_t column, const char *s, size_t n)
{
	char **text = &reach(t, row, column)->text[row];

	free(*text);
	*text = xstrndup(s, n);
}

double
head_table_get(const struct head_column *c, size_t row)
{
	return c->x && row < c->known ? c->x[row] : NAN;
}

const char *
head_table_text(const struct head_column *c, size_t row)
{
	return c->text && row < c->known ? c->text[row] : NULL;
}

static bool
same_values(const struct head_column *a, const struct head_column *b, size_t rows)
{
	for (size_t i = 0; i < rows; i++) {
		const double x = head_table_get(a, i), y = head_table_get(b, i);

		if (x != y && !(isnan(x) && isnan(y)))
			return false;
	}
	return true;
}

bool
head_table_same(const struct head_table *a, const struct head_table *b)
{
	bool common = false;

	for (size_t i = 0; i < a->n && a->n == b->n; i++)
		if (a->row[i].where != b->row[i].where || a->row[i].layer != b->row[i].layer ||
		    a->row[i].head != b->row[i].head)
			return false;
	for (size_t k = 0; k < a->n_columns; k++) {
		const struct head_column *one = &a->column[k];
		const struct head_column *other = head_table_find(b, one->name);

		if (!other || one->type == HEAD_STR || other->type == HEAD_STR)
			continue;
		if (!same_values(one, other, a->n))
			return false;
		common = true;
	}
	return common && a->n == b->n;
}

/*
 * Moves matching columns that are not kept yet to the end of the kept ones.  Returns the number of
 * matching columns, including those kept before.
 */
static size_t
head_table_keep_matching(struct head_table *t, const char *pattern, size_t *kept)
{
	size_t n = 0;

	for (size_t i = 0; i < t->n_columns; i++) {
		const struct head_column c = t->column[i];

		if (fnmatch(pattern, c.name, 0))
			continue;
		n++;
		if (i < *kept)
			continue;
		memmove(&t->column[*kept + 1], &t->column[*kept], (i - *kept) * sizeof(c));
		t->column[(*kept)++] = c;
	}
	return n;
}

char *
head_table_next(const char **list)
{
	const size_t n = strcspn(*list, ",");
	char *name = **list ? xstrndup(*list, n) : NULL;

	*list += n + ((*list)[n] == ',');
	return name;
}

bool
head_table_match(const char *patterns, const char *name)
{
	bool found = false;

	for (char *pattern; !found && (pattern = head_table_next(&patterns)); free(pattern))
		found = !fnmatch(pattern, name, 0);
	return found;
}

int
head_table_keep(struct head_table *t, const char *patterns, struct err *e)
{
	size_t kept = 0;
	int r = 0;

	for (char *pattern; !r && (pattern = head_table_next(&patterns)); free(pattern))
		if (!head_table_keep_matching(t, pattern, &kept))
			r = err_set(e, EXIT_USAGE,
				    "unknown measure %.60s, expected a field of the streams",
				    pattern);
	if (r)
		return r;
	while (t->n_columns > kept)
		release_column(&t->column[--t->n_columns]);
	return 0;
}
