/*
 * head-map: heat maps of the attention weights of a sentence, of quantities that attention
 * variants derive from them, or of a table of values.  See head-map(1).
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/output.h"
#include "draw/figure.h"
#include "draw/pick.h"
#include "draw/png.h"
#include "draw/walk.h"
#include "model-file/model-file.h"
#include "model/too-long.h"
#include "search/forced.h"
#include "stream/input.h"
#include "stream/stream.h"

enum form { TO_NAME, TO_SVG, TO_PNG, TO_TSV, TO_HTML };
static const char *const form_names[] = { "name", "svg", "png", "tsv", "html", NULL };

static const char *output, *model_path, *ids, *site_list, *head_list = "all";
static const char *title, *range, *kinds[FIGURE_KINDS + 1];
static int what = FIGURE_WEIGHTS, form = TO_NAME, colors = COLORS_BLUE, target = -1, too_long;
static double scale = 2;
static bool words, label_read, numbers, each, force;

static const struct opt options[] = {
	OPT_GROUP("Model and input"),
	{ .kind = OPT_STRING, .short_name = 'm', .long_name = "model", .arg = "file",
	  .help = "use this model (required, except for tables)", .to = &model_path },
	{ .kind = OPT_STRING, .long_name = "id", .arg = "list",
	  .help = "id of the sentence (the first one); with --to html: several", .to = &ids },
	OPT_TARGET(&target, "target that the decoder reads (any)"),
	OPT_TOO_LONG(&too_long, "fail"),
	OPT_GROUP("Selection"),
	{ .kind = OPT_CHOICE, .long_name = "draw", .arg = "what",
	  .help = "what to draw (weights)", .to = &what, .choice = kinds },
	{ .kind = OPT_STRING, .long_name = "heads", .arg = "list",
	  .help = "heads: all (the default), mean, weighted or a list such as 1,3-4",
	  .to = &head_list },
	{ .kind = OPT_STRING, .long_name = "site", .arg = "list", .to = &site_list,
	  .help = "attention layers (enc.1.self), such as enc-self.1, cross, enc-self.1:2,4" },
	{ .kind = OPT_FLAG, .long_name = "words", .help = "draw words instead of subwords",
	  .to = &words },
	OPT_GROUP("Appearance"),
	{ .kind = OPT_CHOICE, .long_name = "colors", .arg = "name",
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
	  .help = "output format (name, after the suffix of the output file)",
	  .to = &form, .choice = form_names },
	OPT_GROUP("Other"),
	OPT_FORCE(&force),
	OPT_MAX_LINE,
	OPT_MAX_RECORD,
	OPT_OLD_NAME("colours", "--colors"),
	OPT_OLD_NAME("head", "--heads"),
	OPT_OLD_NAME("html", "--to html"),
	{ .kind = OPT_END }
};

static const struct program program = {
	.name = "head-map",
	.synopsis = "-m model [--site list] [--heads list] [--id list] [-o file] [file]",
	.summary = "draw attention weights",
	.example = "head-map -m model.tar --id 2 --site cross.2 -o heads.svg dev.heed\n"
		   "  head-map -m model.tar -o heads.html dev.heed",
	.options = options, .reads = "sentence", .writes = "-",
};

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
	if (form == TO_NAME && dot)
		die_usage("-o %s: expected a name that ends in .svg, .png, .tsv or .html, or --to",
			  output);
	return form == TO_NAME ? TO_SVG : (enum form)form;
}

static int
draw(const struct figure *f, enum form as, struct buf *out, struct err *e)
{
	struct heat_map style = {
		.title = title, .colors = (enum colors)colors, .numbers = numbers,
		.each = (each || figure_picture(what)->own_range) && !range
	};

	if (range && figure_range(range, &style, e))
		return -1;
	return figure_draw(f, &style, as == TO_PNG ? scale : 0, out, e);
}

static void
write_figure(const struct figure *f)
{
	const enum form as = choose_form();
	const unsigned flags = as == TO_PNG ? OUTPUT_BINARY | (force ? OUTPUT_FORCE : 0) : 0;
	struct buf bytes = { 0 };
	struct err e;

	if (as == TO_TSV)
		panels_write(f->panel, f->n, &bytes);
	else if (draw(f, as, &bytes, &e))
		die(&e);
	if (output_all(output, flags, bytes.data, bytes.n, &e))
		die(&e);
	buf_release(&bytes);
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

/* Draws what the model has for the sentence with this id, or for none. */
static void
draw_figure(struct look *l, const char *id)
{
	static struct figure f;
	struct err e;

	f.kind = what;
	f.sites = site_list;
	f.heads = head_list;
	if (figure_add_model(&f, l, id, &e))
		die(&e);
	write_figure(&f);
	figure_release(&f);
}

static void
draw_sentence(struct look *l, const struct pick *p, const char *name)
{
	if (p->n > 1)
		die_usage("%d sentences, expected one without --to html", p->n);
	look_at_sentence(l, p, 0, name);
	draw_figure(l, p->id[0]);
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
	if (output_all(output, 0, page.data, page.n, &e))
		die(&e);
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
	unknown_warn(&unknown, model_segments_with(l->m));
	if (choose_form() == TO_HTML)
		draw_page(l, &p, reader_name(in));
	else
		draw_sentence(l, &p, reader_name(in));
	pick_release(&p);
	reader_close(in);
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
	if (!figure_picture(what)->sentence)
		draw_figure(&l, NULL);	/* parameters of the model: of no sentence */
	else
		draw_sentences(&l, path);
	model_free(l.m);
	runtime_close(&run);
}

/* Draws tables side by side; reads standard input if no file is given. */
static void
draw_tables(char **path, int n)
{
	static struct figure f;
	struct err e;

	for (int i = 0; i < (n ? n : 1); i++)
		if (figure_add_table(&f, n ? path[i] : NULL, words, &e))
			die(&e);
	write_figure(&f);
	figure_release(&f);
}

/* Tables need no model and no sentence, pictures of parameters no sentence. */
static void
check_source(char **file, int n)
{
	const bool alone = !figure_picture(what)->sentence;
	const char *of_sentence = ids ? "--id" : target >= 0 ? "--target" :
				  label_read ? "--read" : NULL;

	if (n > 1 && what != FIGURE_TABLE)
		die_usage("%d inputs, expected one", n);
	if (what != FIGURE_TABLE && !model_path)
		die_usage("no model, expected -m FILE");
	if (what == FIGURE_TABLE && (model_path || site_list))
		die_usage("%s with --draw table, expected no model", model_path ? "-m" : "--site");
	if (what != FIGURE_TABLE && alone && n)
		die_usage("--draw %s reads no sentences, found %s", kinds[what], file[0]);
	if (alone && of_sentence)
		die_usage("%s: --draw %s reads no sentences", of_sentence, kinds[what]);
}

int
main(int argc, char **argv)
{
	struct err e;
	char **file;
	int n;

	figure_list(kinds);
	n = cli_begin(&program, argc, argv, &file);
	check_source(file, n);
	if (each && range)
		die_usage("both --each and --range, expected one of them");
	if (words && !figure_picture(what)->words)
		die_usage("--words does not apply to --draw %s", kinds[what]);
	if (choose_form() == TO_HTML && what != FIGURE_WEIGHTS)
		die_usage("--to html with --draw %s, expected a page of weights", kinds[what]);
	if (choose_form() == TO_PNG && png_check(&e))
		die(&e);
	if (what == FIGURE_TABLE)
		draw_tables(file, n);
	else
		draw_model(file[0]);
	return cli_end(EXIT_OK);
}
