/* heed-plot: plots a table of points as SVG; see heed-plot(1). */
#include "base/cli.h"
#include "base/output.h"
#include "draw/plot.h"
#include "draw/svg.h"

static const char *output, *title = "Plot", *x_label = "";
static bool log_x;

static const struct opt options[] = {
	{ .kind = OPT_STRING, .long_name = "title", .arg = "text", .to = &title,
	  .help = "set the title for browsers and screen readers (Plot)" },
	{ .kind = OPT_STRING, .long_name = "x", .arg = "text", .to = &x_label,
	  .help = "set the label of the x axis" },
	OPT_ROW_FLAG(0, "log-x", &log_x, "logarithmic x axis"),
	OPT_MAX_LINE,
	OPT_OUTPUT(&output),
	{ .kind = OPT_END }
};

static const struct program program = {
	.name = "heed-plot",
	.synopsis = "[--title text] [--x text] [--log-x] [--max-line mib] [-o file] [file]",
	.summary = "plot lines, bands, thresholds and points as an SVG figure",
	.example = "curve-compare --to plot seed?.curve | "
		   "heed-plot --x 'retained heads' -o curves.svg",
	.options = options, .reads = "-", .writes = "-",
};

static void
read_points(struct plot *p, const char *path)
{
	struct err e;
	struct input *in = input_open(path, INPUT_UTF8, &e);

	if (!in || plot_read(p, in, &e))
		die(&e);
	if (log_x && plot_use_log(p, &e)) {
		err_wrap(&e, "%s", input_name(in));
		die(&e);
	}
	input_close(in);
}

int
main(int argc, char **argv)
{
	struct plot p = { 0 };
	struct buf svg = { 0 };
	struct err e;
	char **file;

	if (cli_begin(&program, argc, argv, &file) > 1)
		die_usage("more than one input, expected one");
	if (svg_check_name(output, &e))
		die(&e);
	p.title = title;
	p.x_label = x_label;
	read_points(&p, file[0]);
	plot_svg(&svg, &p);
	if (output_all(output, 0, svg.data, svg.n, &e))
		die(&e);
	buf_release(&svg);
	plot_release(&p);
	return cli_end(EXIT_OK);
}
