/*
 * head-map: heat maps of the attention weights of a sentence, of quantities that attention
 * variants derive from them, or of a table of values.  See head-map(1).
 */
#include <string.h>

#include "base/output.h"
#include "draw/figure-file.h"
#include "draw/figure-run.h"
#include "draw/png.h"
#include "draw/walk-run.h"
#include "stream/input.h"

enum form { TO_NAME, TO_SVG, TO_PNG, TO_PDF, TO_TSV, TO_HTML, TO_JSON };
static const char *const form_names[] = {
	"name", "svg", "png", "pdf", "tsv", "html", "json", NULL
};

static struct opt_parts models;
static const char *output, *ids, *site_list, *head_list = "all";
static const char *title, *unit, *range, *measures, *width, *by, *kinds[FIGURE_KINDS + 1];
static int what = FIGURE_WEIGHTS, form = TO_NAME, colors = COLORS_BLUE, target = -1, too_long;
static double scale = 2, inches;
static int64_t number, across;
static bool words, label_read, numbers, each, force, as_json, no_title, without;
static bool viewer;		/* the output is a page that opens files by itself */

static const struct opt options[] = {
	OPT_GROUP("Model and input"),
	{ .kind = OPT_PARTS, .short_name = 'm', .long_name = "model", .arg = "file",
	  .help = "use this model (the stream has attention weights)", .to = &models },
	OPT_ROW_PART("head-measures", "file", &models, "show measures of this model's heads"),
	OPT_ROW_TEXT(0, "id", "list", &ids, "id of the sentence (the first one); pages: several"),
	{ .kind = OPT_INT, .short_name = 'n', .long_name = "number", .arg = "n", .to = &number,
	  .help = "sentences of a page: the first n (1)", .min = 1, .max = WALK_SENTENCES },
	OPT_TARGET(&target, "target that the decoder reads (any)"),
	OPT_TOO_LONG(&too_long, "fail"),
	OPT_GROUP("Selection"),
	OPT_ROW_CHOICE("draw", "what", &what, kinds, "what to draw (weights)"),
	OPT_ROW_TEXT(0, "heads", "list", &head_list,
		     "heads: all (the default), mean, weighted or a list such as 1,3-4"),
	OPT_ROW_TEXT(0, "site", "list", &site_list,
		     "attention layers (enc.1.self), such as enc-self.1, cross, enc-self.1:2,4"),
	OPT_ROW_TEXT(0, "measure", "list", &measures,
		     "measures to draw with --draw heads, such as gradient,relevance"),
	OPT_ROW_FLAG(0, "words", &words, "draw words instead of subwords"),
	OPT_GROUP("Appearance"),
	OPT_ROW_TEXT(0, "by", "measure", &by,
		     "measure of --head-measures that a page shows first"),
	OPT_ROW_CHOICE("colors", "name", &colors, color_names, "color scale (blue)"),
	OPT_ROW_FLAG(0, "each", &each, "give each panel its own range"),
	OPT_ROW_FLAG(0, "numbers", &numbers, "print the values in the cells"),
	OPT_ROW_TEXT(0, "range", "low,high", &range, "values at the ends of the color scale"),
	OPT_ROW_FLAG(0, "read", &label_read, "label decoder positions with the tokens they read"),
	OPT_ROW_FLOAT("scale", &scale, 0.1, 10, "PNG pixels for each SVG pixel (2)"),
	OPT_ROW_FLAG(0, "no-title", &no_title, "draw neither title nor caption"),
	OPT_ROW_TEXT(0, "title", "text", &title, "title above the figure"),
	OPT_ROW_TEXT(0, "unit", "text", &unit, "name of the values, above the color scale"),
	OPT_ROW_TEXT('w', "width", "length", &width, "width of the figure, such as 8cm"),
	OPT_ROW_INT("across", &across, 1, 64, "draw n panels in each row (as suits their shape)"),
	OPT_ROW_FLAG(0, "without", &without, "a page shows translations without each head"),
	OPT_GROUP("Output"),
	OPT_OUTPUT(&output),
	OPT_ROW_CHOICE("to", "form", &form, form_names,
		       "output format (name, after the suffix of the output file)"),
	OPT_ROW_FLAG('j', "json", &as_json, "write the data of a page as JSON, as --to json"),
	OPT_GROUP("Other"),
	OPT_FORCE(&force),
	OPT_MAX_LINE,
	OPT_MAX_RECORD,
	OPT_OLD_NAME("colours", "--colors"),
	OPT_OLD_NAME("head", "--heads"),
	OPT_OLD_NAME("html", "--to html"),
	OPT_NEEDS("by", "--head-measures"),
	OPT_NEEDS("measure", "--draw heads"),
	OPT_NOT_WITH("scale", "--width"),
	OPT_NOT_WITH("title", "--no-title"),
	{ .kind = OPT_END }
};

static const struct program program = {
	.name = "head-map",
	.synopsis = "[-m model] [--site list] [--heads list] [--id list] [-o file] [file]",
	.summary = "draw attention weights",
	.example = "head-map -m model.tar --id 2 --site cross.2 -o heads.svg dev.heed\n"
		   "  head-map -m model.tar -n 20 -o heads.html dev.heed",
	.options = options,
};

/* --- output --- */

/* By the suffix of the output.  A format that is selected may have any name. */
static void
choose_form(void)
{
	const char *dot = output ? strrchr(path_name(output), '.') : NULL;

	if (as_json && form != TO_NAME && form != TO_JSON)
		die_usage("both --json and --to %s, expected one of them", form_names[form]);
	form = as_json ? TO_JSON : form;
	for (int i = TO_SVG; form == TO_NAME && dot && form_names[i]; i++)
		if (!strcmp(dot + 1, form_names[i]))
			form = i;
	if (form == TO_NAME && dot)
		die_usage("-o %s: expected a name that ends in .svg, .png, .pdf, .tsv, .html or "
			  ".json, or --to", output);
	if (form == TO_NAME)
		form = TO_SVG;
}

/* Is the output data of a page, or a page, rather than a figure? */
static bool
is_page(void)
{
	return form == TO_HTML || form == TO_JSON;
}

static bool
has_model(void)
{
	size_t i = 0;

	while (i < models.n && strcmp(models.part[i].opt->long_name, "model"))
		i++;
	return i < models.n;
}

/* Writes SVG in the form of the output, or values as they are. */
static void
write_drawn(const struct buf *drawn)
{
	const struct figure_file how = {
		.form = form == TO_PNG ? FIGURE_PNG : form == TO_PDF ? FIGURE_PDF : FIGURE_SVG,
		.width = inches, .scale = scale
	};
	struct err e;

	if (form == TO_TSV ? output_all(output, 0, drawn->data, drawn->n, &e)
			   : figure_file_save(drawn, &how, output, force, &e))
		die(&e);
}

static void
write_figure(const struct figure *f)
{
	struct heat_map style = {
		.title = title, .unit = unit, .colors = (enum colors)colors, .numbers = numbers,
		.across = (int)across,
		.each = (each || figure_picture(what)->own_range) && !range
	};
	struct buf drawn = { 0 };
	struct err e;

	if (form == TO_TSV)
		figure_values(f, &drawn);
	else if ((range && figure_range(range, &style, &e)) ||
		 figure_draw(f, &style, no_title, &drawn, &e))
		die(&e);
	write_drawn(&drawn);
	buf_release(&drawn);
}

static struct pick_source
source(const char *path)
{
	return (struct pick_source){
		.path = path, .ids = ids, .number = number ? (int)number : 1,
		.target = target < 0 ? TARGET_ANY : (enum forced_target)target,
		.too_long = too_long, .force = force
	};
}

/* Draws what a model or a stream has for a sentence, or tables. */
static void
draw_figure(char **file, int n)
{
	static struct figure f;
	const struct pick_source from = source(file[0]);
	struct err e;

	f.kind = what;
	f.sites = site_list;
	f.heads = head_list;
	if (what == FIGURE_TABLE ? figure_run_tables(&f, file, n, words, &e)
	    : what == FIGURE_HEADS ? figure_run_heads(&f, file, n, measures, force, &e)
	    : models.n ? figure_run_model(&f, models.part[0].v, &from, words, label_read, &e)
	    : figure_run_stored(&f, &from, words, label_read, &e))
		die(&e);
	write_figure(&f);
	figure_release(&f);
}

static void
write_page(const char *path)
{
	const struct walk_run run = { &models, source(path), !has_model() && !viewer, label_read,
				      title, by, without };
	struct err e;

	if (walk_write(&run, form == TO_JSON, output, &e))
		die(&e);
}

/* Whether the figure is of tables or measures: values in files, without a model. */
static bool
is_files(void)
{
	return what == FIGURE_TABLE || what == FIGURE_HEADS;
}

/* An option that is given must have an effect. */
static void
check_used(void)
{
	const bool page = is_page(), drawn = !page && form != TO_TSV;
	const struct attention_picture *p = figure_picture(what);
	const bool model = !page && !is_files(), reads = page ? !viewer : p->sentence;
	const struct { const char *name; bool given, used; } list[] = {
		{ "site", site_list, model && p->of != PICTURE_MODEL }, { "id", ids, reads },
		{ "heads", strcmp(head_list, "all"), model && p->of == PICTURE_HEAD },
		{ "words", words, !page && p->words }, { "numbers", numbers, drawn },
		{ "each", each, drawn }, { "range", range, drawn }, { "unit", unit, drawn },
		{ "colors", colors != COLORS_BLUE, drawn }, { "scale", scale != 2, form == TO_PNG },
		{ "title", title, drawn || form == TO_HTML }, { "no-title", no_title, drawn },
		{ "width", width, drawn },
		{ "across", across, drawn && what != FIGURE_HEADS }, { "number", number, reads },
		{ "target", target >= 0, reads && has_model() },
		{ "too-long", too_long, reads && has_model() },
		{ "read", label_read, reads }, { "without", without, page && has_model() }
	};

	for (size_t i = 0; i < sizeof(list) / sizeof(*list); i++)
		if (list[i].given && !list[i].used)
			die_usage("--%s has no effect with --to %s --draw %s%s", list[i].name,
				  form_names[form], kinds[what],
				  !has_model() && !is_files() ? " without a model" : "");
}

static void
check_page(int n)
{
	if (what != FIGURE_WEIGHTS)
		die_usage("--to %s with --draw %s, expected a page of weights", form_names[form],
			  kinds[what]);
	if (ids && number)
		die_usage("both --id and --number, expected one of them");
	viewer = form == TO_HTML && !models.n && !n;
}

/*
 * Values in files need no model and no sentence, pictures of parameters no sentence.  Weights may
 * be in the stream.
 */
static void
check_figure(char **file, int n)
{
	if (number || (is_files() && models.n))
		die_usage(number ? "--number without --to html, expected --id"
			  : "-m with --draw %s, expected no model", kinds[what]);
	if (!is_files() && !models.n && what != FIGURE_WEIGHTS)
		die_usage("--draw %s without a model, expected -m FILE", kinds[what]);
	if (models.n > 1 || (models.n && strcmp(models.part[0].opt->long_name, "model")))
		die_usage("several models or head measures without --to html, expected one model");
	if (!is_files() && !figure_picture(what)->sentence && n)
		die_usage("--draw %s reads no sentences, found %s", kinds[what], file[0]);
}

int
main(int argc, char **argv)
{
	struct err e;
	char **file;
	int n;

	figure_list(kinds);
	n = cli_begin(&program, argc, argv, &file);
	if (n > 1 && !is_files())
		die_usage("%d inputs, expected one", n);
	choose_form();
	if (is_page())
		check_page(n);
	else
		check_figure(file, n);
	check_used();
	if (each && range)
		die_usage("both --each and --range, expected one of them");
	if ((form == TO_PNG || form == TO_PDF) && png_check(&e))
		die(&e);
	if (width && figure_file_length(width, &inches, &e) && err_wrap(&e, "--width"))
		die(&e);
	if (is_page())
		write_page(file[0]);
	else
		draw_figure(file, n);
	return cli_end(EXIT_OK);
}
