/* vocab: see vocab.h. */
#include <limits.h>
#include <stdlib.h>
#include <string.h>

#include "base/hash.h"
#include "base/mem.h"
#include "base/text-line.h"
#include "base/utf8.h"
#include "text/vocab.h"

static const char *const special[VOCAB_SPECIALS] = { "<pad>", "<s>", "</s>", "<unk>" };

struct counted {
	const char *text;
	size_t n;
	int64_t count;
};

void
vocab_init(struct vocab *v)
{
	*v = (struct vocab){ .n = VOCAB_SPECIALS };
}

void
vocab_release(struct vocab *v)
{
	strmap_release(&v->types);
	v->n = 0;
}

int
vocab_id(const struct vocab *v, const char *s, size_t n)
{
	const int id = strmap_find(&v->types, s, n);

	return id < 0 ? VOCAB_UNK : VOCAB_SPECIALS + id;
}

const char *
vocab_text(const struct vocab *v, int id, size_t *n)
{
	if (id < 0 || id >= v->n)
		bug("vocab_text: id %d of %d", id, v->n);
	if (id >= VOCAB_SPECIALS)
		return strmap_text(&v->types, id - VOCAB_SPECIALS, n);
	if (n)
		*n = strlen(special[id]);
	return special[id];
}

static int
by_count(const void *a, const void *b)
{
	const struct counted *x = a, *y = b;
	const size_t n = x->n < y->n ? x->n : y->n;
	int c;

	if (x->count != y->count)
		return x->count < y->count ? 1 : -1;
	c = memcmp(x->text, y->text, n);
	if (c)
		return c;
	return (x->n > y->n) - (x->n < y->n);
}

static int
writable(const char *s, size_t n)
{
	return n > 0 && !memchr(s, '\n', n) && utf8_check(s, n) == n;
}

static void
vocab_add(struct vocab *v, const char *s, size_t n)
{
	strmap_add(&v->types, s, n);
	v->n = VOCAB_SPECIALS + (int)v->types.n;
}

void
vocab_from_counts(struct vocab *v, const struct strmap *types, const int64_t *count,
		  int64_t min_count, int max_types)
{
	struct counted *list = xcalloc(types->n ? types->n : 1, sizeof(*list));
	size_t n = 0, kept;

	for (size_t i = 0; i < types->n; i++) {
		struct counted *c = &list[n];

		c->text = strmap_text(types, (int)i, &c->n);
		c->count = count[i];
		if (c->count >= min_count && writable(c->text, c->n))
			n++;
	}
	qsort(list, n, sizeof(*list), by_count);
	kept = max_types > 0 && (size_t)max_types < n ? (size_t)max_types : n;
	vocab_init(v);
	for (size_t i = 0; i < kept; i++)
		vocab_add(v, list[i].text, list[i].n);
	free(list);
}

void
vocab_write(const struct vocab *v, struct buf *out)
{
	for (int id = VOCAB_SPECIALS; id < v->n; id++) {
		size_t n;
		const char *s = vocab_text(v, id, &n);

		buf_add(out, s, n);
		buf_add_char(out, '\n');
	}
}

static int
vocab_read_line(struct vocab *v, const struct text_line *l, struct err *e)
{
	const size_t bad = utf8_check(l->s, l->n), before = v->types.n;

	if (!l->ended)
		return err_set(e, EXIT_INPUT, "vocabulary: line %zu has no line end", l->number);
	if (l->n == 0)
		return err_set(e, EXIT_INPUT, "vocabulary: line %zu is empty, expected a subword",
			       l->number);
	if (bad < l->n)
		return err_set(e, EXIT_INPUT, "vocabulary: line %zu: byte %zu is not UTF-8",
			       l->number, bad + 1);
	if (before >= INT_MAX - VOCAB_SPECIALS)
		return err_set(e, EXIT_INPUT, "vocabulary: line %zu: too many subwords", l->number);
	vocab_add(v, l->s, l->n);
	if (v->types.n == before)
		return err_set(e, EXIT_INPUT, "vocabulary: line %zu: duplicate subword %.*s",
			       l->number, (int)(l->n < 200 ? l->n : 200), l->s);
	return 0;
}

int
vocab_read(struct vocab *v, const char *text, size_t n, struct err *e)
{
	struct text_line line = text_lines(text, n);

	vocab_init(v);
	while (text_line_next(&line)) {
		if (!vocab_read_line(v, &line, e))
			continue;
		vocab_release(v);
		vocab_init(v);
		return -1;
	}
	return 0;
}

void
vocab_copy(struct vocab *copy, const struct vocab *original)
{
	vocab_init(copy);
	for (int id = VOCAB_SPECIALS; id < original->n; id++) {
		size_t n;
		const char *s = vocab_text(original, id, &n);

		vocab_add(copy, s, n);
	}
}

uint64_t
vocab_digest(const struct vocab *v)
{
	struct buf text = { 0 };
	uint64_t h;

	vocab_write(v, &text);
	h = hash_fnv1a(HASH_FNV1A, text.data, text.n);
	buf_release(&text);
	return h;
}
