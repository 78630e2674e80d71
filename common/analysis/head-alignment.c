/* head-alignment: see head-alignment.h. */
#include "analysis/head-alignment.h"

#include <stdlib.h>
#include <string.h>

#include "attention/attention-heads.h"
#include "base/mem.h"
#include "data/links.h"
#include "text/lines.h"

enum { POSSIBLE = 1, SURE = 2 };

static void
find_lines(struct head_alignment *a)
{
	size_t room = 0;

	for (const char *s = a->text.data; s && *s;) {
		const char *end = strchr(s, '\n');

		a->line = mem_grow(a->line, &room, a->lines + 1, sizeof(*a->line));
		a->line[a->lines++] = s;
		s = end ? end + 1 : s + strlen(s);
	}
}

int
head_alignment_begin(struct head_alignment *a, const struct model *m, const char *path,
		     struct err *e)
{
	*a = (struct head_alignment){ .name = path, .links.m = m };	/* one head at a time */
	if (lines_read_all(path, &a->text, e))
		return -1;
	find_lines(a);
	if (!a->lines)
		return err_set(e, EXIT_INPUT, "%s has no lines, expected one for each sentence",
			       path);
	a->counts = xcalloc(heads_before(m->sites, m->n_sites) + 1, sizeof(*a->counts));
	return 0;
}

void
head_alignment_release(struct head_alignment *a)
{
	word_alignment_release(&a->links);
	buf_release(&a->text);
	free(a->line);
	free(a->gold);
	free(a->counts);
	*a = (struct head_alignment){ .lines = 0 };
}

/* --- gold alignments --- */

static int
read_gold(struct head_alignment *a, size_t line, struct err *e)
{
	const int words = a->links.words, source_words = a->links.source_words;
	const size_t n = (size_t)words * (size_t)source_words;
	const char *s = a->line[line];
	struct link link;
	int more;

	a->gold = mem_grow(a->gold, &a->gold_room, n + 1, 1);
	memset(a->gold, 0, n);
	while ((more = link_next(&s, source_words, words, &link, e)) > 0) {
		unsigned char *to =
			&a->gold[(size_t)link.target * (size_t)source_words + (size_t)link.source];

		a->sure += link.sure && *to != SURE;
		if (link.sure || !*to)
			*to = link.sure ? SURE : POSSIBLE;
	}
	return more ? err_wrap(e, "%s: line %zu", a->name, line + 1) : 0;
}

/* --- heads --- */

static void
count(struct head_alignment *a, struct alignment_counts *c)
{
	for (int v = 0; v < a->links.words; v++) {
		const int u = a->links.source[v];
		const unsigned char *row = a->gold + (ptrdiff_t)v * a->links.source_words;

		if (u < 0)
			continue;
		c->links++;
		c->sure += row[u] == SURE;
		c->possible += row[u] != 0;
	}
}

/* The number of target words with a gold link. */
static int64_t
linked_words(const struct head_alignment *a)
{
	int64_t n = 0;

	for (int v = 0; v < a->links.words; v++) {
		const unsigned char *row = a->gold + (ptrdiff_t)v * a->links.source_words;
		int u = 0;

		while (u < a->links.source_words && !row[u])
			u++;
		n += u < a->links.source_words;
	}
	return n;
}

static int
add_sentence(struct head_alignment *a, struct tape *t, const struct batch *b, int i, struct err *e)
{
	const struct model *m = a->links.m;
	bool known = false;

	if (b->number[i] >= (int64_t)a->lines)
		return err_set(e, EXIT_INPUT, "%s has %zu lines, expected one for each sentence",
			       a->name, a->lines);
	for (size_t k = 0; k < m->n_sites; k++) {
		const struct site *s = &m->sites[k];

		for (int h = 0; s->where == DECODER_CROSS && h < s->heads; h++) {
			if (word_alignment_of(&a->links, t, b, i, (int)k, h, e) ||
			    (!known && read_gold(a, (size_t)b->number[i], e)))
				return -1;
			if (!known)
				a->words += linked_words(a);
			known = true;
			count(a, &a->counts[heads_before(m->sites, k) + (size_t)h]);
		}
	}
	return 0;
}

int
head_alignment_add(struct head_alignment *a, struct tape *t, const struct batch *b, struct err *e)
{
	for (int i = 0; i < b->n; i++)
		if (add_sentence(a, t, b, i, e))
			return err_wrap(e, "record %lld", (long long)b->number[i] + 1);
	return 0;
}

int
head_alignment_check(const struct head_alignment *a, int64_t records, struct err *e)
{
	if (!a->lines || (int64_t)a->lines == records)
		return 0;
	return err_set(e, EXIT_INPUT, "%s has %zu lines, expected one for each of %lld sentences",
		       a->name, a->lines, (long long)records);
}

void
head_alignment_fill(const struct head_alignment *a, struct head_table *t)
{
	const struct model *m = a->links.m;

	for (size_t k = 0; k < m->n_sites; k++)
		for (int h = 0; m->sites[k].where == DECODER_CROSS && h < m->sites[k].heads; h++) {
			const struct alignment_counts *c =
				&a->counts[heads_before(m->sites, k) + (size_t)h];

			head_table_fill(t, &m->sites[k], m->sites[k].head[h] + 1, "aer",
					1 - (double)(c->sure + c->possible) /
					    (double)(c->links + a->sure));
			head_table_fill(t, &m->sites[k], m->sites[k].head[h] + 1, "translation",
					(double)c->possible / (double)a->words);
		}
}
