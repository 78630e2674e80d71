/*
 * curve-compare: pruning curves and deletion curves compared with random orders, over models.  See
 * curve-compare(1).
 */
#include "analysis/curve-set.h"
#include "base/cli.h"
#include "base/output.h"
#include "stream/input.h"

enum form { TO_TSV, TO_MARKDOWN, TO_LATEX, TO_PLOT };

static const char *const forms[] = { "tsv", "md", "latex", "plot", NULL };

static const char *output;
static int form;
static bool force;
static double limit = 0.2;

static const struct opt options[] = {
	OPT_ROW_CHOICE("to", "form", &form, forms, "output format; plot is for heed-plot (tsv)"),
	{ .kind = OPT_FLOAT, .long_name = "up-to", .arg = "nats", .to = &limit,
	  .help = "limit of the loss above that of the whole model; 0: none (0.2)",
	  .min = 0, .max = 1000 },
	OPT_OUTPUT(&output),
	OPT_FORCE(&force),
	OPT_MAX_RECORD,
	OPT_NOT_WITH("up-to", "--to plot"),
	{ .kind = OPT_END }
};

static const struct program program = {
	.name = "curve-compare", .synopsis = "[--to form] [--up-to nats] [-o file] [file ...]",
	.summary = "compare pruning and deletion curves with those of random orders",
	.example = "curve-compare --to md seed1.curve seed2.curve",
	.options = options,
};

static const struct field needs[] = { { "order", "str", 0 }, { "site", "str", 0 },
				      { "heads", "int", 1 }, { "retained", "int", 0 },
				      { "nll", "float", 1 }, { "bleu", "float", 1 },
				      { "drop", "float", 1 }, { 0 } };

/* Each file holds the curves of one model. */
static void
curve_compare_read_all(struct curve_set *s, char **path)
{
	struct err e;

	do {
		struct reader *in = reader_open(*path, "count", needs, force ? STREAM_FORCE : 0,
						&e);

		if (!in || curve_set_read(s, in, &e))
			die(&e);
		reader_close(in);
	} while (*path && *++path);
	if (curve_set_check(s, &e))
		die(&e);
}

int
main(int argc, char **argv)
{
	struct buf text = { 0 };
	struct curve_set s = { .n = 0 };
	struct err e;
	char **path;
	const int n = cli_begin(&program, argc, argv, &path);

	if (input_stdin_once(0, path, n, &e))
		die(&e);
	s.limit = limit;
	curve_compare_read_all(&s, path);
	if (form == TO_TSV)
		curve_set_tsv(&s, &text);
	else if (form == TO_PLOT)
		curve_set_plot(&s, &text);
	else
		curve_set_layout(&s, form == TO_LATEX ? TABLE_LATEX : TABLE_MARKDOWN, &text);
	if (output_text(output, &text, &e))
		die(&e);
	curve_set_release(&s);
	return cli_end(EXIT_OK);
}
