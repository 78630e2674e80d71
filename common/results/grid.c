/* grid: see grid.h. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/mem.h"
#include "base/num.h"
#include "results/grid.h"
#include "stream/input.h"

#define BLANKS " \t"

const char *const grid_tests[] = { "bootstrap", "sign", NULL };

struct word { const char *s; size_t n; };

/* Cuts the next word off the front of *line; the word is empty at the end of the line. */
static struct word
next_word(const char **line)
{
	struct word w;

	*line += strspn(*line, BLANKS);
	w.s = *line;
	w.n = strcspn(*line, BLANKS);
	*line += w.n;
	return w;
}

static bool
is(struct word w, const char *s)
{
	return w.n == strlen(s) && !memcmp(w.s, s, w.n);
}

static const char *
keep(struct grid *g, struct word w)
{
	return texts_add(&g->texts, w.s, w.n);
}

/* Keeps the rest of a line, without blanks at its ends. */
static const char *
keep_rest(struct grid *g, const char *line)
{
	size_t n;

	line += strspn(line, BLANKS);
	for (n = strlen(line); n && strchr(BLANKS, line[n - 1]); n--)
		;
	return texts_add(&g->texts, line, n);
}

/* A number of sentence pairs: 20000, 20k or 4.5M; -1 if it is none. */
static int64_t
size_of(const char *s)
{
	const size_t n = strlen(s);
	const char last = s[n - 1];
	const double unit = last == 'k' ? 1e3 : last == 'M' ? 1e6 : 1;
	struct err e;
	double v;

	return num_float(s, n - (unit > 1), 1, 1e12, &v, &e) ? -1 : llround(v * unit);
}

void
grid_split_column(const char *name, const char **pair, size_t *n, int64_t *size)
{
	const char *at = strrchr(name, '@');
	const char *end = name + strlen(name), *dot;

	/* An @ without a digit after it belongs to the name of the corpus. */
	if (at && !(at[1] >= '0' && at[1] <= '9'))
		at = NULL;
	if (at)
		end = at;
	dot = end;
	while (dot > name && dot[-1] != '.')
		dot--;
	*pair = dot;
	*n = (size_t)(end - dot);
	*size = at ? size_of(at + 1) : 0;
}

static int
read_section(struct grid *g, const char *line, const struct input *in, struct err *e)
{
	const struct word name = next_word(&line);
	struct grid_section *s;

	if (!name.n)
		return input_error(in, e, "no name, expected section, name and title");
	g->section = xreallocarray(g->section, g->n + 1, sizeof(*g->section));
	s = &g->section[g->n++];
	*s = (struct grid_section) {
		.name = keep(g, name), .title = keep_rest(g, line), .paper = ""
	};
	if (!strncmp(s->name, "claim", 5) && !grid_is_claims(s))
		return input_error(in, e, "section %s, expected claims or claims-NAME for claims",
				   s->name);
	for (size_t i = 0; i + 1 < g->n; i++)
		if (!strcmp(g->section[i].name, s->name))
			return input_error(in, e, "duplicate section %s", s->name);
	return 0;
}

static int
read_columns(struct grid *g, struct grid_section *s, const char *line, const struct input *in,
	     struct err *e)
{
	if (s->n_rows)
		return input_error(in, e, "columns of section %s after its rows", s->name);
	for (struct word w = next_word(&line); w.n; w = next_word(&line)) {
		const char *text = keep(g, w), *colon = strchr(text, ':');
		struct grid_column *c;
		struct word pair;

		s->column = xreallocarray(s->column, s->n_columns + 1, sizeof(*s->column));
		c = &s->column[s->n_columns++];
		c->measure = colon ? texts_add(&g->texts, text, (size_t)(colon - text)) : "bleu";
		c->name = colon ? colon + 1 : text;
		grid_split_column(c->name, &pair.s, &pair.n, &c->size);
		c->pair = keep(g, pair);
		if (c->size < 0)
			return input_error(in, e, "column %s, expected a size after @ such as "
					   "20000, 20k or 4.5M", c->name);
	}
	return s->n_columns ? 0 : input_error(in, e, "no columns, expected one or more");
}

static void
read_bases(struct grid *g, struct grid_row *r, const char *list)
{
	if (!strcmp(list, "-"))
		return;
	while (*list) {
		const size_t n = strcspn(list, ",");

		r->base = xreallocarray(r->base, r->n_bases + 1, sizeof(*r->base));
		r->base[r->n_bases++] = texts_add(&g->texts, list, n);
		list += n + (list[n] == ',');
	}
}

#define KEYWORDS "section, looks, columns, paper, test, scope or within"	/* of read_line() */

static int
read_row(struct grid *g, struct grid_section *s, const char *line, const struct input *in,
	 struct err *e)
{
	const struct word variant = next_word(&line), base = next_word(&line);
	struct grid_row *r;

	if (!s->n_columns)
		return input_error(in, e, "row before the columns of section %s", s->name);
	if (!base.n)
		return input_error(in, e, "expected variant, baseline or -, a number or - for each "
				   "column, and label");
	s->row = xreallocarray(s->row, s->n_rows + 1, sizeof(*s->row));
	r = &s->row[s->n_rows++];
	*r = (struct grid_row) {
		.variant = keep(g, variant), .paper = xcalloc(s->n_columns, sizeof(double))
	};
	read_bases(g, r, keep(g, base));
	for (size_t i = 0; i < s->n_columns; i++) {
		const struct word w = next_word(&line);

		if (is(w, "-"))
			r->paper[i] = NAN;
		else if (num_float(w.s, w.n, -1e9, 1e9, &r->paper[i], e))
			return input_error(in, e, "row %s: '%.*s', expected a number or -; a line "
					   "that is not a row begins with " KEYWORDS, r->variant,
					   (int)w.n, w.s);
	}
	r->label = keep_rest(g, line);
	return *r->label ? 0 : input_error(in, e, "row %s without a label", r->variant);
}

/* Refuses further words on a line. */
static int
read_end(const char *line, const struct input *in, struct err *e)
{
	const struct word w = next_word(&line);

	return w.n ? input_error(in, e, "'%.*s', expected the end of the line", (int)w.n, w.s) : 0;
}

static int
read_test(struct grid_section *s, const char *line, const struct input *in, struct err *e)
{
	const struct word w = next_word(&line);

	for (int k = 0; grid_tests[k]; k++)
		if (is(w, grid_tests[k])) {
			s->test = (enum grid_test)k;
			return read_end(line, in, e);
		}
	return input_error(in, e, "test '%.*s', expected bootstrap or sign", (int)w.n, w.s);
}

static int
read_paper(struct grid *g, struct grid_section *s, const char *line, const struct input *in,
	   struct err *e)
{
	const struct word w = next_word(&line);

	if (!w.n)
		return input_error(in, e, "no name, expected the name of a paper");
	s->paper = keep(g, w);
	return read_end(line, in, e);
}

static int
read_scope(struct grid_section *s, const char *line, const struct input *in, struct err *e)
{
	const struct word w = next_word(&line);

	if (!is(w, "sizes") && !is(w, "whole"))
		return input_error(in, e, "scope '%.*s', expected sizes or whole", (int)w.n, w.s);
	s->sizes = is(w, "sizes");
	return read_end(line, in, e);
}

static int
read_within(struct grid_section *s, const char *line, const struct input *in, struct err *e)
{
	const struct word w = next_word(&line);

	if (num_float(w.s, w.n, 0, 1e9, &s->within, e) || !(s->within > 0))
		return input_error(in, e, "within '%.*s', expected a number above 0",
				   (int)w.n, w.s);
	return read_end(line, in, e);
}

/* SEEDS:ALPHA; the alphas add up to at most VERDICT_LEVEL. */
static int
read_look(struct grid *g, struct word w, double *spent, const struct input *in, struct err *e)
{
	const char *colon = memchr(w.s, ':', w.n);
	const size_t n = colon ? (size_t)(colon - w.s) : 0;
	struct look l;
	int64_t seeds;

	if (!colon || num_int(w.s, n, 2, 1000, &seeds, e) ||
	    num_float(colon + 1, w.n - n - 1, 1e-6, VERDICT_LEVEL, &l.alpha, e))
		return input_error(in, e, "look '%.*s', expected seeds:alpha, such as 3:0.02",
				   (int)w.n, w.s);
	l.seeds = (int)seeds;
	*spent += l.alpha;
	if (*spent > VERDICT_LEVEL + 1e-9)
		return input_error(in, e, "looks spend %g in total, expected at most %g", *spent,
				   VERDICT_LEVEL);
	if (g->n_looks && g->look[g->n_looks - 1].seeds >= l.seeds)
		return input_error(in, e, "look '%.*s', expected more seeds than the previous look",
				   (int)w.n, w.s);
	g->look = xreallocarray(g->look, g->n_looks + 1, sizeof(l));
	g->look[g->n_looks++] = l;
	return 0;
}

static int
read_looks(struct grid *g, const char *line, const struct input *in, struct err *e)
{
	double spent = 0;

	if (g->n_looks)
		return input_error(in, e, "duplicate looks");
	for (struct word w = next_word(&line); w.n; w = next_word(&line))
		if (read_look(g, w, &spent, in, e))
			return -1;
	return g->n_looks ? 0 : input_error(in, e, "no looks, expected for example 3:0.02 5:0.03");
}

static int
read_line(struct grid *g, const char *line, const struct input *in, struct err *e)
{
	struct grid_section *s = g->n ? &g->section[g->n - 1] : NULL;
	const char *rest = line;
	const struct word w = next_word(&rest);

	if (!w.n || *w.s == '#')
		return 0;
	if (is(w, "section"))
		return read_section(g, rest, in, e);
	if (is(w, "looks"))
		return read_looks(g, rest, in, e);
	if (!s)
		return input_error(in, e, "'%.*s' before the first section", (int)w.n, w.s);
	if (is(w, "columns"))
		return read_columns(g, s, rest, in, e);
	if (is(w, "paper"))
		return read_paper(g, s, rest, in, e);
	if (is(w, "test"))
		return read_test(s, rest, in, e);
	if (is(w, "scope"))
		return read_scope(s, rest, in, e);
	if (is(w, "within"))
		return read_within(s, rest, in, e);
	return read_row(g, s, line, in, e);
}

/* Takes ownership of in.  If in is NULL, e holds the reason already. */
static int
read_all(struct grid *g, struct input *in, struct err *e)
{
	const char *line;
	size_t n;
	int more = -1;

	*g = (struct grid) { .n = 0 };
	if (in)
		input_unit(in, "grid");
	while (in && (more = input_line(in, &line, &n, e)) > 0)
		if (read_line(g, line, in, e)) {
			more = -1;
			break;
		}
	input_close(in);
	return more;
}

int
grid_read(struct grid *g, const char *path, struct err *e)
{
	return read_all(g, input_open(path, INPUT_UTF8, e), e);
}

int
grid_read_memory(struct grid *g, const char *name, const void *p, size_t n, struct err *e)
{
	return read_all(g, input_memory(name, p, n, INPUT_UTF8, e), e);
}

void
grid_release(struct grid *g)
{
	for (size_t i = 0; i < g->n; i++) {
		struct grid_section *s = &g->section[i];

		for (size_t k = 0; k < s->n_rows; k++) {
			free(s->row[k].base);
			free(s->row[k].paper);
		}
		free(s->row);
		free(s->column);
	}
	free(g->section);
	free(g->look);
	texts_release(&g->texts);
}

bool
grid_is_claims(const struct grid_section *s)
{
	return !strncmp(s->name, "claims", 6);
}

const struct grid_section *
grid_find(const struct grid *g, const char *name)
{
	for (size_t i = 0; i < g->n; i++)
		if (!strcmp(g->section[i].name, name))
			return &g->section[i];
	return NULL;
}

/* The label of a variant in a table that also has a row of other; NULL if it lacks one of them. */
static const char *
label_in(const struct grid_section *s, const char *variant, const char *other)
{
	const char *label = NULL;
	bool both = false;

	if (grid_is_claims(s))
		return NULL;
	for (size_t i = 0; i < s->n_rows; i++) {
		both |= !strcmp(s->row[i].variant, other);
		if (!label && !strcmp(s->row[i].variant, variant))
			label = s->row[i].label;
	}
	return both ? label : NULL;
}

const char *
grid_label(const struct grid *g, const char *variant, const char *other)
{
	const char *const with[] = { other, variant };

	for (size_t k = 0; k < sizeof(with) / sizeof(*with); k++)
		for (size_t i = 0; i < g->n; i++) {
			const char *label = label_in(&g->section[i], variant, with[k]);

			if (label)
				return label;
		}
	return variant;
}
