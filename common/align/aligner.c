/* aligner: see aligner.h. */
#include "align/aligner.h"

#include <math.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

#include "align/hmm.h"
#include "base/mem.h"
#include "base/pool.h"

enum { SENTENCES_EACH = 64 };		/* sentences of an item of work */
static const double SUM_ONE = 4294967296;	/* 2^32, as counts of the table */

/* The arrays of J x (I + 1) of a sentence, and its memory in hmm.c. */
struct scratch {
	double *emission, *posterior;
	size_t *slot;
	size_t emission_room, posterior_room, slot_room;
	struct hmm_work hmm;
};

struct sentence_pair {
	int n_src, n_tgt;
	const int *src, *tgt;
	size_t first;			/* the number of the first target word in the corpus */
};

/* Sums are integers, which threads add in any order with the same result. */
struct aligner {
	const struct bitext *b;
	const struct aligner_options *o;
	struct translation_table *t;
	struct hmm hmm;
	bool is_hmm;
	_Atomic uint64_t jump[HMM_CLASSES], start[HMM_JUMPS + 1], words;
	_Atomic int64_t log_probability;	/* in units of 2^-20 */
	struct scratch *scratch;	/* [threads] */
	int *source_of;
	/* What to do with each pair that has words on both sides. */
	void (*visit)(struct aligner *a, const struct sentence_pair *s, struct scratch *x);
};

static bool
aligner_take_pair(const struct aligner *a, size_t k, struct sentence_pair *s)
{
	s->src = bitext_sentence(&a->b->src, k, &s->n_src);
	s->tgt = bitext_sentence(&a->b->tgt, k, &s->n_tgt);
	s->first = a->b->tgt.start[k];
	return s->n_src && s->n_tgt;
}

/* Finds t(f_j | e_i).  Slots are fetched ahead, since most are not in the cache. */
static void
set_emissions(const struct aligner *a, const struct sentence_pair *s, struct scratch *x)
{
	const size_t width = (size_t)s->n_src + 1, n = width * (size_t)s->n_tgt;
	size_t at = 0;

	x->emission = mem_grow(x->emission, &x->emission_room, n, sizeof(*x->emission));
	x->posterior = mem_grow(x->posterior, &x->posterior_room, n, sizeof(*x->posterior));
	x->slot = mem_grow(x->slot, &x->slot_room, n, sizeof(*x->slot));
	for (int j = 0; j < s->n_tgt; j++)
		for (size_t i = 0; i < width; i++) {
			const int e = i ? s->src[i - 1] : ALIGN_NULL;

			__builtin_prefetch(&a->t->slot[translation_home(a->t, e, s->tgt[j])]);
		}
	for (int j = 0; j < s->n_tgt; j++)
		for (size_t i = 0; i < width; i++, at++) {
			const int e = i ? s->src[i - 1] : ALIGN_NULL;

			x->slot[at] = translation_slot(a->t, e, s->tgt[j]);
			x->emission[at] = (double)a->t->slot[x->slot[at]].p;
			__builtin_prefetch((const void *)&a->t->count[x->slot[at]], 1);
		}
}

/* IBM model 1: each target word by itself. */
static double
ibm1_posteriors(const struct sentence_pair *s, const struct scratch *x)
{
	const size_t width = (size_t)s->n_src + 1;
	double log_probability = 0;

	for (int j = 0; j < s->n_tgt; j++) {
		const double *emission = x->emission + (size_t)j * width;
		double sum = 0;

		for (size_t i = 0; i < width; i++)
			sum += emission[i];
		for (size_t i = 0; i < width; i++)
			x->posterior[(size_t)j * width + i] = emission[i] / sum;
		log_probability += log(sum / (double)width);
	}
	return log_probability;
}

static void
aligner_add_sum(_Atomic uint64_t *sum, double x)
{
	if (x > 0)
		atomic_fetch_add_explicit(sum, (uint64_t)(x * SUM_ONE), memory_order_relaxed);
}

static void
add_counts(struct aligner *a, const struct hmm_counts *c)
{
	for (int d = 0; d < HMM_CLASSES; d++)
		aligner_add_sum(&a->jump[d], c->jump[d]);
	for (int i = 0; i <= HMM_JUMPS; i++)
		aligner_add_sum(&a->start[i], c->start[i]);
}

static void
expect_pair(struct aligner *a, const struct sentence_pair *s, struct scratch *x)
{
	const size_t n = ((size_t)s->n_src + 1) * (size_t)s->n_tgt;
	struct hmm_counts counts;
	double log_probability;

	if (a->is_hmm) {
		log_probability = hmm_posteriors(&a->hmm, s->n_src, s->n_tgt, x->emission,
						 x->posterior, &counts, &x->hmm);
		add_counts(a, &counts);
	} else {
		log_probability = ibm1_posteriors(s, x);
	}
	for (size_t i = 0; i < n; i++)
		translation_count(a->t, x->slot[i], x->posterior[i]);
	atomic_fetch_add_explicit(&a->words, (uint64_t)s->n_tgt, memory_order_relaxed);
	atomic_fetch_add_explicit(&a->log_probability, (int64_t)(log_probability * (1 << 20)),
				  memory_order_relaxed);
}

static void
estimate_hmm(struct aligner *a)
{
	struct hmm_counts counts;

	for (int d = 0; d < HMM_CLASSES; d++) {
		counts.jump[d] = (double)a->jump[d] / SUM_ONE;
		a->jump[d] = 0;
	}
	for (int i = 0; i <= HMM_JUMPS; i++) {
		counts.start[i] = (double)a->start[i] / SUM_ONE;
		a->start[i] = 0;
	}
	hmm_estimate(&a->hmm, &counts);
}

/* Visits some sentence pairs. */
static void
visit_pairs(void *arg, int item, int thread)
{
	struct aligner *a = arg;
	const size_t first = (size_t)item * SENTENCES_EACH;
	struct sentence_pair s;

	for (size_t k = first; k < first + SENTENCES_EACH && k < a->b->sentences; k++)
		if (aligner_take_pair(a, k, &s)) {
			set_emissions(a, &s, &a->scratch[thread]);
			a->visit(a, &s, &a->scratch[thread]);
		}
}

static void
aligner_visit(struct aligner *a, struct pool *p)
{
	pool_run(p, (int)((a->b->sentences + SENTENCES_EACH - 1) / SENTENCES_EACH), visit_pairs,
		 a);
}

static void
iterate(struct aligner *a, int iterations, struct pool *p, const struct aligner_progress *progress)
{
	a->visit = expect_pair;
	for (int i = 0; i < iterations; i++) {
		a->words = 0;
		a->log_probability = 0;
		aligner_visit(a, p);
		translation_table_estimate(a->t, a->o->prior, p);
		if (a->is_hmm)
			estimate_hmm(a);
		if (progress && a->words)
			progress->tell(progress->arg, a->is_hmm ? "HMM" : "IBM model 1", i + 1,
				       exp(-(double)a->log_probability / (1 << 20) /
					   (double)a->words));
	}
}

/* --- the best alignment --- */

static void
align_by_ibm1(const struct sentence_pair *s, const struct scratch *x, int *source_of)
{
	const size_t width = (size_t)s->n_src + 1;

	for (int j = 0; j < s->n_tgt; j++) {
		const double *emission = x->emission + (size_t)j * width;
		int best = 0;

		for (int i = 1; i <= s->n_src; i++)
			if (emission[i] > emission[best])
				best = i;
		source_of[j] = best - 1;
	}
}

static void
align_pair(struct aligner *a, const struct sentence_pair *s, struct scratch *x)
{
	int *to = a->source_of + s->first;

	if (a->is_hmm)
		hmm_align(&a->hmm, s->n_src, s->n_tgt, x->emission, to, &x->hmm);
	else
		align_by_ibm1(s, x, to);
}

static void
open_aligner(struct aligner *a, const struct bitext *b, const struct aligner_options *o,
	     struct translation_table *t, struct pool *p)
{
	memset(a, 0, sizeof(*a));
	a->b = b;
	a->o = o;
	a->t = t;
	a->scratch = xcalloc((size_t)pool_threads(p), sizeof(*a->scratch));
	translation_table_init(t, b, p);
	hmm_init(&a->hmm, o->null);
}

static void
close_aligner(struct aligner *a, struct pool *p)
{
	for (int i = 0; i < pool_threads(p); i++) {
		free(a->scratch[i].emission);
		free(a->scratch[i].posterior);
		free(a->scratch[i].slot);
		hmm_work_release(&a->scratch[i].hmm);
	}
	free(a->scratch);
}

void
aligner_run(const struct bitext *b, const struct aligner_options *o, struct pool *p,
	    const struct aligner_progress *progress, int *source_of)
{
	struct translation_table t;
	struct aligner a;

	open_aligner(&a, b, o, &t, p);
	a.source_of = source_of;
	iterate(&a, o->ibm1, p, progress);
	a.is_hmm = o->hmm > 0;
	iterate(&a, o->hmm, p, progress);
	for (size_t j = 0; j < b->tgt.n; j++)
		source_of[j] = -1;
	a.visit = align_pair;
	aligner_visit(&a, p);
	close_aligner(&a, p);
	translation_table_release(&t);
}

void
aligner_ibm1(const struct bitext *b, int iterations, double prior, struct pool *p,
	     struct translation_table *t)
{
	const struct aligner_options o = { .ibm1 = iterations, .prior = prior };
	struct aligner a;

	open_aligner(&a, b, &o, t, p);
	iterate(&a, iterations, p, NULL);
	close_aligner(&a, p);
}
