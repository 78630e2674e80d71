/* syntax-sums: attention along dependencies; see syntax-sums.h. */
#include "analysis/syntax-sums.h"

#include <math.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

#include "base/mem.h"
#include "trees/piece-heads.h"

/* --- arcs --- */

void
syntax_arcs_release(struct syntax_arcs *a)
{
	free(a->arc);
	*a = (struct syntax_arcs){ .n = 0 };
}

static bool
syntax_is_split(const struct syntax_arcs *a, int word)
{
	return piece_first(a->word, a->n_pieces, word) != piece_last(a->word, a->n_pieces, word);
}

/* The offset from dependent to head, in words, or in subwords with UNIT_UNSPLIT. */
static int
offset_of(const struct syntax_arcs *a, int dependent, int head, enum syntax_unit unit)
{
	if (unit != UNIT_UNSPLIT)
		return head - dependent;
	return piece_first(a->word, a->n_pieces, head) -
	       piece_first(a->word, a->n_pieces, dependent);
}

void
syntax_arcs_find(struct syntax_arcs *a, const struct dep_sentence *s, const struct relation_list *l,
		 const int32_t *word, int n_pieces, enum syntax_unit unit)
{
	a->n = 0;
	a->word = word;
	a->n_pieces = n_pieces;
	a->n_words = s->n;
	a->arc = mem_grow(a->arc, &a->room, (size_t)s->n, sizeof(*a->arc));
	for (int i = 0; i < s->n; i++) {
		const int head = s->word[i].head - 1, r = relation_list_find(l, s->word[i].rel);

		if (head < 0 || r < 0)
			continue;
		if (unit == UNIT_UNSPLIT && (syntax_is_split(a, i) || syntax_is_split(a, head)))
			continue;
		a->arc[a->n++] = (struct syntax_arc){ r, i, head, offset_of(a, i, head, unit) };
	}
}

int
syntax_arcs_of(const struct syntax_arcs *a, int relation)
{
	int n = 0;

	for (int i = 0; i < a->n; i++)
		n += a->arc[i].relation == relation;
	return n;
}

/* --- offsets --- */

static void
reach_to(struct syntax_counts *c, int reach)
{
	int64_t *at = xcalloc(2 * (size_t)reach + 1, sizeof(*at));

	for (int o = -c->reach; c->at && o <= c->reach; o++)
		at[o + reach] = c->at[o + c->reach];
	free(c->at);
	c->at = at;
	c->reach = reach;
}

void
syntax_counts_add(struct syntax_counts *c, const struct syntax_arcs *a)
{
	for (int i = 0; i < a->n; i++) {
		const int offset = a->arc[i].offset;
		struct syntax_counts *to = &c[a->arc[i].relation];

		if (abs(offset) > to->reach)
			reach_to(to, 2 * abs(offset));
		to->at[offset + to->reach]++;
		to->arcs++;
	}
}

void
syntax_counts_release(struct syntax_counts *c)
{
	free(c->at);
	*c = (struct syntax_counts){ .arcs = 0 };
}

double
syntax_counts_baseline(const struct syntax_counts *c, int *offset)
{
	int64_t max = 0;

	*offset = 0;
	for (int d = 1; d <= c->reach; d++)
		for (int o = -d; o <= d; o += 2 * d)
			if (c->at[o + c->reach] > max) {
				max = c->at[o + c->reach];
				*offset = o;
			}
	return c->arcs ? (double)max / (double)c->arcs : NAN;
}

/* --- the word that each word attends to most --- */

static int
greatest(const double *x, int n)
{
	int best = -1;

	for (int i = 0; i < n; i++)
		if (x[i] > (best < 0 ? 0 : x[best]))
			best = i;
	return best;
}

/* Rows are summed instead of averaged: the position of the maximum is the same. */
static void
best_of_words(const struct syntax_arcs *a, const struct head_weights *w, int *best, double *row)
{
	for (int i = 0, word = 0; word < a->n_words; word++) {
		memset(row, 0, (size_t)a->n_words * sizeof(*row));
		for (; i < a->n_pieces && a->word[i] == word; i++)
			for (int j = 0; j < a->n_pieces; j++)
				row[a->word[j]] += (double)w->x[(ptrdiff_t)i * w->keys + j];
		best[word] = greatest(row, a->n_words);
	}
}

typedef int piece_of(const int32_t *word, int n, int32_t w);

static void
best_of_one_piece(const struct syntax_arcs *a, const struct head_weights *w, piece_of *piece,
		  int *best, double *row)
{
	for (int k = 0; k < a->n_words; k++) {
		const int i = piece(a->word, a->n_pieces, k);

		for (int l = 0; l < a->n_words; l++)
			row[l] = (double)w->x[(ptrdiff_t)i * w->keys + piece(a->word, a->n_pieces,
									     l)];
		best[k] = greatest(row, a->n_words);
	}
}

/* Only words of a single subword matter here; for others the result is unused. */
static void
best_of_pieces(const struct syntax_arcs *a, const struct head_weights *w, int *best)
{
	for (int k = 0; k < a->n_words; k++) {
		const int j = head_weights_best(w, piece_first(a->word, a->n_pieces, k));

		best[k] = j < 0 ? -1 : a->word[j];
	}
}

void
syntax_hits_add(int64_t *hits, const struct syntax_arcs *a, const struct head_weights *w,
		enum syntax_unit unit, int *best, double *row)
{
	switch (unit) {
	case UNIT_WORD: best_of_words(a, w, best, row); break;
	case UNIT_FIRST: best_of_one_piece(a, w, piece_first, best, row); break;
	case UNIT_LAST: best_of_one_piece(a, w, piece_last, best, row); break;
	case UNIT_UNSPLIT: best_of_pieces(a, w, best); break;
	}
	for (int i = 0; i < a->n; i++) {
		const struct syntax_arc *c = &a->arc[i];
		int64_t *to = hits + c->relation * SYNTAX_WAYS;

		to[FROM_DEPENDENT] += best[c->dependent] == c->head;
		to[FROM_HEAD] += best[c->head] == c->dependent;
	}
}
