/* ids: see ids.h. */
#include "convert/ids.h"

#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/mem.h"
#include "base/num.h"
#include "base/output.h"
#include "base/text-line.h"
#include "bpe/bytes.h"
#include "bpe/spm-file.h"
#include "exchange/file.h"

#define MAX_FILE ((size_t)256 << 20)

void
ids_release(struct ids *v)
{
	free(v->name);
	strmap_release(&v->texts);
	free(v->of_text);
	*v = (struct ids){ .name = NULL };
}

static int
ids_cut(size_t n)
{
	return n < 100 ? (int)n : 100;
}

int
ids_add(struct ids *v, const char *text, size_t n, int64_t row, int rows, struct err *e)
{
	const size_t i = v->texts.n;

	if (row < 0 || row >= rows)
		return err_set(e, EXIT_INPUT,
			       "%.*s has number %lld, expected 0 to %d, one for each "
			       "row of the embeddings",
			       ids_cut(n), text, (long long)row, rows - 1);
	if ((size_t)strmap_add(&v->texts, text, n) != i)
		return err_set(e, EXIT_INPUT, "duplicate entry %.*s", ids_cut(n), text);
	v->of_text = mem_grow(v->of_text, &v->room, i + 1, sizeof(*v->of_text));
	v->of_text[i] = (int)row;
	v->rows = row >= v->rows ? (int)row + 1 : v->rows;
	return 0;
}

/* No row has two texts. */
static int
check_rows(const struct ids *v, struct err *e)
{
	int *text = xreallocarray(NULL, (size_t)v->rows + 1, sizeof(*text)), r = 0;

	for (int i = 0; i < v->rows; i++)
		text[i] = -1;
	for (size_t i = 0; !r && i < v->texts.n; i++) {
		int *at = &text[v->of_text[i]];
		size_t a, b;

		if (*at >= 0) {
			const char *x = strmap_text(&v->texts, *at, &a);
			const char *y = strmap_text(&v->texts, (int)i, &b);

			r = err_set(e, EXIT_INPUT, "%.*s and %.*s both have number %d", ids_cut(a),
				    x, ids_cut(b), y, v->of_text[i]);
		}
		*at = (int)i;
	}
	free(text);
	return r;
}

static int
ids_finish(struct ids *v, const char *name, int r, struct err *e)
{
	v->name = xstrdup(name);
	if (!r && !v->texts.n)
		r = err_set(e, EXIT_INPUT, "no entries, expected one for each row of the "
			    "embeddings");
	if (!r)
		r = check_rows(v, e);
	if (r)
		return err_wrap(e, "%s", name);
	return 0;
}

static int
ids_add_map(struct ids *v, struct conf_value map, int rows, struct err *e)
{
	struct conf_value x;
	struct conf_walk w;
	struct str key;
	int64_t row;

	if (!conf_is_map(map))
		return err_set(e, EXIT_INPUT, "expected a map from texts to numbers");
	for (conf_walk(&w, map); conf_next(&w, &key, &x);) {
		if (!conf_int(x, &row))
			return err_set(e, EXIT_INPUT, "%.*s has no number", ids_cut(key.n), key.s);
		if (ids_add(v, key.s, key.n, row, rows, e))
			return -1;
	}
	return 0;
}

int
ids_conf(struct ids *v, struct conf_value map, const char *name, int rows, struct err *e)
{
	return ids_finish(v, name, ids_add_map(v, map, rows, e), e);
}

/* One line: the text, and, with counts, a blank and the count after its last one. */
static int
ids_add_line(struct ids *v, const char *s, size_t n, bool counts, int rows, struct err *e)
{
	struct err unused;
	int64_t count;
	size_t at = n;

	while (counts && at > 0 && s[at - 1] != ' ')
		at--;
	if (counts && (at < 2 || num_int(s + at, n - at, 0, INT64_MAX, &count, &unused)))
		return err_set(e, EXIT_INPUT, "expected an entry, a blank and its count");
	return ids_add(v, s, counts ? at - 1 : n, v->rows, rows, e);
}

static bool
all_end_in_cr(const char *text, size_t n)
{
	struct text_line line = text_lines(text, n);

	while (text_line_next(&line))
		if (!line.n || line.s[line.n - 1] != '\r')
			return false;
	return true;
}

static int
add_lines(struct ids *v, const char *text, size_t n, enum ids_form form, int rows, struct err *e)
{
	static const char *const first[] = { "<s>", "<pad>", "</s>", "<unk>" };
	struct text_line line = text_lines(text, n);
	const bool counts = form == IDS_COUNTS;
	const bool strip = form != IDS_EXACT || all_end_in_cr(text, n);

	for (int i = 0; counts && i < 4; i++)
		if (ids_add(v, first[i], strlen(first[i]), i, rows, e))
			return -1;
	while (text_line_next(&line)) {
		const bool cr = strip && line.n && line.s[line.n - 1] == '\r';

		if (line.n == cr)
			return err_set(e, EXIT_INPUT, "line %zu is empty, expected an entry",
				       line.number);
		if (ids_add_line(v, line.s, line.n - cr, counts, rows, e))
			return err_wrap(e, "line %zu", line.number);
	}
	return 0;
}

int
ids_lines(struct ids *v, const char *name, const char *text, size_t n, enum ids_form form, int rows,
	  struct err *e)
{
	return ids_finish(v, name, add_lines(v, text, n, form, rows, e), e);
}

/* A list of texts, or of lists of a text and a score, in the order of their numbers. */
static int
ids_add_list(struct ids *v, struct conf_value list, int rows, struct err *e)
{
	struct conf_value x, item;
	struct conf_walk w, pair;
	struct str key, text;

	for (conf_walk(&w, list); conf_next(&w, &key, &x);) {
		item = x;
		if (conf_is_list(x)) {
			conf_walk(&pair, x);
			if (!conf_next(&pair, &key, &item))
				item.p = NULL;
		}
		if (!conf_text(item, &text))
			return err_set(e, EXIT_INPUT, "number %d: expected a text", v->rows);
		if (ids_add(v, text.s, text.n, v->rows, rows, e))
			return -1;
	}
	return 0;
}

/* An entry that is there already has the same number. */
static int
add_token(struct ids *v, struct str text, int64_t row, int rows, struct err *e)
{
	const int at = strmap_find(&v->texts, text.s, text.n);

	if (at >= 0 && v->of_text[at] != row)
		return err_set(e, EXIT_INPUT, "%.*s has numbers %d and %lld", ids_cut(text.n),
			       text.s, v->of_text[at], (long long)row);
	return at < 0 ? ids_add(v, text.s, text.n, row, rows, e) : 0;
}

static int
add_tokens(struct ids *v, struct conf_value list, int rows, struct err *e)
{
	struct conf_value x;
	struct conf_walk w;
	struct str key, text;
	int64_t row;

	if (!conf_is_none(list) && !conf_is_list(list))
		return err_set(e, EXIT_INPUT, "added_tokens: expected a list");
	for (conf_walk(&w, list); conf_next(&w, &key, &x);) {
		if (!conf_text(conf_in(x, "content"), &text) || !conf_int(conf_in(x, "id"), &row))
			return err_set(e, EXIT_INPUT, "added_tokens: expected content and id");
		if (add_token(v, text, row, rows, e))
			return -1;
	}
	return 0;
}

static int
add_tokenizer(struct ids *v, const struct conf *c, int rows, struct err *e)
{
	const struct conf_value vocab = conf_in(conf_get(c, "model"), "vocab");

	if (conf_is_list(vocab) ? ids_add_list(v, vocab, rows, e) : ids_add_map(v, vocab, rows, e))
		return -1;
	return add_tokens(v, conf_get(c, "added_tokens"), rows, e);
}

int
ids_tokenizer(struct ids *v, const struct conf *c, int rows, struct err *e)
{
	return ids_finish(v, c->name, add_tokenizer(v, c, rows, e), e);
}

/* A map from numbers to tokens, as tokenizers of transformers have it since version 4.34. */
static int
add_decoder(struct ids *v, struct conf_value map, int rows, struct err *e)
{
	const char *const key_name = "added_tokens_decoder";
	struct conf_value x;
	struct conf_walk w;
	struct str key, text;
	int64_t row;

	if (!conf_is_map(map))
		return err_set(e, EXIT_INPUT, "%s: expected a map", key_name);
	for (conf_walk(&w, map); conf_next(&w, &key, &x);) {
		if (num_int(key.s, key.n, 0, INT_MAX, &row, e))
			return err_set(e, EXIT_INPUT, "%s: '%.*s', expected a number", key_name,
				       ids_cut(key.n), key.s);
		if (!conf_text(conf_in(x, "content"), &text))
			return err_set(e, EXIT_INPUT, "%s: number %lld has no content", key_name,
				       (long long)row);
		if (add_token(v, text, row, rows, e))
			return err_wrap(e, "%s", key_name);
	}
	return 0;
}

static int
ids_add_bytes(struct ids *v, struct conf_value decoder, int64_t extra, int rows, struct err *e)
{
	static const char *const first[] = { "<pad>", "</s>", "<unk>" };
	char text[40];

	for (int i = 0; i < 3; i++)
		if (ids_add(v, first[i], strlen(first[i]), i, rows, e))
			return -1;
	for (int i = 0; i < BYTES_ALL; i++)
		if (ids_add(v, text, bytes_spell((unsigned char)i, text), v->rows, rows, e))
			return -1;
	if (!conf_is_none(decoder))
		return add_decoder(v, decoder, rows, e);
	for (int i = 0; i < extra && v->rows < rows; i++)
		if (ids_add(v, text, (size_t)snprintf(text, sizeof(text), "<extra_id_%d>", i),
			    v->rows, rows, e))
			return -1;
	return 0;
}

int
ids_bytes(struct ids *v, const char *name, struct conf_value decoder, int64_t extra, int rows,
	  struct err *e)
{
	return ids_finish(v, name, ids_add_bytes(v, decoder, extra, rows, e), e);
}

int
ids_decoder(struct ids *v, struct conf_value map, int rows, struct err *e)
{
	return add_decoder(v, map, rows, e) || check_rows(v, e) ? -1 : 0;
}

static int
add_entries(struct ids *v, const void *p, size_t n, int rows, struct err *e)
{
	struct spm_entry entry;
	struct spm_walk w;
	int r;

	spm_walk(&w, p, n);
	while ((r = spm_next(&w, &entry, e)) > 0)
		if (ids_add(v, entry.text.s, entry.text.n, v->rows, rows, e))
			return -1;
	return r;
}

int
ids_spm(struct ids *v, const char *name, const void *p, size_t n, int rows, struct err *e)
{
	return ids_finish(v, name, add_entries(v, p, n, rows, e), e);
}

static enum ids_kind
kind_of_ids(const struct conf *c)
{
	return conf_is_list(conf_root(c)) ? IDS_LIST
	       : conf_is_map(conf_get(c, "model")) ? IDS_TOKENIZER : IDS_MAP;
}

static int
open_conf(struct ids *v, const char *path, enum ids_kind want, int rows, struct err *e)
{
	static const char *const names[] = {
		[IDS_MAP] = "a map from texts to numbers", [IDS_LIST] = "a list of texts",
		[IDS_TOKENIZER] = "a tokenizer, a map with the map model"
	};
	enum ids_kind kind;
	struct conf c;
	int r;

	if (conf_open(&c, path, true, e))
		return -1;
	kind = kind_of_ids(&c);
	if (want != IDS_ANY && kind != want)
		r = err_set(e, EXIT_INPUT, "%s: %s, expected %s", path, names[kind], names[want]);
	else if (kind == IDS_LIST)
		r = ids_finish(v, path, ids_add_list(v, conf_root(&c), rows, e), e);
	else if (kind == IDS_TOKENIZER)
		r = ids_tokenizer(v, &c, rows, e);
	else
		r = ids_conf(v, conf_root(&c), path, rows, e);
	conf_release(&c);
	return r;
}

static enum ids_form
ids_form_of(const char *name)
{
	if (!strncmp(name, "dict.", 5))
		return IDS_COUNTS;
	return file_ends(name, "_vocabulary.txt") ? IDS_EXACT : IDS_PLAIN;
}

int
ids_open(struct ids *v, const char *path, enum ids_kind kind, int rows, struct err *e)
{
	const char *name = path_name(path);
	size_t n;
	char *text;
	int r;

	*v = (struct ids){ .name = NULL };
	if (file_ends(path, ".json") || file_ends(path, ".yml") || file_ends(path, ".yaml"))
		return open_conf(v, path, kind, rows, e);
	text = file_text(path, MAX_FILE, &n, e);
	if (!text)
		return -1;
	if (file_ends(path, ".spm") || file_ends(path, ".model"))
		r = ids_spm(v, path, text, n, rows, e);
	else
		r = ids_lines(v, path, text, n, ids_form_of(name), rows, e);
	free(text);
	return r;
}

int
ids_row(const struct ids *v, const char *text)
{
	const int i = strmap_find(&v->texts, text, strlen(text));

	return i < 0 ? -1 : v->of_text[i];
}

int *
ids_by_row(const struct ids *v, int rows)
{
	int *text = xreallocarray(NULL, (size_t)rows + 1, sizeof(*text));

	for (int i = 0; i < rows; i++)
		text[i] = -1;
	for (size_t i = 0; i < v->texts.n; i++)
		if (v->of_text[i] < rows)
			text[v->of_text[i]] = (int)i;
	return text;
}
