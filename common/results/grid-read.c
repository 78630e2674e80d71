/* grid-read: the text of a grid; see grid.h. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/mem.h"
#include "base/num.h"
#include "results/finding.h"
#include "results/grid.h"
#include "stream/input.h"

#define BLANKS " \t"

struct word { const char *s; size_t n; };

/* Cuts the next word off the front of *line; the word is empty at the end of the line. */
static struct word
grid_read_next_word(const char **line)
{
	struct word w;

	*line += strspn(*line, BLANKS);
	w.s = *line;
	w.n = strcspn(*line, BLANKS);
	*line += w.n;
	return w;
}

static bool
grid_read_is(struct word w, const char *s)
{
	return w.n == strlen(s) && !memcmp(w.s, s, w.n);
}

static const char *
grid_read_keep(struct grid *g, struct word w)
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

static int
read_section(struct grid *g, const char *line, const struct input *input, struct err *e)
{
	const struct word name = grid_read_next_word(&line);
	struct grid_section *s;

	if (!name.n)
		return input_error(input, e, "no name, expected section, name and title");
	g->section = xreallocarray(g->section, g->n + 1, sizeof(*g->section));
	s = &g->section[g->n++];
	*s = (struct grid_section) {
		.name = grid_read_keep(g, name), .title = keep_rest(g, line), .paper = "",
		.family = NULL
	};
	if (!strncmp(s->name, "claim", 5) && !grid_is_claims(s))
		return input_error(input, e, "section %s, "
				   "expected claims or claims-NAME for claims", s->name);
	for (size_t i = 0; i + 1 < g->n; i++)
		if (!strcmp(g->section[i].name, s->name))
			return input_error(input, e, "duplicate section %s", s->name);
	return 0;
}

static int
read_columns(struct grid *g, struct grid_section *s, const char *line, const struct input *input,
	     struct err *e)
{
	if (s->n_rows)
		return input_error(input, e, "columns of section %s after its rows", s->name);
	for (struct word w = grid_read_next_word(&line); w.n; w = grid_read_next_word(&line)) {
		const char *text = grid_read_keep(g, w), *colon = strchr(text, ':');
		struct grid_column *c;
		struct word pair;

		s->column = xreallocarray(s->column, s->n_columns + 1, sizeof(*s->column));
		c = &s->column[s->n_columns++];
		c->measure = colon ? texts_add(&g->texts, text, (size_t)(colon - text)) : "bleu";
		c->name = colon ? colon + 1 : text;
		grid_split_column(c->name, &pair.s, &pair.n, &c->size);
		c->pair = grid_read_keep(g, pair);
		if (c->size < 0)
			return input_error(input, e, "column %s, expected a size after @ such as "
					   "20000, 20k or 4.5M", c->name);
	}
	return s->n_columns ? 0 : input_error(input, e, "no columns, expected one or more");
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

/* Of a line in a section; see grid_read_line(). */
#define KEYWORDS "section, columns, paper, family, kind, test, scope, within or ratio"

static int
read_row(struct grid *g, struct grid_section *s, const char *line, const struct input *input,
	 struct err *e)
{
	const struct word variant = grid_read_next_word(&line), base = grid_read_next_word(&line);
	struct grid_row *r;

	if (!s->n_columns)
		return input_error(input, e, "row before the columns of section %s", s->name);
	if (!base.n)
		return input_error(input, e, "expected variant, baseline or -, "
				   "a number or - for each "
				   "column, and label");
	s->row = xreallocarray(s->row, s->n_rows + 1, sizeof(*s->row));
	r = &s->row[s->n_rows++];
	*r = (struct grid_row) {
		.variant = grid_read_keep(g, variant),
		.line = (size_t)input_line_number(input),
		.paper = xcalloc(s->n_columns, sizeof(double))
	};
	read_bases(g, r, grid_read_keep(g, base));
	for (size_t i = 0; i < s->n_columns; i++) {
		const struct word w = grid_read_next_word(&line);

		if (grid_read_is(w, "-"))
			r->paper[i] = NAN;
		else if (num_float(w.s, w.n, -1e9, 1e9, &r->paper[i], e))
			return input_error(input, e, "row %s: '%.*s', "
					   "expected a number or -; a line "
					   "that is not a row begins with " KEYWORDS, r->variant,
					   (int)w.n, w.s);
	}
	r->label = keep_rest(g, line);
	return *r->label ? 0 : input_error(input, e, "row %s without a label", r->variant);
}

/* Refuses further words on a line. */
static int
grid_read_end(const char *line, const struct input *input, struct err *e)
{
	const struct word w = grid_read_next_word(&line);

	return w.n ? input_error(input, e, "'%.*s', expected the end of the line", (int)w.n,
				 w.s) : 0;
}

static int
read_test(struct grid_section *s, const char *line, const struct input *input, struct err *e)
{
	const struct word w = grid_read_next_word(&line);

	for (int k = 0; grid_tests[k]; k++)
		if (grid_read_is(w, grid_tests[k])) {
			s->test = (enum grid_test)k;
			return grid_read_end(line, input, e);
		}
	return input_error(input, e, "test '%.*s', expected bootstrap or sign", (int)w.n, w.s);
}

static int
read_paper(struct grid *g, struct grid_section *s, const char *line, const struct input *input,
	   struct err *e)
{
	const struct word w = grid_read_next_word(&line);

	if (!w.n)
		return input_error(input, e, "no name, expected the name of a paper");
	s->paper = grid_read_keep(g, w);
	return grid_read_end(line, input, e);
}

/* The family of a section's claims. */
static int
grid_read_member(struct grid *g, struct grid_section *s, const char *line,
		 const struct input *input, struct err *e)
{
	const struct word w = grid_read_next_word(&line);

	s->family = grid_read_keep(g, w);
	for (size_t i = 0; i < g->n_families; i++)
		if (!strcmp(g->family[i].name, s->family))
			return grid_read_end(line, input, e);
	return input_error(input, e, "family '%s', expected one of those before the first section",
			   s->family);
}

static int
read_scope(struct grid_section *s, const char *line, const struct input *input, struct err *e)
{
	const struct word w = grid_read_next_word(&line);

	if (!grid_read_is(w, "sizes") && !grid_read_is(w, "whole"))
		return input_error(input, e, "scope '%.*s', expected sizes or whole", (int)w.n,
				   w.s);
	s->sizes = grid_read_is(w, "sizes");
	return grid_read_end(line, input, e);
}

/* What rows are whose label names no other kind, in figures of gains. */
static int
read_kind(struct grid *g, struct grid_section *s, const char *line, const struct input *input,
	  struct err *e)
{
	s->kind = keep_rest(g, line);
	return *s->kind ? 0 : input_error(input, e, "no kind, expected a text");
}

/* A number above 0 that follows a keyword. */
static int
read_positive(double *v, const char *keyword, const char *line, const struct input *input,
	      struct err *e)
{
	const struct word w = grid_read_next_word(&line);

	if (num_float(w.s, w.n, 0, 1e9, v, e) || !(*v > 0))
		return input_error(input, e, "%s '%.*s', expected a number above 0", keyword,
				   (int)w.n, w.s);
	return grid_read_end(line, input, e);
}

/* SEEDS:ALPHA; the alphas add up to at most VERDICT_LEVEL. */
static int
read_look(struct grid *g, struct word w, double *spent, const struct input *input, struct err *e)
{
	const char *colon = memchr(w.s, ':', w.n);
	const size_t n = colon ? (size_t)(colon - w.s) : 0;
	struct look l;
	int64_t seeds;

	if (!colon || num_int(w.s, n, 2, 1000, &seeds, e) ||
	    num_float(colon + 1, w.n - n - 1, 1e-6, VERDICT_LEVEL, &l.alpha, e))
		return input_error(input, e, "look '%.*s', expected seeds:alpha, such as 3:0.02",
				   (int)w.n, w.s);
	l.seeds = (int)seeds;
	*spent += l.alpha;
	if (*spent > VERDICT_LEVEL + 1e-9)
		return input_error(input, e, "looks spend %g in total, expected at most %g", *spent,
				   VERDICT_LEVEL);
	if (g->n_looks && g->look[g->n_looks - 1].seeds >= l.seeds)
		return input_error(input, e, "look '%.*s', "
				   "expected more seeds than the previous look", (int)w.n, w.s);
	g->look = xreallocarray(g->look, g->n_looks + 1, sizeof(l));
	g->look[g->n_looks++] = l;
	return 0;
}

static int
read_looks(struct grid *g, const char *line, const struct input *input, struct err *e)
{
	double spent = 0;

	if (g->n_looks)
		return input_error(input, e, "duplicate looks");
	for (struct word w = grid_read_next_word(&line); w.n; w = grid_read_next_word(&line))
		if (read_look(g, w, &spent, input, e))
			return -1;
	return g->n_looks ? 0 : input_error(input, e, "no looks, "
					    "expected for example 3:0.02 5:0.03");
}

/* NAME VARIANT ...: further lines with the same name add systems. */
static int
read_group(struct grid *g, const char *line, const struct input *input, struct err *e)
{
	const char *name = grid_read_keep(g, grid_read_next_word(&line));
	struct grid_group *group;
	size_t i = 0;

	while (i < g->n_groups && strcmp(g->group[i].name, name))
		i++;
	if (i == g->n_groups) {
		g->group = xreallocarray(g->group, g->n_groups + 1, sizeof(*g->group));
		g->group[g->n_groups++] = (struct grid_group) { .name = name };
	}
	group = &g->group[i];
	for (struct word w = grid_read_next_word(&line); w.n; w = grid_read_next_word(&line)) {
		const char *variant = grid_read_keep(g, w);

		if (grid_group_has(group, variant))
			return input_error(input, e, "group %s: %s, given twice", name, variant);
		group->variant = xreallocarray(group->variant, group->n + 1,
					       sizeof(*group->variant));
		group->variant[group->n++] = variant;
	}
	return group->n ? 0 : input_error(input, e, "group '%s', expected a name and systems",
					  name);
}

/* BASE VARIANT ... */
static int
read_aa(struct grid *g, const char *line, const struct input *input, struct err *e)
{
	const char *base = grid_read_keep(g, grid_read_next_word(&line));
	const size_t n = g->n_aa;

	for (struct word w = grid_read_next_word(&line); w.n; w = grid_read_next_word(&line)) {
		const char *variant = grid_read_keep(g, w);

		if (!grid_group_of(g, base, variant))
			return input_error(input, e, "aa: %s and %s are in no group", base,
					   variant);
		g->aa = xreallocarray(g->aa, g->n_aa + 1, sizeof(*g->aa));
		g->aa[g->n_aa++] = (struct grid_aa) { .base = base, .variant = variant };
	}
	return g->n_aa > n ? 0 : input_error(input, e, "aa '%s', expected a system and the systems "
					     "that repeat it", base);
}

/* The family's number after which the rest of the line may be "after FAMILY". */
static int
read_after(struct grid *g, struct grid_family *f, const char *line, const struct input *input,
	   struct err *e)
{
	const struct word after = grid_read_next_word(&line), name = grid_read_next_word(&line);

	if (!after.n)
		return 0;
	f->after = grid_read_keep(g, name);
	for (size_t i = 0; grid_read_is(after, "after") && i < g->n_families; i++)
		if (!strcmp(g->family[i].name, f->after))
			return grid_read_end(line, input, e);
	return input_error(input, e, "family %s: '%.*s %s', expected after and an earlier family",
			   f->name, (int)after.n, after.s, f->after);
}

/* NAME NATS BLEU [after FAMILY] */
static int
read_family(struct grid *g, const char *line, const struct input *input, struct err *e)
{
	const struct word name = grid_read_next_word(&line), nats = grid_read_next_word(&line);
	const struct word bleu = grid_read_next_word(&line);
	struct grid_family f = { .name = grid_read_keep(g, name) };

	if (!name.n || num_float(nats.s, nats.n, 0, 1e3, &f.nats, e) ||
	    num_float(bleu.s, bleu.n, 0, 100, &f.bleu, e))
		return input_error(input, e, "family '%s', expected a name and the margins in nats "
				   "and BLEU, such as 0.02 0.5", f.name);
	for (size_t i = 0; i < g->n_families; i++)
		if (!strcmp(g->family[i].name, f.name))
			return input_error(input, e, "duplicate family %s", f.name);
	if (read_after(g, &f, line, input, e))
		return -1;
	g->family = xreallocarray(g->family, g->n_families + 1, sizeof(f));
	g->family[g->n_families++] = f;
	return 0;
}

/* A sentence; its slots are checked when all claims are known. */
static int
read_finding(struct grid *g, const char *line, const struct input *input, struct err *e)
{
	const char *text = keep_rest(g, line);

	g->finding = xreallocarray(g->finding, g->n_findings + 1, sizeof(*g->finding));
	g->finding[g->n_findings++] = (struct grid_finding) {
		.text = text, .line = input_line_number(input)
	};
	return *text ? 0 : input_error(input, e, "no finding, expected a sentence");
}

/* A line before the first section. */
static int
grid_read_head(struct grid *g, struct word w, const char *rest, const struct input *input,
	       struct err *e)
{
	if (grid_read_is(w, "group"))
		return read_group(g, rest, input, e);
	if (grid_read_is(w, "aa"))
		return read_aa(g, rest, input, e);
	if (grid_read_is(w, "family"))
		return read_family(g, rest, input, e);
	if (grid_read_is(w, "finding"))
		return read_finding(g, rest, input, e);
	return input_error(input, e, "'%.*s' before the first section, expected section, looks, "
			   "group, aa, family or finding", (int)w.n, w.s);
}

static int
grid_read_line(struct grid *g, const char *line, const struct input *input, struct err *e)
{
	struct grid_section *s = g->n ? &g->section[g->n - 1] : NULL;
	const char *rest = line;
	const struct word w = grid_read_next_word(&rest);

	if (!w.n || *w.s == '#')
		return 0;
	if (grid_read_is(w, "section"))
		return read_section(g, rest, input, e);
	if (grid_read_is(w, "looks"))
		return read_looks(g, rest, input, e);
	if (!s)
		return grid_read_head(g, w, rest, input, e);
	if (grid_read_is(w, "columns"))
		return read_columns(g, s, rest, input, e);
	if (grid_read_is(w, "paper"))
		return read_paper(g, s, rest, input, e);
	if (grid_read_is(w, "family"))
		return grid_read_member(g, s, rest, input, e);
	if (grid_read_is(w, "test"))
		return read_test(s, rest, input, e);
	if (grid_read_is(w, "kind"))
		return read_kind(g, s, rest, input, e);
	if (grid_read_is(w, "scope"))
		return read_scope(s, rest, input, e);
	if (grid_read_is(w, "within"))
		return read_positive(&s->within, "within", rest, input, e);
	if (grid_read_is(w, "ratio"))
		return read_positive(&s->ratio, "ratio", rest, input, e);
	return read_row(g, s, line, input, e);
}

/* Takes ownership of in.  If in is NULL, e holds the reason already. */
static int
grid_read_all(struct grid *g, struct input *input, struct err *e)
{
	const char *line;
	size_t n;
	int more = -1;

	*g = (struct grid) { .n = 0 };
	if (input)
		input_unit(input, "grid");
	while (input && (more = input_line(input, &line, &n, e)) > 0)
		if (grid_read_line(g, line, input, e)) {
			more = -1;
			break;
		}
	if (!more)
		more = findings_check(g, input_name(input), e);
	input_close(input);
	for (size_t i = 0; i < g->n; i++)
		if (!g->section[i].family)
			g->section[i].family = g->section[i].paper;
	return more;
}

int
grid_read(struct grid *g, const char *path, struct err *e)
{
	return grid_read_all(g, input_open(path, INPUT_UTF8, e), e);
}

int
grid_read_memory(struct grid *g, const char *name, const void *p, size_t n, struct err *e)
{
	return grid_read_all(g, input_memory(name, p, n, INPUT_UTF8, e), e);
}
