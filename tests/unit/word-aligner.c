/*
 * word-aligner: the hidden Markov model against a sum over all sequences of its states, IBM model 1
 * and its estimates by hand, digamma at known values, and symmetrization by hand.
 */
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "align/aligner.h"
#include "align/hmm.h"
#include "align/symmetrize.h"

enum { MAX_SRC = 40, MAX_TGT = 5, MAX_CELLS = (MAX_SRC + 1) * MAX_TGT };

static void
close_to(double found, double expected)
{
	if (!(fabs(found - expected) <= 1e-9))
		fail_msg("%.15g, expected %.15g", found, expected);
}

static uint32_t state = 1;

static double
drawn(void)
{
	state = state * 1664525 + 1013904223;
	return (state >> 8) / 16777216.0;
}

/* --- all sequences --- */

struct all {
	const struct hmm *h;
	int n_src, n_tgt;
	const double *emission;
	int word[MAX_TGT];		/* of each target word the source word, or -1 */
	double total, posterior[MAX_CELLS], best;
	int best_word[MAX_TGT];
	struct hmm_counts counts;
};

/* The weight and the class of a jump, as the header has them. */
static double
jump_weight(const struct all *a, int k, int i)
{
	const int d = i - k;

	if (k < 0)
		return i <= HMM_JUMPS ? a->h->start[i] : a->h->start[HMM_JUMPS] / HMM_TAIL;
	if (abs(d) > HMM_JUMPS)
		return a->h->jump[d < 0 ? 0 : 2 * HMM_JUMPS] / HMM_TAIL;
	return a->h->jump[HMM_JUMPS + d];
}

static void
count_jump(struct all *a, int k, int i, double p)
{
	const int d = i - k < -HMM_JUMPS ? -HMM_JUMPS : i - k > HMM_JUMPS ? HMM_JUMPS : i - k;

	if (k < 0)
		a->counts.start[i > HMM_JUMPS ? HMM_JUMPS : i] += p;
	else
		a->counts.jump[HMM_JUMPS + d] += p;
}

/* The sequence is complete: adds its probability wherever it belongs. */
static void
add_sequence(struct all *a, double p)
{
	int k = -1;

	a->total += p;
	for (int j = 0; j < a->n_tgt; j++) {
		a->posterior[j * (a->n_src + 1) + a->word[j] + 1] += p;
		if (a->word[j] >= 0) {
			count_jump(a, k, a->word[j], p);
			k = a->word[j];
		}
	}
	if (p > a->best) {
		a->best = p;
		memcpy(a->best_word, a->word, sizeof(a->word));
	}
}

static void
visit(struct all *a, int j, int k, double p)
{
	const double *emission = a->emission + j * (a->n_src + 1);
	double sum = 0;

	if (j == a->n_tgt) {
		add_sequence(a, p);
		return;
	}
	a->word[j] = -1;
	visit(a, j + 1, k, p * a->h->null * emission[0]);
	for (int i = 0; i < a->n_src; i++)
		sum += jump_weight(a, k, i);
	for (int i = 0; i < a->n_src; i++) {
		a->word[j] = i;
		visit(a, j + 1, i, p * (1 - a->h->null) * jump_weight(a, k, i) / sum *
				   emission[i + 1]);
	}
}

static void
compare(struct all *a)
{
	double posterior[MAX_CELLS];
	struct hmm_work work = { .room = 0 };
	struct hmm_counts counts;
	int to[MAX_TGT];
	const double log_probability = hmm_posteriors(a->h, a->n_src, a->n_tgt, a->emission,
						      posterior, &counts, &work);

	visit(a, 0, -1, 1);
	close_to(log_probability, log(a->total));
	for (int i = 0; i < a->n_tgt * (a->n_src + 1); i++)
		close_to(posterior[i], a->posterior[i] / a->total);
	for (int d = 0; d < HMM_CLASSES; d++)
		close_to(counts.jump[d], a->counts.jump[d] / a->total);
	for (int i = 0; i <= HMM_JUMPS; i++)
		close_to(counts.start[i], a->counts.start[i] / a->total);
	hmm_align(a->h, a->n_src, a->n_tgt, a->emission, to, &work);
	for (int j = 0; j < a->n_tgt; j++)
		assert_int_equal(to[j], a->best_word[j]);
	hmm_work_release(&work);
}

/* Sentences of 1 to 3 words, and of 40 words, which has jumps beyond the classes. */
static void
all_sequences(void **unused)
{
	static const struct { int src, tgt; } size[] = {
		{ 1, 1 }, { 1, 4 }, { 2, 5 }, { 3, 5 }, { 3, 1 }, { 40, 2 }, { 40, 3 }
	};

	(void)unused;
	for (int k = 0; k < 3 * (int)(sizeof(size) / sizeof(*size)); k++) {
		const int s = k / 3;
		double emission[MAX_CELLS];
		struct hmm h;
		struct all a = { .h = &h, .n_src = size[s].src, .n_tgt = size[s].tgt,
				 .emission = emission };

		hmm_init(&h, 0.1 + 0.3 * drawn());
		for (int d = 0; d < HMM_CLASSES; d++)
			h.jump[d] = 0.01 + drawn();
		for (int i = 0; i <= HMM_JUMPS; i++)
			h.start[i] = 0.01 + drawn();
		for (int i = 0; i < a.n_tgt * (a.n_src + 1); i++)
			emission[i] = drawn() * drawn() * 0.1;
		compare(&a);
	}
}

/* Weights from counts: shares, of which a part is equal. */
static void
weights(void **unused)
{
	struct hmm_counts counts = { .jump = { [HMM_JUMPS + 1] = 3, [HMM_JUMPS] = 1 } };
	struct hmm h;

	(void)unused;
	hmm_init(&h, 0.2);
	hmm_estimate(&h, &counts);
	close_to(h.jump[HMM_JUMPS + 1], 0.98 * 0.75 + 0.02 / 65);
	close_to(h.jump[0], 0.02 / 65);
	close_to(h.start[0], 1);		/* no counts: as before */
}

/* --- IBM model 1 --- */

/* The p of a pair. */
static double
p_of(const struct translation_table *t, int source, int target)
{
	const struct translation *at = &t->slot[translation_slot(t, source, target)];

	assert_int_equal(at->target, target);
	return (double)at->p;
}

/*
 * "a b" with "x y", and "a" with "x".  First all are equal: the empty word, a and b have a third
 * each of x and y in the first pair, the empty word and a a half of x in the second.
 */
static void
by_hand(void **unused)
{
	static const int ab[] = { 1, 2 }, xy[] = { 1, 2 };
	struct translation_table t;
	struct bitext b;

	(void)unused;
	bitext_init(&b, 3, 3);
	bitext_add(&b, 2, ab, 2, xy);
	bitext_add(&b, 1, ab, 1, xy);
	aligner_ibm1(&b, 1, 0, NULL, &t);
	close_to(round(p_of(&t, 1, 1) * 1e6), round((1.0 / 3 + 0.5) / (2.0 / 3 + 0.5) * 1e6));
	close_to(round(p_of(&t, 1, 2) * 1e6), round((1.0 / 3) / (2.0 / 3 + 0.5) * 1e6));
	close_to(round(p_of(&t, 2, 2) * 1e6), round(0.5 * 1e6));
	translation_table_release(&t);
	aligner_ibm1(&b, 1, 0.1, NULL, &t);
	close_to(round(p_of(&t, 1, 2) * 1e5),
		 round(exp(digamma(1.0 / 3 + 0.1) - digamma(2.0 / 3 + 0.5 + 0.2)) * 1e5));
	translation_table_release(&t);
	bitext_release(&b);
}

/* -gamma, -gamma - 2 log 2, and 1 + 1/2 + ... + 1/9 - gamma (Abramowitz and Stegun, 6.3). */
static void
known_digamma(void **unused)
{
	const double gamma = 0.57721566490153286061;

	(void)unused;
	close_to(digamma(1), -gamma);
	close_to(digamma(0.5), -gamma - 2 * log(2));
	close_to(digamma(10), 2.82896825396825396825 - gamma);
	close_to(digamma(0.1), -10.4237549404110767);
	close_to(digamma(1e6), 13.8155100579641907);
}

/* --- symmetrization --- */

static void
links_are(enum symmetrization how, const char *expected)
{
	/*
	 * Source words 0 to 3, target words 0 to 5.  Both: 0-0 and 1-1.  Forward only: 1-2 (a
	 * neighbor), 3-4 (both words are free), 0-5 (one word is).  Backward only: 2-1 (a
	 * neighbor).
	 */
	static const int source_of[] = { 0, 1, 1, -1, 3, 0 }, target_of[] = { 0, 1, 1, -1 };
	const struct both_directions a = { 4, 6, source_of, target_of };
	struct link_set links = { .n = 0 };
	char text[64] = "";

	symmetrize(&a, how, &links);
	for (size_t i = 0; i < links.n; i++) {
		const size_t n = strlen(text);

		snprintf(text + n, sizeof(text) - n, "%s%d-%d", i ? " " : "", links.v[i].source,
			 links.v[i].target);
	}
	assert_string_equal(text, expected);
	link_set_release(&links);
}

static void
methods(void **unused)
{
	(void)unused;
	links_are(SYMMETRIZE_FORWARD, "0-0 1-1 1-2 3-4 0-5");
	links_are(SYMMETRIZE_BACKWARD, "0-0 1-1 2-1");
	links_are(SYMMETRIZE_INTERSECTION, "0-0 1-1");
	links_are(SYMMETRIZE_UNION, "0-0 1-1 2-1 1-2 3-4 0-5");
	links_are(SYMMETRIZE_GROW_DIAG, "0-0 1-1 2-1 1-2");
	links_are(SYMMETRIZE_GROW_DIAG_FINAL_AND, "0-0 1-1 2-1 1-2 3-4");
	links_are(SYMMETRIZE_GROW_DIAG_FINAL, "0-0 1-1 2-1 1-2 3-4 0-5");
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(all_sequences), cmocka_unit_test(weights),
		cmocka_unit_test(by_hand), cmocka_unit_test(known_digamma),
		cmocka_unit_test(methods)
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
