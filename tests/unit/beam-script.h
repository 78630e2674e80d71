/* beam-script: a scorer that runs a script, for the tests of beam search. */
#ifndef BEAM_SCRIPT_H
#define BEAM_SCRIPT_H

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <cmocka.h>

#include "base/hash.h"
#include "base/mem.h"
#include "search/beam.h"

enum { WORDS = 3, V = VOCAB_SPECIALS + WORDS, LONG = 12, MANY = 200 };
#define A VOCAB_SPECIALS

/* The tokens that each hypothesis has read, as text of one character per token. */
struct script {
	void (*rule)(struct script *s, int sentence, const char *history, real *p);
	int seed, plus;			/* plus: added to the index of the sentence */
	char history[64 * MANY][LONG + 2];
	int max;			/* maximum number of hypotheses in a step */
};

static struct script script;

/* Pseudorandom values that depend on the whole history. */
static inline double
noise(int seed, int sentence, const char *history, int id)
{
	uint32_t crc = crc32_add((uint32_t)(seed * 7919 + sentence), history, strlen(history));
	uint8_t b = (uint8_t)id;

	return (double)(crc32_add(crc, &b, 1) * 2654435761u >> 8) / (1 << 24);
}

static inline void
smooth(struct script *s, int sentence, const char *history, real *p)
{
	double sum = 0;

	for (int v = 0; v < V; v++)
		sum += exp(4 * noise(s->seed, sentence, history, v));
	for (int v = 0; v < V; v++)
		p[v] = (real)(4 * noise(s->seed, sentence, history, v) - log(sum));
}

/* The best ids of [from, to) by p, then by lower id, by repeated selection. */
static inline void
pick(const real *p, int from, int to, struct best *b)
{
	bool taken[V] = { false };

	for (int at; b->n < b->width; taken[at] = true) {
		at = -1;
		for (int v = from; v < to; v++)
			if (!taken[v] && p[v] > -INFINITY && (at < 0 || p[v] > p[at]))
				at = v;
		if (at < 0)
			return;
		b->list[b->n++] = (struct scored){ p[at], at };
	}
}

static inline void
step(void *arg, const struct beam_step *x)
{
	struct script *s = arg;
	real p[V];

	s->max = x->n > s->max ? x->n : s->max;
	for (int i = 0; i < x->n; i++) {
		char *h = s->history[x->slot[i]];

		h[x->pos[i]] = x->pos[i] ? (char)('a' + x->id[i]) : '^';
		h[x->pos[i] + 1] = '\0';
		s->rule(s, x->sentence[i] + s->plus, h, p);
		pick(p, x->from[i], x->to[i], &x->best[i]);
	}
}

static inline void
copy(void *arg, int n, const int *from, const int *to, const int *len)
{
	struct script *s = arg;

	for (int i = 0; i < n; i++)
		memcpy(s->history[to[i]], s->history[from[i]], (size_t)len[i]);
}

static const struct scorer scorer = { V, VOCAB_BOS, step, copy, &script };

static inline struct search_settings
settings(enum search_variant variant, int beam, int n_best)
{
	struct search_settings s;

	search_defaults(&s, variant);
	s.beam = beam;
	s.n_best = n_best;
	return s;
}

/* Translates one sentence; the result is valid until the next call. */
static inline const struct translation *
search(const struct search_settings *set, int sentence, int max_len)
{
	static struct arena mem;
	static struct translation t;
	const struct beam_task task = { .n = 1, .live = 1, .max_len = &max_len };

	arena_release(&mem);
	arena_init(&mem, 0);
	script.plus = sentence;
	beam_search(&scorer, set, &task, &mem, &t);
	script.plus = 0;
	return &t;
}

/* A complete hypothesis of the slow searches. */
struct slow { char text[LONG + 2]; double log_prob, score; int len; bool ended; };
struct list { int n; struct slow h[8 * MANY]; };

static inline void
assert_same(const struct translation *t, const struct slow *want, int n)
{
	assert_int_equal(t->n, n);
	for (int i = 0; i < n; i++) {
		const struct hypothesis *h = &t->best[i];
		char text[LONG + 2] = "^";

		for (int k = 0; k < h->n; k++)
			text[k + 1] = (char)('a' + h->id[k]);
		text[h->n + 1] = '\0';
		assert_string_equal(text, want[i].text);
		assert_true(h->score == want[i].score);
		assert_true(h->log_prob == want[i].log_prob);
	}
}

/* Sorts by score; stable. */
static inline void
sort(struct list *l)
{
	for (int i = 1; i < l->n; i++)
		for (int k = i; k > 0 && l->h[k].score > l->h[k - 1].score; k--) {
			struct slow x = l->h[k];

			l->h[k] = l->h[k - 1];
			l->h[k - 1] = x;
		}
}

enum { COMPANY = 20 };

#endif
