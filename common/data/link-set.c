/* link-set: see link-set.h. */
#include "data/link-set.h"

#include <stdlib.h>

#include "base/mem.h"

void
link_set_release(struct link_set *s)
{
	free(s->v);
	*s = (struct link_set){ .n = 0 };
}

void
link_set_clear(struct link_set *s)
{
	s->n = 0;
}

void
link_set_add(struct link_set *s, struct link link)
{
	s->v = mem_grow(s->v, &s->room, s->n + 1, sizeof(*s->v));
	s->v[s->n++] = link;
}

static int
by_words(const void *a, const void *b)
{
	const struct link *p = a, *q = b;

	return p->target != q->target ? p->target - q->target : p->source - q->source;
}

/* Among links of the same words, sure ones first. */
static int
by_words_and_mark(const void *a, const void *b)
{
	const struct link *p = a, *q = b;
	const int order = by_words(p, q);

	return order ? order : q->sure - p->sure;
}

int
link_set_read(struct link_set *s, const char *line, const struct link_words *w, struct err *e)
{
	struct link link;
	size_t n = 0;
	int more;

	link_set_clear(s);
	while ((more = link_next(&line, w, &link, e)) > 0)
		link_set_add(s, link);
	if (s->n)
		qsort(s->v, s->n, sizeof(*s->v), by_words_and_mark);
	for (size_t i = 0; i < s->n; i++)
		if (!i || by_words(&s->v[i], &s->v[n - 1]))
			s->v[n++] = s->v[i];
	s->n = n;
	return more;
}

/* --- scores --- */

void
link_score_add(struct link_score *s, const struct link_set *gold, const struct link_set *a)
{
	int linked = -1, right = -1;		/* the last target words that were counted */

	for (size_t i = 0; i < gold->n; i++) {
		s->gold_sure += gold->v[i].sure;
		s->words += gold->v[i].target != linked;
		linked = gold->v[i].target;
	}
	s->links += (int64_t)a->n;
	for (size_t i = 0; i < a->n && gold->n; i++) {
		const struct link *found = bsearch(&a->v[i], gold->v, gold->n, sizeof(*gold->v),
						   by_words);

		if (!found)
			continue;
		s->possible++;
		s->sure += found->sure;
		s->right += found->target != right;
		right = found->target;
	}
}

static double
link_fraction(int64_t part, int64_t whole)
{
	return whole ? (double)part / (double)whole : 0;
}

static double
precision(const struct link_score *s)
{
	return link_fraction(s->possible, s->links);
}

static double
recall(const struct link_score *s)
{
	return link_fraction(s->sure, s->gold_sure);
}

static double
f1(const struct link_score *s)
{
	const double p = precision(s), r = recall(s);

	return p + r > 0 ? 2 * p * r / (p + r) : 0;
}

double
link_score_aer(const struct link_score *s)
{
	return 1 - link_fraction(s->sure + s->possible, s->links + s->gold_sure);
}

double
link_score_translation(const struct link_score *s)
{
	return link_fraction(s->right, s->words);
}

const struct link_measure link_measures[] = {
	{ "precision", precision }, { "recall", recall }, { "f1", f1 },
	{ "aer", link_score_aer }, { "translation", link_score_translation }, { 0 }
};
