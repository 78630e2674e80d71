/*
 * nmt-info: prints the contents of a model or a parser: settings, attention variants, vocabularies,
 * parameters and provenance.  See nmt-info(1).
 */
#include <stdio.h>
#include <stdlib.h>

#include "base/buf.h"
#include "base/escape.h"
#include "model-file/member.h"
#include "model-file/model-file.h"
#include "model-file/model-info.h"
#include "ops/kit/op-list.h"
#include "parser/parser-file.h"
#include "tape/op.h"

static bool check_only, list_ops, print_codes;
static int vocabulary = -1, spm = -1;
static const char *tensor;

static const char *const sides[] = { "src", "tgt", NULL };

static const struct opt options[] = {
	OPT_ROW_FLAG(0, "check", &check_only, "read and check the files; print nothing"),
	OPT_ROW_FLAG('c', "codes", &print_codes, "print only the BPE codes"),
	OPT_ROW_FLAG(0, "ops", &list_ops,
		     "list the operations that models are made of, with formulas"),
	OPT_ROW_CHOICE("spm", "side", &spm, sides, "print only the SentencePiece model of a side"),
	OPT_ROW_TEXT(0, "tensor", "name", &tensor, "print only the elements of a parameter"),
	OPT_ROW_CHOICE("vocabulary", "side", &vocabulary, sides,
		       "print only the vocabulary of a side"),
	OPT_NOT_WITH("codes spm tensor vocabulary", "--check"),
	OPT_NOT_WITH("tensor", "--codes or --spm or --vocabulary"),
	{ .kind = OPT_END }
};

static const struct program program = {
	.name = "nmt-info",
	.synopsis = "[-c] [--check] [--ops] [--spm side] [--tensor name] "
		    "[--vocabulary side] [model ...]",
	.summary = "print the contents of a model file",
	.options = options,
	.example = "nmt-info model.tar | grep -vw ^parameter",
};

static void
print_ops(void)
{
	for (const struct op *const *o = ops; *o; o++)
		printf("%s\t%s\n", (*o)->name, (*o)->formula);
}

static int
print_extra(void *arg, const char *name, const void *data, size_t n, struct err *e)
{
	struct buf *extra = arg;

	(void)data;
	(void)e;
	buf_printf(extra, "member\t%s\t%zu\n", name, n);
	return 0;
}

static void
info_print_text(const char *text, size_t n)
{
	if (n)
		fwrite(text, 1, n, stdout);
}

/* Is only a text of the model printed? */
static bool
print_texts(void)
{
	return print_codes || vocabulary >= 0 || spm >= 0;
}

static void
print_or_die(const char *text, size_t n, const char *path, const char *part)
{
	struct err e;

	if (!text && err_set(&e, EXIT_INPUT, "%s has no %s", path, part))
		die(&e);
	info_print_text(text, n);
}

/* Both sides may have that of the source. */
static void
print_spm(const struct model *m, const char *path)
{
	const int side = m->spm[spm] ? spm : 0;

	print_or_die(m->spm[side], m->spm_n[side], path, "SentencePiece model");
}

static void
print_tensor(const struct params *p, const char *path)
{
	struct buf rows = { 0 };
	struct err e;

	if (info_tensor(p, tensor, &rows, &e) && err_wrap(&e, "%s", path))
		die(&e);
	info_print_text(rows.data, rows.n);
	buf_release(&rows);
}

static void
print_model(const struct model *m, const char *path, const struct buf *extra)
{
	struct buf words = { 0 }, rows = { 0 };

	if (check_only)
		return;
	if (print_codes)
		print_or_die(m->codes, m->codes_n, path, "BPE codes");
	if (spm >= 0)
		print_spm(m, path);
	if (vocabulary >= 0) {
		vocab_write(vocabulary ? &m->tgt : &m->src, &words);
		info_print_text(words.data, words.n);
		buf_release(&words);
	}
	if (tensor)
		print_tensor(&m->params, path);
	if (print_texts() || tensor)
		return;
	model_info(m, &rows);
	buf_add(&rows, extra->data, extra->n);
	info_provenance(m->pg, &rows);
	escape_put(stdout, rows.data, "\t\n");
	buf_release(&rows);
}

static void
print_parser(const struct parser *p, const struct buf *extra)
{
	static const char *const set[LABEL_SETS] = { "upos", "xpos", "rel", "span" };
	const struct network *n = p->network;
	struct buf rows = { 0 };

	buf_printf(&rows, "parser\t%s\n", p->lang);
	buf_printf(&rows, "step\t%lld\n", (long long)p->step);
	info_settings("config", network_options, &n->config, &rows);
	buf_printf(&rows, "vocab.word\t%d\t%016llx\n", n->words.n,
		   (unsigned long long)vocab_digest(&n->words));
	for (int i = 0; i < LABEL_SETS; i++)
		buf_printf(&rows, "labels.%s\t%zu\n", set[i], n->labels[i].n);
	info_parameters(&n->params, &rows);
	buf_add(&rows, extra->data, extra->n);
	info_provenance(p->pg, &rows);
	escape_put(stdout, rows.data, "\t\n");
	buf_release(&rows);
}

static void
print_file_name(const char *path)
{
	printf("file\t");
	escape_put(stdout, path, "");
	putchar('\n');
}

/* Lists the members of a checkpoint after the parameters. */
static int
read_extra(struct bundle_in *b, struct buf *extra, struct err *e)
{
	const char *name;

	while ((name = bundle_in_next(b))) {
		size_t n;
		char *data = bundle_in_bytes(b, name, &n, e);

		if (!data || print_extra(extra, name, data, n, e))
			return -1;
		free(data);
	}
	return 0;
}

static int
one_parser(const char *path, bool name_it, struct err *e)
{
	struct buf extra = { 0 };
	struct parser p;
	struct bundle_in *b;
	int r;

	if (print_texts())
		die_usage("%s is a parser, which has no BPE codes, no SentencePiece models and no "
			  "src or tgt vocabulary", path);
	b = parser_read(&p, path, false, e);
	r = b ? bundle_in_close(b, read_extra(b, &extra, e), e) : -1;
	if (!r && name_it && !check_only)
		print_file_name(path);
	if (!r && !check_only && tensor)
		print_tensor(&p.network->params, path);
	else if (!r && !check_only)
		print_parser(&p, &extra);
	if (b)
		parser_release(&p);
	buf_release(&extra);
	return r;
}

static int
one_file(const char *path, bool name_it, struct err *e)
{
	struct buf extra = { 0 };
	struct model *m;

	if (parser_is(path))
		return one_parser(path, name_it, e);
	m = model_load(path, false, print_extra, &extra, e);
	if (m && check_only && model_check_digest(m, e)) {
		err_wrap(e, "%s: model file is damaged", path);
		model_free(m);
		m = NULL;
	}
	if (m && name_it && !check_only)
		print_file_name(path);
	if (m)
		print_model(m, path, &extra);
	model_free(m);
	buf_release(&extra);
	return m ? 0 : -1;
}

int
main(int argc, char **argv)
{
	enum exit_status worst = EXIT_OK;
	struct err e;
	char **file;
	int n = cli_begin(&program, argc, argv, &file);

	if (!n && (!list_ops || check_only || print_texts() || tensor))
		die_usage("no model, expected at least one");
	if (list_ops)
		print_ops();
	if (n > 1 && print_texts())
		die_usage("%d models with --codes, --spm or --vocabulary, expected one", n);
	for (int i = 0; i < n; i++) {
		if (!one_file(file[i], n > 1, &e))
			continue;
		if (!check_only)
			die(&e);
		err_print(&e);
		worst = e.status > worst ? e.status : worst;
	}
	return cli_end(worst);
}
