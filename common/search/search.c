/* search: the scorer of beam.h that runs the model; see search.h. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "attention/attention-heads.h"
#include "base/mem.h"
#include "base/pool.h"
#include "search/beam.h"
#include "search/decoder.h"
#include "search/prefix.h"
#include "search/next-token.h"
#include "search/shortlist.h"
#include "tensor/backend/backend.h"

/* The approximate number of source tokens that are encoded together. */
enum { ENCODED_TOKENS = 512 };

#define MEMORY ((size_t)1 << 28)	/* address space reserved at a time for nodes */

/* A model, with the memory of its nodes. */
struct member {
	struct model *m;
	struct arena mem;
	struct tape *tape;
	struct decoder_cache *cache;
	const struct batch *b;		/* the current batch */
};

struct searcher {
	struct member member[ENSEMBLE_MAX];	/* [n] */
	int n;
	struct pass *pass;
	struct search_settings set;
	int each;			/* searches of each sentence: its samples or masks, or 1 */
	const real *masks;		/* [each, n_gates] gates of each search, or NULL */
	size_t n_gates;
	const int *which;		/* [n] the search of each hypothesis of the step */
	int live;			/* maximum number of sentences searched at a time */
	const struct shortlist *shortlist;	/* or NULL */
	struct arena lists;
	struct candidates *candidates;	/* of each sentence of the batch, with a shortlist */
	int encoded;			/* number of sentences of the batch in the caches */
	bool repeat;
	struct arena sums;
	double *covered;		/* [slots, covered_n] sums of attention weights, or NULL */
	int covered_n;			/* the longest source of the batch */
};

/* Each sample is found by a search of its own, with one hypothesis. */
struct searcher *
searcher_new(struct model *m, struct pass *p, const struct search_settings *s)
{
	struct searcher *x = xcalloc(1, sizeof(*x));
	const int rows = decoder_cache_slots(m, p);

	x->pass = p;
	x->set = *s;
	x->set.free_prefix = m->first_token[1] != NULL;
	x->each = s->sampling.n ? s->sampling.n : 1;
	if (s->sampling.n)
		x->set.beam = x->set.n_best = 1;
	x->live = x->set.beam < rows ? rows / x->set.beam : 1;
	arena_init(&x->lists, 0);
	arena_init(&x->sums, 0);
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
	free(x);
}

void
searcher_restrict(struct searcher *x, const struct shortlist *s)
{
	x->shortlist = s;
}

void
searcher_repeat(struct searcher *x, bool repeat)
{
	x->repeat = repeat;
}

void
searcher_mask(struct searcher *x, const real *gates, int n)
{
	const struct model *m = x->member[0].m;

	x->masks = gates;
	x->n_gates = heads_before(m->sites, m->n_sites);
	x->each = gates ? n : x->set.sampling.n ? x->set.sampling.n : 1;
	if (n > x->live)
		bug("searcher_mask: %d masks, expected at most %d", n, x->live);
	decoder_cache_share(x->member[0].cache, gates && !attention_set_n(m->attention) &&
			    !(x->set.coverage_penalty > 0));
}

/* The tokens of a prefix are candidates, because they are forced. */
static void
list_candidates(struct searcher *x, const int *const *prefix, const int *prefix_n)
{
	const struct batch *b = x->member[0].b;
	const struct layout *l = &b->src.layout;

	arena_rewind(&x->lists);
	x->candidates = ARENA_ARRAY(&x->lists, struct candidates, b->n);
	for (int i = 0; i < b->n; i++)
		x->candidates[i] =
			shortlist_candidates(x->shortlist, l->len[i], b->src.id + l->start[i],
					     prefix ? prefix_n[i] : 0,
					     prefix ? prefix[i] : NULL, &x->lists);
}

/* Encodes the sentences before end into the caches. */
static void
search_encode(struct searcher *x, int end)
{
	for (int k = 0; k < x->n; k++) {
		struct member *o = &x->member[k];
		const struct batch *b = o->b;
		struct batch part;

		tape_rewind(o->tape);
		if (x->encoded || end < b->n) {
			batch_part(&part, b, x->encoded, end, tape_arena(o->tape));
			b = &part;
		}
		decoder_cache_add(o->cache, o->m, o->tape, b, model_encode(o->m, o->tape, b));
	}
	x->encoded = end;
}

/* Encodes the next sentences, about ENCODED_TOKENS tokens. */
static void
encode_more(struct searcher *x)
{
	const struct batch *b = x->member[0].b;
	int to = x->encoded, rows = 0;

	while (to < b->n && rows < ENCODED_TOKENS)
		rows += b->src.layout.len[to++];
	search_encode(x, to);
}

/*
 * The input tokens of a step for a further model: those of the first one, but for the token that
 * its decoder reads first.
 */
static const int *
input_of(const struct searcher *x, struct member *o, const struct beam_step *s)
{
	int *id;

	if (o == x->member || prefix_input(o->m) == prefix_input(x->member[0].m))
		return s->id;
	id = ARENA_ARRAY(tape_arena(o->tape), int, s->n);
	for (int i = 0; i < s->n; i++)
		id[i] = s->pos[i] ? s->id[i] : prefix_input(o->m);
	return id;
}

/* The gates of each hypothesis of the step, or NULL. */
static const real **
gates_of(const struct searcher *x, struct member *o, int n)
{
	const real **gates;

	if (!x->masks)
		return NULL;
	gates = ARENA_ARRAY(tape_arena(o->tape), const real *, n);
	for (int i = 0; i < n; i++)
		gates[i] = x->masks + (size_t)x->which[i] * x->n_gates;
	return gates;
}

/* The next tokens by one model: the best ones, and in all, if it is not NULL, all of them. */
static void
next_of(struct searcher *x, struct member *o, const struct beam_step *s, struct best *best,
	real *all)
{
	const struct candidates **among = NULL;
	struct node *h = decoder_step(o->cache, o->m, o->tape, s->n, s->slot, s->sentence, s->pos,
				      input_of(x, o, s), gates_of(x, o, s->n));

	if (x->shortlist)
		among = ARENA_ARRAY(tape_arena(o->tape), const struct candidates *, s->n);
	for (int i = 0; among && i < s->n; i++)
		among[i] = &x->candidates[s->sentence[i]];
	model_next(o->m, o->tape, h, &(struct next_tokens){ s->from, s->to, best, among, all });
}

/* The lists of a further model, of which only the sums are used: the first has its room again. */
static struct best *
lists_of(struct member *o, const struct beam_step *s)
{
	struct arena *mem = tape_arena(o->tape);
	struct best *best = ARENA_ARRAY(mem, struct best, s->n);

	for (int i = 0; i < s->n; i++)
		best_init(&best[i], ARENA_ARRAY(mem, struct scored, 1), 1);
	return best;
}

/* A step whose tokens are chosen from whole rows of log-probabilities: see choose_row(). */
struct choice {
	const struct searcher *x;
	const struct beam_step *s;
	real *row[ENSEMBLE_MAX];	/* of each model: [n, V] */
	int n_vocab;
	struct token_weight *room;	/* [threads, V] */
};

/* Chooses the next tokens of row i: a sample, or the best ones of the ensemble. */
static void
choose_row(void *arg, int i, int thread)
{
	const struct choice *c = arg;
	const struct searcher *x = c->x;
	const struct sampling *sampling = &x->set.sampling;
	struct best *best = &c->s->best[i];
	const int from = c->s->from[i], to = c->s->to[i], sentence = c->s->sentence[i];
	real *row[ENSEMBLE_MAX];
	int id;

	for (int k = 0; k < x->n; k++) {
		row[k] = c->row[k] + (ptrdiff_t)i * c->n_vocab;
		if (isnan(row[k][from])) {	/* a model has no finite output */
			best->n = 0;
			return;
		}
	}
	if (x->n > 1)
		mixture_mean(row, x->n, from, to,
			     sampling->n ? -(real)INFINITY : mixture_limit(row, x->n, best));
	if (!sampling->n) {
		best_init(best, best->list, best->width);
		k_best(best, from, to - from, row[0] + from, from, to);
		return;
	}
	if (x->set.variant == SEARCH_MARIAN && to - from > 1)	/* it drops this token later */
		row[0][VOCAB_UNK] = -(real)INFINITY;
	id = sampling_draw(sampling, row[0], from, to,
			   sampling_uniform(sampling->seed, x->member[0].b->number[sentence],
					    x->which[i], c->s->pos[i]),
			   c->room + (ptrdiff_t)thread * c->n_vocab);
	best->n = id >= 0;
	if (id >= 0)
		best->list[0] = (struct scored){ row[0][id], id };
}

static void
search_choose(struct searcher *x, const struct beam_step *s)
{
	struct arena *mem = tape_arena(x->member[0].tape);
	struct choice c = { .x = x, .s = s, .n_vocab = x->member[0].m->tgt.n };

	for (int k = 0; k < x->n; k++) {
		struct member *o = &x->member[k];

		c.row[k] = ARENA_ARRAY(tape_arena(o->tape), real, (ptrdiff_t)s->n * c.n_vocab);
		next_of(x, o, s, k ? lists_of(o, s) : s->best, c.row[k]);
	}
	if (x->set.sampling.n)
		c.room = ARENA_ARRAY(mem, struct token_weight,
				     (ptrdiff_t)pool_threads(x->pass->pool) * c.n_vocab);
	pool_run(x->pass->pool, s->n, choose_row, &c);
}

/* A source position that no target position attends to would make all scores -inf. */
#define MIN_COVERAGE 1e-10

/* Adds the weights of this step to the sums of each hypothesis. */
static void
add_coverage(struct searcher *x, const struct beam_step *s)
{
	const struct member *o = &x->member[0];
	const size_t site = search_coverage_site(o->m);
	const int heads = o->m->sites[site].heads;
	const struct layout *queries, *keys;
	const ptrdiff_t *block;
	const real *w = model_site_weights(o->m, o->tape, site, &block, &queries, &keys);

	for (int i = 0; i < s->n; i++) {
		double *sum = x->covered + (ptrdiff_t)s->slot[i] * x->covered_n;
		const int n = w ? keys->len[i] : 0;

		s->coverage[i] = 0;
		for (int k = 0; k < n; k++) {
			double mean = 0;

			for (int h = 0; h < heads; h++)
				mean += (double)w[block[i] + (ptrdiff_t)h * n + k] / heads;
			sum[k] = s->pos[i] ? sum[k] + mean : mean;
			s->coverage[i] += log(fmax(fmin(sum[k], 1), MIN_COVERAGE));
		}
	}
}

/* beam.h numbers the searches of all sentences; the caches have the sentences. */
static void
step(void *arg, const struct beam_step *all)
{
	struct searcher *x = arg;
	struct beam_step s = *all;
	int *sentence, *which;

	for (int i = 0; i < s.n; i++)
		while (all->sentence[i] / x->each >= x->encoded)
			encode_more(x);
	for (int k = 0; k < x->n; k++)
		tape_rewind(x->member[k].tape);
	s.sentence = sentence = ARENA_ARRAY(tape_arena(x->member[0].tape), int, s.n);
	x->which = which = ARENA_ARRAY(tape_arena(x->member[0].tape), int, s.n);
	for (int i = 0; i < s.n; i++) {
		sentence[i] = all->sentence[i] / x->each;
		which[i] = all->sentence[i] % x->each;
	}
	if (x->n == 1 && !x->set.sampling.n)
		next_of(x, &x->member[0], &s, s.best, NULL);
	else
		search_choose(x, &s);
	if (s.coverage)
		add_coverage(x, &s);
}

static void
copy(void *arg, int n, const int *from, const int *to, const int *len)
{
	struct searcher *x = arg;

	for (int k = 0; k < x->n; k++)
		decoder_cache_move(x->member[k].cache, n, from, to, len);
	for (int i = 0; x->covered && i < n; i++)
		memcpy(x->covered + (ptrdiff_t)to[i] * x->covered_n,
		       x->covered + (ptrdiff_t)from[i] * x->covered_n,
		       (size_t)x->covered_n * sizeof(*x->covered));
}

/* Makes room for the sums of all slots. */
static void
begin_coverage(struct searcher *x)
{
	const struct batch *b = x->member[0].b;

	x->covered = NULL;
	x->covered_n = 0;
	if (!(x->set.coverage_penalty > 0))
		return;
	for (int i = 0; i < b->n; i++)
		if (b->src.layout.len[i] > x->covered_n)
			x->covered_n = b->src.layout.len[i];
	arena_rewind(&x->sums);
	x->covered = arena_zero(&x->sums, (size_t)x->live * (size_t)x->set.beam *
					  (size_t)x->covered_n * sizeof(*x->covered));
}

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

/* The best ones of the searches of a sentence become its translation, in their order. */
static void
search_gather(const struct searcher *x, const struct translation *found, struct arena *mem,
	       struct translation *out)
{
	for (int i = 0; i < x->member[0].b->n; i++) {
		out[i].best = ARENA_ARRAY(mem, struct hypothesis, x->each);
		out[i].n = x->each;
		for (int k = 0; k < x->each && out[i].n; k++) {
			const struct translation *one = &found[i * x->each + k];

			if (one->n)
				out[i].best[k] = one->best[0];
			else
				out[i].n = 0;
		}
	}
}

int
search_batch(struct searcher *x, const struct batch *b, const int *const *prefix,
	     const int *prefix_n, struct arena *mem, struct translation *out, struct err *e)
{
	struct model *m = x->member[0].m;
	const struct scorer sc = { .n_vocab = m->tgt.n, .first = prefix_input(m),
				   .step = step, .copy = copy, .arg = x };
	struct translation *found = out;
	struct beam_task task;
	bool variants = false;

	for (int k = 0; k < x->n; k++) {
		x->member[k].b = &b[k];
		variants |= attention_set_n(x->member[k].m->attention) > 0;
	}
	if (!x->repeat || variants)
		x->encoded = 0;
	for (int k = 0; !x->encoded && k < x->n; k++)
		decoder_cache_clear(x->member[k].cache);
	prefix_put_first(m, b->n, &prefix, &prefix_n, mem);
	if (search_plan(x, mem, prefix, prefix_n, &task, e))
		return -1;
	begin_coverage(x);
	if (x->shortlist)
		list_candidates(x, prefix, prefix_n);
	/* Attention variants identify sentences by their index, so the batch must not be split. */
	if (variants)
		search_encode(x, b->n);
	if (x->each > 1)
		found = ARENA_ARRAY(mem, struct translation, task.n);
	beam_search(&sc, &x->set, &task, mem, found);
	if (x->each > 1)
		search_gather(x, found, mem, out);
	prefix_drop_first(m, b->n, out);
	return check_found(x, out, e);
}
