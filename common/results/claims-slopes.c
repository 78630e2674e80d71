/* claims-slopes: see claims-slopes.h. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/mem.h"
#include "results/claims-slopes.h"
#include "results/host-group.h"
#include "scores/student.h"

/* --- one slope --- */

/* The mean of x, and the sum of squares of its deviations from it. */
static double
slope_spread(const struct slope_point *point, size_t n, double *mean)
{
	double sum = 0, squares = 0;

	for (size_t i = 0; i < n; i++)
		sum += point[i].x;
	*mean = sum / (double)n;
	for (size_t i = 0; i < n; i++)
		squares += (point[i].x - *mean) * (point[i].x - *mean);
	return squares;
}

/* The slope times the sum of squares, if gain i belongs to the x of place[i]. */
static double
steepness(const struct slope_point *point, const size_t *place, size_t n, double mean)
{
	double sum = 0;

	for (size_t i = 0; i < n; i++)
		sum += (point[place[i]].x - mean) * point[i].gain;
	return sum;
}

/*
 * Of `all` permutations so far, `steep` are at least as steep as the observed order; steepness that
 * differs by less than `rounding` is the same.
 */
struct permuted {
	const struct slope_point *point;
	size_t n;
	double mean, observed, rounding, all, steep;
};

/* Counts all permutations of the places from k on. */
static void
permute(struct permuted *p, size_t *place, size_t k)
{
	if (k == p->n) {
		const double s = steepness(p->point, place, p->n, p->mean);

		p->all++;
		p->steep += fabs(s) >= fabs(p->observed) - p->rounding;
		return;
	}
	for (size_t i = k; i < p->n; i++) {
		const size_t other = place[i];

		place[i] = place[k];
		place[k] = other;
		permute(p, place, k + 1);
		place[k] = place[i];
		place[i] = other;
	}
}

/*
 * Sums in another order may differ by rounding, which is relative to the gains, not to their
 * differences: of gains that are equal, only rounding is left.  No steepness exceeds the root of
 * the product of both sums of squares (Cauchy-Schwarz).
 */
static double
slope_rounding(const struct slope_point *point, size_t n, double sxx)
{
	double squares = 0;

	for (size_t i = 0; i < n; i++)
		squares += point[i].gain * point[i].gain;
	return 1e-9 * sqrt(sxx * squares);
}

bool
slope_of(const struct slope_point *point, size_t n, struct slope *slope)
{
	double mean, sxx, observed, rounding, variance = 0, squares = 0, reach;
	size_t *place;

	*slope = (struct slope){ .p_permuted = NAN };
	if (n < 3 || !((sxx = slope_spread(point, n, &mean)) > 0))
		return false;
	place = xcalloc(n, sizeof(*place));
	for (size_t i = 0; i < n; i++) {
		const double part = (point[i].x - mean) * point[i].error / sxx;

		place[i] = i;
		variance += part * part;
		squares += part * part * part * part / point[i].df;
	}
	observed = steepness(point, place, n, mean);
	rounding = slope_rounding(point, n, sxx);
	if (fabs(observed) < rounding)
		observed = 0;
	slope->slope = observed / sxx;
	if (n <= SLOPE_PERMUTED) {
		struct permuted p = { .point = point, .n = n, .mean = mean,
				      .observed = observed, .rounding = rounding };

		permute(&p, place, 0);
		slope->p_permuted = p.steep / p.all;
	}
	free(place);
	if (!(variance > 0))
		return false;
	slope->df = variance * variance / squares;
	slope->p = 2 * student_above(fabs(slope->slope) / sqrt(variance), slope->df);
	reach = student_point(0.025, slope->df) * sqrt(variance);
	slope->low = slope->slope - reach;
	slope->high = slope->slope + reach;
	return true;
}

/* --- of the claims --- */

/* The difference in test NLL from one of the baselines, also if the claim is on a ratio. */
static struct difference
slope_difference(const struct outcomes *o, const struct claim *c, size_t base)
{
	const struct group_pair pair = {
		.variant = c->row->variant, .base = c->row->base[base], .column = c->column,
		.measure = "test.nll"
	};

	return c->section->ratio > 0 ? group_difference(o, &pair)
				     : c->against[base].evidence.primary;
}

/* The gains of a row over one of its baselines, in all columns. */
static size_t
gains_of(const struct outcomes *o, const struct points_over *over, const struct claims *c,
	 const struct claim *first, size_t base, struct slope_point *point)
{
	size_t n = 0;

	for (const struct claim *k = first; k < c->claim + c->n; k++) {
		struct difference d;

		if (k->row != first->row || strcmp(k->measure, first->measure) ||
		    strcmp(claim_primary(k), "test.nll"))
			continue;
		d = slope_difference(o, k, base);
		point[n] = (struct slope_point){ .x = points_corpus(o, k->column->name, over),
						 .gain = -d.mean, .error = d.error, .df = d.df };
		n += !isnan(point[n].x) && !isnan(d.mean) && !isnan(d.error);
	}
	return n;
}

static void
put_slope(const struct grid_row *row, size_t base, const struct slope *s, size_t n, struct buf *out)
{
	/* The unit of the property may be one pair of millions; -0 becomes 0. */
	buf_printf(out, "%s\t%s\t%zu\t%.4g\t%.4g\t%.4g\t%.1f\t%.4f\t", row->label,
		   row->base[base], n, s->slope + 0.0, s->low + 0.0, s->high + 0.0, s->df, s->p);
	if (!isnan(s->p_permuted))
		buf_printf(out, "%.4f", s->p_permuted);
	buf_add_char(out, '\n');
}

/* Is it the first claim of its row on NLL? */
static bool
is_first_of_row(const struct claims *c, size_t i)
{
	for (size_t k = 0; k < i; k++)
		if (c->claim[k].row == c->claim[i].row &&
		    !strcmp(claim_primary(&c->claim[k]), "test.nll"))
			return false;
	return !c->claim[i].first;
}

int
claims_slopes(const struct outcomes *o, const struct points_over *over, struct buf *out,
	      struct err *e)
{
	struct slope_point *point;
	struct claims c;
	struct slope s;
	const int bad = claims_judge(&c, o, e);

	buf_add_str(out, "claim\tagainst\tcorpora\tslope\tlow\thigh\tdegrees of freedom\tp\t"
		    "p of permutations\n");
	point = xcalloc(c.n + 1, sizeof(*point));
	for (size_t i = 0; !bad && i < c.n; i++)
		for (size_t b = 0; is_first_of_row(&c, i) && b < c.claim[i].row->n_bases; b++) {
			const size_t n = gains_of(o, over, &c, &c.claim[i], b, point);

			if (slope_of(point, n, &s))
				put_slope(c.claim[i].row, b, &s, n, out);
		}
	free(point);
	claims_release(&c);
	return bad;
}
