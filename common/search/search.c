/* search: plans the searches of a batch; see search.h. */
#include <math.h>
#include <stdlib.h>

#include "attention/attention-heads.h"
#include "base/mem.h"
#include "search/prefix.h"
#include "search/search-parts.h"
#include "tensor/backend/backend.h"

#define MEMORY ((size_t)1 << 28)	/* address space reserved at a time for nodes */

/* --- searchers --- */

/* Each sample is found by a search of its own, with one hypothesis. */
struct searcher *
searcher_new(struct model *m, struct pass *p, const struct search_settings *s)
{
	struct searcher *x = xcalloc(1, sizeof(*x));
	const int rows = decoder_cache_slots(m, p);

	x->pass = p;
	x->set = *s;
	x->set.free_prefix = m->first_token[1] != NULL;
	if (s->sampling.n)
		x->set.beam = x->set.n_best = 1;
	x->live = x->set.beam < rows ? rows / x->set.beam : 1;
	arena_init(&x->lists, 0);
	arena_init(&x->sums, 0);
	gated_encoder_init(&x->encoder, m);
	searcher_add(x, m);
	if (s->coverage_penalty > 0)
		decoder_cache_keep_weights(x->member[0].cache, search_coverage_site(m));
	return x;
}

void
searcher_add(struct searcher *x, struct model *m)
{
	struct member *new = &x->member[x->n++];

	if (x->n > ENSEMBLE_MAX)
		bug("searcher_add: %d models", x->n);
	new->m = m;
	arena_init(&new->mem, MEMORY);
	new->tape = tape_new(&new->mem, x->pass);
	new->cache = decoder_cache_new(m, x->live * x->set.beam,
				       x->pass->backend->caps & BACKEND_INT8);
}

void
searcher_free(struct searcher *x)
{
	if (!x)
		return;
	for (int k = 0; k < x->n; k++) {
		decoder_cache_free(x->member[k].cache);
		tape_free(x->member[k].tape);
		arena_release(&x->member[k].mem);
	}
	arena_release(&x->lists);
	arena_release(&x->sums);
	gated_encoder_release(&x->encoder);
	free(x);
}

void
searcher_restrict(struct searcher *x, const struct shortlist *s)
{
	x->shortlist = s;
}

void
searcher_mask(struct searcher *x, const real *gates, int n)
{
	const struct model *m = x->member[0].m;

	x->masks = gates;
	x->n_masks = n;
	x->n_gates = heads_before(m->sites, m->n_sites);
	decoder_cache_share(x->member[0].cache, gates && !attention_set_n(m->attention) &&
			    !(x->set.coverage_penalty > 0));
}

void
searcher_progress(struct searcher *x, search_progress *done, void *done_arg)
{
	x->done = done;
	x->done_arg = done_arg;
}

/* --- the searches of a batch --- */

/*
 * A model has max_length positions, at least 2; one of them is for the first token that the decoder
 * reads.
 */
static int
max_tokens(const struct searcher *x, int source)
{
	double n = search_max_tokens(&x->set, source);

	for (int k = 0; k < x->n; k++)
		n = fmin(n, (double)(x->member[k].m->config.max_length - 1));
	return (int)n;
}

/* Names sentence i in an error. */
static int
at_sentence(const struct searcher *x, int i, struct err *e)
{
	return err_wrap(e, "%s %lld", x->set.noun, (long long)x->member[0].b->number[i] + 1);
}

static int
check_found(const struct searcher *x, const struct translation *out, struct err *e)
{
	for (int i = 0; i < x->member[0].b->n; i++)
		if (!out[i].n) {
			err_set(e, EXIT_INPUT, "no translation has a finite score");
			return at_sentence(x, i, e);
		}
	return 0;
}

/* Sets what each search of each sentence of the batch needs. */
static int
search_plan(const struct searcher *x, struct arena *mem, const int *const *prefix,
	    const int *prefix_n, struct beam_task *task, struct err *e)
{
	const struct batch *b = x->member[0].b;
	const int n = b->n * x->each;
	int *max_len = ARENA_ARRAY(mem, int, n), *n_prefix = ARENA_ARRAY(mem, int, n);
	const int **all = ARENA_ARRAY(mem, const int *, n);

	*task = (struct beam_task){ .n = n, .live = n < x->live ? n : x->live, .max_len = max_len,
				    .together = x->masks ? x->each : 0,
				    .prefix = prefix ? all : NULL, .prefix_n = n_prefix };
	task->live -= x->masks ? task->live % x->each : 0;
	for (int i = 0; i < n; i++) {
		const int k = i / x->each;

		max_len[i] = max_tokens(x, b->src.layout.len[k]);
		if (!prefix)
			continue;
		all[i] = prefix[k];
		n_prefix[i] = prefix_n[k];
		if (prefix_check(x->member[0].m, prefix[k], prefix_n[k], max_len[i], e))
			return at_sentence(x, k, e);
	}
	return 0;
}

static int
count_searches(const struct searcher *x)
{
	return x->masks ? x->n_masks : x->set.sampling.n ? x->set.sampling.n : 1;
}

/*
 * The searches of a batch at a time: enough that few steps have few rows; not all, so that progress
 * is reported.
 */
enum { SEARCHES = 4096 };

/* The number of masks from one on that are searched together: they share an encoder output. */
static int
count_together(const struct searcher *x, int mask)
{
	const struct member *o = &x->member[0];
	int n = 1;

	while (mask + n < x->n_masks && n < x->live && (n + 1) * o->b->n <= SEARCHES &&
	       gated_encoder_same(o->m, search_gates(x, mask), search_gates(x, mask + n)))
		n++;
	return n;
}

static bool
has_variants(const struct searcher *x)
{
	for (int k = 0; k < x->n; k++)
		if (attention_set_n(x->member[k].m->attention))
			return true;
	return false;
}

/* Prepares the next searches of each sentence, after the first `done` ones. */
static void
begin_searches(struct searcher *x, int done)
{
	x->each = x->masks ? count_together(x, done) : count_searches(x);
	x->mask = done;
	if (done && gated_encoder_same(x->member[0].m, search_gates(x, done - 1),
				       search_gates(x, done)))
		return;
	x->encoded = 0;
	for (int k = 0; k < x->n; k++)
		decoder_cache_clear(x->member[k].cache);
	if (x->masks)
		gated_encoder_gates(&x->encoder, search_gates(x, done));
	/* Attention variants identify sentences by their index, so the batch must not be split. */
	if (has_variants(x))
		search_encode(x, x->member[0].b->n);
}

/* The best ones of the searches of a sentence are added to its translation, in their order. */
static void
search_gather(const struct searcher *x, const struct translation *found, struct translation *out)
{
	for (int i = 0; i < x->member[0].b->n; i++)
		for (int k = 0; k < x->each && out[i].n; k++) {
			const struct translation *one = &found[i * x->each + k];

			if (one->n)
				out[i].best[x->mask + k] = one->best[0];
			else
				out[i].n = 0;
		}
}

int
search_batch(struct searcher *x, const struct batch *b, const int *const *prefix,
	     const int *prefix_n, struct arena *mem, struct translation *out, struct err *e)
{
	struct model *m = x->member[0].m;
	const struct scorer sc = { .n_vocab = m->tgt.n, .first = prefix_input(m),
				   .step = search_step, .copy = search_copy, .arg = x };
	const int all = count_searches(x);

	for (int k = 0; k < x->n; k++)
		x->member[k].b = &b[k];
	gated_encoder_batch(&x->encoder, b);
	prefix_put_first(m, b->n, &prefix, &prefix_n, mem);
	search_begin_steps(x, prefix, prefix_n);
	for (int i = 0; all > 1 && i < b->n; i++)
		out[i] = (struct translation){ all, ARENA_ARRAY(mem, struct hypothesis, all) };
	for (int done = 0; done < all; done += x->each) {
		struct translation *found = out;
		struct beam_task task;

		begin_searches(x, done);
		if (search_plan(x, mem, prefix, prefix_n, &task, e))
			return -1;
		if (all > 1)
			found = ARENA_ARRAY(mem, struct translation, task.n);
		beam_search(&sc, &x->set, &task, mem, found);
		if (all > 1)
			search_gather(x, found, out);
		if (x->done)
			x->done(x->done_arg, task.n);
	}
	prefix_drop_first(m, b->n, out);
	return check_found(x, out, e);
}
