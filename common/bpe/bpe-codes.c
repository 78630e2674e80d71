/* bpe-codes: reads BPE codes; see bpe.h. */
#include <limits.h>
#include <stdlib.h>
#include <string.h>

#include "base/mem.h"
#include "base/num.h"
#include "base/text-line.h"
#include "base/utf8.h"
#include "bpe/bpe-internal.h"
#include "bpe/spm-file.h"
#include "stream/input.h"
#include "text/lines.h"

#define VERSION "#version:"

/* The columns of a line, split at each space. */
struct columns { const char *s[4]; size_t n[4]; size_t count; };

/* Merges in the order of their lines, before the tables are built. */
struct merges {
	struct { int32_t left, right, merged; } *v;
	size_t n, room;
};

static uint64_t
pair_hash(int32_t left, int32_t right)
{
	return ((uint64_t)(uint32_t)left << 32 | (uint32_t)right) * UINT64_C(0x9e3779b97f4a7c15);
}

static struct bpe_pair *
pair_slot(const struct bpe *b, int32_t left, int32_t right)
{
	size_t i = (size_t)(pair_hash(left, right) >> b->shift);

	while (b->pair[i].rank >= 0 && (b->pair[i].left != left || b->pair[i].right != right))
		i = (i + 1) & (b->slots - 1);
	return &b->pair[i];
}

const struct bpe_pair *
bpe_find(const struct bpe *b, int32_t left, int32_t right)
{
	const struct bpe_pair *p;
	uint64_t bit;

	if (left < 0 || right < 0)
		return NULL;
	bit = pair_hash(left, right) >> (b->shift - 3);
	if (!(b->filter[bit / 64] >> bit % 64 & 1))
		return NULL;
	p = pair_slot(b, left, right);
	return p->rank >= 0 ? p : NULL;
}

/* Goes to the next line, without spaces and CRs at its ends. */
static bool
bpe_codes_next_line(struct text_line *l)
{
	if (!text_line_next(l))
		return false;
	line_trim(&l->s, &l->n);
	return true;
}

/* Splits off at most four columns: more than three are an error. */
static struct columns
split_columns(const struct text_line *l)
{
	struct columns c = { .count = 0 };
	const char *s = l->s, *const end = l->s + l->n;

	while (c.count < 4) {
		const char *space = s < end ? memchr(s, ' ', (size_t)(end - s)) : NULL;

		c.s[c.count] = s;
		c.n[c.count++] = (size_t)((space ? space : end) - s);
		if (!space)
			break;
		s = space + 1;
	}
	return c;
}

static int
read_version(struct bpe *b, const struct text_line *l, struct err *e)
{
	struct columns c = split_columns(l);
	size_t n;

	if (c.count != 2)
		return err_set(e, EXIT_INPUT, "codes: line 1: version '%.*s', expected 0.1 or 0.2",
			       (int)(l->n < 60 ? l->n : 60), l->s);
	n = c.n[1];
	while (n > 2 && !memcmp(c.s[1] + n - 2, ".0", 2))
		n -= 2;
	if (n != 3 || (memcmp(c.s[1], "0.1", 3) && memcmp(c.s[1], "0.2", 3)))
		return err_set(e, EXIT_INPUT, "codes: line 1: version '%.*s', expected 0.1 or 0.2",
			       (int)(n < 60 ? n : 60), c.s[1]);
	b->end_apart = c.s[1][2] == '1';
	return 0;
}

static void
add_merge(struct bpe *b, struct merges *m, const struct columns *c, struct buf *scratch)
{
	const int left = strmap_add(&b->symbols, c->s[0], c->n[0]);
	const int right = strmap_add(&b->symbols, c->s[1], c->n[1]);

	buf_clear(scratch);
	buf_add(scratch, c->s[0], c->n[0]);
	buf_add(scratch, c->s[1], c->n[1]);
	m->v = mem_grow(m->v, &m->room, m->n + 1, sizeof(*m->v));
	m->v[m->n].left = left;
	m->v[m->n].right = right;
	m->v[m->n++].merged = strmap_add(&b->symbols, scratch->data, scratch->n);
}

/* fast: the first line has fastBPE's three columns, so all lines must have them. */
static int
bpe_codes_check_line(const struct text_line *l, const struct columns *c, bool fast, struct err *e)
{
	const size_t want = fast ? 3 : 2;
	int64_t count;

	if (c->count != want || !c->n[0] || !c->n[1])
		return err_set(e, EXIT_INPUT,
			       "codes: line %zu is '%.*s', expected %s separated by one space",
			       l->number, (int)(l->n < 60 ? l->n : 60), l->s,
			       fast ? "two subwords and a frequency" : "two subwords");
	if (fast && num_int(c->s[2], c->n[2], 0, INT64_MAX, &count, e)) {
		e->status = EXIT_INPUT;
		return err_wrap(e, "codes: line %zu: frequency", l->number);
	}
	return 0;
}

static int
read_merges(struct bpe *b, struct merges *m, int64_t limit, struct err *e)
{
	struct buf scratch = { 0 };
	struct text_line l;
	size_t n = b->text_n;
	bool fast = false;
	int bad = 0;

	while (n && b->text[n - 1] == '\n')
		n--;
	b->end_apart = true;
	for (l = text_lines(b->text, n); !bad && bpe_codes_next_line(&l);) {
		const struct columns c = split_columns(&l);

		if (l.number == 1 && l.n >= strlen(VERSION) &&
		    !memcmp(l.s, VERSION, strlen(VERSION))) {
			bad = read_version(b, &l, e);
			continue;
		}
		if (l.number == 1 && c.count == 3) {
			fast = true;
			b->end_apart = false;
		}
		if (limit != BPE_NO_LIMIT && (int64_t)m->n >= limit)
			break;
		bad = bpe_codes_check_line(&l, &c, fast, e);
		if (!bad)
			add_merge(b, m, &c, &scratch);
	}
	buf_release(&scratch);
	return bad;
}

/* Of duplicate merges, the first one counts. */
static void
build_pairs(struct bpe *b, const struct merges *m)
{
	b->slots = 16;
	b->shift = 64 - 4;
	while (b->slots < 2 * m->n + 2) {
		b->slots *= 2;
		b->shift--;
	}
	b->pair = xreallocarray(NULL, b->slots, sizeof(*b->pair));
	for (size_t i = 0; i < b->slots; i++)
		b->pair[i].rank = -1;
	b->filter = xcalloc(b->slots / 8 + 1, sizeof(*b->filter));
	for (size_t i = 0; i < m->n; i++) {
		const uint64_t bit = pair_hash(m->v[i].left, m->v[i].right) >> (b->shift - 3);
		struct bpe_pair *p = pair_slot(b, m->v[i].left, m->v[i].right);

		if (p->rank >= 0)
			continue;
		b->filter[bit / 64] |= UINT64_C(1) << bit % 64;
		*p = (struct bpe_pair){ m->v[i].left, m->v[i].right, (int32_t)i, m->v[i].merged };
		b->n_pairs++;
	}
}

/*
 * If several merges give the same subword, a vocabulary undoes the one whose last duplicate comes
 * first in the file.  This is the effect of subword-nmt's order of insertion.
 */
static void
build_splits(struct bpe *b, const struct merges *m)
{
	unsigned char *seen = xcalloc(b->slots, 1);

	b->split = xreallocarray(NULL, b->symbols.n + 1, sizeof(*b->split));
	for (size_t i = 0; i < b->symbols.n; i++)
		b->split[i] = (struct bpe_split){ -1, -1 };
	for (size_t i = m->n; i-- > 0;) {
		const ptrdiff_t slot = pair_slot(b, m->v[i].left, m->v[i].right) - b->pair;

		if (seen[slot])
			continue;
		seen[slot] = 1;
		b->split[m->v[i].merged] = (struct bpe_split){ m->v[i].left, m->v[i].right };
	}
	free(seen);
}

static void
build_letters(struct bpe *b)
{
	for (int c = 0; c < 128; c++) {
		const char text[] = { (char)c, '<', '/', 'w', '>' };

		b->letter[0][c] = strmap_find(&b->symbols, text, 1);
		b->letter[1][c] = strmap_find(&b->symbols, text, sizeof(text));
	}
}

static int
check_utf8(const char *text, size_t n, struct err *e)
{
	const size_t bad = utf8_check(text, n);
	size_t line = 1, start = 0;

	if (bad == n)
		return 0;
	for (size_t i = 0; i < bad; i++)
		if (text[i] == '\n') {
			line++;
			start = i + 1;
		}
	return err_set(e, EXIT_INPUT, "codes: line %zu: byte %zu is not UTF-8", line,
		       bad - start + 1);
}

/* Is each line a subword and a number?  Codes begin with a version, or have </w> or frequencies. */
static bool
is_vocabulary(const char *text, size_t n)
{
	struct text_line l = text_lines(text, n);

	while (bpe_codes_next_line(&l)) {
		const struct columns c = split_columns(&l);

		if (c.count != 2 || !c.n[1])
			return false;
		for (size_t i = 0; i < c.n[1]; i++)
			if (c.s[1][i] < '0' || c.s[1][i] > '9')
				return false;
	}
	return l.number > 0;
}

int
bpe_check_kind(const char *text, size_t n, struct err *e)
{
	bool space = false;

	for (size_t i = 0; i + 1 < n; i++) {
		if (n - i >= 4 && !memcmp(text + i, "</w>", 4) &&
		    (n - i == 4 || line_is_edge(text[i + 4])))
			return 0;
		if (!memcmp(text + i, "\xc4\xa0", 2) && (!i || line_is_edge(text[i - 1])))
			space = true;
	}
	if (is_vocabulary(text, n)) {
		err_set(e, EXIT_INPUT, "codes: subwords and their frequencies, expected merges");
		err_hint(e, "--vocabulary reads a vocabulary");
		return -1;
	}
	return space ? err_set(e, EXIT_INPUT, "codes: byte-level BPE codes, which are not "
			       "supported, expected those of subword-nmt or fastBPE") : 0;
}

struct bpe *
bpe_read(const char *text, size_t n, int64_t merges, struct err *e)
{
	struct merges m = { NULL, 0, 0 };
	struct bpe *b;
	int bad;

	if (check_utf8(text, n, e))
		return NULL;
	b = xcalloc(1, sizeof(*b));
	b->text = xstrndup(text, n);
	b->text_n = n;
	bad = read_merges(b, &m, merges, e);
	if (!bad) {
		build_pairs(b, &m);
		build_splits(b, &m);
		build_letters(b);
	}
	free(m.v);
	if (!bad)
		return b;
	bpe_free(b);
	return NULL;
}

/* Names a file that is of another known format; returns whether it is. */
static bool
what_else(const char *text, size_t n, const char *path, struct err *e)
{
	struct err no;
	const bool tar = input_is_tar(text, n), spm = !tar && !spm_check(text, n, &no);

	if (tar || spm)
		err_set(e, EXIT_INPUT, "%s is a %s, expected BPE codes", path,
			tar ? "tar file, such as a model" : "SentencePiece model");
	if (spm)
		err_hint(e, "use --spm");
	return tar || spm;
}

struct bpe *
bpe_open(const char *path, int64_t merges, struct err *e)
{
	struct buf text = { 0 };
	struct bpe *b = NULL;

	if (!lines_read_all(path, &text, e)) {
		b = bpe_read(text.data, text.n, merges, e);
		if (b && bpe_check_kind(text.data, text.n, e)) {
			bpe_free(b);
			b = NULL;
		}
		if (!b && !what_else(text.data, text.n, path, e))
			err_wrap(e, "%s", path);
	}
	buf_release(&text);
	return b;
}

void
bpe_free(struct bpe *b)
{
	if (!b)
		return;
	strmap_release(&b->symbols);
	free(b->text);
	free(b->pair);
	free(b->filter);
	free(b->split);
	free(b);
}

const char *
bpe_text(const struct bpe *b, size_t *n)
{
	if (n)
		*n = b->text_n;
	return b->text;
}

int64_t
bpe_merges(const struct bpe *b)
{
	return (int64_t)b->n_pairs;
}
