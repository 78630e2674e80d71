/* attention-sums: sums over the rows of attention weights; see attention-sums.h. */
#include "analysis/attention-sums.h"

#include <math.h>
#include <stddef.h>
#include <stdlib.h>

static const real *
attention_sums_row_of(const struct head_weights *w, int i)
{
	return w->x + (ptrdiff_t)i * w->keys;
}

int
head_weights_best(const struct head_weights *w, int i)
{
	const real *x = attention_sums_row_of(w, i);
	int best = -1;

	for (int j = 0; j < w->columns; j++)
		if (x[j] > (best < 0 ? 0 : x[best]))
			best = j;
	return best;
}

static double
entropy_of(const struct head_weights *w, int i)
{
	const real *x = attention_sums_row_of(w, i);
	double sum = 0;

	for (int j = 0; j < w->keys; j++)
		if (x[j] > 0)
			sum -= (double)x[j] * log((double)x[j]);
	return sum;
}

static void
add_distance(struct attention_sums *s, const struct head_weights *w, int i)
{
	const real *x = attention_sums_row_of(w, i);

	for (int j = 0; j < w->columns; j++) {
		s->weight += (double)x[j];
		s->distance += (double)x[j] * abs(j - i);
	}
}

static void
add_offsets(struct attention_sums *s, const struct head_weights *w, int i, int best)
{
	const int last = w->causal && i < w->columns ? i : w->columns - 1;

	for (int o = -OFFSET_MAX; o <= OFFSET_MAX; o++) {
		const int j = i + o;

		s->chances[o + OFFSET_MAX] += j >= 0 && j <= last;
		s->hits[o + OFFSET_MAX] += best >= 0 && j == best;
	}
}

void
attention_sums_add(struct attention_sums *s, const struct head_weights *w)
{
	double confidence = 0;

	if (w->rows < 1 || w->columns < 1)
		return;
	for (int i = 0; i < w->rows; i++) {
		const int best = head_weights_best(w, i);

		confidence += best < 0 ? 0 : (double)attention_sums_row_of(w, i)[best];
		s->entropy += entropy_of(w, i);
		add_distance(s, w, i);
		add_offsets(s, w, i, best);
	}
	s->confidence += confidence;
	s->confidence_mean += confidence / w->rows;
	s->rows += w->rows;
	s->sentences++;
}

void
attention_errors_add(struct attention_errors *sums, const struct attention_sums *one,
		     bool by_sentence)
{
	const double rows = (double)one->rows;

	if (by_sentence)
		ratio_error_add(&sums->confidence, one->confidence_mean, (double)one->sentences);
	else
		ratio_error_add(&sums->confidence, one->confidence, rows);
	ratio_error_add(&sums->entropy, one->entropy, rows);
	ratio_error_add(&sums->distance, one->distance, one->weight);
	for (int i = 0; i < OFFSETS; i++)
		ratio_error_add(&sums->offset[i], (double)one->hits[i], (double)one->chances[i]);
}

double
attention_sums_share(const struct attention_sums *s, int offset)
{
	const int64_t chances = s->chances[offset + OFFSET_MAX];

	return chances ? (double)s->hits[offset + OFFSET_MAX] / (double)chances : NAN;
}

int
attention_sums_offset(const struct attention_sums *s, double *share)
{
	int best = 0;

	for (int d = 1; d <= OFFSET_MAX; d++)
		for (int o = -d; o <= d; o += 2 * d)
			if (s->hits[o + OFFSET_MAX] > s->hits[best + OFFSET_MAX])
				best = o;
	*share = attention_sums_share(s, best);
	return best;
}
