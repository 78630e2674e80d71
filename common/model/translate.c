/* translate: see translate.h. */
#include <stdlib.h>
#include <string.h>

#include "base/mem.h"
#include "model/translate.h"

void
translator_init(struct translator *t, struct model *m, struct pass *p)
{
	memset(t, 0, sizeof(*t));
	t->model = m;
	t->pass = p;
	t->batch_tokens = 2000;
	search_defaults(&t->search, (enum search_variant)m->recipe.search);
	t->search.length_penalty = m->recipe.length_penalty;
	t->search.beam = (int)m->recipe.beam;
	arena_init(&t->results, 0);
	arena_init(&t->batch, 0);
}

void
translator_release(struct translator *t)
{
	searcher_free(t->by);
	arena_release(&t->results);
	arena_release(&t->batch);
}

int
translate_count(const struct record *rec)
{
	const struct str *v;
	struct str text;
	size_t n = 0;

	if (!record_strs(rec, "src.pieces", &v, &n))
		return (int)n;
	if (record_str(rec, "src", &text))
		return -1;
	for (size_t i = 0; i < text.n; i++)
		n += text.s[i] != ' ' && (!i || text.s[i - 1] == ' ');
	return (int)n;
}

void
translate_begin(struct translator *t)
{
	arena_rewind(&t->results);
}

void
translate_prefix(struct translator *t, struct job *job, const struct str *piece, size_t n)
{
	job->prefix = ARENA_ARRAY(&t->results, int, n);
	job->n_prefix = (int)n;
	for (size_t i = 0; i < n; i++)
		job->prefix[i] = vocab_id(&t->model->tgt, piece[i].s, piece[i].n);
}

/* Longest first, so that what needs most memory comes first; of equal length as they came. */
static int
by_length(const void *a, const void *b)
{
	const struct job *x = *(struct job *const *)a, *y = *(struct job *const *)b;

	if (x->n_symbols != y->n_symbols)
		return x->n_symbols > y->n_symbols ? -1 : 1;
	return x->number < y->number ? -1 : x->number > y->number;
}

static void
translate_empty(struct translator *t, struct job *job)
{
	job->out.n = 1;
	job->out.best = arena_zero(&t->results, sizeof(*job->out.best));
}

static int
translate_batch(struct translator *t, struct job **job, int n, struct err *e)
{
	const struct record **rec = ARENA_ARRAY(&t->batch, const struct record *, n);
	int64_t *number = ARENA_ARRAY(&t->batch, int64_t, n);
	const int **prefix = ARENA_ARRAY(&t->batch, const int *, n);
	int *n_prefix = ARENA_ARRAY(&t->batch, int, n), with_prefix = 0;
	struct translation *out = ARENA_ARRAY(&t->batch, struct translation, n);
	struct batch b;

	for (int i = 0; i < n; i++) {
		rec[i] = job[i]->rec;
		number[i] = job[i]->number;
		prefix[i] = job[i]->prefix;
		n_prefix[i] = job[i]->n_prefix;
		with_prefix |= n_prefix[i] > 0;
	}
	if (model_batch(t->model, &b, &t->batch, rec, number, n, NULL, e) ||
	    search_batch(t->by, &b, with_prefix ? prefix : NULL, n_prefix, &t->results, out, e))
		return -1;
	for (int i = 0; i < n; i++) {
		job[i]->out = out[i];
		t->n_symbols += out[i].best[0].n;
	}
	return 0;
}

/* How many of the jobs make a batch: as many as the symbols allow, at least one. */
static int
batch_size(const struct translator *t, struct job *const *job, int n)
{
	int64_t symbols = 0;
	int k = 0;

	while (k < n && (symbols += job[k]->n_symbols + 1) <= t->batch_tokens)
		k++;
	return k ? k : 1;
}

int
translate_window(struct translator *t, struct job *job, int n, struct err *e)
{
	if (!t->by)
		t->by = searcher_new(t->model, t->pass, &t->search);
	struct job **order = xreallocarray(NULL, (size_t)n + 1, sizeof(struct job *));
	int todo = 0, done = 0, r = 0;

	for (int i = 0; i < n; i++) {
		if (job[i].n_symbols)
			order[todo++] = &job[i];
		else
			translate_empty(t, &job[i]);
	}
	qsort(order, (size_t)todo, sizeof(*order), by_length);
	while (!r && done < todo) {
		int k = batch_size(t, order + done, todo - done);

		r = translate_batch(t, order + done, k, e);
		arena_rewind(&t->batch);
		done += k;
	}
	t->n_sentences += n;
	free(order);
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
