/* aligning-report: see aligning-report.h. */
#include "analysis/aligning-report.h"

#include <inttypes.h>
#include <math.h>
#include <stdlib.h>

#include "attention/attention-heads.h"
#include "base/cli.h"
#include "base/hash.h"
#include "base/mem.h"
#include "stream/json-out.h"
#include "stream/signature.h"

const char *const aligning_forms[] = { "text", "tsv", "json", "ctranslate2", NULL };
const char *const aligning_row_names[] = { "predicts", "reads", NULL };

void
aligning_report_begin(struct aligning_report *r, const struct aligning_heads *heads,
		      enum aligning_rows rows)
{
	*r = (struct aligning_report){ .heads = heads, .rows = rows };
	for (int k = 0; k < ROWS_KINDS; k++) {
		r->set[k] = xcalloc(heads->n, sizeof(**r->set));
		r->order[k] = xcalloc(heads->n, sizeof(**r->order));
		r->size[k] = aligning_heads_choose(heads, (enum aligning_rows)k, r->set[k],
						   r->order[k]);
	}
}

void
aligning_report_release(struct aligning_report *r)
{
	for (int k = 0; k < ROWS_KINDS; k++) {
		free(r->set[k]);
		free(r->order[k]);
	}
}

/* --- heads --- */

static void
put_head(const struct aligning_heads *a, size_t i, struct buf *out)
{
	head_name_put(a->sites.site, a->head[i], out);
}

static void
put_head_set(const struct aligning_report *r, int k, struct buf *out)
{
	for (size_t i = 0; i < r->size[k]; i++) {
		buf_add_str(out, i ? " " : "");
		put_head(r->heads, r->order[k][i], out);
	}
}

struct scored_head {
	size_t head;
	struct aligning_score score;
	double special, first, content, copy;
};

static int
by_error(const void *a, const void *b)
{
	const struct scored_head *p = a, *q = b;
	const int order = (p->score.aer > q->score.aer) - (p->score.aer < q->score.aer);

	return order ? order : (p->head > q->head) - (p->head < q->head);
}

/* The heads, the one with the lowest error first. */
static struct scored_head *
score_each_head(const struct aligning_report *r)
{
	const struct aligning_heads *a = r->heads;
	struct scored_head *list = xcalloc(a->n, sizeof(*list));
	bool *one = xcalloc(a->n, sizeof(*one));

	for (size_t i = 0; i < a->n; i++) {
		const struct sink_sums *k = &a->sinks[i];
		const double rows = k->rows ? (double)k->rows : NAN, special = k->special / rows;

		one[i] = true;
		list[i] = (struct scored_head){
			i, aligning_heads_score(a, one, r->rows, PART_ALL), special,
			k->first / rows, 1 - special - k->punctuation / rows, sink_sums_copy(k)
		};
		one[i] = false;
	}
	free(one);
	qsort(list, a->n, sizeof(*list), by_error);
	return list;
}

static struct aligning_score
score_mean_of_all(const struct aligning_report *r)
{
	bool *all = xcalloc(r->heads->n, sizeof(*all));
	struct aligning_score s;

	for (size_t i = 0; i < r->heads->n; i++)
		all[i] = true;
	s = aligning_heads_score(r->heads, all, r->rows, PART_REST);
	free(all);
	return s;
}

static void
put_signature(const struct aligning_report *r, struct buf *out)
{
	const struct buf *gold = &r->heads->gold.text;

	buf_printf(out, "heed|what:align|site:cross|rows:%s|end:excl|content:%s|unit:word|"
		   "target:ref|align:%016" PRIx64, aligning_row_names[r->rows],
		   r->heads->content_only ? "only" : "all",
		   hash_fnv1a(HASH_FNV1A, gold->data, gold->n));
	if (r->model)
		signature_add(out, "model", r->model);
	buf_printf(out, "|sentences:%zu|version:%s", r->heads->sentences, cli_version());
}

/* --- text --- */

/* No token may be in both languages. */
static void
put_copy(double copy, bool tsv, struct buf *out)
{
	if (isnan(copy))
		buf_add_str(out, tsv ? "-\n" : "     -\n");
	else
		buf_printf(out, tsv ? "%.4f\n" : "%6.3f\n", copy);
}

static void
put_table(const struct aligning_report *r, bool tsv, struct buf *out)
{
	struct scored_head *list = score_each_head(r);
	const char *form = tsv ? "\t%.4f\t%.4f\t%.4f\t%.4f\t%.4f\t%.4f\t"
			       : " %.3f +- %.3f %11.3f %8.3f %6.3f %8.3f ";

	buf_add_str(out, tsv ? "head\taer\taer.error\ttranslation\tspecial\tfirst\tcontent\t"
			       "copy\n"
			     : "head                   AER  translation  special  first  content   "
			       "copy\n");
	for (size_t i = 0; i < r->heads->n; i++) {
		struct buf name = { 0 };
		const struct scored_head *h = &list[i];

		put_head(r->heads, h->head, &name);
		buf_printf(out, tsv ? "%s" : "%-11s", name.data);
		buf_printf(out, form, h->score.aer, h->score.error, h->score.translation,
			   h->special, h->first, h->content);
		put_copy(h->copy, tsv, out);
		buf_release(&name);
	}
	free(list);
}

static void
put_set(const struct aligning_report *r, int k, struct buf *out)
{
	const struct aligning_score s = aligning_heads_score(
		r->heads, r->set[k], (enum aligning_rows)k, PART_REST);

	put_head_set(r, k, out);
	buf_printf(out, ": AER %.3f +- %.3f", s.aer, s.error);
}

static void
report_as_text(const struct aligning_report *r, struct buf *out)
{
	const int other = r->rows == ROWS_PREDICTS ? ROWS_READS : ROWS_PREDICTS;
	const struct aligning_score all = score_mean_of_all(r);

	put_table(r, false, out);
	buf_add_str(out, "set         ");
	put_set(r, (int)r->rows, out);
	buf_printf(out, " on the other half of the sentences (mean of all heads %.3f)\n", all.aer);
	if (r->losses)
		set_losses_text(r->losses, out);
	buf_printf(out, "rows        %s; %s: ", aligning_row_names[r->rows],
		   aligning_row_names[other]);
	put_set(r, other, out);
	buf_add_char(out, '\n');
	put_signature(r, out);
	buf_add_char(out, '\n');
}

/* --- JSON --- */

static void
report_number(const char *name, double v, struct buf *out)
{
	buf_printf(out, ",\"%s\":", name);
	json_add_fixed(out, v);
}

static void
report_as_json(const struct aligning_report *r, struct buf *out)
{
	const struct aligning_score set = aligning_heads_score(r->heads, r->set[r->rows], r->rows,
							       PART_REST);
	struct scored_head *list = score_each_head(r);
	struct buf signature = { 0 };

	buf_add_str(out, "{\"heads\":[");
	for (size_t i = 0; i < r->heads->n; i++) {
		const struct scored_head *h = &list[i];
		int number;
		const struct site *s = site_of_head(r->heads->sites.site,
						    r->heads->head[h->head], &number);

		buf_printf(out, "%s{\"layer\":%d,\"head\":%d", i ? "," : "", s->layer, number);
		report_number("aer", h->score.aer, out);
		report_number("error", h->score.error, out);
		report_number("translation", h->score.translation, out);
		report_number("special", h->special, out);
		report_number("first", h->first, out);
		report_number("content", h->content, out);
		if (!isnan(h->copy))
			report_number("copy", h->copy, out);
		buf_add_char(out, '}');
	}
	free(list);
	buf_add_str(out, "],\"set\":\"");
	put_head_set(r, (int)r->rows, out);
	buf_add_char(out, '"');
	report_number("aer", set.aer, out);
	report_number("error", set.error, out);
	put_signature(r, &signature);
	set_losses_end_json(r->losses, &signature, out);
	buf_release(&signature);
}

static void
put_ctranslate2(const struct aligning_report *r, struct buf *out)
{
	for (size_t i = 0; i < r->size[r->rows]; i++) {
		int number;
		const struct site *s = site_of_head(
			r->heads->sites.site, r->heads->head[r->order[r->rows][i]], &number);

		buf_printf(out, "%s[%d, %d]", i ? ", " : "[", s->layer - 1, number - 1);
	}
	buf_add_str(out, "]\n");
}

void
aligning_report_write(const struct aligning_report *r, enum aligning_form form, struct buf *out)
{
	switch (form) {
	case ALIGNING_TEXT: report_as_text(r, out); break;
	case ALIGNING_TSV: put_table(r, true, out); break;
	case ALIGNING_JSON: report_as_json(r, out); break;
	case ALIGNING_CTRANSLATE2: put_ctranslate2(r, out); break;
	}
}
