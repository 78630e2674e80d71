/* lrp-sums: the relevance of each head, averaged over target positions; see lrp-sums.h. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "attribution/lrp-sums.h"
#include "base/mem.h"

static void
totals_init(struct lrp_totals *t, const struct model *m)
{
	const size_t heads = heads_before(m->sites, m->n_sites);

	*t = (struct lrp_totals){ .share = xcalloc(heads + 1, sizeof(*t->share)),
				  .raw = xcalloc(heads + 1, sizeof(*t->raw)),
				  .positions = xcalloc(m->n_sites + 1, sizeof(*t->positions)) };
}

static void
totals_release(struct lrp_totals *t)
{
	free(t->share);
	free(t->raw);
	free(t->positions);
}

void
lrp_sums_init(struct lrp_sums *s, const struct model *m)
{
	memset(s, 0, sizeof(*s));
	s->m = m;
	s->heads = heads_before(m->sites, m->n_sites);
	totals_init(&s->total, m);
	s->errors = xcalloc(s->heads + 1, sizeof(*s->errors));
}

void
lrp_sums_release(struct lrp_sums *s)
{
	totals_release(&s->total);
	free(s->errors);
}

static void
add_position(struct lrp_totals *s, const struct model *m, const double *head)
{
	s->all++;
	for (size_t i = 0, at = 0; i < m->n_sites; at += (size_t)m->sites[i++].heads) {
		const size_t to = at + (size_t)m->sites[i].heads;
		double size = 0;

		for (size_t h = at; h < to; h++)
			size += head[h] < 0 ? -head[h] : head[h];
		for (size_t h = at; h < to; h++)
			s->raw[h] += head[h];
		for (size_t h = at; size > 0 && h < to; h++)
			s->share[h] += (head[h] < 0 ? -head[h] : head[h]) / size;
		s->positions[i] += size > 0;
	}
}

static void
lrp_sums_add_positions(struct lrp_totals *totals, const struct lrp_sums *s,
		       const struct lrp_sentence *one)
{
	for (int t = 0; t < one->positions; t++) {
		if (one->none && one->none[t])
			totals->none++;
		else
			add_position(totals, s->m, one->head + (size_t)t * s->heads);
	}
}

static void
lrp_sums_add_errors(struct lrp_sums *s, const struct lrp_sentence *sentence)
{
	const struct model *m = s->m;
	struct lrp_totals one;

	totals_init(&one, m);
	lrp_sums_add_positions(&one, s, sentence);
	for (size_t i = 0, h = 0; i < m->n_sites; i++)
		for (const size_t end = h + (size_t)m->sites[i].heads; h < end; h++) {
			ratio_error_add(&s->errors[h].share, one.share[h],
					(double)one.positions[i]);
			ratio_error_add(&s->errors[h].raw, one.raw[h], (double)one.all);
		}
	totals_release(&one);
}

static int
refuse_relevance(const struct lrp_sums *s, int position, size_t index, double x, struct err *e)
{
	int number;
	const struct site *site = site_of_head(s->m->sites, index, &number);

	return err_set(e, EXIT_INPUT, "the relevance of head %d of %s.%d at target position %d is "
		       "%g, expected a finite number", number,
		       site_kinds[site->where], site->layer, position + 1, x);
}

static int
check_relevance(const struct lrp_sums *s, const struct lrp_sentence *one, struct err *e)
{
	for (int t = 0; t < one->positions; t++)
		for (size_t h = 0; h < s->heads && !(one->none && one->none[t]); h++) {
			const double x = one->head[(size_t)t * s->heads + h];

			if (!isfinite(x))
				return refuse_relevance(s, t, h, x, e);
		}
	return 0;
}

int
lrp_sums_add(struct lrp_sums *s, const struct lrp_sentence *one, struct err *e)
{
	if (check_relevance(s, one, e))
		return -1;
	lrp_sums_add_positions(&s->total, s, one);
	if (s->with_errors)
		lrp_sums_add_errors(s, one);
	lrp_keep_largest(&s->absorbed, one->absorbed);
	lrp_keep_largest(&s->lost, one->lost);
	lrp_keep_largest(&s->error, one->error);
	lrp_keep_largest(&s->gap, one->gap);
	s->sentences++;
	s->rounded += !(one->lost <= LRP_LARGE_LOSS);
	return 0;
}

static void
fill_site(const struct lrp_sums *sums, size_t site, const char *name, struct head_table *t)
{
	const struct site *s = &sums->m->sites[site];
	const struct lrp_totals *total = &sums->total;
	const double positions = (double)total->positions[site];
	size_t at = heads_before(sums->m->sites, site);
	char *raw = xasprintf("%s.raw", name);

	for (int h = 0; h < s->heads; h++, at++) {
		head_table_row_of(t, sums->m->sites, at);
		if (!total->all)
			continue;
		head_table_fill_mean(t, sums->m->sites, at, name,
				     positions > 0 ? total->share[at] / positions : 0,
				     ratio_error_of(&sums->errors[at].share));
		head_table_fill_mean(t, sums->m->sites, at, raw,
				     total->raw[at] / (double)total->all,
				     ratio_error_of(&sums->errors[at].raw));
	}
	free(raw);
}

void
lrp_sums_fill(const struct lrp_sums *s, const char *name, struct head_table *t)
{
	for (size_t i = 0; i < s->m->n_sites; i++)
		fill_site(s, i, name, t);
}
