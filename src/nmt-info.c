/*
 * nmt-info: what is in a model, or in a parser: settings, variants, vocabularies, parameters,
 * provenance, as rows with tabs.  See nmt-info(1).
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/buf.h"
#include "base/mem.h"
#include "model/member.h"
#include "model/model-file.h"
#include "parser/parser-file.h"
#include "tape/op.h"

static bool check_only, list_ops, print_codes;
static int vocabulary = -1;

static const char *const sides[] = { "src", "tgt", NULL };

static const struct opt options[] = {
	{ .kind = OPT_FLAG, .long_name = "check", .to = &check_only,
	  .help = "only read and check it all; print nothing" },
	{ .kind = OPT_FLAG, .long_name = "codes", .to = &print_codes,
	  .help = "print the codes of byte pair encoding" },
	{ .kind = OPT_FLAG, .long_name = "ops", .to = &list_ops,
	  .help = "list the operations that models are made of" },
	{ .kind = OPT_CHOICE, .long_name = "vocabulary", .arg = "side", .to = &vocabulary,
	  .choice = sides, .help = "print the types of src or tgt" },
	{ .kind = OPT_END }
};

static const struct program program = {
	.name = "nmt-info",
	.synopsis = "[--check] [--codes] [--ops] [--vocabulary side] [model ...]",
	.summary = "show what is in a model",
	.options = options, .reads = NULL, .writes = "-",
};

static void
print_ops(void)
{
	for (const struct op *const *o = ops; *o; o++)
		printf("%s\t%s\n", (*o)->name, (*o)->formula);
}

/* "key=value,key=value" as rows "prefix.key TAB value". */
static void
print_settings(const char *prefix, const struct opt *table, const void *state)
{
	struct buf b;

	buf_init(&b);
	cli_settings_describe(table, state, &b);
	for (char *s = b.data, *next; s && *s; s = next) {
		const size_t n = strcspn(s, ","), key = strcspn(s, "=");

		next = s + n + (s[n] == ',');
		printf("%s.%.*s\t%.*s\n", prefix, (int)key, s, (int)(n - key - 1), s + key + 1);
	}
	buf_release(&b);
}

static void
print_attention(const struct attention_set *set)
{
	if (!attention_set_n(set))
		puts("attention\tplain");
	for (size_t i = 0; i < attention_set_n(set); i++) {
		struct buf b;
		int version;

		buf_init(&b);
		attention_set_describe(set, i, &b, &version);
		printf("attention\t%s\t%d\n", b.data, version);
		buf_release(&b);
	}
}

static size_t
count_numbers(const struct params *p)
{
	size_t n = 0;

	for (size_t i = 0; i < p->n; i++)
		n += p->list[i]->n;
	return n;
}

static void
print_params(const struct params *p)
{
	printf("parameters\t%zu\n", count_numbers(p));
	for (size_t i = 0; i < p->n; i++) {
		struct buf shape;

		buf_init(&shape);
		member_shape(p->list[i], &shape);
		printf("parameter\t%s\t%s\t%zu\n", p->list[i]->name, shape.data, p->list[i]->n);
		buf_release(&shape);
	}
}

static void
print_pg(const char *pg)
{
	while (pg && *pg) {
		const size_t n = strcspn(pg, "\n");

		printf("pg\t%.*s\n", (int)n, pg);
		pg += n + (pg[n] == '\n');
	}
}

static void
print_facts(const struct model *m)
{
	printf("preset\t%s\n", m->preset);
	printf("step\t%lld\n", (long long)m->step);
	print_settings("config", model_config_options, &m->config);
	print_settings("recipe", recipe_options, &m->recipe);
	print_attention(m->attention);
	printf("vocab.src\t%d\t%016llx\n", m->src.n, (unsigned long long)vocab_digest(&m->src));
	printf("vocab.tgt\t%d\t%016llx\n", m->tgt.n, (unsigned long long)vocab_digest(&m->tgt));
	printf("bpe\t%s\n", m->codes ? "yes" : "no");
	print_params(&m->params);
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
print_text(const char *text, size_t n)
{
	if (n)
		fwrite(text, 1, n, stdout);
}

static void
print_model(const struct model *m, const struct buf *extra)
{
	struct buf types;

	if (check_only)
		return;
	if (print_codes && m->codes)
		print_text(m->codes, m->codes_n);
	if (vocabulary >= 0) {
		buf_init(&types);
		vocab_write(vocabulary ? &m->tgt : &m->src, &types);
		print_text(types.data, types.n);
		buf_release(&types);
	}
	if (print_codes || vocabulary >= 0)
		return;
	print_facts(m);
	print_text(extra->data, extra->n);
	print_pg(m->pg);
}

static void
print_parser(const struct parser *p, const struct buf *extra)
{
	static const char *const set[LABEL_SETS] = { "upos", "xpos", "rel", "span" };
	const struct network *n = p->network;

	printf("parser\t%s\n", p->lang);
	printf("step\t%lld\n", (long long)p->step);
	print_settings("config", network_options, &n->config);
	printf("vocab.word\t%d\t%016llx\n", n->words.n, (unsigned long long)vocab_digest(&n->words));
	for (int i = 0; i < LABEL_SETS; i++)
		printf("labels.%s\t%zu\n", set[i], n->labels[i].n);
	print_params(&n->params);
	print_text(extra->data, extra->n);
	print_pg(p->pg);
}

/* What a checkpoint has behind the parameters. */
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

static void
one_parser(const char *path, bool name_it)
{
	struct buf extra;
	struct parser p;
	struct bundle_in *b;
	struct err e;

	if (print_codes || vocabulary >= 0)
		die_usage("%s is a parser: it has no codes, and no vocabularies of two sides", path);
	buf_init(&extra);
	b = parser_read(&p, path, false, &e);
	if (!b || bundle_in_close(b, read_extra(b, &extra, &e), &e))
		die(&e);
	if (name_it && !check_only)
		printf("file\t%s\n", path);
	if (!check_only)
		print_parser(&p, &extra);
	parser_release(&p);
	buf_release(&extra);
}

static void
one_file(const char *path, bool name_it)
{
	struct buf extra;
	struct model *m;
	struct err e;

	if (parser_is(path)) {
		one_parser(path, name_it);
		return;
	}
	buf_init(&extra);
	m = model_load(path, false, print_extra, &extra, &e);
	if (!m)
		die(&e);
	if (name_it && !check_only)
		printf("file\t%s\n", path);
	print_model(m, &extra);
	model_free(m);
	buf_release(&extra);
}

int
main(int argc, char **argv)
{
	char **file;
	int n = cli_begin(&program, argc, argv, &file);

	if (list_ops)
		print_ops();
	else if (!n)
		die_usage("no model given");
	for (int i = 0; i < n; i++)
		one_file(file[i], n > 1);
	return cli_end(EXIT_OK);
}
