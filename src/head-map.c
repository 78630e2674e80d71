/*
 * head-map: heat maps of the attention weights of a sentence, of quantities that attention
 * variants derive from them, or of a table of values.  See head-map(1).
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "attention/attention-heads.h"
#include "base/mem.h"
#include "base/num.h"
#include "base/output.h"
#include "draw/heat-map.h"
#include "draw/look.h"
#include "draw/pick.h"
#include "draw/png.h"
#include "draw/walk.h"
#include "model-file/model-file.h"
#include "model/too-long.h"
#include "search/forced.h"
#include "stream/input.h"
#include "stream/stream.h"

enum what { DRAW_WEIGHTS, DRAW_IMPORTANCE, DRAW_SYNC, DRAW_STRENGTHS, DRAW_MASKS, DRAW_TABLE };
enum form { TO_NAME, TO_SVG, TO_PNG, TO_TSV };
enum { MAX_PANELS = 256 };

static const char *const what_names[] = { "weights", "importance", "sync", "strengths", "masks",
					  "table", NULL };
static const char *const form_names[] = { "name", "svg", "png", "tsv", NULL };

static const char *output, *model_path, *ids, *site_list, *head_list = "all";
static const char *title, *range;
static int what = DRAW_WEIGHTS, form = TO_NAME, colors = COLORS_BLUE, target = -1, too_long;
static double scale = 2;
static bool words, label_read, numbers, each, html, force;

static const struct opt options[] = {
	OPT_GROUP("Model and input"),
	{ .kind = OPT_STRING, .short_name = 'm', .long_name = "model", .arg = "file",
	  .help = "model; required, except for tables", .to = &model_path },
	{ .kind = OPT_STRING, .long_name = "id", .arg = "list",
	  .help = "id of the sentence; several with --html (the first)", .to = &ids },
	OPT_TARGET(&target, "target that the decoder reads (any)"),
	OPT_TOO_LONG(&too_long, "fail"),
	OPT_GROUP("Selection"),
	{ .kind = OPT_CHOICE, .long_name = "draw", .arg = "what",
	  .help = "what to draw (weights)", .to = &what, .choice = what_names },
	{ .kind = OPT_STRING, .long_name = "head", .arg = "list",
	  .help = "heads: list such as 1,3-4, mean, weighted or all (all)", .to = &head_list },
	{ .kind = OPT_FLAG, .long_name = "html",
	  .help = "write an HTML page to browse all layers and heads", .to = &html },
	{ .kind = OPT_STRING, .long_name = "site", .arg = "list", .to = &site_list,
	  .help = "attention modules: enc-self.1, cross, enc-self.1:2,4 (enc.1.self)" },
	{ .kind = OPT_FLAG, .long_name = "words", .help = "draw words instead of subwords",
	  .to = &words },
	OPT_GROUP("Appearance"),
	{ .kind = OPT_CHOICE, .long_name = "colours", .arg = "name",
	  .help = "color scale (blue)", .to = &colors, .choice = color_names },
	{ .kind = OPT_FLAG, .long_name = "each",
	  .help = "give each panel its own range", .to = &each },
	{ .kind = OPT_FLAG, .long_name = "numbers", .help = "print the values in the cells",
	  .to = &numbers },
	{ .kind = OPT_STRING, .long_name = "range", .arg = "low,high",
	  .help = "values at the ends of the color scale", .to = &range },
	{ .kind = OPT_FLAG, .long_name = "read",
	  .help = "label decoder positions with the tokens that they read", .to = &label_read },
	{ .kind = OPT_FLOAT, .long_name = "scale", .arg = "x",
	  .help = "PNG pixels for each SVG pixel (2)", .to = &scale, .min = 0.1, .max = 10 },
	{ .kind = OPT_STRING, .long_name = "title", .arg = "text",
	  .help = "title above the figure", .to = &title },
	OPT_GROUP("Output"),
	OPT_OUTPUT(&output),
	{ .kind = OPT_CHOICE, .long_name = "to", .arg = "form",
	  .help = "output format; name: by the suffix of the output file (name)",
	  .to = &form, .choice = form_names },
	OPT_GROUP("Other"),
	OPT_FORCE(&force),
	OPT_MAX_LINE,
	OPT_MAX_RECORD,
	{ .kind = OPT_END }
};

static const struct program program = {
	.name = "head-map",
	.synopsis = "-m model [--site list] [--head list] [--id list] [-o file] [file]",
	.summary = "draw attention weights",
	.example = "head-map -m model.tar --id 2 --site cross.2 -o heads.svg dev.heed\n"
		   "  head-map -m model.tar --html -o heads.html dev.heed",
	.options = options, .reads = "sentence", .writes = "-",
};

/* Default title, caption and name of the color scale for each value of --draw. */
static const struct { const char *title, *caption, *unit; } kinds[] = {
	[DRAW_WEIGHTS] = { "attention weights", "rows: queries, columns: keys", "weight" },
	[DRAW_IMPORTANCE] = { "head importance", "rows: queries, columns: heads", "weight" },
	[DRAW_SYNC] = { "synchronous attention",
			"dependencies of both sides, and the source's projected to the target",
			"weight" },
	[DRAW_STRENGTHS] = { "relation mask: strengths",
			     "rows: relation of the key to the query, columns: heads", "strength" },
	[DRAW_MASKS] = { "relation mask",
			 "rows: queries, columns: keys; subtracted from the scores", "mask" }
};

/* A figure: panels, and the axes that they share. */
struct figure {
	struct panel panel[MAX_PANELS];
	int n;
	struct axis rows, columns;	/* of strengths */
	char *title, *caption;
	const char *unit;
};

/* The axes of a table, by subword and by word. */
struct table { struct axis rows, columns, row_words, column_words; };

/* --- lists --- */

/*
 * Separators, as in attention-heads.h.  A list of sites without heads may use commas as well.
 */
#define SITE_ENDS ", ;/"
#define HEAD_ENDS ",+"

/* Takes the next name of a list whose names are separated by any of the ends; false at the end. */
static bool
next_name(const char **list, const char *ends, char **name)
{
	const size_t n = strcspn(*list, ends);

	if (!**list)
		return false;
	*name = xstrndup(*list, n);
	*list += n + ((*list)[n] != 0);
	return true;
}

/* --- panels --- */

static struct panel *
new_panel(struct figure *p)
{
	if (p->n == MAX_PANELS)
		die_usage("more than %d panels, expected fewer sites or heads", MAX_PANELS);
	return &p->panel[p->n++];
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

static void
add_head(struct figure *p, struct look *l, size_t site, int head, bool many)
{
	struct panel *m = new_panel(p);
	const bool mask = what == DRAW_MASKS;
	struct err e;

	if (mask && head < 1)
		die_usage("--draw masks with --head %s, expected single heads", head_list);
	if (mask ? look_mask(l, site, head, m, &e) : look_weights(l, site, head, m, &e))
		die(&e);
	name_site(m, &l->m->sites[site], many);
}

/* "mean", "weighted", or a range. */
static void
add_named(struct figure *p, struct look *l, size_t site, const char *name, bool many)
{
	int64_t from = LOOK_MEAN, to = LOOK_MEAN;
	struct err e;

	if (!strcmp(name, "weighted"))
		from = to = LOOK_WEIGHTED;
	else if (strcmp(name, "mean") &&
		 head_range_read(name, strlen(name), l->m->sites[site].all_heads, &from, &to, &e)) {
		err_wrap(&e, "--head");
		err_hint(&e, "--head also accepts ranges such as 2-4, mean, weighted and all");
		die(&e);
	}
	for (int64_t h = from; h <= to; h++)
		add_head(p, l, site, (int)h, many);
}

static void
add_heads(struct figure *p, struct look *l, size_t site, bool many)
{
	const char *list = head_list;
	char *name;

	while (next_name(&list, HEAD_ENDS, &name)) {
		add_named(p, l, site, name, many);
		free(name);
	}
}

/* Adds the heads of a list such as enc-self.1:2,4. */
static void
add_listed(struct figure *p, struct look *l, const char *list)
{
	const struct site *s = l->m->sites;
	bool *set = xcalloc(heads_before(s, l->m->n_sites), sizeof(*set)), *in = set;
	struct err e;

	if (strcmp(head_list, "all"))
		die_usage("--head with --site %s, which lists heads, expected one of them", list);
	if (head_set_add(set, list, s, l->m->n_sites, &e)) {
		err_wrap(&e, "--site");
		die(&e);
	}
	for (size_t i = 0; i < l->m->n_sites; i++)
		for (int h = 0; h < s[i].heads; h++)
			if (*in++)
				add_head(p, l, i, s[i].head[h] + 1, true);
	free(set);
}

static void
add_importance(struct figure *p, struct look *l, size_t site, bool many)
{
	struct panel *m = new_panel(p);
	struct err e;

	(void)many;
	if (look_importance(l, site, m, &e))
		die(&e);
	m->title = xstrdup(l->m->sites[site].name);
}

static void
add_strengths(struct figure *p, struct look *l, size_t site, bool many)
{
	struct panel *m = new_panel(p);
	struct err e;

	if (!p->rows.n) {
		look_relations(&p->rows);
		look_heads(l->m, &p->columns);
	}
	if (look_strengths(l->m, site, &p->rows, &p->columns, m, &e))
		die(&e);
	m->title = many ? xstrdup(l->m->sites[site].name) : NULL;
}

typedef void add_site(struct figure *p, struct look *l, size_t site, bool many);

static void
add_sites(struct figure *p, struct look *l, const char *list, add_site *add)
{
	const bool several = strpbrk(list, SITE_ENDS) != NULL;
	char *name;

	while (next_name(&list, SITE_ENDS, &name)) {
		size_t first, last;
		struct err e;

		if (look_sites(l->m, name, &first, &last, &e))
			die(&e);
		for (size_t i = first; i < last; i++)
			add(p, l, i, several || last - first > 1);
		free(name);
	}
}

/* Draws the given sites, or all that have importance. */
static void
draw_importance(struct figure *p, struct look *l)
{
	for (size_t i = 0; !site_list && i < l->m->n_sites; i++)
		if (look_has_importance(l, i))
			add_importance(p, l, i, true);
	if (site_list)
		add_sites(p, l, site_list, add_importance);
	if (!p->n)
		die_usage("the model has no head importance, expected one trained with -a "
			  "head-importance");
}

static void
draw_sync(struct figure *p, struct look *l)
{
	struct err e;

	if (look_sync(l, p->panel, &e))
		die(&e);
	p->n = LOOK_SYNC;
}

static void
draw_all(struct figure *p, struct look *l, const char *id)
{
	const char *sites = site_list ? site_list : "enc.1.self";

	switch (what) {
	case DRAW_WEIGHTS:
	case DRAW_MASKS:
		if (strchr(sites, ':'))
			add_listed(p, l, sites);
		else
			add_sites(p, l, sites, add_heads);
		break;
	case DRAW_STRENGTHS: add_sites(p, l, sites, add_strengths); break;
	case DRAW_IMPORTANCE: draw_importance(p, l); break;
	case DRAW_SYNC: draw_sync(p, l); break;
	}
	p->title = what == DRAW_WEIGHTS && !strpbrk(sites, SITE_ENDS)
		? xasprintf("%s, %s", kinds[what].title, sites) : xstrdup(kinds[what].title);
	p->caption = xasprintf("%s%s%s%s", id ? "sentence " : "", id ? id : "", id ? "; " : "",
			       kinds[what].caption);
	p->unit = kinds[what].unit;
}

static void
merge_table(struct table *t, struct panel *m)
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

/* --- output --- */

/* By the suffix of the output.  An HTML page may have any name. */
static enum form
choose_form(void)
{
	const char *slash = output ? strrchr(output, '/') : NULL;
	const char *dot = output ? strrchr(slash ? slash : output, '.') : NULL;

	for (int i = TO_SVG; form == TO_NAME && dot && form_names[i]; i++)
		if (!strcmp(dot + 1, form_names[i]))
			form = i;
	if (form == TO_NAME && dot && !html)
		die_usage("-o %s: expected a name that ends in .svg, .png or .tsv, or --to",
			  output);
	return form == TO_NAME ? TO_SVG : (enum form)form;
}

static void
set_range(struct heat_map *h)
{
	const char *comma = range ? strchr(range, ',') : NULL;
	struct err e;

	if (!range)
		return;
	if (!comma)
		die_usage("--range: '%s', expected LOW,HIGH", range);
	if (num_float(range, (size_t)(comma - range), -1e30, 1e30, &h->low, &e) ||
	    num_float(comma + 1, strlen(comma + 1), -1e30, 1e30, &h->high, &e)) {
		err_wrap(&e, "--range");
		die(&e);
	}
	if (h->low >= h->high)
		die_usage("--range: %s, expected the lower value first", range);
}

static void
write_figure(const struct figure *p, enum form as, struct buf *out)
{
	struct heat_map h = { .panel = p->panel, .n = p->n, .title = title ? title : p->title,
			      .caption = p->caption, .unit = p->unit, .numbers = numbers };
	struct buf svg = { 0 };
	struct heat_map_size size;
	struct err e;

	h.colors = (enum colors)colors;
	h.each = (each || what == DRAW_SYNC) && !range;
	set_range(&h);
	if (heat_map_draw(&h, &svg, &size, &e))
		die(&e);
	if (as == TO_SVG)
		buf_add(out, svg.data, svg.n);
	else if (png_draw(&svg, size.width, size.height, scale, out, &e))
		die(&e);
	buf_release(&svg);
}

static void
write_bytes(const struct buf *bytes, bool binary)
{
	const unsigned flags = binary ? OUTPUT_BINARY | (force ? OUTPUT_FORCE : 0) : 0;
	struct output *o;
	struct err e;

	o = output_open(output, flags, &e);
	if (!o)
		die(&e);
	if (output_write(o, bytes->data, bytes->n, &e)) {
		output_abandon(o);
		die(&e);
	}
	if (output_finish(o, &e))
		die(&e);
}

static void
write_all(const struct figure *p)
{
	const enum form as = choose_form();
	struct buf bytes = { 0 };

	if (as == TO_TSV)
		panels_write(p->panel, p->n, &bytes);
	else
		write_figure(p, as, &bytes);
	write_bytes(&bytes, as == TO_PNG);
	buf_release(&bytes);
}

static void
release_figure(struct figure *p)
{
	for (int i = 0; i < p->n; i++)
		panel_release(&p->panel[i]);
	axis_release(&p->rows);
	axis_release(&p->columns);
	free(p->title);
	free(p->caption);
}

/* --- with a model --- */

static void
look_at_sentence(struct look *l, const struct pick *p, int i, const char *name)
{
	struct err e;

	if (look_at(l, p->rec[i], p->number[i], &e)) {
		err_wrap(&e, "%s", name);
		die(&e);
	}
}

static void
draw_figure(struct look *l, const struct pick *p, const char *name)
{
	static struct figure figure;

	if (p->n > 1)
		die_usage("%d sentences, expected one without --html", p->n);
	look_at_sentence(l, p, 0, name);
	draw_all(&figure, l, p->id[0]);
	write_all(&figure);
	release_figure(&figure);
	look_clear(l);
}

static void
draw_page(struct look *l, const struct pick *p, const char *name)
{
	struct buf page = { 0 };
	struct walk w = { .n = 0 };
	struct err e;

	for (int i = 0; i < p->n; i++) {
		look_at_sentence(l, p, i, name);
		if (walk_add(&w, l, p->id[i], &e))
			die(&e);
		look_clear(l);
	}
	walk_finish(&w, l, title ? title : "Attention weights", &page);
	write_bytes(&page, false);
	buf_release(&page);
}

static void
draw_sentences(struct look *l, const char *path)
{
	const enum forced_target whose = target < 0 ? TARGET_ANY : (enum forced_target)target;
	struct field *needs = forced_needs(l->m, whose, NULL);
	struct too_long lengths = { .action = too_long };
	struct unknown unknown = { { 0 }, { 0 } };
	struct reader *in;
	struct pick p;
	struct err e;

	in = reader_open(path, "sentence", needs, force ? STREAM_FORCE : 0, &e);
	if (!in || too_long_begin(&lengths, l->m, true, &e) || pick_read(&p, in, ids, &e) ||
	    pick_choose(&p, l->m, whose, &lengths, reader_name(in), &e))
		die(&e);
	free(needs);
	l->cut = too_long == TOO_LONG_CUT;
	for (int i = 0; i < p.n; i++)
		unknown_add(&unknown, p.rec[i], &l->m->src, &l->m->tgt);
	unknown_warn(&unknown, l->m->codes != NULL);
	if (html)
		draw_page(l, &p, reader_name(in));
	else
		draw_figure(l, &p, reader_name(in));
	pick_release(&p);
	reader_close(in);
}

/* Strengths are parameters of the model and need no sentence. */
static void
draw_parameters(struct look *l)
{
	static struct figure p;

	draw_all(&p, l, NULL);
	write_all(&p);
	release_figure(&p);
}

static void
draw_model(const char *path)
{
	struct look l = { .words = words, .read = label_read };
	struct runtime run;
	struct err e;

	l.m = model_load(model_path, false, NULL, NULL, &e);
	if (!l.m || runtime_open(&run, NULL, PRECISION_FP32, 1, &e))
		die(&e);
	l.run = &run;
	if (what == DRAW_STRENGTHS)
		draw_parameters(&l);
	else
		draw_sentences(&l, path);
	model_free(l.m);
	runtime_close(&run);
}

/* --- with tables --- */

static void
read_table(struct table *t, struct panel *m, const char *path)
{
	struct err e;
	struct input *in = input_open(path, INPUT_UTF8, &e);

	if (!in || panel_read(m, &t->rows, &t->columns, in, &e))
		die(&e);
	if (words)
		merge_table(t, m);
	input_close(in);
}

static void
release_table(struct table *t)
{
	axis_release(&t->rows);
	axis_release(&t->columns);
	axis_release(&t->row_words);
	axis_release(&t->column_words);
}

/* Draws tables side by side; reads standard input if no file is given. */
static void
draw_tables(char **path, int n)
{
	static struct figure p;
	const int many = n ? n : 1;
	struct table *t = xcalloc((size_t)many, sizeof(*t));

	for (int i = 0; i < many; i++)
		read_table(&t[i], new_panel(&p), n ? path[i] : NULL);
	write_all(&p);
	release_figure(&p);
	for (int i = 0; i < many; i++)
		release_table(&t[i]);
	free(t);
}

/* Tables need no model and no sentence, strengths no sentence. */
static void
check_source(char **file, int n)
{
	const bool alone = what == DRAW_TABLE || what == DRAW_STRENGTHS;
	const char *of_sentence = ids ? "--id" : target >= 0 ? "--target" :
				  label_read ? "--read" : NULL;

	if (n > 1 && what != DRAW_TABLE)
		die_usage("%d inputs, expected one", n);
	if (what != DRAW_TABLE && !model_path)
		die_usage("no model, expected -m FILE");
	if (what == DRAW_TABLE && (model_path || site_list))
		die_usage("%s with --draw table, expected no model", model_path ? "-m" : "--site");
	if (what == DRAW_STRENGTHS && n)
		die_usage("--draw strengths reads no sentences, found %s", file[0]);
	if (alone && of_sentence)
		die_usage("%s: --draw %s reads no sentences", of_sentence, what_names[what]);
}

int
main(int argc, char **argv)
{
	struct err e;
	char **file;
	const int n = cli_begin(&program, argc, argv, &file);

	check_source(file, n);
	if (each && range)
		die_usage("both --each and --range, expected one of them");
	if (words && (what == DRAW_STRENGTHS || what == DRAW_MASKS))
		die_usage("--words with --draw %s, expected weights, importance, sync or table",
			  what_names[what]);
	if (html && (what != DRAW_WEIGHTS || form != TO_NAME))
		die_usage("--html with %s%s, expected a page of weights",
			  what != DRAW_WEIGHTS ? "--draw " : "--to ",
			  what != DRAW_WEIGHTS ? what_names[what] : form_names[form]);
	if (!html && choose_form() == TO_PNG && png_check(&e))
		die(&e);
	if (what == DRAW_TABLE)
		draw_tables(file, n);
	else
		draw_model(file[0]);
	return cli_end(EXIT_OK);
}
