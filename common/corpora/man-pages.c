/* man-pages: see man-pages.h. */
#include "corpora/man-pages.h"

#include <ctype.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "base/hash.h"
#include "base/mem.h"
#include "base/utf8.h"
#include "corpora/man-blocks.h"
#include "stream/archive.h"
#include "stream/input.h"

void
man_pages_init(struct man_pages *m, struct pairs *p, size_t max_page)
{
	*m = (struct man_pages){ .pairs = p, .max_page = max_page };
}

void
man_pages_release(struct man_pages *m)
{
	strmap_release(&m->names);
	buf_release(&m->pool);
	free(m->source);
	m->source = NULL;
}

/*
 * The path after the folder of the language, or NULL.  The folder of pt-br is pt_BR; English has
 * no folder.
 */
static const char *
after_language(const char *s, const char *lang)
{
	if (!strcmp(lang, "en"))
		return s;
	for (; *lang; lang++, s++) {
		int c = *s == '_' ? '-' : tolower((unsigned char)*s);

		if (c != tolower((unsigned char)*lang))
			return NULL;
	}
	return *s == '/' ? s + 1 : NULL;
}

/* Sets name to manN/NAME without a compression suffix; false if it is no page of the language. */
static bool
page_name(const char *path, const char *lang, struct buf *name)
{
	static const char *const suffix[] = { ".gz", ".xz", ".bz2", ".zst" };
	const char *at = strstr(path, "share/man/");
	size_t n, i;

	at = at ? after_language(at + 10, lang) : NULL;
	if (!at || strncmp(at, "man", 3) || at[3] < '1' || at[3] > '9' || at[4] != '/' ||
	    strchr(at + 5, '/'))
		return false;
	n = strlen(at);
	for (i = 0; i < sizeof(suffix) / sizeof(*suffix); i++)
		if (n > strlen(suffix[i]) && !strcmp(at + n - strlen(suffix[i]), suffix[i]))
			n -= strlen(suffix[i]);
	buf_clear(name);
	buf_add(name, at, n);
	return true;
}

static size_t
characters(const char *s, size_t n)
{
	size_t k = 0, i;

	for (i = 0; i < n; i++)
		k += ((unsigned char)s[i] & 0xc0) != 0x80;
	return k;
}

static int
take_pair(struct man_pages *m, const char *page, size_t k, const char *const s[2],
	  const size_t n[2], struct err *e)
{
	size_t a = characters(s[0], n[0]) + 20, b = characters(s[1], n[1]) + 20;
	char *key;
	int r;

	if (a > 3 * b || b > 3 * a) {
		m->uneven++;
		return 0;
	}
	key = xasprintf("%s#%zu", page, k);
	r = pairs_add(m->pairs, 0, key, page, s[0], n[0], e);
	if (!r)
		r = pairs_add(m->pairs, 1, key, page, s[1], n[1], e);
	free(key);
	return r;
}

static int
join_pages(struct man_pages *m, const char *name, const struct man_page *a,
	   const struct man_page *b, struct err *e)
{
	size_t *partner = xcalloc(a->n + 1, sizeof(*partner)), i, joined = 0;
	bool same = man_align(a, b, partner);
	int r = 0;

	for (i = 0; !r && i < a->n; i++) {
		const struct man_block *x = &a->block[i], *y;

		if (partner[i] == SIZE_MAX) {
			m->unpaired += !x->code;
			continue;
		}
		joined++;
		y = &b->block[partner[i]];
		if (x->code || y->code) {
			m->code++;
		} else {
			const char *const s[2] = { a->text.data + x->at, b->text.data + y->at };

			r = take_pair(m, name, i, s, (const size_t[2]){ x->n, y->n }, e);
		}
	}
	m->same += same;
	m->partly += !same && joined;
	m->apart += !joined;
	free(partner);
	return r;
}

/* Parses a page; -1 if it is not UTF-8 or has no blocks, such as a link to another page. */
static int
man_pages_parse(struct man_pages *m, int side, struct man_page *p, const char *s, size_t n)
{
	struct err not_utf8;

	*p = (struct man_page){ .n = 0 };
	if (man_page_read(p, s, n, &not_utf8)) {
		m->not_utf8++;
		return -1;
	}
	m->pages[side] += p->n > 0;
	m->blocks[side] += (int64_t)p->n;
	return p->n ? 0 : -1;
}

static int
keep_source(struct man_pages *m, const char *name, const char *s, size_t n, struct err *e)
{
	size_t known = m->names.n;
	struct man_page page;
	int i, r = man_pages_parse(m, 0, &page, s, n);

	man_page_release(&page);
	if (r || strmap_find(&m->names, name, strlen(name)) >= 0)
		return 0;
	if (m->pool.n + n > m->pairs->limit)
		return err_set(e, EXIT_INPUT, "more than %zu MiB of pages", m->pairs->limit >> 20);
	i = strmap_add(&m->names, name, strlen(name));
	m->source = mem_grow(m->source, &m->room, known + 1, sizeof(*m->source));
	m->source[i] = (struct man_pages_source){ .at = m->pool.n, .n = n };
	buf_add(&m->pool, s, n);
	return 0;
}

static int
join_target(struct man_pages *m, const char *name, const char *s, size_t n, struct err *e)
{
	int i = strmap_find(&m->names, name, strlen(name)), r = 0;
	struct man_pages_source *source = i < 0 ? NULL : &m->source[i];
	struct man_page a = { .n = 0 }, b;

	if (!man_pages_parse(m, 1, &b, s, n)) {
		if (!source) {
			m->alone++;
		} else if (!source->used) {
			source->used = true;
			if (man_page_read(&a, m->pool.data + source->at, source->n, e))
				bug("%s: expected UTF-8, as before", name);
			r = join_pages(m, name, &a, &b, e);
			man_page_release(&a);
		}
	}
	man_page_release(&b);
	return r;
}

/* Reads a member of an archive, which may be compressed, and adds it to its side. */
static int
man_pages_read_member(struct man_pages *m, int side, struct archive_in *a, const char *path,
		      const char *name, struct err *e)
{
	char *packed, *where = xasprintf("%s: %s", path, name);
	struct input *in = NULL;
	const char *s;
	ptrdiff_t got;
	size_t n;
	int r = -1;

	packed = archive_in_all(a, m->max_page, &n, e);
	if (packed)
		in = input_memory(where, packed, n, 0, e);
	if (in && (got = input_ahead(in, m->max_page + 1, &s, e)) >= 0) {
		if ((size_t)got > m->max_page)
			err_set(e, EXIT_INPUT, "%s has more than %zu bytes", where, m->max_page);
		else if (side)
			r = join_target(m, name, s, (size_t)got, e);
		else
			r = keep_source(m, name, s, (size_t)got, e);
	}
	input_close(in);
	free(packed);
	free(where);
	return r;
}

int
man_pages_read(struct man_pages *m, int side, const char *path, struct err *e)
{
	struct archive_in *a = archive_in_open(path, e);
	struct buf name = { .n = 0 };
	const char *member;
	int64_t size;
	int r;

	if (!a)
		return -1;
	while ((r = archive_in_next(a, &member, &size, e)) > 0) {
		if (!page_name(member, m->pairs->lang[side], &name))
			continue;
		if ((r = man_pages_read_member(m, side, a, path, name.data, e)))
			break;
	}
	archive_in_close(a);
	buf_release(&name);
	return r;
}

/* --- alignment --- */

enum { MAX_CELLS = 1 << 25 };	/* of the table of the longest common subsequence */

/* The blocks of a page that can be anchors, and their signatures. */
struct anchors { size_t n; struct anchor { size_t block; uint64_t sign; } *anchor; };

/* Is it a word that is the same in every language? */
static bool
is_neutral(const char *s, size_t n)
{
	bool found = n > 1 && *s == '-';
	size_t i;

	for (i = 0; i < n; i++) {
		if ((unsigned char)s[i] >= 0x80)
			return false;
		found |= (s[i] >= '0' && s[i] <= '9') || strchr("_/@$=", s[i]);
	}
	return found;
}

static bool
is_edge(char c)
{
	return (unsigned char)c >= 0x80 || strchr(".,;:!?\"'()[]{}<>", c);
}

/* A hash of the untranslated words, independent of their order; 0 if there are none. */
static uint64_t
man_signature(const char *s, size_t n)
{
	uint64_t sum = 0;
	size_t i = 0;

	while (i < n) {
		size_t from = i, to;

		while (i < n && s[i] != ' ')
			i++;
		for (to = i; from < to && is_edge(s[from]); from++)
			;
		while (to > from && is_edge(s[to - 1]))
			to--;
		if (is_neutral(s + from, to - from))
			sum += hash_fnv1a(HASH_FNV1A, s + from, to - from);
		i++;
	}
	return sum;
}

static struct anchors
find_anchors(const struct man_page *p)
{
	struct anchors a = { .n = 0 };
	size_t i;

	a.anchor = xcalloc(p->n + 1, sizeof(*a.anchor));
	for (i = 0; i < p->n; i++) {
		uint64_t x = man_signature(p->text.data + p->block[i].at, p->block[i].n);

		if (x)
			a.anchor[a.n++] = (struct anchor){ i, x * 31 + (uint64_t)p->block[i].kind };
	}
	return a;
}

/*
 * Pairs anchors by a longest common subsequence (Wagner, Fischer 1974); best[i][j] is its length
 * from anchors i and j on.
 */
static void
join_anchors(const struct anchors *a, const struct anchors *b, size_t *partner)
{
	const struct anchor *x = a->anchor, *y = b->anchor;
	size_t row = b->n + 1, i, j;
	uint16_t *best = xcalloc((a->n + 1) * row, sizeof(*best));

	for (i = a->n; i-- > 0;)
		for (j = b->n; j-- > 0;) {
			uint16_t down = best[(i + 1) * row + j], right = best[i * row + j + 1];

			best[i * row + j] = x[i].sign == y[j].sign ?
					    best[(i + 1) * row + j + 1] + 1 :
					    down > right ? down : right;
		}
	for (i = j = 0; i < a->n && j < b->n;)
		if (x[i].sign == y[j].sign)
			partner[x[i++].block] = y[j++].block;
		else if (best[(i + 1) * row + j] >= best[i * row + j + 1])
			i++;
		else
			j++;
	free(best);
}

/* Pairs n blocks from i and j on if they are of the same kinds. */
static bool
join_run(const struct man_page *a, size_t i, const struct man_page *b, size_t j, size_t n,
	 size_t *partner)
{
	size_t k;

	for (k = 0; k < n; k++)
		if (a->block[i + k].kind != b->block[j + k].kind)
			return false;
	for (k = 0; k < n; k++)
		partner[i + k] = j + k;
	return true;
}

/* Pairs all blocks from i and j on; b may have an additional section, about the translation. */
static bool
man_join_end(const struct man_page *a, size_t i, const struct man_page *b, size_t j,
	     size_t *partner)
{
	size_t n = a->n - i;

	if (b->n - j < n || (b->n - j > n && b->block[j + n].kind != MAN_SECTION))
		return false;
	return join_run(a, i, b, j, n, partner);
}

static void
join_gaps(const struct man_page *a, const struct man_page *b, size_t *partner)
{
	size_t from = 0, to = 0, i;

	for (i = 0; i < a->n; i++) {
		if (partner[i] == SIZE_MAX)
			continue;
		if (i - from == partner[i] - to)
			join_run(a, from, b, to, i - from, partner);
		from = i + 1;
		to = partner[i] + 1;
	}
	man_join_end(a, from, b, to, partner);
}

bool
man_align(const struct man_page *a, const struct man_page *b, size_t *partner)
{
	struct anchors x, y;
	size_t i;

	for (i = 0; i < a->n; i++)
		partner[i] = SIZE_MAX;
	if (man_join_end(a, 0, b, 0, partner))
		return true;
	x = find_anchors(a);
	y = find_anchors(b);
	if (x.n < UINT16_MAX && y.n < UINT16_MAX && (x.n + 1) * (y.n + 1) <= MAX_CELLS) {
		join_anchors(&x, &y, partner);
		join_gaps(a, b, partner);
	}
	free(x.anchor);
	free(y.anchor);
	return false;
}
