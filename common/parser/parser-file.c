/* parser-file: see parser-file.h. */
#include "parser/parser-file.h"

#include <stdlib.h>
#include <string.h>

#include "base/text-line.h"
#include "base/utf8.h"

static const struct bundle_kind kind = {
	.map = "heed-parser", .what = "a parser of parse-train", .format = 1, .i8 = true,
};
static const char *const members[LABEL_SETS] = {
	[LABEL_UPOS] = "labels/upos", [LABEL_XPOS] = "labels/xpos",
	[LABEL_REL] = "labels/rel", [LABEL_SPAN] = "labels/span",
};

#define MEMBER_WORDS "vocab/word"

void
parser_release(struct parser *p)
{
	network_free(p->network);
	free(p->lang);
	free(p->pg);
	for (int set = 0; set < LABEL_SETS; set++)
		buf_release(&p->text[set]);
	memset(p, 0, sizeof(*p));
}

bool
parser_is(const char *path)
{
	return bundle_is(path, &kind);
}

static void
parser_add_labels(struct bundle_out *b, struct parser *p, int set)
{
	const struct network *n = p->network;
	struct buf *text = &p->text[set];

	buf_clear(text);
	for (int i = 0; i < (int)n->labels[set].n; i++) {
		size_t k;
		const char *s = strmap_text(&n->labels[set], i, &k);

		buf_add(text, s, k);
		buf_add_char(text, '\n');
	}
	bundle_out_bytes(b, members[set], "text", text->n ? text->data : "", text->n);
}

struct bundle_out *
parser_write(struct parser *p, const char *path, bool i8, struct err *e)
{
	const struct network *n = p->network;
	struct bundle_out *b = bundle_out_open(path, &kind, e);

	if (!b)
		return NULL;
	bundle_out_settings(b, "config", network_options, &n->config);
	bundle_out_text(b, "lang", p->lang ? p->lang : "");
	bundle_out_text(b, "pg", p->pg ? p->pg : "");
	record_set_int(bundle_out_map(b), "step", p->step);
	bundle_out_vocab(b, MEMBER_WORDS, &n->words);
	for (int set = 0; set < LABEL_SETS; set++)
		parser_add_labels(b, p, set);
	for (size_t i = 0; i < n->params.n; i++)
		bundle_out_param(b, n->params.list[i], i8 && n->params.list[i]->n_dim == 2, NULL,
				 NULL);
	return b;
}

/* Labels have no spaces or control characters, except single spaces in the chains of spans. */
static bool
is_label(int set, const char *s, size_t n)
{
	if (!n || utf8_check(s, n) != n || s[n - 1] == ' ')
		return false;
	for (size_t i = 0; i < n; i++)
		if ((unsigned char)s[i] < ' ' ||
		    (s[i] == ' ' && (set != LABEL_SPAN || !i || s[i - 1] == ' ')))
			return false;
	return true;
}

/* One label per line, without duplicates. */
static int
read_labels(struct bundle_in *b, int set, struct strmap *map, struct err *e)
{
	size_t n = 0;
	char *text = bundle_in_bytes(b, members[set], &n, e);
	struct text_line line = text_lines(text, text ? n : 0);
	int r = text ? 0 : -1;

	while (!r && text_line_next(&line))
		if (!line.ended || !is_label(set, line.s, line.n) ||
		    strmap_find(map, line.s, line.n) >= 0)
			r = err_set(e, EXIT_INPUT, "%s: line %zu: invalid or duplicate label",
				    members[set], line.number);
		else
			strmap_add(map, line.s, line.n);
	free(text);
	return r;
}

static int
parser_read_all(struct bundle_in *b, struct parser *p, bool gradients, struct err *e)
{
	struct network_config config = network_defaults;
	struct vocab words;
	struct strmap labels[LABEL_SETS] = { 0 };
	int r = 0;

	vocab_init(&words);
	p->lang = bundle_in_text(b, "lang", e);
	p->pg = p->lang ? bundle_in_text(b, "pg", e) : NULL;
	if (!p->pg || bundle_in_settings(b, "config", network_options, &config, e) ||
	    bundle_in_vocab(b, MEMBER_WORDS, &words, e))
		r = -1;
	else if (record_int(bundle_in_map(b), "step", &p->step) || p->step < 0)
		r = err_set(e, EXIT_INPUT, "the map has no step, expected the number of updates");
	for (int set = 0; !r && set < LABEL_SETS; set++)
		r = read_labels(b, set, &labels[set], e);
	p->network = r ? NULL : network_new(&config, &words, labels, e);
	if (!r && !p->network)
		r = bundle_in_fault(b, e->unknown ? BUNDLE_NEWER : BUNDLE_DAMAGED, e);
	vocab_release(&words);
	for (int set = 0; set < LABEL_SETS; set++)
		strmap_release(&labels[set]);
	return r ? -1 : bundle_in_params(b, &p->network->params, gradients, e);
}

static struct bundle_in *
read_from(struct bundle_in *b, struct parser *p, bool gradients, struct err *e)
{
	memset(p, 0, sizeof(*p));
	if (!b || !parser_read_all(b, p, gradients, e))
		return b;
	parser_release(p);
	if (!bundle_in_close(b, -1, e))
		bug("bundle_in_close() succeeded after an error");
	return NULL;
}

struct bundle_in *
parser_read(struct parser *p, const char *path, bool gradients, struct err *e)
{
	return read_from(bundle_in_open(path, &kind, e), p, gradients, e);
}

struct bundle_in *
parser_read_memory(struct parser *p, const char *name, const void *bytes, size_t n, bool gradients,
		   struct err *e)
{
	return read_from(bundle_in_memory(name, bytes, n, &kind, e), p, gradients, e);
}
