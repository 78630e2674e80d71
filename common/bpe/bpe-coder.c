/* bpe-coder: segments words and lines into subwords, with a cache; see bpe.h. */
#include <stdlib.h>
#include <string.h>

#include "base/mem.h"
#include "base/rng.h"
#include "base/utf8.h"
#include "bpe/bpe-internal.h"
#include "bpe/piece-counts.h"
#include "text/lines.h"

#define CACHE_WORD 256			/* maximum length of a cached word; longer ones are rare */
#define CACHE_MAX (64u << 20)		/* the cache is emptied when it has this many bytes */

/*
 * A word and its subwords.  The entry has the first eight bytes and the length of the word, so
 * that most words are compared without access to the store.  The store has the word, followed by
 * its subwords.
 */
struct cached {
	uint64_t head;
	uint32_t n;		/* bytes of the word; 0: an empty slot */
	uint32_t at;		/* offset in the store */
	uint32_t value_n;	/* bytes of the subwords */
	uint32_t pieces;	/* number of subwords */
};

struct bpe_coder {
	const struct bpe *bpe;
	char *separator;
	size_t separator_n;
	struct strmap vocabulary;
	struct glossaries *glossaries;
	double dropout;
	uint64_t seed;
	uint32_t purpose;
	struct rng rng;
	struct bpe_scratch scratch;
	struct cached *slot;
	size_t slots, n_cached;
	int shift;		/* 64 minus the binary logarithm of slots */
	struct buf store;
	struct buf text;	/* scratch: a segment and a suffix */
	struct segment { const char *s; size_t n; bool last; } *stack;
	size_t stack_room;
};

struct bpe_coder *
bpe_coder_new(const struct bpe *b, const char *separator)
{
	struct bpe_coder *c = xcalloc(1, sizeof(*c));

	c->bpe = b;
	c->separator = xstrdup(separator ? separator : BPE_SEPARATOR);
	c->separator_n = strlen(c->separator);
	c->slots = 1 << 14;
	c->shift = 64 - 14;
	c->slot = xcalloc(c->slots, sizeof(*c->slot));
	return c;
}

void
bpe_coder_free(struct bpe_coder *c)
{
	if (!c)
		return;
	strmap_release(&c->vocabulary);
	glossaries_free(c->glossaries);
	bpe_scratch_release(&c->scratch);
	buf_release(&c->store);
	buf_release(&c->text);
	free(c->separator);
	free(c->slot);
	free(c->stack);
	free(c);
}

static void
cache_clear(struct bpe_coder *c)
{
	memset(c->slot, 0, c->slots * sizeof(*c->slot));
	c->n_cached = 0;
	buf_clear(&c->store);
}

struct restriction { struct bpe_coder *c; int64_t threshold; };

static int
take_piece(void *arg, const char *s, size_t n, int64_t count, struct err *e)
{
	const struct restriction *r = arg;

	(void)e;
	if (count >= r->threshold)
		strmap_add(&r->c->vocabulary, s, n);
	return 0;
}

int
bpe_coder_vocabulary(struct bpe_coder *c, const char *text, size_t n, int64_t threshold,
		     struct err *e)
{
	struct restriction r = { c, threshold };

	strmap_clear(&c->vocabulary);
	cache_clear(c);
	return piece_counts_read(text, n, take_piece, &r, e) ? err_wrap(e, "vocabulary") : 0;
}

int
bpe_coder_glossary(struct bpe_coder *c, const char *regex, struct err *e)
{
	if (!c->glossaries)
		c->glossaries = glossaries_new();
	cache_clear(c);
	return glossaries_add(c->glossaries, regex, e);
}

void
bpe_coder_dropout(struct bpe_coder *c, double p, uint64_t seed, uint32_t purpose)
{
	c->dropout = p;
	c->seed = seed;
	c->purpose = purpose;
	bpe_coder_at(c, 0);
}

void
bpe_coder_at(struct bpe_coder *c, uint32_t sentence)
{
	rng_init(&c->rng, c->seed, c->purpose, sentence);
}

/* Appends a subword, after a space unless it is the first. */
static void
bpe_coder_put(const struct bpe_coder *c, struct buf *out, const char *s, size_t n, bool marked,
	      size_t *pieces)
{
	if ((*pieces)++)
		buf_add_char(out, ' ');
	buf_add(out, s, n);
	if (marked)
		buf_add(out, c->separator, c->separator_n);
}

static int
find_with(struct bpe_coder *c, const struct strmap *m, const char *s, size_t n, const char *end,
	  size_t end_n)
{
	buf_clear(&c->text);
	buf_add(&c->text, s, n);
	buf_add(&c->text, end, end_n);
	return strmap_find(m, c->text.data, c->text.n);
}

static bool
bpe_coder_is_known(struct bpe_coder *c, const struct segment *g)
{
	return find_with(c, &c->vocabulary, g->s, g->n, c->separator,
			 g->last ? 0 : c->separator_n) >= 0;
}

/* Undoes the merge that gave the segment; false if there is none. */
static bool
undo(struct bpe_coder *c, const struct segment *g, struct segment *left, struct segment *right)
{
	const struct bpe *b = c->bpe;
	const int id = find_with(c, &b->symbols, g->s, g->n, BPE_WORD_END,
				 g->last ? BPE_WORD_END_N : 0);

	if (id < 0 || b->split[id].left < 0)
		return false;
	left->s = strmap_text(&b->symbols, b->split[id].left, &left->n);
	right->s = strmap_text(&b->symbols, b->split[id].right, &right->n);
	left->last = false;
	right->last = g->last;
	if (!g->last)
		return true;
	if (right->n < BPE_WORD_END_N || left->n + right->n != g->n + BPE_WORD_END_N)
		return false;
	right->n -= BPE_WORD_END_N;
	return true;
}

/*
 * Appends a segment, split until all parts are in the vocabulary or are characters.  The stack is
 * explicit, because merges may be nested deeply.
 */
static void
put_known(struct bpe_coder *c, struct buf *out, struct segment g, bool end_of_word, size_t *pieces)
{
	size_t n = 0, room = c->stack_room;
	struct segment left = { NULL, 0, false }, right = { NULL, 0, false };

	for (;;) {
		if (bpe_coder_is_known(c, &g) || !undo(c, &g, &left, &right)) {
			bpe_coder_put(c, out, g.s, g.n, !(end_of_word && n == 0), pieces);
			if (n == 0)
				break;
			g = c->stack[--n];
			continue;
		}
		g = left;
		if (right.n == 0) {	/* version 0.1: only the end of the word was split off */
			g.last = false;
			continue;
		}
		c->stack = mem_grow(c->stack, &room, n + 1, sizeof(*c->stack));
		c->stack[n++] = right;
	}
	c->stack_room = room;
}

/* Segments a word, or a part of a word that glossaries have separated. */
static void
code_part(struct bpe_coder *c, const char *s, size_t n, bool end_of_word, struct buf *out,
	  size_t *pieces)
{
	size_t len, m;

	if (c->glossaries && glossaries_keep(c->glossaries, s, n)) {
		bpe_coder_put(c, out, s, n, !end_of_word, pieces);
		return;
	}
	utf8_next(s, n, &len);
	if (len == n) {		/* a single character is never merged */
		bpe_coder_put(c, out, s, n, !end_of_word, pieces);
		return;
	}
	m = bpe_merge_word(c->bpe, &c->scratch, s, n, c->dropout > 0 ? &c->rng : NULL,
			   c->dropout);
	for (size_t i = 0; i < m; i++) {
		const size_t at = c->scratch.symbol[i].at;
		const size_t end = i + 1 < m ? c->scratch.symbol[i + 1].at : n;
		const struct segment g = { s + at, end - at, i + 1 == m };

		if (c->vocabulary.n)
			put_known(c, out, g, g.last && end_of_word, pieces);
		else
			bpe_coder_put(c, out, g.s, g.n, !(g.last && end_of_word), pieces);
	}
}

static size_t
code_word(struct bpe_coder *c, const char *word, size_t n, struct buf *out)
{
	size_t pieces = 0, parts, start = 0;
	const size_t *end;

	if (!c->glossaries) {
		code_part(c, word, n, true, out, &pieces);
		return pieces;
	}
	parts = glossaries_cut(c->glossaries, word, n, &end);
	for (size_t i = 0; i < parts; i++) {
		code_part(c, word + start, end[i] - start, i + 1 == parts, out, &pieces);
		start = end[i];
	}
	return pieces;
}

/* The first eight bytes of a word, padded with zeros; reads no byte outside of the word. */
static uint64_t
bpe_coder_head_of(const char *s, size_t n)
{
	uint64_t a = 0;
	uint32_t low, high;

	if (n >= 8) {
		memcpy(&a, s, 8);
	} else if (n >= 4) {
		memcpy(&low, s, 4);
		memcpy(&high, s + n - 4, 4);
		a = low | (uint64_t)high << 8 * (n - 4);
	} else {
		for (size_t i = n; i-- > 0;)
			a = a << 8 | (unsigned char)s[i];
	}
	return a;
}

/*
 * The first slot for a word: the upper bits of a product, which depend on all bits of its
 * factors.
 */
static size_t
cache_start(const struct bpe_coder *c, uint64_t head, const char *s, size_t n)
{
	const uint64_t odd = UINT64_C(0x9e3779b97f4a7c15);
	uint64_t h = (head + n) * odd;

	for (size_t i = 8; i < n; i += 8)
		h = (h ^ h >> 29 ^ bpe_coder_head_of(s + i, n - i < 8 ? n - i : 8)) * odd;
	return (size_t)(h >> c->shift);
}

static struct cached *
cache_slot(const struct bpe_coder *c, uint64_t head, const char *s, size_t n)
{
	size_t i = cache_start(c, head, s, n);

	for (; c->slot[i].n; i = (i + 1) & (c->slots - 1))
		if (c->slot[i].head == head && c->slot[i].n == n &&
		    (n <= 8 || !memcmp(c->store.data + c->slot[i].at, s, n)))
			break;
	return &c->slot[i];
}

static void
cache_grow(struct bpe_coder *c)
{
	struct cached *old = c->slot;
	const size_t old_slots = c->slots;

	c->slots *= 2;
	c->shift--;
	c->slot = xcalloc(c->slots, sizeof(*c->slot));
	for (size_t i = 0; i < old_slots; i++)
		if (old[i].n)
			*cache_slot(c, old[i].head, c->store.data + old[i].at, old[i].n) = old[i];
	free(old);
}

static const struct cached *
cache_add(struct bpe_coder *c, uint64_t head, const char *word, size_t n)
{
	struct cached new = { .head = head, .n = (uint32_t)n }, *to;
	struct buf *store = &c->store;

	if (store->n > CACHE_MAX)
		cache_clear(c);
	if (4 * (c->n_cached + 1) > 3 * c->slots)
		cache_grow(c);
	new.at = (uint32_t)store->n;
	buf_add(store, word, n);
	new.pieces = (uint32_t)code_word(c, word, n, store);
	new.value_n = (uint32_t)(store->n - new.at - n);
	to = cache_slot(c, head, word, n);
	*to = new;
	c->n_cached++;
	return to;
}

/* Appends the subwords of a cached word and a space, and returns their number. */
static size_t
put_cached(const struct bpe_coder *c, const struct cached *found, struct buf *out)
{
	const size_t n = found->value_n;
	char *to = buf_room(out, n + 1);

	memcpy(to, c->store.data + found->at + found->n, n);
	to[n] = ' ';
	out->n += n + 1;
	return found->pieces;
}

/* Appends the subwords of any word and a space, and returns their number. */
static size_t
bpe_coder_put_word(struct bpe_coder *c, const char *word, size_t n, struct buf *out)
{
	const struct cached *found;
	uint64_t head;
	size_t pieces;

	if (n > CACHE_WORD || c->dropout > 0) {
		pieces = code_word(c, word, n, out);
		buf_add_char(out, ' ');
		return pieces;
	}
	head = bpe_coder_head_of(word, n);
	found = cache_slot(c, head, word, n);
	if (!found->n)
		found = cache_add(c, head, word, n);
	return put_cached(c, found, out);
}

/* Removes the last byte, a space. */
static void
drop_space(struct buf *out)
{
	out->data[--out->n] = 0;
}

size_t
bpe_coder_word(struct bpe_coder *c, const char *word, size_t n, struct buf *out)
{
	const size_t pieces = bpe_coder_put_word(c, word, n, out);

	drop_space(out);
	return pieces;
}

void
bpe_coder_line(struct bpe_coder *c, const char *line, size_t n, struct buf *out)
{
	size_t at = 0, end = n;
	bool any = false;

	while (at < n && line_is_edge(line[at]))
		at++;
	buf_add(out, line, at);
	while (end > at && line_is_edge(line[end - 1]))
		end--;
	while (at < end) {
		const char *space = memchr(line + at, ' ', end - at);
		const size_t stop = space ? (size_t)(space - line) : end;

		if (stop > at) {
			bpe_coder_put_word(c, line + at, stop - at, out);
			any = true;
		}
		at = stop + 1;
	}
	if (!any)
		return;
	drop_space(out);
	buf_add(out, line + end, n - end);
}

void
bpe_restore(const char *line, size_t n, const char *separator, struct buf *out)
{
	const size_t m = strlen(separator);
	size_t i = 0;

	while (i < n) {
		if (m && n - i >= m && !memcmp(line + i, separator, m) &&
		    (i + m == n || line[i + m] == ' ')) {
			i += m + (i + m < n);
			continue;
		}
		buf_add_char(out, line[i++]);
	}
}
