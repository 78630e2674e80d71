/* score-report: see score-report.h.  score-table.c prints TSV and the table of paired tests. */
#include "scores/score-report.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "base/mem.h"
#include "scores/score-table.h"
#include "stream/json-out.h"

const char *const report_formats[] = { "text", "json", "tsv", "latex", NULL };

double
report_scaled(const struct report *r, const struct result *one, double score)
{
	return r->variant == BLEU_MTEVAL13A && one->metric->is_bleu ? 0.01 * score : score;
}

void
report_score(const struct report *r, const struct result *one, double score, struct buf *out)
{
	buf_printf(out, "%.*f", r->decimals < 0 ? one->metric->decimals : r->decimals,
		   report_scaled(r, one, score));
}

/* Appends " (μ = 40.1 ± 1.2)"; like sacreBLEU, nothing if the mean is 0. */
static void
add_interval(const struct report *r, const struct result *one, struct buf *out)
{
	if (!one->ci || !(one->ci->mean > 0))
		return;
	buf_add_str(out, " (μ = ");
	report_score(r, one, one->ci->mean, out);
	buf_add_str(out, " ± ");
	report_score(r, one, one->ci->half, out);
	buf_add_str(out, ")");
}

void
report_details(const struct result *one, const char *before, struct buf *out)
{
	if (!one->metric->details)
		return;
	buf_add_str(out, before);
	one->metric->details(one->metric->how, one->sums, out);
}

/* Appends the part of a line before " = ": "BLEU|nrefs:1|..." */
static void
text_left(const struct report *r, const struct result *one, struct buf *out)
{
	if (r->name_systems)
		buf_printf(out, "%s: ", one->system);
	one->metric->name(one->metric->how, out);
	if (!one->metric->is_bleu || r->variant == BLEU_SACREBLEU)
		buf_printf(out, "|%s", one->signature);
}

static void
text_mteval(const struct report *r, const struct result *one, struct buf *out)
{
	buf_add_str(out, "BLEU score = ");
	report_score(r, one, one->score, out);
	add_interval(r, one, out);
	buf_printf(out, " for system \"%s\"\n", one->system);
}

/* multi-bleu.perl computes nothing if the references have no words: it prints this text. */
static bool
is_without_words(const struct report *r, const struct result *one)
{
	return one->metric->is_bleu && r->variant == BLEU_MULTI_BLEU &&
	       !one->sums[BLEU_REF_LEN] && !r->bare;
}

/* Appends the line of a result, with its left part padded to width. */
static void
report_text_line(const struct report *r, const struct result *one, size_t width, struct buf *out)
{
	struct buf left = { 0 };

	if (one->metric->is_bleu && r->variant == BLEU_MTEVAL13A && !r->bare) {
		text_mteval(r, one, out);
		return;
	}
	if (!r->bare) {
		text_left(r, one, &left);
		buf_printf(out, "%*s%s = ", (int)(width > left.n ? width - left.n : 0), "",
			   left.data);
		buf_release(&left);
	}
	if (is_without_words(r, one)) {
		buf_add_str(out, "0, 0/0/0/0 (BP=0, ratio=0, hyp_len=0, ref_len=0)\n");
		return;
	}
	report_score(r, one, one->score, out);
	add_interval(r, one, out);
	if (!r->bare)
		report_details(one, r->variant == BLEU_MULTI_BLEU ? ", " : " ", out);
	buf_add_char(out, '\n');
}

/* Appends all results; the lines of several metrics of one system are aligned at "=". */
static void
text_results(const struct report *r, const struct result *result, size_t n, struct buf *out)
{
	size_t width = 0;

	for (size_t i = 0; i < n && !r->name_systems; i++) {
		struct buf left = { 0 };

		text_left(r, &result[i], &left);
		width = left.n > width ? left.n : width;
		buf_release(&left);
	}
	for (size_t i = 0; i < n; i++)
		report_text_line(r, &result[i], width, out);
}

static void
json_rounded(const struct report *r, const struct result *one, double score, struct buf *out)
{
	struct buf text = { 0 };

	report_score(r, one, score, &text);
	json_add_double(out, strtod(text.data, NULL));
	buf_release(&text);
}

/* Appends the separator and the key of a member. */
static void
json_key(struct buf *out, const char *between, const char *key)
{
	buf_add_str(out, out->data[out->n - 1] == '{' ? "" : ",");
	buf_add_str(out, between);
	json_add_text(out, key);
	buf_add_str(out, ": ");
}

/* Appends "key:value|key:value" as members. */
static void
json_signature(struct buf *out, const char *between, const char *signature)
{
	char *all = strdup(signature), *save = NULL;

	for (char *part = strtok_r(all, "|", &save); part; part = strtok_r(NULL, "|", &save)) {
		char *value = strchr(part, ':');

		if (!value)
			continue;
		*value++ = '\0';
		json_key(out, between, part);
		json_add_text(out, value);
	}
	free(all);
}

static void
json_interval(const struct report *r, const struct result *one, const char *between,
	      struct buf *out)
{
	struct buf text = { 0 };

	add_interval(r, one, &text);
	if (!text.n)
		return;
	json_key(out, between, "confidence_mean");
	json_rounded(r, one, one->ci->mean, out);
	json_key(out, between, "confidence_var");
	json_rounded(r, one, one->ci->half, out);
	text.data[text.n - 1] = '\0';	/* without the parentheses */
	json_key(out, between, "confidence");
	json_add_text(out, text.data + 2);
	buf_release(&text);
}

static void
json_p(struct buf *out, const char *between, const char *key, double p)
{
	if (p < 0)
		return;
	json_key(out, between, key);
	json_add_double(out, p);
}

static void
json_comparison(const struct report *r, const struct result *one, const char *between,
		struct buf *out)
{
	const struct comparison *c = one->comparison;

	json_key(out, between, "difference");
	json_add_double(out, report_scaled(r, one, c->difference));
	json_p(out, between, "p_bootstrap", c->p_centered);
	json_p(out, between, "p_bootstrap_koehn", c->p_koehn);
	json_p(out, between, "p_randomization", c->p_randomization);
	if (c->sign.p < 0)
		return;
	json_key(out, between, "better");
	buf_printf(out, "%" PRId64, c->sign.better);
	json_key(out, between, "worse");
	buf_printf(out, "%" PRId64, c->sign.worse);
	json_key(out, between, "equal");
	buf_printf(out, "%" PRId64, c->sign.equal);
	json_key(out, between, "z");
	json_add_double(out, c->sign.z);
	json_key(out, between, "p_sign");
	json_add_double(out, c->sign.p);
}

/* Appends sacreBLEU's object.  between: the whitespace before each key. */
static void
json_result(const struct report *r, const struct result *one, const char *between, struct buf *out)
{
	struct buf text = { 0 };

	buf_add_char(out, '{');
	if (r->name_systems) {
		json_key(out, between, "system");
		json_add_text(out, one->system);
	}
	one->metric->name(one->metric->how, &text);
	json_key(out, between, "name");
	json_add_text(out, text.data);
	json_key(out, between, "score");
	json_rounded(r, one, one->score, out);
	json_key(out, between, "signature");
	json_add_text(out, one->signature);
	json_interval(r, one, between, out);
	buf_clear(&text);
	report_details(one, "", &text);
	if (text.n) {
		json_key(out, between, "verbose_score");
		json_add_text(out, text.data);
	}
	buf_release(&text);
	json_signature(out, between, one->signature);
	if (one->comparison)
		json_comparison(r, one, between, out);
}

static void
json_results(const struct report *r, const struct result *result, size_t n, struct buf *out)
{
	buf_add_str(out, n > 1 ? "[\n" : "");
	for (size_t i = 0; i < n; i++) {
		json_result(r, &result[i], "\n ", out);
		buf_add_str(out, i + 1 < n ? "\n},\n" : "\n}\n");
	}
	buf_add_str(out, n > 1 ? "]\n" : "");
}

/* The results of a metric are consecutive; the first of them is that of the baseline. */
static void
report_results(const struct report *r, const struct result *result, size_t n, struct buf *out)
{
	if (r->format == REPORT_JSON)
		json_results(r, result, n, out);
	else if (r->format == REPORT_TSV)
		table_tsv(r, result, n, out);
	else if (r->paired || r->format == REPORT_LATEX)
		table_paired(r, result, n, out);
	else
		text_results(r, result, n, out);
}

/* The line before the first sentence: the names of columns in TSV. */
static void
report_sentence_head(const struct report *r, struct buf *out)
{
	if (r->format == REPORT_TSV)
		buf_add_str(out, "sentence\tscore\tdetails\n");
}

static void
report_sentence(const struct report *r, const struct result *one, long long number, struct buf *out)
{
	if (r->format == REPORT_JSON) {
		json_result(r, one, " ", out);
		buf_add_str(out, " }\n");
	} else if (r->format == REPORT_TSV) {
		buf_printf(out, "%lld\t", number);
		report_score(r, one, one->score, out);
		buf_add_char(out, '\t');
		report_details(one, "", out);
		buf_add_char(out, '\n');
	} else {
		report_text_line(r, one, 0, out);
	}
}

/* --- a run --- */

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
