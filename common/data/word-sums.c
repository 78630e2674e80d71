/* word-sums: see word-sums.h. */
#include "data/word-sums.h"

#include <stdlib.h>

#include "base/mem.h"

void
word_sums_begin(struct word_sums *s, int words, int source_words)
{
	const size_t n = (size_t)words * (size_t)source_words;

	s->words = words;
	s->source_words = source_words;
	s->sum = mem_grow(s->sum, &s->room, n + 1, sizeof(*s->sum));
	for (size_t i = 0; i < n; i++)
		s->sum[i] = 0;
}

void
word_sums_release(struct word_sums *s)
{
	free(s->sum);
	*s = (struct word_sums){ .words = 0 };
}

double *
word_sums_row(struct word_sums *s, int word)
{
	return s->sum + (ptrdiff_t)word * s->source_words;
}

void
word_sums_add(struct word_sums *s, int word, const struct link_side *src, const real *x)
{
	double *row = word_sums_row(s, word);

	for (int i = 0; i < src->tokens; i++)
		row[link_side_word(src, i)] += (double)x[i];
}

int
word_sums_best(const struct word_sums *s, int word)
{
	const double *row = s->sum + (ptrdiff_t)word * s->source_words;
	int at = -1;

	for (int i = 0; i < s->source_words; i++)
		if (row[i] != 0 && (at < 0 || row[i] > row[at]))
			at = i;
	return at;
}

void
word_sums_links(const struct word_sums *s, struct link_set *links)
{
	link_set_clear(links);
	for (int v = 0; v < s->words; v++) {
		const int u = word_sums_best(s, v);

		if (u >= 0)
			link_set_add(links, (struct link){ u, v, true });
	}
}
