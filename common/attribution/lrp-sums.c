/* lrp-sums: the relevance of each head, averaged over target positions; see lrp-sums.h. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "attribution/lrp-sums.h"
#include "base/mem.h"

void
lrp_sums_init(struct lrp_sums *s, const struct model *m)
{
	memset(s, 0, sizeof(*s));
	s->m = m;
	s->heads = heads_before(m->sites, m->n_sites);
	s->share = xcalloc(s->heads + 1, sizeof(*s->share));
	s->raw = xcalloc(s->heads + 1, sizeof(*s->raw));
	s->positions = xcalloc(m->n_sites + 1, sizeof(*s->positions));
}

void
lrp_sums_release(struct lrp_sums *s)
{
	free(s->share);
	free(s->raw);
	free(s->positions);
}

static void
add_position(struct lrp_sums *s, const double *head)
{
	const struct model *m = s->m;

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

void
lrp_sums_add(struct lrp_sums *s, const struct lrp_sentence *one)
{
	for (int t = 0; t < one->positions; t++) {
		if (one->none && one->none[t])
			s->none++;
		else
			add_position(s, one->head + (size_t)t * s->heads);
	}
	s->absorbed = fmax(s->absorbed, one->absorbed);
	s->lost = fmax(s->lost, one->lost);
	s->error = fmax(s->error, one->error);
	s->rounded += one->lost > LRP_LARGE_LOSS;
}

static void
fill_site(const struct lrp_sums *sums, const struct site *s, size_t at, int64_t positions,
	  const char *name, struct head_table *t)
{
	char *raw = xasprintf("%s.raw", name);

	for (int h = 0; h < s->heads; h++, at++) {
		const int head = s->head[h] + 1;

		head_table_row(t, s->where, s->layer, head);
		if (!sums->all)
			continue;
		head_table_fill(t, s, head, name,
				positions ? sums->share[at] / (double)positions : 0);
		head_table_fill(t, s, head, raw, sums->raw[at] / (double)sums->all);
	}
	free(raw);
}

void
lrp_sums_fill(const struct lrp_sums *s, const char *name, struct head_table *t)
{
	const struct model *m = s->m;

	for (size_t i = 0; i < m->n_sites; i++)
		fill_site(s, &m->sites[i], heads_before(m->sites, i), s->positions[i], name, t);
}
