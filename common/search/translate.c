/* translate: see translate.h. */
#include <limits.h>
#include <stdatomic.h>
#include <stdlib.h>
#include <string.h>

#include "base/mem.h"
#include "base/pool.h"
#include "search/translate.h"
#include "model/model-input.h"
#include "tensor/backend/backend.h"

/* A searcher with its own memory, which translates one batch after another. */
struct stream {
	struct pass pass;
	struct arena scratch, batch, results;
	struct searcher *searcher;
	struct record **copy;		/* [copies] of records with first tokens; used: in use */
	size_t copies, used, room;
	struct translate_work *work;	/* the batches, of which this stream translates some */
	int thread;			/* that does this */
};

void
translator_init(struct translator *t, struct model *m, struct pass *p)
{
	memset(t, 0, sizeof(*t));
	t->model = m;
	t->pass = p;
	t->batch_tokens = TRANSLATE_BATCH;
	t->room = INT_MAX;
	search_defaults(&t->search, (enum search_variant)m->recipe.search);
	t->search.length_penalty = m->recipe.length_penalty;
	t->search.beam = (int)m->recipe.beam;
	t->search.count_first = m->recipe.count_first;
	arena_init(&t->results, 0);
}

/* Called at the first window, when the caller has set the search settings. */
static void
open_streams(struct translator *t)
{
	if (t->stream)
		return;
	/* Not all back ends can be called from several threads. */
	t->n_streams = t->pass->backend->caps & BACKEND_THREAD_SAFE ? pool_threads(t->pass->pool)
								     : 1;
	t->stream = xcalloc((size_t)t->n_streams, sizeof(*t->stream));
	for (int i = 0; i < t->n_streams; i++) {
		struct stream *s = &t->stream[i];

		arena_init(&s->scratch, 0);
		arena_init(&s->batch, 0);
		arena_init(&s->results, 0);
		s->pass = *t->pass;
		s->pass.scratch = &s->scratch;
		s->searcher = searcher_new(t->model, &s->pass, &t->search);
		for (int k = 0; k < t->n_others; k++)
			searcher_add(s->searcher, t->others[k]);
		searcher_restrict(s->searcher, t->shortlist);
	}
}

void
translator_release(struct translator *t)
{
	for (int i = 0; i < t->n_streams; i++) {
		struct stream *s = &t->stream[i];

		searcher_free(s->searcher);
		arena_release(&s->scratch);
		arena_release(&s->batch);
		arena_release(&s->results);
		for (size_t k = 0; k < s->copies; k++)
			record_free(s->copy[k]);
		free(s->copy);
	}
	free(t->stream);
	arena_release(&t->results);
}

void
translate_begin(struct translator *t)
{
	arena_rewind(&t->results);
	for (int i = 0; i < t->n_streams; i++)
		arena_rewind(&t->stream[i].results);
}

void
translate_prefix(struct translator *t, struct translate_job *job, const struct str *piece, size_t n)
{
	job->prefix = ARENA_ARRAY(&t->results, int, n);
	job->n_prefix = (int)n;
	for (size_t i = 0; i < n; i++) {
		job->prefix[i] = vocab_id(&t->model->tgt, piece[i].s, piece[i].n);
		t->n_unknown += job->prefix[i] == VOCAB_UNK;
	}
}

/* Longest first, so that the slowest batches do not start last; ties in input order. */
static int
by_length(const void *a, const void *b)
{
	const struct translate_job *x = *(struct translate_job *const *)a,
		*y = *(struct translate_job *const *)b;

	if (x->n_tokens != y->n_tokens)
		return x->n_tokens > y->n_tokens ? -1 : 1;
	return x->number < y->number ? -1 : x->number > y->number;
}

/* For a sentence that has no tokens or is skipped. */
static void
translate_empty(struct translator *t, struct translate_job *job)
{
	job->out.n = 1;
	job->out.best = arena_zero(&t->results, sizeof(*job->out.best));
}

/*
 * Points *rec to copies of the n records with the first token of m if its attention variants read
 * them; the caller's records stay as they are.
 */
static int
translate_put_first(struct stream *s, const struct model *m, const struct record *const **rec,
		    const int64_t *number, int n, struct err *e)
{
	const struct record **with;

	if (!m->first_token[0] || !attention_set_needs(m->attention, false)->name)
		return 0;
	with = ARENA_ARRAY(&s->batch, const struct record *, n);
	for (int i = 0; i < n; i++) {
		s->copy = mem_grow(s->copy, &s->room, s->used + 1, sizeof(*s->copy));
		if (s->used == s->copies)
			s->copy[s->copies++] = record_new();
		record_clear(s->copy[s->used]);
		if (record_copy(s->copy[s->used], (*rec)[i]))
			return err_set(e, EXIT_INPUT, "record cannot be copied");
		if (model_put_first_tokens(m, s->copy[s->used], false, e))
			return err_wrap(e, "record %lld", (long long)number[i] + 1);
		with[i] = s->copy[s->used++];
	}
	*rec = with;
	return 0;
}

/* Makes a batch for each model. */
static int
make_batches(struct translator *t, struct stream *s, const struct record *const *rec,
	     const int64_t *number, int n, struct batch *b, struct err *e)
{
	s->used = 0;
	for (int k = 0; k <= t->n_others; k++) {
		struct model *m = k ? t->others[k - 1] : t->model;
		const struct record *const *read = rec;
		struct batch_rules rules;

		model_batch_rules(m, &rules);
		rules.with_target = false;
		rules.word_dropout = 0;
		rules.cut = t->cut;
		if (t->cut)
			batch_limit(&rules, t->room);
		if (translate_put_first(s, m, &read, number, n, e) ||
		    model_batch(m, &b[k], &s->batch, read, number, n, &rules, e))
			return -1;
	}
	return 0;
}

/* Batches [from, to) of a plan. */
struct translate_work {
	struct translator *t;
	const struct translate_plan *plan;
	int from, to;
	atomic_int next;		/* the next batch that no stream has taken */
	atomic_bool failed;
	struct err *e;			/* [to - from] */
	bool *bad;
	atomic_llong translations;	/* so far, for progress */
};

/* Thread 0 is the one that called translate_batches(). */
static void
translate_progress(void *arg, int translations)
{
	struct stream *s = arg;
	struct translate_work *w = s->work;
	const long long so_far = atomic_fetch_add(&w->translations, translations) + translations;

	if (s->thread == 0)
		w->t->done(w->t->done_arg, so_far);
}

/* Translates job[0], job[step], job[2 * step], ... of n jobs as one batch. */
static int
translate_batch(struct translator *t, struct stream *s, struct translate_job **job, int n, int step,
		struct err *e)
{
	const int count = (n + step - 1) / step;
	const struct record **rec = ARENA_ARRAY(&s->batch, const struct record *, count);
	int64_t *number = ARENA_ARRAY(&s->batch, int64_t, count);
	const int **prefix = ARENA_ARRAY(&s->batch, const int *, count);
	int *n_prefix = ARENA_ARRAY(&s->batch, int, count), with_prefix = 0, r;
	struct translation *out = ARENA_ARRAY(&s->batch, struct translation, count);
	struct batch *b = ARENA_ARRAY(&s->batch, struct batch, t->n_others + 1);

	for (int i = 0; i < count; i++) {
		const struct translate_job *j = job[i * step];

		rec[i] = j->rec;
		number[i] = j->number;
		prefix[i] = j->prefix;
		n_prefix[i] = j->n_prefix;
		with_prefix |= n_prefix[i] > 0;
	}
	searcher_mask(s->searcher, t->masks, t->n_masks);
	searcher_progress(s->searcher, t->done ? translate_progress : NULL, s);
	r = make_batches(t, s, rec, number, count, b, e) ||
	    search_batch(s->searcher, b, with_prefix ? prefix : NULL, n_prefix, &s->results, out,
			 e);
	for (int i = 0; !r && i < count; i++)
		job[i * step]->out = out[i];
	arena_rewind(&s->batch);
	return r ? -1 : 0;
}

static void
work_on_batch(struct translate_work *w, struct stream *s, int i, int thread)
{
	const struct translate_plan *p = w->plan;
	const int at = i - w->from;

	s->work = w;
	s->thread = thread;
	w->bad[at] = translate_batch(w->t, s, p->order + i, p->n - i, p->n_batches, &w->e[at]);
	if (w->bad[at])
		atomic_store(&w->failed, true);
}

/* A stream takes the next batch until one fails; all batches before that one are complete. */
static void
work_on(void *arg, int piece, int thread)
{
	struct translate_work *w = arg;

	while (!atomic_load(&w->failed)) {
		const int i = atomic_fetch_add(&w->next, 1);

		if (i >= w->to)
			return;
		work_on_batch(w, &w->t->stream[piece], i, thread);
	}
}

/* A power of two, so that the usual numbers of threads get the same number of batches. */
static int
count_batches(const struct translator *t, const struct translate_plan *p)
{
	int64_t tokens = 0;
	int k = 1;

	for (int i = 0; i < p->n; i++)
		tokens += p->order[i]->n_tokens + 1;
	while (2 * k <= p->n && tokens > k * t->batch_tokens)
		k *= 2;
	return k;
}

void
translate_plan(struct translator *t, struct translate_job *job, int n, struct translate_plan *p)
{
	open_streams(t);
	*p = (struct translate_plan){ .order = xcalloc((size_t)n + 1, sizeof(*p->order)) };
	for (int i = 0; i < n; i++) {
		if (job[i].n_tokens && !job[i].skip)
			p->order[p->n++] = &job[i];
		else
			translate_empty(t, &job[i]);
	}
	qsort(p->order, (size_t)p->n, sizeof(*p->order), by_length);
	p->n_batches = p->n ? count_batches(t, p) : 0;
}

void
translate_plan_release(struct translate_plan *p)
{
	free(p->order);
	*p = (struct translate_plan){ .n = 0 };
}

int
translate_batches(struct translator *t, const struct translate_plan *p, int from, int to,
		  struct err *e)
{
	struct translate_work w = { .t = t, .plan = p, .from = from, .to = to,
				    .next = from };
	const bool parallel = to - from > 1 && t->n_streams > 1;
	int r = 0;

	w.e = xcalloc((size_t)(to - from) + 1, sizeof(*w.e));
	w.bad = xcalloc((size_t)(to - from) + 1, sizeof(*w.bad));
	for (int i = 0; i < t->n_streams; i++)
		t->stream[i].pass.pool = parallel ? NULL : t->pass->pool;
	if (parallel)
		pool_run(t->pass->pool, t->n_streams, work_on, &w);
	else
		for (int i = from; i < to && !w.failed; i++)
			work_on_batch(&w, t->stream, i, 0);
	for (int i = to - from - 1; i >= 0; i--)
		if (w.bad[i]) {
			*e = w.e[i];
			r = -1;
		}
	free(w.e);
	free(w.bad);
	return r;
}

int
translate_window(struct translator *t, struct translate_job *job, int n, struct err *e)
{
	struct translate_plan p;
	int r;

	translate_plan(t, job, n, &p);
	r = translate_batches(t, &p, 0, p.n_batches, e);
	for (int i = 0; !r && i < p.n; i++)
		t->n_tokens += p.order[i]->out.best[0].n;
	t->n_sentences += n;
	translate_plan_release(&p);
	return r;
}

struct str *
translate_pieces(const struct model *m, const struct hypothesis *h, struct arena *mem)
{
	struct str *v = ARENA_ARRAY(mem, struct str, h->n + 1);

	for (int i = 0; i < h->n; i++)
		v[i].s = vocab_text(&m->tgt, h->id[i], &v[i].n);
	return v;
}
