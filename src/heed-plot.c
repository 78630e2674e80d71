/* heed-plot: plots a table of points, or fields of streams; see heed-plot(1). */
#include <stdlib.h>
#include <string.h>

#include "base/cli.h"
#include "base/mem.h"
#include "base/output.h"
#include "draw/figure-file.h"
#include "draw/plot.h"

static const char *output, *title = "Plot", *x_label = "", *y_fields;
static const char *panels, *width;
static int form = FIGURE_BY_NAME;
static bool log_x, force;

static const struct opt options[] = {
	OPT_GROUP("Data"),
	OPT_ROW_TEXT(0, "y", "fields", &y_fields,
		     "plot these fields of streams, separated by commas, each in a panel"),
	OPT_ROW_TEXT(0, "x", "text", &x_label,
		     "the label of the x axis; with --y, a field"),
	OPT_ROW_TEXT(0, "panel", "labels", &panels,
		     "draw only these panels, separated by commas (all)"),
	OPT_GROUP("Appearance"),
	OPT_ROW_FLAG(0, "log-x", &log_x, "logarithmic x axis"),
	OPT_ROW_TEXT(0, "title", "text", &title,
		     "set the title for browsers and screen readers (Plot)"),
	OPT_ROW_TEXT('w', "width", "length", &width,
		     "lay the figure out for this width, such as 8cm"),
	OPT_GROUP("Output"),
	OPT_OUTPUT(&output),
	OPT_ROW_CHOICE("to", "form", &form, figure_file_forms,
		       "output format (name, after the suffix of the output file)"),
	OPT_GROUP("Other"),
	OPT_FORCE(&force),
	OPT_MAX_LINE,
	OPT_MAX_RECORD,
	{ .kind = OPT_END }
};

static const struct program program = {
	.name = "heed-plot",
	.synopsis = "[options] [file]\n"
		    "       heed-plot --x field --y fields [options] [stream ...]",
	.summary = "plot lines, bands, thresholds and points",
	.example = "curve-compare --to plot seed?.curve | "
		   "heed-plot --x 'retained heads' -o curves.svg\n"
		   "  heed-plot --x step --y nll,dev.nll plain.log mask.log -o logs.svg",
	.options = options,
};

static void
read_points(struct plot *p, const char *path)
{
	struct err e;
	struct input *in = input_open(path, INPUT_UTF8, &e);

	if (!in || plot_read(p, in, &e))
		die(&e);
	if (log_x && plot_use_log(p, &e) && err_wrap(&e, "%s", input_name(in)))
		die(&e);
	input_close(in);
}

/* --- streams --- */

/* The name of a line: the last part of the path, without suffixes that files of streams have. */
static char *
series_name(const char *path)
{
	static const char *const suffix[] = { ".zst", ".gz", ".heed", ".log" };
	char *name = xstrdup(path ? path_name(path) : "standard input");

	for (size_t i = 0; i < sizeof(suffix) / sizeof(*suffix); i++) {
		const size_t n = strlen(name), m = strlen(suffix[i]);

		if (n > m && !strcmp(name + n - m, suffix[i]))
			name[n - m] = '\0';
	}
	return name;
}

/* Splits --y at commas, in place; ends with NULL. */
static char **
fields_of(char *list, size_t *n)
{
	char **field = NULL;
	size_t room = 0;

	*n = 0;
	for (char *comma; list; list = comma) {
		comma = strchr(list, ',');
		if (comma)
			*comma++ = '\0';
		if (!*list)
			die_usage("--y: an empty name, expected fields separated by commas");
		field = mem_grow(field, &room, *n + 1, sizeof(*field));
		field[(*n)++] = list;
	}
	return field;
}

static void
read_stream(struct plot *p, const char *path, const char *name, char *const *y, size_t n)
{
	struct err e;
	struct reader *in = reader_open(path, NULL, NULL, force ? STREAM_FORCE : 0, &e);

	if (!in || plot_read_fields(p, in, name, x_label, y, n, &e))
		die(&e);
	reader_close(in);
}

static void
read_streams(struct plot *p, char **path)
{
	size_t n, i = 0;
	char *list = xstrdup(y_fields), **y = fields_of(list, &n), **name = NULL;
	size_t room = 0;
	struct err e;

	if (!*x_label)
		die_usage("--y without --x, expected the field of the x axis, such as --x step");
	do {
		name = mem_grow(name, &room, i + 1, sizeof(*name));
		name[i] = series_name(path[i]);
		for (size_t k = 0; k < i; k++)
			if (!strcmp(name[k], name[i]))
				die_usage("%s and %s have the same name, expected different names "
					  "of lines", path[k], path[i]);
		read_stream(p, path[i], name[i], y, n);
	} while (path[i] && path[++i]);
	if (log_x && plot_use_log(p, &e))
		die(&e);
	while (i--)
		free(name[i]);
	free(name);
	free(y);
	free(list);
}

int
main(int argc, char **argv)
{
	struct figure_file as = { .scale = 2 };
	struct buf svg = { 0 };
	struct plot p = { 0 };
	struct err e;
	char **file;

	if (cli_begin(&program, argc, argv, &file) > 1 && !y_fields)
		die_usage("more than one input, expected one, or --y with fields of streams");
	if (figure_file_choose(output, form, &as.form, &e) ||
	    (width && figure_file_length(width, &as.width, &e) && err_wrap(&e, "--width")))
		die(&e);
	p.title = title;
	p.x_label = x_label;
	p.width = as.width * FIGURE_LAYOUT_INCH;
	if (y_fields)
		read_streams(&p, file);
	else
		read_points(&p, *file);
	if (panels && plot_select(&p, panels, &e) && err_wrap(&e, "--panel"))
		die(&e);
	plot_svg(&svg, &p);
	if (figure_file_save(&svg, &as, output, force, &e))
		die(&e);
	buf_release(&svg);
	plot_release(&p);
	return cli_end(EXIT_OK);
}
