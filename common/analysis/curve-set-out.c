/*
 * curve-set-out: results of pruning curves as tables, and as points of a figure; see curve-set.h.
 */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "analysis/curve-set.h"
#include "base/mem.h"
#include "scores/moments.h"

static const int digits[] = { 4, 2, 4 };

/* --- tables --- */

static void
put_number(struct buf *out, const char *before, double x, int decimals, bool sign)
{
	buf_add_str(out, before);
	if (isnan(x))
		buf_add_char(out, '-');
	else
		buf_printf(out, sign ? "%+.*f" : "%.*f", decimals, x);
}

/* The row of random orders: the mean over models of their mean area. */
static struct curve_result
random_result(const struct curve_set *s, enum curve_score score)
{
	struct curve_result r = { "random", 0, NAN, NAN, NAN, NAN, NAN, NAN, 0, 0 };
	double sum = 0;

	for (size_t i = 0; i < s->n; i++) {
		const struct curve_band b = curve_band_of_areas(s, i, score);

		if (b.n) {
			r.models++;
			sum += b.mean;
		}
	}
	if (r.models)
		r.area = sum / (double)r.models;
	return r;
}

/* Calls put for each result of a score, for random orders last. */
typedef void put_result(const struct curve_result *r, enum curve_score score, void *arg);
static void
put_results(const struct curve_set *s, enum curve_score score, put_result *put, void *arg)
{
	const struct curve_result random = random_result(s, score);
	size_t n;
	struct curve_result *r = curve_results(s, score, &n);

	for (size_t i = 0; i < n; i++)
		put(&r[i], score, arg);
	if (random.models)
		put(&random, score, arg);
	free(r);
}

static const char *
curve_set_out_verdict_of(const struct curve_result *r, enum curve_score score)
{
	static const char *const name[] = { "worse", "undecided", "better" };

	return isnan(r->difference) ? "-" : name[curve_result_verdict(r, score) + 1];
}

static void
curve_set_out_put_line(const struct curve_result *r, enum curve_score score, void *arg)
{
	struct buf *out = arg;
	const int d = digits[score];

	buf_printf(out, "%s\t%s\t%zu", curve_scores[score], r->order, r->models);
	put_number(out, "\t", r->area, d, false);
	put_number(out, "\t", r->difference, d, true);
	put_number(out, "\t", r->low, d, true);
	put_number(out, "\t", r->high, d, true);
	put_number(out, "\t", r->adjusted, 4, false);
	if (isnan(r->difference))
		buf_add_str(out, "\t-\t-");
	else
		buf_printf(out, "\t%zu\t%zu", r->better, r->worse);
	buf_printf(out, "\t%s\n", curve_set_out_verdict_of(r, score));
}

void
curve_set_tsv(const struct curve_set *s, struct buf *out)
{
	buf_add_str(out, "score\torder\tmodels\tarea\tdifference\tlow\thigh\tp\t"
		    "better\tworse\tverdict\n");
	for (int y = 0; y < CURVE_SCORES; y++)
		put_results(s, (enum curve_score)y, curve_set_out_put_line, out);
}

static void
put_count(struct table *t, const struct curve_result *r, size_t n)
{
	table_number(t, isnan(r->difference) ? NAN : (double)n, 0, 0);
}

static void
curve_set_out_put_row(const struct curve_result *r, enum curve_score score, void *arg)
{
	struct table *t = arg;
	const int d = digits[score];
	char interval[64] = "-";

	table_text(t, r->order);
	table_number(t, (double)r->models, 0, 0);
	table_number(t, r->area, d, 0);
	table_number(t, r->difference, d, TABLE_SIGNED);
	if (!isnan(r->low))
		snprintf(interval, sizeof(interval), "%+.*f to %+.*f", d, r->low, d, r->high);
	table_text(t, interval);
	table_p(t, r->adjusted);
	put_count(t, r, r->better);
	put_count(t, r, r->worse);
	table_text(t, curve_set_out_verdict_of(r, score));
	table_row(t);
}

static void
put_title(const struct curve_set *s, enum table_layout layout, struct buf *out)
{
	buf_add_str(out, layout == TABLE_LATEX ? "% " : "");
	if (s->heads)
		buf_printf(out, "Pruning without retraining, %s, %lld heads: area of each curve "
			   "(mean height%s) and difference from the mean of random orders.\n",
			   s->site, (long long)s->heads,
			   s->limit > 0 ? "; of a loss, above that of the whole model" : "");
	else
		buf_printf(out, "Deletion of %s tokens, most relevant first: area of each curve "
			   "(mean drop) and difference from the mean of random orders.\n",
			   s->site);
	buf_add_str(out, layout == TABLE_LATEX ? "% needs \\usepackage{booktabs}\n" : "\n");
}

void
curve_set_layout(const struct curve_set *s, enum table_layout layout, struct buf *out)
{
	static const char *const title[] = { "Loss per target token (nats), lower is better",
					     "BLEU, higher is better",
					     "Drop of the log-probability (nats), higher is better"
	}, *const head[] = { "order", "models", "area", "difference", "95% interval", "p",
			     "models better than all random", "models worse than all random",
			     "against random" };

	put_title(s, layout, out);
	for (int y = 0; y < CURVE_SCORES; y++) {
		struct table t;

		if (!curve_set_has(s, (enum curve_score)y))
			continue;
		buf_printf(out, layout == TABLE_LATEX ? "%% %s\n" : "### %s\n\n", title[y]);
		table_begin(&t, out, layout, "lrrrlrrrl");
		for (size_t i = 0; i < sizeof(head) / sizeof(*head); i++)
			table_text(&t, head[i]);
		table_row(&t);
		put_results(s, (enum curve_score)y, curve_set_out_put_row, &t);
		table_end(&t);
		buf_add_char(out, '\n');
	}
}

/* --- points of the figure --- */

/* A panel shows a score, or its difference from the median of random orders. */
struct view { const char *label; enum curve_score score; bool relative; };

static void
curve_set_out_put_point(const struct view *v, const char *name, const char *kind, int64_t x,
			double y, double low, double high, struct buf *out)
{
	buf_printf(out, "%s\t%s\t%s\t%lld", v->label, name, kind, (long long)x);
	put_number(out, "\t", y, 6, false);
	put_number(out, "\t", low, 6, false);
	put_number(out, "\t", high, 6, false);
	buf_add_char(out, '\n');
}

static double
curve_set_out_reference(const struct curve_set *s, const struct view *v, size_t model, size_t point)
{
	return v->relative ? curve_band_at(s, model, v->score, point).median : 0;
}

/* Means over models of the minimum, median and maximum of the random orders. */
static void
put_band(const struct curve_set *s, const struct view *v, const char *name, struct buf *out)
{
	for (size_t k = 0; k < s->n_points; k++) {
		double low = 0, high = 0, median = 0, n = 0;

		for (size_t i = 0; i < s->n; i++) {
			const struct curve_band b = curve_band_at(s, i, v->score, k);
			const double from = curve_set_out_reference(s, v, i, k);

			if (!b.n)
				continue;
			low += b.low - from;
			high += b.high - from;
			median += b.median - from;
			n++;
		}
		if (n > 0)
			curve_set_out_put_point(v, name, "band", s->retained[k], median / n,
						low / n, high / n, out);
	}
}

/* The mean over models, with the standard deviation as error bars. */
static void
put_mean_curve(const struct curve_set *s, const struct view *v, const char *order,
	       struct buf *out)
{
	double *x = xcalloc(s->n + 1, sizeof(*x));

	for (size_t k = 0; k < s->n_points; k++) {
		size_t n = 0;

		for (size_t i = 0; i < s->n; i++) {
			const struct curve *c = curve_find(&s->model[i], order, strlen(order));

			x[n] = c ? c->y[k][v->score] - curve_set_out_reference(s, v, i, k) : NAN;
			n += !isnan(x[n]);
		}
		if (n) {
			const struct moments m = moments_of(x, n);
			const double spread = n > 1 ? m.deviation : NAN;

			curve_set_out_put_point(v, order, "line", s->retained[k], m.mean,
						m.mean - spread, m.mean + spread, out);
		}
	}
	free(x);
}

static void
put_view(const struct curve_set *s, const struct view *v, struct buf *out)
{
	size_t n, max_orders = 0;
	const char **order = curve_orders(s, &n);
	char *name;

	for (size_t i = 0; i < s->n; i++) {
		const struct curve_band b = curve_band_of_areas(s, i, v->score);

		max_orders = b.n > max_orders ? b.n : max_orders;
	}
	name = xasprintf("random, %zu orders", max_orders);
	if (max_orders || !v->relative) {
		put_band(s, v, name, out);
		for (size_t i = 0; i < n; i++)
			put_mean_curve(s, v, order[i], out);
	}
	free(name);
	free(order);
}

void
curve_set_plot(const struct curve_set *s, struct buf *out)
{
	static const struct view view[] = {
		{ "loss per target token (nats)", CURVE_NLL, false },
		{ "loss minus median of random orders (nats)", CURVE_NLL, true },
		{ "BLEU", CURVE_BLEU, false },
		{ "BLEU minus median of random orders", CURVE_BLEU, true },
		{ "drop of the log-probability (nats)", CURVE_DROP, false },
		{ "drop minus median of random orders (nats)", CURVE_DROP, true }
	};

	buf_add_str(out, "panel\tseries\tkind\tx\ty\tlow\thigh\n");
	for (size_t i = 0; i < sizeof(view) / sizeof(*view); i++)
		if (curve_set_has(s, view[i].score))
			put_view(s, &view[i], out);
}
