/* hmm: see hmm.h. */
#include "align/hmm.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/mem.h"

/* What is left out where a state is this improbable is below what double precision shows. */
static const double NOTHING = 1e-17;

void
hmm_init(struct hmm *h, double null)
{
	h->null = null;
	for (int d = 0; d < HMM_CLASSES; d++)
		h->jump[d] = 1;
	for (int i = 0; i <= HMM_JUMPS; i++)
		h->start[i] = 1;
}

void
hmm_work_release(struct hmm_work *w)
{
	free(w->v);
	free(w->back);
}

/*
 * A model for one sentence.  Memories are the last source words k = -1 (none), 0, ..., I - 1, with
 * the index k + 1.
 */
struct sentence {
	int n_src, n_tgt;
	const double *emission;
	double null;
	double *jump;			/* w(d), d from 1 - I to I - 1; points to w(0) */
	double *start;			/* [I] v(i), normalized, times 1 - null */
	double *leave;			/* [I] (1 - null) / sum over i of w(i - k) */
	double *memory;			/* [J + 1][I + 1] scaled forward probabilities */
	double *scale;			/* [J] sum of the memories of each target word */
	double *produced;		/* [I] for the current word */
	double *after, *before;		/* [I + 1] backward probabilities */
	double *counts;			/* as jump: sums of what hmm_counts has by class */
};

static int
class_of(int d)
{
	return d < -HMM_JUMPS ? -HMM_JUMPS : d > HMM_JUMPS ? HMM_JUMPS : d;
}

static double
hmm_weight(const double *by_class, int d)
{
	return by_class[class_of(d)] / (class_of(d) == d ? 1 : HMM_TAIL);
}

static double *
hmm_take(double **room, size_t n)
{
	double *v = *room;

	*room += n;
	return v;
}

static void
set_jumps(struct sentence *s, const struct hmm *h)
{
	const int n = s->n_src;
	double total = 0, sum = 0;

	for (int d = 1 - n; d < n; d++)
		s->jump[d] = hmm_weight(h->jump + HMM_JUMPS, d);
	for (int i = 0; i < n; i++)
		sum += s->jump[i];
	for (int k = 0; k < n; k++) {	/* jumps from -k to n - 1 - k */
		s->leave[k] = (1 - h->null) / sum;
		if (k + 1 < n)
			sum += s->jump[-k - 1] - s->jump[n - 1 - k];
	}
	for (int i = 0; i < n; i++)
		total += hmm_weight(h->start, i);
	for (int i = 0; i < n; i++)
		s->start[i] = (1 - h->null) * hmm_weight(h->start, i) / total;
}

static void
hmm_open_sentence(struct sentence *s, const struct hmm *h, int n_src, int n_tgt,
		  const double *emission, struct hmm_work *w)
{
	const size_t n = (size_t)n_src, width = n + 1, m = (size_t)n_tgt;
	double *room;

	w->v = mem_grow(w->v, &w->room, 2 * (2 * n + 1) + 3 * n + (m + 1) * width + m + 2 * width,
			sizeof(*w->v));
	room = w->v;
	*s = (struct sentence){ .n_src = n_src, .n_tgt = n_tgt, .emission = emission,
				.null = h->null };
	s->jump = hmm_take(&room, 2 * n + 1) + n;
	s->counts = hmm_take(&room, 2 * n + 1) + n;
	s->start = hmm_take(&room, n);
	s->leave = hmm_take(&room, n);
	s->produced = hmm_take(&room, n);
	s->memory = hmm_take(&room, (m + 1) * width);
	s->scale = hmm_take(&room, m);
	s->after = hmm_take(&room, width);
	s->before = hmm_take(&room, width);
	set_jumps(s, h);
	memset(s->memory, 0, width * sizeof(*s->memory));
	s->memory[0] = 1;
}

/* Adds x times the weights of the jumps from a word to all words. */
static void
add_jumps(double *sum, const double *jump, double x, int n)
{
	for (int i = 0; i < n; i++)
		sum[i] += x * jump[i];
}

/* The probability, before its emission, of each source word after these memories. */
static void
hmm_step(const struct sentence *s, const double *memory, double *word)
{
	for (int i = 0; i < s->n_src; i++)
		word[i] = memory[0] * s->start[i];
	for (int k = 0; k < s->n_src; k++)
		if (memory[k + 1] > NOTHING)
			add_jumps(word, s->jump - k, memory[k + 1] * s->leave[k], s->n_src);
}

/*
 * Forward probabilities.  The posterior of a source word is set to the part of its memory that is
 * not the empty word's.  Returns the logarithm of the probability of the sentence.
 */
static double
go_forward(struct sentence *s, double *posterior)
{
	const int n = s->n_src, width = n + 1;
	double log_probability = 0;

	for (int j = 0; j < s->n_tgt; j++) {
		const double *emission = s->emission + (size_t)j * (size_t)width;
		const double *last = s->memory + (size_t)j * (size_t)width;
		double *now = s->memory + (size_t)(j + 1) * (size_t)width;
		double *word = posterior + (size_t)j * (size_t)width + 1, sum = 0;

		hmm_step(s, last, word);
		for (int i = 0; i < n; i++)
			word[i] *= emission[i + 1];
		for (int k = 0; k < width; k++) {
			now[k] = s->null * emission[0] * last[k] + (k ? word[k - 1] : 0);
			sum += now[k];
		}
		for (int k = 0; k < width; k++)
			now[k] /= sum;
		for (int i = 0; i < n; i++)
			word[i] /= sum;
		s->scale[j] = sum;
		log_probability += log(sum);
	}
	return log_probability;
}

/*
 * The backward step over target word j, from s->after to s->before, and the expected counts of the
 * jumps to it.
 */
static void
hmm_step_back(struct sentence *s, int j, struct hmm_counts *counts)
{
	const int n = s->n_src, width = n + 1;
	const double *emission = s->emission + (size_t)j * (size_t)width;
	const double *last = s->memory + (size_t)j * (size_t)width;
	double *swap;

	for (int i = 0; i < n; i++)
		s->produced[i] = emission[i + 1] * s->after[i + 1] / s->scale[j];
	s->before[0] = 0;
	for (int i = 0; i < n; i++) {
		const double x = s->start[i] * s->produced[i];

		s->before[0] += x;
		counts->start[class_of(i)] += last[0] * x;
	}
	for (int k = 0; k < n; k++) {
		const double *jump = s->jump - k;
		double sum = 0;

		for (int i = 0; i < n; i++)
			sum += jump[i] * s->produced[i];
		s->before[k + 1] = s->leave[k] * sum;
		if (last[k + 1] > NOTHING)
			add_jumps(s->counts - k, s->produced, last[k + 1] * s->leave[k], n);
	}
	for (int k = 0; k < width; k++)
		s->before[k] += s->null * emission[0] * s->after[k] / s->scale[j];
	swap = s->after;
	s->after = s->before;
	s->before = swap;
}

double
hmm_posteriors(const struct hmm *h, int n_src, int n_tgt, const double *emission,
	       double *posterior, struct hmm_counts *counts, struct hmm_work *w)
{
	const int width = n_src + 1;
	struct sentence s;
	double log_probability;

	hmm_open_sentence(&s, h, n_src, n_tgt, emission, w);
	memset(counts, 0, sizeof(*counts));
	for (int d = 1 - n_src; d < n_src; d++)
		s.counts[d] = 0;
	log_probability = go_forward(&s, posterior);
	for (int k = 0; k < width; k++)
		s.after[k] = 1;
	for (int j = n_tgt; j-- > 0;) {
		double *row = posterior + (size_t)j * (size_t)width, words = 0;

		for (int i = 1; i < width; i++) {
			row[i] *= s.after[i];
			words += row[i];
		}
		row[0] = words < 1 ? 1 - words : 0;
		hmm_step_back(&s, j, counts);
	}
	for (int d = 1 - n_src; d < n_src; d++)
		counts->jump[class_of(d) + HMM_JUMPS] += s.counts[d] * s.jump[d];
	return log_probability;
}

/* --- the most probable sequence --- */

/* The best memory before source word i: the index, and its probability before the emission. */
static int
best_before(const struct sentence *s, const double *memory, int i, double *p)
{
	int best = 0;

	*p = memory[0] * s->start[i];
	for (int k = 0; k < s->n_src; k++) {
		const double x = memory[k + 1] * s->leave[k] * s->jump[i - k];

		if (x > *p) {
			*p = x;
			best = k + 1;
		}
	}
	return best;
}

/* One target word; back is the memory before each memory, or -1 - it for the empty word. */
static void
step_best(const struct sentence *s, int j, int *back)
{
	const int width = s->n_src + 1;
	const double *emission = s->emission + (size_t)j * (size_t)width;
	const double *last = s->memory + (size_t)j * (size_t)width;
	double *now = s->memory + (size_t)(j + 1) * (size_t)width, most = 0;

	for (int k = 0; k < width; k++) {
		double p = 0;
		const int from = k ? best_before(s, last, k - 1, &p) : 0;

		now[k] = s->null * emission[0] * last[k];
		back[k] = -1 - k;
		p *= emission[k];
		if (k && p > now[k]) {
			now[k] = p;
			back[k] = from;
		}
		most = now[k] > most ? now[k] : most;
	}
	for (int k = 0; k < width; k++)
		now[k] /= most;
}

void
hmm_align(const struct hmm *h, int n_src, int n_tgt, const double *emission, int *source_of,
	  struct hmm_work *w)
{
	const size_t width = (size_t)n_src + 1;
	struct sentence s;
	const double *last;
	int best = 0;

	hmm_open_sentence(&s, h, n_src, n_tgt, emission, w);
	w->back = mem_grow(w->back, &w->back_room, (size_t)n_tgt * width, sizeof(*w->back));
	for (int j = 0; j < n_tgt; j++)
		step_best(&s, j, w->back + (size_t)j * width);
	last = s.memory + (size_t)n_tgt * width;
	for (int k = 1; k < (int)width; k++)
		if (last[k] > last[best])
			best = k;
	for (int j = n_tgt; j-- > 0;) {
		const int back = w->back[(size_t)j * width + (size_t)best];

		source_of[j] = back < 0 ? -1 : best - 1;
		best = back < 0 ? -1 - back : back;
	}
}

/* --- estimates --- */

static void
hmm_estimate_weights(double *weights, const double *count, int n)
{
	double total = 0;

	for (int i = 0; i < n; i++)
		total += count[i];
	for (int i = 0; i < n && total > 0; i++)
		weights[i] = (1 - HMM_SMOOTH) * count[i] / total + HMM_SMOOTH / n;
}

void
hmm_estimate(struct hmm *h, const struct hmm_counts *counts)
{
	hmm_estimate_weights(h->jump, counts->jump, HMM_CLASSES);
	hmm_estimate_weights(h->start, counts->start, HMM_JUMPS + 1);
}
