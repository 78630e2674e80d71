/* grid-read: the text of a grid; see grid.h. */
#include <math.h>
#include <string.h>

#include "base/mem.h"
#include "base/num.h"
#include "results/finding.h"
#include "results/grid.h"
#include "stream/input.h"

#define BLANKS " \t"

/* A line, from which words are cut off the front. */
struct line {
	struct grid *g;
	struct grid_section *s;		/* the last section; NULL before the first one */
	const char *first, *rest;	/* the first word; the part that was not read yet */
	bool tab;			/* a tab in grid_read_rest() */
	const struct input *input;
};

/* The next word, which belongs to the grid; "" at the end of the line. */
static const char *
grid_read_word(struct line *l)
{
	const char *from = l->rest + strspn(l->rest, BLANKS);
	const size_t n = strcspn(from, BLANKS);

	l->rest = from + n;
	return texts_add(&l->g->texts, from, n);
}

/* The rest of a line, without blanks at its ends. */
static const char *
grid_read_rest(struct line *l)
{
	const char *from = l->rest + strspn(l->rest, BLANKS);
	size_t n = strlen(from);

	while (n && strchr(BLANKS, from[n - 1]))
		n--;
	l->tab = memchr(from, '\t', n);
	return texts_add(&l->g->texts, from, n);
}

/* Refuses further words on a line. */
static int
grid_read_end(struct line *l, struct err *e)
{
	const char *w = grid_read_word(l);

	return *w ? input_error(l->input, e, "'%s', expected the end of the line", w) : 0;
}

static bool
has_family(const struct grid *g, const char *name)
{
	for (size_t i = 0; i < g->n_families; i++)
		if (!strcmp(g->family[i].name, name))
			return true;
	return false;
}

/* --- lines of a section --- */

static int
read_section(struct line *l, struct err *e)
{
	struct grid *g = l->g;
	const char *name = grid_read_word(l);
	struct grid_section *s;

	if (!*name)
		return input_error(l->input, e, "no name, expected section, name and title");
	g->section = xreallocarray(g->section, g->n + 1, sizeof(*g->section));
	s = &g->section[g->n++];
	*s = (struct grid_section) { .name = name, .title = grid_read_rest(l), .paper = "" };
	if (!strncmp(name, "claim", 5) && !grid_is_claims(s))
		return input_error(l->input, e, "section %s, "
				   "expected claims or claims-NAME for claims", name);
	if (grid_find(g, name) != s)
		return input_error(l->input, e, "duplicate section %s", name);
	return 0;
}

static int
read_columns(struct line *l, struct err *e)
{
	struct grid_section *s = l->s;

	if (s->n_rows)
		return input_error(l->input, e, "columns of section %s after its rows", s->name);
	for (const char *w; *(w = grid_read_word(l)); ) {
		const char *colon = strchr(w, ':'), *pair;
		struct grid_column *c;
		size_t n;

		s->column = xreallocarray(s->column, s->n_columns + 1, sizeof(*s->column));
		c = &s->column[s->n_columns++];
		c->measure = colon ? texts_add(&l->g->texts, w, (size_t)(colon - w)) : "bleu";
		c->name = colon ? colon + 1 : w;
		grid_split_column(c->name, &pair, &n, &c->size);
		c->pair = texts_add(&l->g->texts, pair, n);
		if (c->size < 0)
			return input_error(l->input, e, "column %s, expected a size after @ such "
					   "as 20000, 20k or 4.5M", c->name);
	}
	return s->n_columns ? 0 : input_error(l->input, e, "no columns, expected one or more");
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

/* Of a line in a section; see of_section[]. */
#define KEYWORDS "section, columns, paper, family, kind, test, scope, within or ratio"

/* A number that nothing would use is refused. */
static int
read_published(struct line *l, struct grid_row *r, size_t i, struct err *e)
{
	const struct grid_section *s = l->s;
	const char *w = grid_read_word(l);

	r->paper[i] = NAN;
	if (!strcmp(w, "-"))
		return 0;
	if (num_float(w, strlen(w), -1e9, 1e9, &r->paper[i], e))
		return input_error(l->input, e, "row %s: '%s', expected a number or -; a line that "
				   "is not a row begins with " KEYWORDS, r->variant, w);
	if (grid_is_claims(s))
		return input_error(l->input, e, "row %s: '%s' in a claim, expected -; the paper's "
				   "difference is that of two rows of its table", r->variant, w);
	if (!strcmp(s->column[i].name, "-"))
		return input_error(l->input, e, "row %s: '%s' in column %s:-, for which the paper "
				   "has no numbers, expected - or a column with a name", r->variant,
				   w, s->column[i].measure);
	return 0;
}

static int
read_row(struct line *l, struct err *e)
{
	struct grid_section *s = l->s;
	const char *base = grid_read_word(l);
	struct grid_row *r;

	if (!s->n_columns)
		return input_error(l->input, e, "row before the columns of section %s", s->name);
	if (!*base)
		return input_error(l->input, e, "expected variant, baseline or -, a number or - "
				   "for each column, and label");
	s->row = xreallocarray(s->row, s->n_rows + 1, sizeof(*s->row));
	r = &s->row[s->n_rows++];
	*r = (struct grid_row) {
		.variant = l->first, .line = (size_t)input_line_number(l->input),
		.paper = xcalloc(s->n_columns, sizeof(double))
	};
	read_bases(l->g, r, base);
	for (size_t i = 0; i < s->n_columns; i++)
		if (read_published(l, r, i, e))
			return -1;
	r->label = grid_read_rest(l);
	return *r->label ? 0 : input_error(l->input, e, "row %s without a label", r->variant);
}

static int
read_test(struct line *l, struct err *e)
{
	const char *w = grid_read_word(l);

	for (int k = 0; grid_tests[k]; k++)
		if (!strcmp(w, grid_tests[k])) {
			l->s->test = (enum grid_test)k;
			return grid_read_end(l, e);
		}
	return input_error(l->input, e, "test '%s', expected bootstrap or sign", w);
}

static int
read_paper(struct line *l, struct err *e)
{
	l->s->paper = grid_read_word(l);
	if (!*l->s->paper)
		return input_error(l->input, e, "no name, expected the name of a paper");
	return grid_read_end(l, e);
}

/* The family of a section's claims. */
static int
grid_read_member(struct line *l, struct err *e)
{
	l->s->family = grid_read_word(l);
	if (!has_family(l->g, l->s->family))
		return input_error(l->input, e, "family '%s', expected one of those before the "
				   "first section", l->s->family);
	return grid_read_end(l, e);
}

static int
read_scope(struct line *l, struct err *e)
{
	const char *w = grid_read_word(l);

	l->s->sizes = !strcmp(w, "sizes");
	if (!l->s->sizes && strcmp(w, "whole"))
		return input_error(l->input, e, "scope '%s', expected sizes or whole", w);
	return grid_read_end(l, e);
}

/* What rows are whose label names no other kind, in figures of gains. */
static int
read_kind(struct line *l, struct err *e)
{
	l->s->kind = grid_read_rest(l);
	return *l->s->kind ? 0 : input_error(l->input, e, "no kind, expected a text");
}

/* The number above 0 after the keyword within or ratio. */
static int
read_positive(struct line *l, struct err *e)
{
	double *v = strcmp(l->first, "ratio") ? &l->s->within : &l->s->ratio;
	const char *w = grid_read_word(l);

	if (num_float(w, strlen(w), 0, 1e9, v, e) || !(*v > 0))
		return input_error(l->input, e, "%s '%s', expected a number above 0", l->first, w);
	if (l->s->within > 0 && l->s->ratio > 0)
		return input_error(l->input, e, "within and ratio in section %s, expected one of "
				   "them", l->s->name);
	return grid_read_end(l, e);
}

/* --- lines of the whole grid --- */

/* SEEDS:ALPHA; the alphas add up to at most VERDICT_LEVEL. */
static int
read_look(struct line *l, const char *w, double *spent, struct err *e)
{
	struct grid *g = l->g;
	const char *colon = strchr(w, ':');
	struct look k;
	int64_t seeds;

	if (!colon || num_int(w, (size_t)(colon - w), 2, 1000, &seeds, e) ||
	    num_float(colon + 1, strlen(colon + 1), 1e-6, VERDICT_LEVEL, &k.alpha, e))
		return input_error(l->input, e, "look '%s', expected seeds:alpha, such as 3:0.02",
				   w);
	k.seeds = (int)seeds;
	*spent += k.alpha;
	if (*spent > VERDICT_LEVEL + 1e-9)
		return input_error(l->input, e, "looks spend %g in total, expected at most %g",
				   *spent, VERDICT_LEVEL);
	if (g->n_looks && g->look[g->n_looks - 1].seeds >= k.seeds)
		return input_error(l->input, e, "look '%s', expected more seeds than the previous "
				   "look", w);
	g->look = xreallocarray(g->look, g->n_looks + 1, sizeof(k));
	g->look[g->n_looks++] = k;
	return 0;
}

static int
read_looks(struct line *l, struct err *e)
{
	double spent = 0;

	if (l->g->n_looks)
		return input_error(l->input, e, "duplicate looks");
	for (const char *w; *(w = grid_read_word(l)); )
		if (read_look(l, w, &spent, e))
			return -1;
	return l->g->n_looks ? 0 : input_error(l->input, e, "no looks, expected for example 3:0.02 "
					       "5:0.03");
}

/* NAME VARIANT ...: further lines with the same name add systems. */
static int
read_group(struct line *l, struct err *e)
{
	struct grid *g = l->g;
	const char *name = grid_read_word(l);
	struct grid_group *group;
	size_t i = 0;

	while (i < g->n_groups && strcmp(g->group[i].name, name))
		i++;
	if (i == g->n_groups) {
		g->group = xreallocarray(g->group, g->n_groups + 1, sizeof(*g->group));
		g->group[g->n_groups++] = (struct grid_group) { .name = name };
	}
	group = &g->group[i];
	for (const char *w; *(w = grid_read_word(l)); ) {
		if (grid_group_has(group, w))
			return input_error(l->input, e, "group %s: %s, given twice", name, w);
		group->variant = xreallocarray(group->variant, group->n + 1,
					       sizeof(*group->variant));
		group->variant[group->n++] = w;
	}
	return group->n ? 0 : input_error(l->input, e, "group '%s', expected a name and systems",
					  name);
}

/* BASE VARIANT ... */
static int
read_aa(struct line *l, struct err *e)
{
	struct grid *g = l->g;
	const char *base = grid_read_word(l);
	const size_t n = g->n_aa;

	for (const char *w; *(w = grid_read_word(l)); ) {
		if (!grid_group_of(g, base, w))
			return input_error(l->input, e, "aa: %s and %s are in no group", base, w);
		g->aa = xreallocarray(g->aa, g->n_aa + 1, sizeof(*g->aa));
		g->aa[g->n_aa++] = (struct grid_aa) { .base = base, .variant = w };
	}
	return g->n_aa > n ? 0 : input_error(l->input, e, "aa '%s', expected a system and the "
					     "systems that repeat it", base);
}

/* The family's number after which the rest of the line may be "after FAMILY". */
static int
read_after(struct line *l, struct grid_family *f, struct err *e)
{
	const char *after = grid_read_word(l);

	if (!*after)
		return 0;
	f->after = grid_read_word(l);
	if (strcmp(after, "after") || !has_family(l->g, f->after))
		return input_error(l->input, e, "family %s: '%s %s', expected after and an earlier "
				   "family", f->name, after, f->after);
	return grid_read_end(l, e);
}

/* NAME NATS BLEU [after FAMILY] */
static int
read_family(struct line *l, struct err *e)
{
	struct grid *g = l->g;
	struct grid_family f = { .name = grid_read_word(l) };
	const char *nats = grid_read_word(l), *bleu = grid_read_word(l);

	if (!*f.name || num_float(nats, strlen(nats), 0, 1e3, &f.nats, e) ||
	    num_float(bleu, strlen(bleu), 0, 100, &f.bleu, e))
		return input_error(l->input, e, "family '%s', expected a name and the margins in "
				   "nats and BLEU, such as 0.02 0.5", f.name);
	if (has_family(g, f.name))
		return input_error(l->input, e, "duplicate family %s", f.name);
	if (read_after(l, &f, e))
		return -1;
	g->family = xreallocarray(g->family, g->n_families + 1, sizeof(f));
	g->family[g->n_families++] = f;
	return 0;
}

/* A sentence; its slots are checked when all claims are known. */
static int
read_finding(struct line *l, struct err *e)
{
	struct grid *g = l->g;
	const char *text = grid_read_rest(l);

	g->finding = xreallocarray(g->finding, g->n_findings + 1, sizeof(*g->finding));
	g->finding[g->n_findings++] = (struct grid_finding) {
		.text = text, .line = input_line_number(l->input)
	};
	return *text ? 0 : input_error(l->input, e, "no finding, expected a sentence");
}

static int
read_outside(struct line *l, struct err *e)
{
	return input_error(l->input, e, "'%s' before the first section, expected section, looks, "
			   "group, aa, family or finding", l->first);
}

/* The first words of lines before the first section, and in a section; NULL: any other word. */
static const struct keyword {
	const char *word;
	int (*read)(struct line *l, struct err *e);
} of_head[] = {
	{ "section", read_section }, { "looks", read_looks }, { "group", read_group },
	{ "aa", read_aa }, { "family", read_family }, { "finding", read_finding },
	{ NULL, read_outside }
}, of_section[] = {
	{ "section", read_section }, { "looks", read_looks }, { "columns", read_columns },
	{ "paper", read_paper }, { "family", grid_read_member }, { "test", read_test },
	{ "kind", read_kind }, { "scope", read_scope }, { "within", read_positive },
	{ "ratio", read_positive }, { NULL, read_row }
};

static int
grid_read_line(struct grid *g, const char *text, const struct input *input, struct err *e)
{
	struct line l = {
		.g = g, .s = g->n ? &g->section[g->n - 1] : NULL, .rest = text, .input = input
	};
	const struct keyword *k = l.s ? of_section : of_head;

	l.first = grid_read_word(&l);
	if (!*l.first || *l.first == '#')
		return 0;
	while (k->word && strcmp(k->word, l.first))
		k++;
	if (k->read(&l, e))
		return -1;
	/* It would end a cell of tables. */
	return l.tab ? input_error(input, e, "tab in a text, expected blanks") : 0;
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
		if (grid_read_line(g, line, input, e))
			break;
	if (!more)
		more = findings_check(g, input_name(input), e);
	input_close(input);
	for (size_t i = 0; i < g->n; i++)
		if (!g->section[i].family)
			g->section[i].family = g->section[i].paper;
	return more ? -1 : 0;
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
