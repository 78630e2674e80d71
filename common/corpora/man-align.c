/* man-align: see man-align.h. */
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "base/hash.h"
#include "base/mem.h"
#include "corpora/man-align.h"

enum { MAX_CELLS = 1 << 25 };	/* of the table of the longest common subsequence */

/* The blocks of a page that can be anchors, and their signatures. */
struct anchors {
	size_t n, *block;
	uint64_t *sign;
};

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

	a.block = xcalloc(p->n + 1, sizeof(*a.block));
	a.sign = xcalloc(p->n + 1, sizeof(*a.sign));
	for (i = 0; i < p->n; i++) {
		uint64_t x = man_signature(p->text.data + p->block[i].at, p->block[i].n);

		if (!x)
			continue;
		a.block[a.n] = i;
		a.sign[a.n++] = x * 31 + (uint64_t)p->block[i].kind;
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
	size_t row = b->n + 1, i, j;
	uint16_t *best = xcalloc((a->n + 1) * row, sizeof(*best));

	for (i = a->n; i-- > 0;)
		for (j = b->n; j-- > 0;) {
			uint16_t down = best[(i + 1) * row + j], right = best[i * row + j + 1];

			best[i * row + j] = a->sign[i] == b->sign[j] ?
					    best[(i + 1) * row + j + 1] + 1 :
					    down > right ? down : right;
		}
	for (i = j = 0; i < a->n && j < b->n;)
		if (a->sign[i] == b->sign[j])
			partner[a->block[i++]] = b->block[j++];
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
	free(x.block);
	free(x.sign);
	free(y.block);
	free(y.sign);
	return false;
}
