/*
 * nmt-import: turns a model of Marian, Hugging Face transformers or CTranslate2 into a model of
 * heed.  See nmt-import(1).
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/escape.h"
#include "base/mem.h"
#include "base/text-line.h"
#include "convert/import.h"
#include "convert/import-example.h"
#include "model-file/model-info.h"

static const char *output, *first_src, *first_tgt;
static struct opt_list vocab;
static bool list, src_eos, i8, quiet;

static const struct opt options[] = {
	OPT_ROW_TEXT('o', "output", "file", &output,
		     "write to file (required, except with --list)"),
	OPT_ROW_FLAG(0, "list", &list,
		     "print the tensors, their shapes and their parameters; write nothing"),
	OPT_ROW_LIST(0, "vocabulary", "file", &vocab,
		     "read the vocabulary from file; given twice: source, then target"),
	OPT_ROW_TEXT(0, "first-src", "token", &first_src,
		     "first token of every source, such as a language token"),
	OPT_ROW_TEXT(0, "first-tgt", "token", &first_tgt,
		     "first token of every target, such as a language token"),
	OPT_ROW_FLAG(0, "src-eos", &src_eos, "end every source with the end-of-sentence token"),
	OPT_ROW_FLAG(0, "i8", &i8, "store matrices as 8-bit integers"),
	OPT_QUIET(&quiet),
	OPT_NO_PG,
	OPT_NOT_WITH("i8", "--list"),
	{ .kind = OPT_END }
};

static const struct program program = {
	.name = "nmt-import", .synopsis = "[--list | -o model.tar] path",
	.summary = "convert a model of Marian, Hugging Face or CTranslate2",
	.options = options, .example = "nmt-import -o en-de.tar opus-mt-en-de",
};

/* What the files say twice, and what they do not say. */
static void
note_assumed(struct import *im)
{
	struct buf line = { 0 };

	for (const char *s = im->checked.data; s && *s; s += strcspn(s, "\n") + 1)
		import_note(im, "checked: %.*s", (int)strcspn(s, "\n"), s);
	for (const char *s = im->assumed.data; s && *s; s += strcspn(s, "\n") + 1) {
		const int key = (int)strcspn(s, "\t"), value = (int)strcspn(s + key + 1, "\n");

		buf_printf(&line, "%s%.*s=%.*s", line.n ? ", " : "", key, s, value, s + key + 1);
	}
	if (line.n)
		import_note(im, "assumed, because no file says so: %s", line.data);
	buf_release(&line);
}

static void
print_list(const struct import *im)
{
	struct buf out = { 0 };

	mapping_list(&im->weights, &out);
	for (const char *s = im->assumed.data; s && *s; s += strcspn(s, "\n") + 1)
		buf_printf(&out, "assumed\t%.*s\n", (int)strcspn(s, "\n"), s);
	for (const char *s = im->checked.data; s && *s; s += strcspn(s, "\n") + 1)
		buf_printf(&out, "checked\t%.*s\n", (int)strcspn(s, "\n"), s);
	if (im->m)
		info_settings("config", model_config_options, &im->m->config, &out);
	if (out.n)
		fwrite(out.data, 1, out.n, stdout);
	buf_release(&out);
}

static void
print_notes(const struct import *im)
{
	struct text_line l = text_lines(im->notes.data, im->notes.n);

	while (text_line_next(&l)) {
		char *line = xstrndup(l.s, l.n);

		fprintf(stderr, "%s: ", program.name);
		escape_put(stderr, line, "");
		fputc('\n', stderr);
		free(line);
	}
}

int
main(int argc, char **argv)
{
	struct import_settings set;
	struct import im;
	struct err e;
	char **path;
	int n = cli_begin(&program, argc, argv, &path), r;

	if (n != 1)
		die_usage("%d paths, expected one file or folder", n);
	if (vocab.n > 2)
		die_usage("--vocabulary is given %zu times, expected at most two", vocab.n);
	if (list && output)
		die_usage("--list and -o, expected one of them");
	if (!list && !output)
		die_usage("no output, expected -o model.tar or --list");
	set = (struct import_settings){
		.path = path[0], .vocab = vocab.v, .n_vocab = vocab.n,
		.first_src = first_src, .first_tgt = first_tgt,
		.src_eos = src_eos,
	};
	r = import_open(&im, &set, &e);
	if (im.m)
		im.m->int8 = i8;
	if (list)
		print_list(&im);
	if (r || (!list && import_write(&im, output, &e)))
		die(&e);
	if (!list)
		note_assumed(&im);
	if (!list && !quiet)
		import_example(&im, output);
	if (!quiet)
		print_notes(&im);
	import_close(&im);
	return cli_end(EXIT_OK);
}
