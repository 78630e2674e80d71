/* translation-table: see translation-table.h. */
#include "align/translation-table.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/mem.h"
#include "base/pool.h"

static const double COUNT_ONE = 4294967296;	/* 2^32 */
static const float LEAST = 1e-30f;	/* probabilities are above 0 */

/* Where source words occur: word e in the sentences at[first[e]] to at[first[e + 1] - 1]. */
struct occurrences { size_t *first, *at; };

struct making {
	struct translation_table *t;
	const struct bitext *b;
	struct occurrences where;
	size_t *pairs;			/* [n_src] of each source word */
	int *last;			/* [threads, n_tgt] source word + 1 that was last seen */
	/* What to do with each pair of source word e that occurs. */
	void (*visit)(struct making *m, int e, int f);
};

static void
find_occurrences(const struct bitext *b, struct occurrences *o)
{
	const struct bitext_side *s = &b->src;
	const int n = s->n_vocab;
	size_t *next = xcalloc((size_t)n + 1, sizeof(*next));

	o->first = xcalloc((size_t)n + 1, sizeof(*o->first));
	o->at = xcalloc(s->n + 1, sizeof(*o->at));
	for (size_t i = 0; i < s->n; i++)
		o->first[s->word[i] + 1]++;
	for (int e = 0; e < n; e++) {
		o->first[e + 1] += o->first[e];
		next[e] = o->first[e];
	}
	for (size_t k = 0; k < b->sentences; k++)
		for (size_t i = s->start[k]; i < s->start[k + 1]; i++)
			o->at[next[s->word[i]]++] = k;
	free(next);
}

static size_t
slots_of(const struct translation_table *t, int e)
{
	return t->first[e + 1] - t->first[e];
}

/* slots is a power of two. */
static size_t
hashed(int target, size_t slots)
{
	return (size_t)(((uint64_t)(uint32_t)target * 0x9e3779b97f4a7c15u) >> 32) & (slots - 1);
}

size_t
translation_home(const struct translation_table *t, int source, int target)
{
	return t->first[source] + hashed(target, slots_of(t, source));
}

/* The slot of a pair, or the free one where it belongs. */
size_t
translation_slot(const struct translation_table *t, int source, int target)
{
	const size_t first = t->first[source], slots = slots_of(t, source);
	size_t at = hashed(target, slots);

	while (t->slot[first + at].target != target && t->slot[first + at].target >= 0)
		at = (at + 1) & (slots - 1);
	return first + at;
}

/* Visits each pair of a source word once: `seen` tells pairs that were visited before. */
static void
visit_word(void *arg, int e, int thread)
{
	struct making *m = arg;
	const struct bitext_side *t = &m->b->tgt;
	int *seen = m->last + (size_t)thread * (size_t)t->n_vocab;

	for (size_t k = m->where.first[e]; k < m->where.first[e + 1]; k++) {
		const size_t sentence = m->where.at[k];

		for (size_t j = t->start[sentence]; j < t->start[sentence + 1]; j++)
			if (seen[t->word[j]] != e + 1) {
				seen[t->word[j]] = e + 1;
				m->visit(m, e, t->word[j]);
			}
	}
	for (int f = 0; e == ALIGN_NULL && f < t->n_vocab; f++)
		m->visit(m, e, f);
}

static void
count_pair(struct making *m, int e, int f)
{
	(void)f;
	m->pairs[e]++;
}

static void
put_pair(struct making *m, int e, int f)
{
	struct translation *slot = &m->t->slot[translation_slot(m->t, e, f)];

	*slot = (struct translation){ f, 1 / (float)m->t->n_tgt };
}

/* Room for the pairs, of which at least a quarter is free. */
static void
set_slots(struct making *m)
{
	struct translation_table *t = m->t;

	for (int e = 0; e < t->n_src; e++) {
		size_t slots = 2;

		while (slots * 3 < m->pairs[e] * 4 + 1)
			slots *= 2;
		t->first[e + 1] = t->first[e] + slots;
	}
	t->slot = xcalloc(t->first[t->n_src], sizeof(*t->slot));
	t->count = xcalloc(t->first[t->n_src], sizeof(*t->count));
	for (size_t i = 0; i < t->first[t->n_src]; i++)
		t->slot[i].target = -1;
}

void
translation_table_init(struct translation_table *t, const struct bitext *b, struct pool *p)
{
	struct making m = { .t = t, .b = b, .visit = count_pair };
	const size_t last = (size_t)pool_threads(p) * (size_t)b->tgt.n_vocab;

	*t = (struct translation_table){ .n_src = b->src.n_vocab, .n_tgt = b->tgt.n_vocab };
	t->first = xcalloc((size_t)t->n_src + 1, sizeof(*t->first));
	m.pairs = xcalloc((size_t)t->n_src, sizeof(*m.pairs));
	m.last = xcalloc(last + 1, sizeof(*m.last));
	find_occurrences(b, &m.where);
	pool_run(p, t->n_src, visit_word, &m);
	set_slots(&m);
	memset(m.last, 0, last * sizeof(*m.last));
	m.visit = put_pair;
	pool_run(p, t->n_src, visit_word, &m);
	free(m.last);
	free(m.pairs);
	free(m.where.first);
	free(m.where.at);
}

void
translation_table_release(struct translation_table *t)
{
	free(t->first);
	free(t->slot);
	free((void *)t->count);
}

void
translation_count(struct translation_table *t, size_t slot, double count)
{
	atomic_fetch_add_explicit(&t->count[slot], (uint64_t)(count * COUNT_ONE),
				  memory_order_relaxed);
}

/* --- estimates --- */

double
digamma(double x)
{
	double shift = 0, y;

	for (; x < 10; x++)
		shift -= 1 / x;
	y = 1 / (x * x);
	return shift + log(x) - 0.5 / x -
	       y * (1.0 / 12 - y * (1.0 / 120 - y * (1.0 / 252 - y * (1.0 / 240 - y / 132))));
}

struct estimation { struct translation_table *t; double prior; };

static void
estimate_word(void *arg, int e, int thread)
{
	const struct estimation *x = arg;
	struct translation_table *t = x->t;
	double total = 0, whole;

	(void)thread;
	for (size_t i = t->first[e]; i < t->first[e + 1]; i++)
		if (t->slot[i].target >= 0)
			total += (double)t->count[i] / COUNT_ONE + x->prior;
	whole = x->prior > 0 ? digamma(total) : log(total);
	for (size_t i = t->first[e]; i < t->first[e + 1]; i++) {
		const double c = (double)t->count[i] / COUNT_ONE + x->prior;
		float p = LEAST;

		if (t->slot[i].target < 0)
			continue;
		if (x->prior > 0)
			p = (float)exp(digamma(c) - whole);
		else if (total > 0)
			p = (float)(c / total);
		t->slot[i].p = p > LEAST ? p : LEAST;
		t->count[i] = 0;
	}
}

void
translation_table_estimate(struct translation_table *t, double prior, struct pool *p)
{
	struct estimation x = { t, prior };

	pool_run(p, t->n_src, estimate_word, &x);
}
