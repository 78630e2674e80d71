/* figure: the panels of a figure of attention; see figure.h. */
#include <stdlib.h>
#include <string.h>

#include "attention/attention-heads.h"
#include "base/mem.h"
#include "base/num.h"
#include "draw/figure.h"

static const struct attention_picture kinds[FIGURE_PICTURES] = {
	[FIGURE_WEIGHTS] = { .name = "weights", .title = "attention weights",
			     .caption = "rows: queries, columns: keys", .unit = "weight",
			     .of = PICTURE_HEAD, .n = 1, .sentence = 1, .words = 1 },
	[FIGURE_IMPORTANCE] = { .name = "importance", .title = "head importance",
				.caption = "rows: queries, columns: heads", .unit = "weight",
				.of = PICTURE_SITE, .n = 1, .sentence = 1, .words = 1 },
	[FIGURE_TABLE] = { .name = "table", .words = 1 },
	[FIGURE_HEADS] = { .name = "heads", .title = "attention heads" }
};

/* The picture of a kind, NULL after the last kind, and its variant. */
static const struct attention_picture *
find_picture(int kind, const struct attention_variant **variant)
{
	*variant = NULL;
	if (kind < FIGURE_PICTURES)
		return &kinds[kind];
	kind -= FIGURE_PICTURES;
	for (const struct attention_variant *const *v = attention_variants; *v; v++)
		for (const struct attention_picture *p = (*v)->pictures; p && p->name; p++)
			if (!kind--) {
				*variant = *v;
				return p;
			}
	return NULL;
}

const struct attention_picture *
figure_picture(int kind)
{
	const struct attention_variant *v;

	return find_picture(kind, &v);
}

void
figure_list(const char *names[FIGURE_KINDS + 1])
{
	const struct attention_picture *p;

	for (int i = 0; i < FIGURE_KINDS && (p = figure_picture(i)); i++)
		names[i] = p->name;
}

/* The axes of a table, by subword and by word. */
struct figure_table { struct axis rows, columns, row_words, column_words; };

/*
 * Separators, as in attention-heads.h.  A list of sites without heads may use commas as well.
 */
#define SITE_ENDS ", ;/"
#define HEAD_ENDS ",+"

/* Takes the next name of a list whose names are separated by any of the ends; false at the end. */
static bool
figure_next_name(const char **list, const char *ends, char **name)
{
	const size_t n = strcspn(*list, ends);

	if (!**list)
		return false;
	*name = xstrndup(*list, n);
	*list += n + ((*list)[n] != 0);
	return true;
}

static int
reserve(const struct figure *f, int n, struct err *e)
{
	if (f->n + n <= FIGURE_PANELS)
		return 0;
	return err_usage(e, "more than %d panels, expected fewer sites or heads", FIGURE_PANELS);
}

static struct panel *
new_panel(struct figure *f, struct err *e)
{
	return reserve(f, 1, e) ? NULL : &f->panel[f->n++];
}

/* Puts the site before the title if several sites are drawn. */
static void
name_site(struct panel *m, const struct site *s, bool many)
{
	char *both = many ? xasprintf("%s, %s", s->name, m->title) : m->title;

	if (both != m->title)
		free(m->title);
	m->title = both;
}

/* Adds the matrices of a picture: of the model, of a site, or of a head, which counts from 1. */
static int
add_picture(struct figure *f, struct look *l, size_t site, int head, struct err *e)
{
	const struct attention_variant *v;
	const struct attention_picture *p = find_picture(f->kind, &v);

	if (reserve(f, p->n, e) ||
	    look_picture(l, v, p, site, head, &f->labels, &f->panel[f->n], e))
		return -1;
	f->n += p->n;
	return 0;
}

static int
figure_add_head(struct figure *f, struct look *l, size_t site, int head, bool many, struct err *e)
{
	struct panel *m;

	if (f->kind == FIGURE_WEIGHTS) {
		m = new_panel(f, e);
		if (!m || look_weights(l, site, head, m, e))
			return -1;
	} else {
		if (head < 1)
			return err_usage(e, "--draw %s with --heads %s, expected single heads",
					 figure_picture(f->kind)->name, f->heads);
		if (add_picture(f, l, site, head, e))
			return -1;
		m = &f->panel[f->n - 1];
		if (!m->title)
			m->title = xasprintf("head %d", head);
	}
	name_site(m, &l->sites.site[site], many);
	return 0;
}

/* "mean", "weighted", or a range. */
static int
figure_add_named(struct figure *f, struct look *l, size_t site, const char *name, bool many,
		 struct err *e)
{
	int64_t from = LOOK_MEAN, to = LOOK_MEAN;

	if (!strcmp(name, "weighted"))
		from = to = LOOK_WEIGHTED;
	else if (strcmp(name, "mean") &&
		 head_range_read(name, strlen(name), l->sites.site[site].all_heads, &from, &to,
				 e)) {
		err_wrap(e, "--heads");
		err_hint(e, "--heads also accepts ranges such as 2-4, mean, weighted and all");
		return -1;
	}
	for (int64_t h = from; h <= to; h++)
		if (figure_add_head(f, l, site, (int)h, many, e))
			return -1;
	return 0;
}

static int
figure_add_heads(struct figure *f, struct look *l, size_t site, bool many, struct err *e)
{
	const char *list = f->heads;
	char *name;
	int bad = 0;

	while (!bad && figure_next_name(&list, HEAD_ENDS, &name)) {
		bad = figure_add_named(f, l, site, name, many, e);
		free(name);
	}
	return bad;
}

/* Adds the heads of a list such as enc-self.1:2,4. */
static int
add_listed(struct figure *f, struct look *l, const char *list, struct err *e)
{
	const struct site *s = l->sites.site;
	const size_t n = l->sites.n;
	bool *set, *in;
	int bad;

	if (strcmp(f->heads, "all"))
		return err_usage(e,
				 "--heads with --site %s, which lists heads, expected one of them",
				 list);
	in = set = xcalloc(heads_before(s, n), sizeof(*set));
	bad = head_set_add(set, list, s, n, e) ? err_wrap(e, "--site") : 0;
	for (size_t i = 0; i < n; i++)
		for (int h = 0; h < s[i].heads; h++)
			if (*in++ && !bad)
				bad = figure_add_head(f, l, i, s[i].head[h] + 1, true, e);
	free(set);
	return bad;
}

static int
figure_add_importance(struct figure *f, struct look *l, size_t site, bool many, struct err *e)
{
	struct panel *m = new_panel(f, e);

	(void)many;
	if (!m || look_importance(l, site, m, e))
		return -1;
	m->title = xstrdup(l->sites.site[site].name);
	return 0;
}

static int
add_of_site(struct figure *f, struct look *l, size_t site, bool many, struct err *e)
{
	if (add_picture(f, l, site, 0, e))
		return -1;
	if (many && !f->panel[f->n - 1].title)
		f->panel[f->n - 1].title = xstrdup(l->sites.site[site].name);
	return 0;
}

typedef int add_site(struct figure *f, struct look *l, size_t site, bool many, struct err *e);

static int
add_sites(struct figure *f, struct look *l, const char *list, add_site *add, struct err *e)
{
	const bool several = strpbrk(list, SITE_ENDS) != NULL;
	char *name;

	while (figure_next_name(&list, SITE_ENDS, &name)) {
		size_t first, last;
		int bad = look_sites(l, name, &first, &last, e);

		free(name);
		for (size_t i = first; !bad && i < last; i++)
			bad = add(f, l, i, several || last - first > 1, e);
		if (bad)
			return -1;
	}
	return 0;
}

/* Adds the given sites, or all that have importance. */
static int
add_all_importance(struct figure *f, struct look *l, struct err *e)
{
	for (size_t i = 0; !f->sites && i < l->sites.n; i++)
		if (look_has_importance(l, i) && figure_add_importance(f, l, i, true, e))
			return -1;
	if (f->sites && add_sites(f, l, f->sites, figure_add_importance, e))
		return -1;
	return f->n ? 0 : err_usage(e, "the model has no head importance, expected one trained "
				    "with -a %s", look_weighting());
}

static int
add_panels(struct figure *f, struct look *l, const char *sites, struct err *e)
{
	const enum picture_of of = figure_picture(f->kind)->of;

	if (f->kind == FIGURE_IMPORTANCE)
		return add_all_importance(f, l, e);
	if (of == PICTURE_MODEL)
		return add_picture(f, l, 0, 0, e);
	if (of == PICTURE_SITE)
		return add_sites(f, l, sites, add_of_site, e);
	return strchr(sites, ':') ? add_listed(f, l, sites, e)
				  : add_sites(f, l, sites, figure_add_heads, e);
}

int
figure_add_model(struct figure *f, struct look *l, const char *id, struct err *e)
{
	const struct attention_picture *p = figure_picture(f->kind);
	const char *sites = f->sites ? f->sites : l->m ? "enc.1.self" : l->sites.site[0].name;

	if (add_panels(f, l, sites, e))
		return -1;
	f->title = f->kind == FIGURE_WEIGHTS && !strpbrk(sites, SITE_ENDS)
		? xasprintf("%s, %s", p->title, sites) : xstrdup(p->title);
	f->caption = xasprintf("%s%s%s%s", id ? "sentence " : "", id ? id : "", id ? "; " : "",
			       p->caption);
	f->unit = p->unit;
	return 0;
}

/* --- tables --- */

static bool
has_marks(const struct panel *m)
{
	for (int i = 0; m->mark && i < m->rows->n * m->columns->n; i++)
		if (m->mark[i])
			return true;
	return false;
}

static void
merge_words(struct figure_table *t, struct panel *m)
{
	int *row_word = axis_word(&t->rows), *column_word = axis_word(&t->columns);
	struct panel merged;

	axis_words(&t->rows, row_word, &t->row_words);
	axis_words(&t->columns, column_word, &t->column_words);
	panel_init(&merged, &t->row_words, &t->column_words);
	panel_words(m, row_word, column_word, &merged);
	merged.title = m->title;
	m->title = NULL;
	panel_release(m);
	*m = merged;
	free(row_word);
	free(column_word);
}

int
figure_add_table(struct figure *f, const char *path, bool words, struct err *e)
{
	struct panel *m = new_panel(f, e);
	struct figure_table *t;
	struct input *in;
	int bad;

	if (!m)
		return -1;
	if (!f->table)	/* all at once, because panels point into it */
		f->table = xcalloc(FIGURE_PANELS, sizeof(*f->table));
	t = &f->table[f->n - 1];
	in = input_open(path, INPUT_UTF8, e);
	if (!in)
		return -1;
	bad = panel_read(m, &t->rows, &t->columns, in, e);
	if (!bad && words && has_marks(m))
		bad = err_set(e, EXIT_INPUT, "%s: values with letters, expected none with --words",
			      input_name(in));
	if (!bad && words)
		merge_words(t, m);
	input_close(in);
	return bad;
}

/* --- output --- */

int
figure_range(const char *text, struct heat_map *style, struct err *e)
{
	const char *comma = strchr(text, ',');

	if (!comma)
		return err_usage(e, "--range: '%s', expected LOW,HIGH", text);
	if (num_float(text, (size_t)(comma - text), -1e30, 1e30, &style->low, e) ||
	    num_float(comma + 1, strlen(comma + 1), -1e30, 1e30, &style->high, e))
		return err_wrap(e, "--range");
	if (style->low >= style->high)
		return err_usage(e, "--range: %s, expected the lower value first", text);
	return 0;
}

void
figure_values(const struct figure *f, struct buf *out)
{
	if (f->of_heads)
		panels_write(f->of_heads->panel, f->of_heads->n * f->of_heads->kinds, out);
	else
		panels_write(f->panel, f->n, out);
}

int
figure_draw(const struct figure *f, const struct heat_map *style, bool bare, struct buf *out,
	    struct err *e)
{
	struct heat_map h = *style;
	struct heat_map_size size;

	if (f->of_heads)
		return head_figure_draw(f->of_heads, style, bare ? NULL : style->title
					? style->title : "", out, e);
	h.panel = f->panel;
	h.n = f->n;
	h.title = bare ? NULL : style->title ? style->title : f->title;
	h.caption = bare ? NULL : f->caption;
	h.unit = style->unit ? style->unit : f->unit;
	return heat_map_draw(&h, out, &size, e);
}

void
figure_release(struct figure *f)
{
	for (int i = 0; i < f->n; i++)
		panel_release(&f->panel[i]);
	for (int i = 0; f->table && i < f->n; i++) {
		axis_release(&f->table[i].rows);
		axis_release(&f->table[i].columns);
		axis_release(&f->table[i].row_words);
		axis_release(&f->table[i].column_words);
	}
	look_clear(&f->look);
	if (f->of_heads)
		head_figure_release(f->of_heads);
	free(f->of_heads);
	axis_release(&f->labels.heads);
	axis_release(&f->labels.names);
	free(f->table);
	free(f->title);
	free(f->caption);
}
