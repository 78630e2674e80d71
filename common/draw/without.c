/* without: see without.h. */
#include "draw/without.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/mem.h"
#include "base/progress.h"
#include "data/side-tokens.h"
#include "search/next-token.h"
#include "stream/json-out.h"

/* The results for a sentence, with all heads or without one. */
struct outcome { char *tokens; double sum; };	/* the translation as a JSON list */

struct removal {
	struct probe probe;
	const struct pick *p;
	struct outcome *out;		/* [heads + 1][sentences]; the last with all heads */
	struct translate_job *job;	/* [sentences] */
	struct arena mem;
};

/* --- one set of heads --- */

static char *
tokens_as_json(const struct str *token, int n)
{
	struct buf out = { 0 };

	buf_add_char(&out, '[');
	for (int i = 0; i < n; i++) {
		buf_add_str(&out, i ? "," : "");
		json_add_string(&out, token[i].s, token[i].n);
	}
	buf_add_char(&out, ']');
	return out.data;
}

static int
translate_without(struct removal *r, struct outcome *out, struct err *e)
{
	struct search_settings s;

	probe_search(&r->probe, &s);
	for (int i = 0; i < r->p->n; i++)
		r->job[i] = (struct translate_job){
			.rec = r->p->rec[i], .number = r->p->number[i],
			.n_tokens = side_tokens_count(r->p->rec[i], false)
		};
	if (probe_window(&r->probe, r->job, r->p->n, &s, e))
		return -1;
	arena_rewind(&r->mem);
	for (int i = 0; i < r->p->n; i++) {
		const struct hypothesis *best = &r->job[i].out.best[0];

		out[i].tokens = tokens_as_json(translate_pieces(&r->probe.view, best, &r->mem),
					       best->n);
	}
	return 0;
}

/* The log-probability of the target of sentence i; NAN without a target. */
static int
score_one(struct removal *r, int i, double *sum, struct err *e)
{
	const real *log_prob;
	int n;

	*sum = NAN;
	if (side_tokens_count(r->p->rec[i], true) < 0)
		return 0;
	log_prob = probe_score_record(&r->probe, r->p->rec[i], r->p->number[i], &n, e);
	if (!log_prob)
		return -1;
	*sum = probe_sum(&r->probe, log_prob, n);
	look_clear(&r->probe.look);
	return 0;
}

/* Runs the model without head k, or with k == heads with all heads. */
static int
run_without(struct removal *r, size_t k, struct err *e)
{
	struct outcome *out = r->out + k * (size_t)r->p->n;
	bool *removed = xcalloc(r->probe.heads + 1, sizeof(*removed));
	int bad;

	removed[k] = k < r->probe.heads;
	probe_remove(&r->probe, removed);
	free(removed);
	bad = translate_without(r, out, e);
	for (int i = 0; !bad && i < r->p->n; i++)
		bad = score_one(r, i, &out[i].sum, e);
	return bad;
}

/* --- the output --- */

/* The tokens only if they are not those of the whole model. */
static void
add_outcome(const struct outcome *one, const struct outcome *all, struct buf *out)
{
	buf_add_str(out, "{\"change\":");
	json_add_fixed(out, one->sum - all->sum);
	if (strcmp(one->tokens, all->tokens))
		buf_printf(out, ",\"tokens\":%s", one->tokens);
	buf_add_char(out, '}');
}

static void
add_sentence_without(const struct removal *r, int i, struct buf *out)
{
	const struct model *m = &r->probe.view;
	const size_t n = (size_t)r->p->n;
	const struct outcome *all = &r->out[r->probe.heads * n + (size_t)i];
	size_t k = 0;

	buf_printf(out, ",\n\"whole\":{\"tokens\":%s,\"sum\":", all->tokens);
	json_add_fixed(out, all->sum);
	buf_add_str(out, "},\n\"without\":{");
	for (size_t s = 0; s < m->n_sites; s++) {
		const struct site *site = &m->sites[s];

		buf_printf(out, "%s\"%s\":[", s ? ",\n" : "", site->name);
		for (int h = 0, kept = 0; h < site->all_heads; h++) {
			buf_add_str(out, h ? "," : "");
			if (kept < site->heads && site->head[kept] == h) {
				add_outcome(&r->out[k++ * n + (size_t)i], all, out);
				kept++;
			} else {
				buf_add_str(out, "null");
			}
		}
		buf_add_char(out, ']');
	}
	buf_add_char(out, '}');
}

/* The mean loss without head k over the sentences that have a target; NAN without any. */
static double
mean_loss(const struct removal *r, size_t k)
{
	const size_t n = (size_t)r->p->n;
	double sum = 0;
	int scored = 0;

	for (size_t i = 0; i < n; i++) {
		const double loss = r->out[r->probe.heads * n + i].sum - r->out[k * n + i].sum;

		if (isfinite(loss)) {
			sum += loss;
			scored++;
		}
	}
	return scored ? sum / scored : NAN;
}

/* Sets the measure without. */
static void
fill_measure(const struct removal *r, struct head_table *t)
{
	for (size_t i = 0; i < r->probe.heads; i++)
		head_table_fill(t, r->probe.view.sites, i, "without", mean_loss(r, i));
}

/* Draws progress on a terminal: a large model takes minutes. */
static int
remove_each(struct removal *r, struct err *e)
{
	struct progress progress;
	int bad = 0;

	progress_start(&progress, "heads", (int64_t)r->probe.heads + 1);
	for (size_t k = 0; !bad && k <= r->probe.heads; k++) {
		bad = run_without(r, k, e);
		progress_at(&progress, (int64_t)k + 1, "%s", "");
	}
	progress_end(&progress);
	return bad;
}

int
without_run(struct without *w, struct model *m, struct runtime *run, const char *name,
	    const struct pick *p, struct head_table *t, struct err *e)
{
	struct removal r = { .p = p };
	size_t outcomes;
	int bad;

	*w = (struct without){ .more = xcalloc((size_t)p->n + 1, sizeof(*w->more)), .n = p->n };
	model_prepare(m, &run->backend, run->pool);
	if (probe_open(&r.probe, m, run, name, e))
		return -1;
	outcomes = (r.probe.heads + 1) * (size_t)p->n;
	r.out = xcalloc(outcomes + 1, sizeof(*r.out));
	r.job = xcalloc((size_t)p->n + 1, sizeof(*r.job));
	arena_init(&r.mem, 0);
	bad = remove_each(&r, e);
	for (int i = 0; !bad && i < p->n; i++)
		add_sentence_without(&r, i, &w->more[i]);
	if (!bad)
		fill_measure(&r, t);
	for (size_t i = 0; i < outcomes; i++)
		free(r.out[i].tokens);
	free(r.out);
	free(r.job);
	arena_release(&r.mem);
	probe_close(&r.probe);
	return bad;
}

void
without_release(struct without *w)
{
	for (int i = 0; i < w->n; i++)
		buf_release(&w->more[i]);
	free(w->more);
}
