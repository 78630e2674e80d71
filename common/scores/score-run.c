/* score-run: scores of one or several systems, as a report; see score-run.h. */
#include <stdlib.h>

#include "base/mem.h"
#include "scores/score-run.h"

static char *
make_signature(const struct score_run *r, const struct metric *m)
{
	const struct signature s = {
		.n_refs = r->contest.n_refs ? r->contest.n_refs : 1,
		.resamples = paired_resamples(&r->tests) ? r->tests.resamples : 0,
		.trials = r->tests.test[PAIRED_RANDOMIZATION] ? r->tests.trials : 0,
		.seed = r->tests.seed, .brief = r->brief && r->report.format != REPORT_JSON,
		.version = r->version
	};
	struct buf text = { 0 };

	metric_signature(m, &s, &text);
	return text.data;
}

static void
set_results(struct score_run *r)
{
	const struct contest *c = &r->contest;
	const size_t n = c->n_metrics * c->n_systems;

	r->tally = xcalloc(n, sizeof(*r->tally));
	r->result = xcalloc(n, sizeof(*r->result));
	r->ci = xcalloc(n, sizeof(*r->ci));
	r->comparison = xcalloc(n, sizeof(*r->comparison));
	for (size_t m = 0; m < c->n_metrics; m++) {
		const char *text = make_signature(r, &c->metric[m]);

		for (size_t k = 0; k < c->n_systems; k++)
			r->result[m * c->n_systems + k] = (struct result) {
				.system = side_name(c->system[k]), .metric = &c->metric[m],
				.signature = text,
				.sums = r->sentence ? r->stats
						    : r->tally[m * c->n_systems + k].sums
			};
	}
}

static int
score_write_text(struct score_run *r, struct err *e)
{
	const int bad = r->text.n ? output_write(r->out, r->text.data, r->text.n, e) : 0;

	buf_clear(&r->text);
	return bad;
}

static int
each_sentence(const int32_t *stats, void *arg, struct err *e)
{
	struct score_run *r = arg;
	struct result *one = &r->result[0];

	for (int k = 0; k < one->metric->width; k++)
		r->stats[k] = stats[k];
	one->score = one->metric->score(r->stats, one->metric->how);
	report_sentence(&r->report, one, ++r->number, &r->text);
	return r->text.n > 65536 ? score_write_text(r, e) : 0;
}

static struct scored
scored(const struct score_run *r, size_t i)
{
	const struct result *one = &r->result[i];
	const struct tally *t = &r->tally[i];

	return (struct scored) {
		.stats = t->stats, .n = t->n, .width = one->metric->width,
		.score = one->metric->score, .how = one->metric->how,
		.lower_is_better = one->metric->lower_is_better
	};
}

/* Computes intervals and tests of the metric whose results start at index first. */
static void
test_metric(struct score_run *r, size_t first)
{
	const size_t n = r->contest.n_systems;
	struct scored *all = xcalloc(n, sizeof(*all));

	for (size_t k = 0; k < n; k++)
		all[k] = scored(r, first + k);
	paired_run(&r->tests, all, n, r->pool, r->ci + first, r->comparison + first);
	for (size_t k = 0; k < n; k++) {
		struct result *one = &r->result[first + k];

		one->ci = paired_resamples(&r->tests) ? &r->ci[first + k] : NULL;
		one->comparison = r->report.paired && k ? &r->comparison[first + k] : NULL;
	}
	free(all);
}

static void
report_corpus(struct score_run *r, bool tested)
{
	const struct contest *c = &r->contest;
	const size_t n = c->n_metrics * c->n_systems;

	for (size_t i = 0; i < n; i++) {
		const struct metric *m = r->result[i].metric;

		r->result[i].score = m->score(r->tally[i].sums, m->how);
	}
	for (size_t i = 0; tested && i < n; i += c->n_systems)
		test_metric(r, i);
	report_results(&r->report, r->result, n, &r->text);
}

int
score_run(struct score_run *r, struct err *e)
{
	const bool tested = r->tests.confidence || r->report.paired;

	set_results(r);
	if (r->sentence)
		report_sentence_head(&r->report, &r->text);
	if (contest_score(&r->contest, tested, r->sentence ? each_sentence : NULL, r, r->pool,
			  r->tally, e))
		return -1;
	if (!r->sentence)
		report_corpus(r, tested);
	return score_write_text(r, e);
}

void
score_run_release(struct score_run *r)
{
	const struct contest *c = &r->contest;

	for (size_t i = 0; i < c->n_metrics * c->n_systems; i++) {
		if (i % c->n_systems == 0)
			free((char *)r->result[i].signature);
		tally_release(&r->tally[i]);
	}
	free(r->tally);
	free(r->result);
	free(r->ci);
	free(r->comparison);
	buf_release(&r->text);
}
