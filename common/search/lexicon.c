/* lexicon: see lexicon.h. */
#include "search/lexicon.h"

#include <stdlib.h>
#include <string.h>

#include "base/mem.h"
#include "text/vocab.h"

enum { EMPTY = VOCAB_PAD };	/* the id of the empty token */

/* Where source entries occur: entry e in the sentences at[first[e] .. first[e + 1]). */
struct occurrences { size_t *first, *at; };

struct estimation {
	struct lexicon *x;
	struct occurrences where;
	double *count;			/* [entries] */
	float *sum;			/* [target tokens] over the source tokens of the sentence */
	size_t *place;			/* [n_tgt] of the current source entry's entries */
};

void
lexicon_init(struct lexicon *x, int n_src, int n_tgt)
{
	memset(x, 0, sizeof(*x));
	x->src.n_vocab = n_src;
	x->tgt.n_vocab = n_tgt;
	x->count = xcalloc((size_t)n_tgt, sizeof(*x->count));
}

static void
release_side(struct lexicon_side *s)
{
	free(s->token);
	free(s->start);
}

void
lexicon_release(struct lexicon *x)
{
	release_side(&x->src);
	release_side(&x->tgt);
	free(x->first);
	free(x->entry);
	free(x->count);
}

static void
add_token(struct lexicon_side *s, int id)
{
	s->token = mem_grow(s->token, &s->room, s->n + 1, sizeof(*s->token));
	s->token[s->n++] = id;
}

static void
add_sentence(struct lexicon_side *s, size_t sentence, int n, const int *id)
{
	s->start = mem_grow(s->start, &s->start_room, sentence + 2, sizeof(*s->start));
	s->start[sentence] = s->n;
	for (int i = 0; i < n; i++)
		if (id[i] >= VOCAB_SPECIALS)
			add_token(s, id[i]);
	s->start[sentence + 1] = s->n;
}

void
lexicon_add(struct lexicon *x, int n_src, const int *src, int n_tgt, const int *tgt)
{
	add_sentence(&x->src, x->sentences, n_src, src);
	add_token(&x->src, EMPTY);
	x->src.start[x->sentences + 1] = x->src.n;
	add_sentence(&x->tgt, x->sentences, n_tgt, tgt);
	for (size_t i = x->tgt.start[x->sentences]; i < x->tgt.n; i++)
		x->count[x->tgt.token[i]]++;
	x->sentences++;
}

static void
find_occurrences(const struct lexicon *x, struct occurrences *o)
{
	const struct lexicon_side *s = &x->src;
	size_t *next;

	o->first = xcalloc((size_t)s->n_vocab + 1, sizeof(*o->first));
	o->at = xcalloc(s->n + 1, sizeof(*o->at));
	next = xcalloc((size_t)s->n_vocab, sizeof(*next));
	for (size_t i = 0; i < s->n; i++)
		o->first[s->token[i] + 1]++;
	for (int e = 0; e < s->n_vocab; e++) {
		o->first[e + 1] += o->first[e];
		next[e] = o->first[e];
	}
	for (size_t k = 0; k < x->sentences; k++)
		for (size_t i = s->start[k]; i < s->start[k + 1]; i++)
			o->at[next[s->token[i]]++] = k;
	free(next);
}

/* Finds the target entries that occur with each source entry. */
static void
find_entries(struct lexicon *x, const struct occurrences *o)
{
	const struct lexicon_side *t = &x->tgt;
	int *last = xcalloc((size_t)t->n_vocab, sizeof(*last));	/* source entry + 1 */
	size_t n = 0, room = 0;

	x->first = xcalloc((size_t)x->src.n_vocab + 1, sizeof(*x->first));
	for (int e = 0; e < x->src.n_vocab; e++) {
		for (size_t k = o->first[e]; k < o->first[e + 1]; k++)
			for (size_t j = t->start[o->at[k]]; j < t->start[o->at[k] + 1]; j++) {
				if (last[t->token[j]] == e + 1)
					continue;
				last[t->token[j]] = e + 1;
				x->entry = mem_grow(x->entry, &room, n + 1, sizeof(*x->entry));
				x->entry[n++] = (struct lexicon_entry){ t->token[j], 1 };
			}
		x->first[e + 1] = n;
	}
	free(last);
}

/* Calls visit for each occurrence of source entry e and each target token of its sentence. */
typedef void visit_token(struct estimation *m, size_t token, size_t entry);

static void
visit_entry(struct estimation *m, int e, visit_token *visit)
{
	const struct lexicon *x = m->x;
	const struct lexicon_side *t = &x->tgt;

	for (size_t i = x->first[e]; i < x->first[e + 1]; i++)
		m->place[x->entry[i].target] = i;
	for (size_t k = m->where.first[e]; k < m->where.first[e + 1]; k++) {
		const size_t sentence = m->where.at[k];

		for (size_t j = t->start[sentence]; j < t->start[sentence + 1]; j++)
			visit(m, j, m->place[t->token[j]]);
	}
}

static void
add_sum(struct estimation *m, size_t token, size_t entry)
{
	m->sum[token] += m->x->entry[entry].probability;
}

static void
add_count(struct estimation *m, size_t token, size_t entry)
{
	m->count[entry] += (double)m->x->entry[entry].probability / (double)m->sum[token];
}

/* t(f | e) from the counts of a source entry. */
static void
divide(struct estimation *m, int e)
{
	struct lexicon *x = m->x;
	double total = 0;

	for (size_t i = x->first[e]; i < x->first[e + 1]; i++)
		total += m->count[i];
	for (size_t i = x->first[e]; i < x->first[e + 1]; i++) {
		x->entry[i].probability = (float)(m->count[i] / total);
		m->count[i] = 0;
	}
}

static void
iterate(struct estimation *m)
{
	const int n = m->x->src.n_vocab;

	memset(m->sum, 0, m->x->tgt.n * sizeof(*m->sum));
	for (int e = 0; e < n; e++)
		visit_entry(m, e, add_sum);
	for (int e = 0; e < n; e++)
		visit_entry(m, e, add_count);
	for (int e = 0; e < n; e++)
		divide(m, e);
}

static int
by_falling_probability(const void *a, const void *b)
{
	const struct lexicon_entry *x = a, *y = b;

	if (x->probability != y->probability)
		return x->probability > y->probability ? -1 : 1;
	return x->target < y->target ? -1 : x->target > y->target;
}

void
lexicon_train(struct lexicon *x, int iterations)
{
	struct estimation m = { .x = x };

	find_occurrences(x, &m.where);
	find_entries(x, &m.where);
	m.count = xcalloc(x->first[x->src.n_vocab] + 1, sizeof(*m.count));
	m.sum = xcalloc(x->tgt.n + 1, sizeof(*m.sum));
	m.place = xcalloc((size_t)x->tgt.n_vocab, sizeof(*m.place));
	for (int i = 0; i < iterations; i++)
		iterate(&m);
	for (int e = 0; e < x->src.n_vocab; e++)
		if (x->first[e + 1] > x->first[e])
			qsort(x->entry + x->first[e], x->first[e + 1] - x->first[e],
			      sizeof(*x->entry), by_falling_probability);
	free(m.where.first);
	free(m.where.at);
	free(m.count);
	free(m.sum);
	free(m.place);
}
