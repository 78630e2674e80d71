/* answer: the answers of an explorer; see explorer.h. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "attention/attention-heads.h"
#include "attribution/lrp-sums.h"
#include "base/mem.h"
#include "base/progress.h"
#include "base/utf8.h"
#include "draw/walk-data.h"
#include "explore/explorer.h"
#include "model/model-input.h"
#include "scores/chrf.h"
#include "stream/json-out.h"

/* A newer request of the same page makes this one useless: no message is sent. */
static int
check_overtaken(const atomic_bool *overtaken, struct err *e)
{
	return atomic_load(overtaken) ? err_set(e, EXIT_NO, "%s", "") : 0;
}

/* --- the relevance of source tokens and heads --- */

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
put_head_relevance(const struct model *m, const real *gates, struct head_table *t, struct buf *out)
{
	const struct head_column *c = head_table_find(t, "relevance");

	buf_add_str(out, ",\"heads\":{");
	for (size_t i = 0; i < m->n_sites; i++) {
		buf_printf(out, "%s\"%s\":[", i ? "," : "", m->sites[i].name);
		for (int h = 0; h < m->sites[i].all_heads; h++) {
			const struct site *s = &m->sites[i];
			const size_t r = head_table_row(t, s->where, s->layer, h + 1);
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
}

static int
add_heads(const struct model *m, const real *gates, const struct lrp_sentence *one,
	  struct buf *out, struct err *e)
{
	struct lrp_sums sums = { .with_errors = false };
	struct head_table t = { .n = 0 };
	int bad;

	lrp_sums_init(&sums, m);
	bad = lrp_sums_add(&sums, one, e);
	if (!bad) {
		lrp_sums_fill(&sums, "relevance", &t);
		put_head_relevance(m, gates, &t, out);
	}
	lrp_sums_release(&sums);
	head_table_release(&t);
	return bad;
}

/*
 * Appends the member relevance, after a comma: the relevance of source tokens and heads for the
 * target of p, by LRP.  Fails as lrp_trace() of attribution/lrp.h.
 */
static int
put_relevance(struct probe *p, struct buf *out, struct err *e)
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
		bad = add_heads(&p->view, gates, &job.out, out, e);
	}
	lrp_release(&t);
	model_gate(&p->view, gates);
	return bad;
}

/* --- the input of a model --- */

static int
remove_listed_heads(struct probe *p, const char *list, struct err *e)
{
	const struct model *m = &p->view;
	bool *removed = xcalloc(p->heads + 1, sizeof(*removed));
	const int bad = *list ? head_set_add(removed, list, m->sites, m->n_sites, e) : 0;

	if (!bad)
		probe_remove(p, removed);
	free(removed);
	return bad;
}

static int
check_token_count(int n, const struct model *m, bool target, struct err *e)
{
	struct batch_rules rules;
	int most;

	model_batch_rules(m, &rules);
	rules.with_target = target;
	most = batch_room(&rules, target);
	most = most < EXPLORE_TOKENS ? most : EXPLORE_TOKENS;
	if (n < 1)
		return err_set(e, EXIT_INPUT, "the sentence is empty");
	return n <= most ? 0 : err_set(e, EXIT_INPUT, "%d tokens, expected at most %d", n, most);
}

/* Without its fields, a variant would compute a sentence as the plain Transformer does. */
static int
check_probe_fields(const struct probe *p, struct err *e)
{
	const struct field *needs = attention_set_needs(p->view.attention, false);

	for (; needs->name; needs++)
		if (!record_has(p->rec, needs->name) && strncmp(needs->name, "tgt.", 4))
			return err_set(e, EXIT_INPUT, "the model reads %s, which the sentence does "
				       "not have, expected --parse or a sentence of --dev",
				       needs->name);
	return 0;
}

static int
set_source(struct explorer_worker *w, const struct explore_request *r, int i, struct err *e)
{
	const struct pick *dev = &w->x->dev;
	struct probe *p = &w->probe[i];
	int bad;

	if (!r->text.s && r->sentence >= dev->n)
		return err_set(e, EXIT_INPUT, "no sentence %lld", (long long)r->sentence);
	if (!r->text.s) {
		bad = probe_record(p, dev->rec[r->sentence], e);
	} else if (w->moses[i]) {
		buf_clear(&w->text);
		moses_tokenize(w->moses[i], r->text.s, r->text.n, false, false, &w->text);
		bad = probe_text(p, w->text.n ? w->text.data : "", w->text.n, e);
	} else {
		bad = probe_text(p, r->text.s, r->text.n, e);
	}
	if (bad || check_token_count(probe_source_tokens(p), &p->view, false, e))
		return -1;
	if (w->x->parser && source_tree_add(w->x->parser, p->rec, e))
		return -1;
	return check_probe_fields(p, e);
}

/* The forced translation, or that of the model. */
static int
set_target(const struct explore_request *r, struct probe *p, struct err *e)
{
	struct search_settings s;

	if (r->target.s) {
		if (probe_target_text(p, r->target.s, r->target.n, e))
			return -1;
		if (check_token_count((int)p->n_pieces, &p->view, true, e))
			return err_wrap(e, "the target");
		return 0;
	}
	probe_search(p, &s);
	s.beam = r->beam ? r->beam : s.beam;
	s.length_penalty = r->penalty >= 0 ? r->penalty : s.length_penalty;
	return probe_translate(p, &s, e);
}

/* --- the output --- */

/* chrF of a translation, as bleu(1) computes it. */
static double
chrf_of(const struct buf *text, struct str reference)
{
	static const struct chrf settings = { .char_order = 6, .beta = 2 };
	const struct metric m = chrf_metric(&settings);
	void *scratch = m.open(m.how);
	int32_t stats[METRIC_MAX_WIDTH];
	int64_t sums[METRIC_MAX_WIDTH];

	m.reference(scratch, 0, reference.s, reference.n);
	m.hypothesis(scratch, text->n ? text->data : "", text->n, stats);
	m.close(scratch);
	for (int i = 0; i < m.width; i++)
		sums[i] = stats[i];
	return m.score(sums, m.how);
}

/* For a sentence of --dev with a reference. */
static void
add_chrf(const struct pick *dev, const struct explore_request *r, const struct buf *text,
	 struct buf *out)
{
	struct str reference;

	if (!r->text.s && !record_str(dev->rec[r->sentence], "tgt", &reference) && reference.n &&
	    utf8_check(reference.s, reference.n) == reference.n)
		buf_printf(out, ",\"chrf\":%.2f", chrf_of(text, reference));
}

static int
add_translation_answer(struct explorer_worker *w, const struct explore_request *r, struct probe *p,
		       const real *log_prob, int n, double seconds, struct buf *out, struct err *e)
{
	struct buf text = { 0 };
	int bad = probe_target_add(p, &text, e);

	/* first: the number of tokens with which the model begins every target */
	buf_printf(out, ",\n\"translation\":{\"forced\":%s,\"first\":%d,\"seconds\":%.4f,\"sum\":",
		   r->target.s ? "true" : "false", p->view.first_token[1] != NULL, seconds);
	json_add_fixed(out, probe_sum(p, log_prob, n));
	buf_add_str(out, ",\"log_probs\":[");
	for (int i = 0; i < n; i++) {
		buf_add_str(out, i ? "," : "");
		json_add_fixed(out, (double)log_prob[i]);
	}
	buf_add_char(out, ']');
	add_chrf(&w->x->dev, r, &text, out);
	buf_add(&text, "", 1);
	buf_add_str(out, ",\"text\":");
	json_add_text(out, text.data);
	buf_add_char(out, '}');
	buf_release(&text);
	return bad;
}

/* The log-probability of another translation by the same heads. */
static int
add_compared(const struct explore_request *r, int i, struct probe *p, struct buf *out,
	     struct err *e)
{
	const real *log_prob;
	int n;

	if (!r->compare[i])
		return 0;
	probe_target_tokens(p, r->compare[i], r->n_compare[i]);
	log_prob = probe_score(p, &n, e);
	if (!log_prob)
		return -1;
	buf_add_str(out, ",\n\"compared\":");
	json_add_fixed(out, probe_sum(p, log_prob, n));
	look_clear(&p->look);
	return 0;
}

static int
add_answer(struct explorer_worker *w, const struct explore_request *r, int i,
	   const atomic_bool *overtaken, struct walk_data *d, struct buf *more, struct err *e)
{
	struct probe *p = &w->probe[i];
	const double begin = seconds();
	const real *log_prob;
	int n, bad;

	if (remove_listed_heads(p, r->removed[i], e) || set_source(w, r, i, e) ||
	    check_overtaken(overtaken, e) || add_compared(r, i, p, more, e) ||
	    set_target(r, p, e) || check_overtaken(overtaken, e) ||
	    (r->relevance && put_relevance(p, more, e)) || check_overtaken(overtaken, e))
		return -1;
	log_prob = probe_score(p, &n, e);
	if (!log_prob)
		return -1;
	bad = add_translation_answer(w, r, p, log_prob, n, seconds() - begin, more, e) ||
	      walk_data_add(d, &p->look, r->text.s ? "typed" : w->x->dev.id[r->sentence], e);
	look_clear(&p->look);
	return bad ? -1 : 0;
}

static int
add_probe_models(struct explorer_worker *w, const struct explore_request *r,
		 const atomic_bool *overtaken, struct walk_data *d, struct err *e)
{
	for (int i = 0; i < w->x->n; i++) {
		struct buf more = { 0 };
		struct head_table none = { .n = 0 };
		int bad;

		walk_data_model(d, &w->probe[i].look, w->x->name[i], &none, NULL);
		head_table_release(&none);
		d->more = &more;
		bad = add_answer(w, r, i, overtaken, d, &more, e);
		buf_release(&more);
		d->more = NULL;
		if (bad && w->x->n > 1 && *e->text)
			err_wrap(e, "%s", w->x->name[i]);
		if (bad)
			return -1;
	}
	return 0;
}

int
explorer_answer(struct explorer_worker *w, const struct explore_request *r,
		const atomic_bool *overtaken, struct buf *out, struct err *e)
{
	struct walk_data d;
	int bad;

	walk_data_begin(&d, 3);
	bad = add_probe_models(w, r, overtaken, &d, e);
	walk_data_end(&d);
	if (!bad)
		buf_add(out, d.json.data, d.json.n);
	walk_data_release(&d);
	return bad;
}
