/*
 * nmt-export: writes a model as a folder of Marian or of Hugging Face transformers.  See
 * nmt-export(1).
 */
#include "export/export.h"
#include "model-file/model-file.h"

static const char *const forms[] = { "marian", "hf", NULL };
static const struct export_layout *const layouts[] = { &export_marian, &export_huggingface };

static const char *output;
static int to = -1;

static const struct opt options[] = {
	OPT_ROW_CHOICE("to", "form", &to, forms, "write the files for this toolkit (required)"),
	OPT_ROW_TEXT('o', "output", "folder", &output, "write the files to folder (required)"),
	{ .kind = OPT_END }
};

static const struct program program = {
	.name = "nmt-export", .synopsis = "--to form -o folder model.tar",
	.summary = "convert a model to the format of Marian or Hugging Face",
	.options = options, .example = "nmt-export --to marian -o opus-pruned pruned.tar",
};

int
main(int argc, char **argv)
{
	struct err e;
	char **path;
	const int n = cli_begin(&program, argc, argv, &path);
	struct model *m;

	if (n != 1)
		die_usage("%d models, expected one", n);
	if (to < 0 || !output)
		die_usage("no %s, expected --to marian or --to hf, and -o folder",
			  to < 0 ? "form" : "folder");
	m = model_load(path[0], false, NULL, NULL, &e);
	if (!m)
		die(&e);
	if (export_model(m, layouts[to], output, &e) && err_wrap(&e, "%s", path[0]))
		die(&e);
	model_free(m);
	return cli_end(EXIT_OK);
}
