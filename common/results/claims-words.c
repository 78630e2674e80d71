/* claims-words: see claims-words.h. */
#include <math.h>
#include <string.h>

#include "results/claims-words.h"

void
words_put_number(size_t n, const char *zero, struct buf *out)
{
	static const char *const small[] = {
		"", "one", "two", "three", "four", "five", "six", "seven", "eight", "nine", "ten",
		"eleven", "twelve"
	};

	if (!n)
		buf_add_str(out, zero);
	else if (n < sizeof(small) / sizeof(*small))
		buf_add_str(out, small[n]);
	else
		buf_printf(out, "%zu", n);
}

/* --- differences --- */

static bool
decides_nll(const struct claim *c)
{
	return !strcmp(claim_primary(c), "test.nll");
}

static void
put_primary(const struct claim *c, const struct difference *d, bool interval, struct buf *out)
{
	const bool nll = decides_nll(c);
	const int digits = nll ? 3 : 2;

	buf_printf(out, "%+.*f %s", digits, d->mean, nll ? "nats" : measure_label(c->measure));
	if (interval && !isnan(d->low))
		buf_printf(out, " [%+.*f, %+.*f]", digits, d->low, digits, d->high);
}

void
words_put_effect(const struct claim *c, bool interval, const char *before, const char *after,
		 struct buf *out)
{
	const struct evidence *v = &c->against[c->weakest].evidence;

	if (c->section->ratio > 0 || isnan(v->primary.mean))
		return;
	buf_add_str(out, before);
	put_primary(c, &v->primary, interval, out);
	if (v->secondary.n)
		buf_printf(out, ", %+.1f %s", v->secondary.mean, measure_label(c->measure));
	buf_add_str(out, after);
}

/* --- verdicts --- */

static void
put_predicate(const struct claim *c, struct buf *out)
{
	const struct evidence *v = &c->against[c->weakest].evidence;
	const bool good = c->verdict == VERDICT_CONFIRMED;
	const char *measure = decides_nll(c) ? "NLL" : measure_label(c->measure);

	if (c->verdict == VERDICT_OPEN)
		buf_add_str(out, "left the question open");
	else if (c->verdict == VERDICT_WITHIN)
		buf_printf(out, "made no difference larger than %g nats", v->margin);
	else if (c->verdict == VERDICT_SMALLER)
		buf_add_str(out, (v->primary_is_loss ? v->primary.mean < 0 : v->primary.mean > 0)
				 ? "gained less than reported" : "did not gain as reported");
	else if (c->verdict == VERDICT_SPLIT)
		buf_add_str(out, "had different results in NLL and BLEU");
	else if (c->section->within > 0)
		buf_printf(out, "cost %s than %g %s", good ? "less" : "more", c->section->within,
			   measure);
	else if (c->section->ratio > 0)
		buf_printf(out, "had %s than %g times the %s", good ? "less" : "more",
			   c->section->ratio, measure);
	else
		buf_add_str(out, good ? "did better" : "did worse");
}

void
words_put_result(const struct claim *c, struct buf *out)
{
	const bool open = c->verdict == VERDICT_OPEN && !(c->section->ratio > 0);
	const struct words_seeds w = words_seeds_of(&c, 1);

	put_predicate(c, out);
	words_put_effect(c, true, c->section->within > 0 ? " (change " : " (",
			 open ? "; " : ")", out);
	if (!open)
		return;
	words_put_seeds(&w, out);
	buf_add_str(out, " would decide)");
}

/* --- what would decide --- */

struct words_seeds
words_seeds_of(const struct claim *const *c, size_t n)
{
	struct words_seeds w = { 0 };

	for (size_t i = 0; i < n; i++) {
		if (c[i]->verdict != VERDICT_OPEN)
			continue;
		w.open++;
		if (!c[i]->seeds)
			continue;
		w.feasible++;
		w.least = !w.least || c[i]->seeds < w.least ? c[i]->seeds : w.least;
		w.most = c[i]->seeds > w.most ? c[i]->seeds : w.most;
	}
	return w;
}

void
words_put_seeds(const struct words_seeds *w, struct buf *out)
{
	if (w->least < w->most)
		buf_printf(out, "%zu to ", w->least);
	if (w->most)
		buf_printf(out, "%zu more seed%s", w->most, w->most > 1 ? "s" : "");
	else
		buf_add_str(out, "no feasible number of seeds");
}

void
words_put_open(const struct words_seeds *w, struct buf *out)
{
	if (!w->feasible) {
		buf_printf(out, "No feasible number of seeds would decide the open claim%s.",
			   w->open > 1 ? "s" : "");
		return;
	}
	words_put_seeds(w, out);
	if (w->feasible == w->open) {
		buf_printf(out, " would decide the open claim%s if the estimates stayed the same.",
			   w->open > 1 ? "s" : "");
		return;
	}
	buf_add_str(out, " would decide ");
	words_put_number(w->feasible, "", out);
	buf_add_str(out, " of the ");
	words_put_number(w->open, "", out);
	buf_printf(out, " open claims if the estimates stayed the same; no feasible number "
		   "would decide the other%s.",
		   w->open - w->feasible > 1 ? "s" : "");
}

double
words_detectable(const struct claim *const *c, size_t n)
{
	double largest = NAN;

	for (size_t i = 0; i < n; i++) {
		const struct difference *d = &c[i]->against[c[i]->weakest].evidence.primary;

		if (verdict_is_tested(c[i]->verdict) && decides_nll(c[i]) && !d->own &&
		    !(c[i]->section->ratio > 0))
			largest = fmax(largest, claim_detectable(c[i], d));
	}
	return largest;
}
