/* answer-relevance: what source tokens and heads contribute to a translation; see explorer.h. */
#include <math.h>

#include "attention/attention-heads.h"
#include "attribution/lrp-sums.h"
#include "explore/explorer.h"

/* [positions, source tokens]. */
static void
add_sources(const struct lrp_sentence *s, struct buf *out)
{
	buf_add_str(out, ",\n\"relevance\":{\"source\":[");
	for (int i = 0; i < s->positions; i++) {
		buf_add_str(out, i ? ",[" : "[");
		for (int j = 0; j < s->source_tokens; j++)
			buf_printf(out, "%s%.3f", j ? "," : "", s->src[i * s->source_tokens + j]);
		buf_add_char(out, ']');
	}
	buf_add_char(out, ']');
}

/* Is head h, from 0 among all before pruning, removed by its gate? */
static bool
is_removed(const struct model *m, const real *gates, size_t site, int h)
{
	const struct site *s = &m->sites[site];

	for (int k = 0; gates && k < s->heads; k++)
		if (s->head[k] == h)
			return gates[heads_before(m->sites, site) + (size_t)k] == 0;
	return false;
}

/*
 * For each site the measure `relevance` of head-lrp(1) for each head; null for heads that are
 * pruned or removed.  The latter would have a share of the biases, which the rule divides among
 * heads.
 */
static void
add_heads(const struct model *m, const real *gates, const struct lrp_sentence *one,
	  struct buf *out)
{
	const struct head_column *c;
	struct lrp_sums sums = { .with_errors = false };
	struct head_table t;

	head_table_init(&t);
	lrp_sums_init(&sums, m);
	lrp_sums_add(&sums, one);
	lrp_sums_fill(&sums, "relevance", &t);
	c = head_table_find(&t, "relevance");
	buf_add_str(out, ",\"heads\":{");
	for (size_t i = 0; i < m->n_sites; i++) {
		buf_printf(out, "%s\"%s\":[", i ? "," : "", m->sites[i].name);
		for (int h = 0; h < m->sites[i].all_heads; h++) {
			const struct site *s = &m->sites[i];
			const size_t r = head_table_row(&t, s->where, s->layer, h + 1);
			const double x = c ? head_table_get(c, r) : NAN;

			buf_add_str(out, h ? "," : "");
			if (isfinite(x) && !is_removed(m, gates, i, h))
				buf_printf(out, "%.5g", x);
			else
				buf_add_str(out, "null");
		}
		buf_add_char(out, ']');
	}
	buf_add_str(out, "}}");
	lrp_sums_release(&sums);
	head_table_release(&t);
}

int
explorer_relevance(struct probe *p, struct buf *out, struct err *e)
{
	const struct lrp rules = lrp_defaults(LRP_ALPHABETA);
	real *gates = p->view.gates;
	struct lrp_job job = { .rec = NULL };
	struct lrp_tracer t;
	int bad;

	job.rec = probe_scored(p, e);
	if (!job.rec)
		return -1;
	lrp_init(&t, &p->view, &p->run->pass, &rules);
	for (size_t i = 0; gates && i < p->heads; i++)
		t.gates[i] = gates[i];
	bad = lrp_trace(&t, &job, 1, e);
	if (!bad) {
		add_sources(&job.out, out);
		add_heads(&p->view, gates, &job.out, out);
	}
	lrp_release(&t);
	model_gate(&p->view, gates);
	return bad;
}
