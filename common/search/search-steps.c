/* search-steps: the scorer of beam.h that runs models; see search-parts.h and search.h. */
#include <math.h>
#include <string.h>

#include "base/pool.h"
#include "search/next-token.h"
#include "search/prefix.h"
#include "search/search-parts.h"
#include "search/shortlist.h"

/* The approximate number of source tokens that are encoded together. */
enum { ENCODED_TOKENS = 512 };

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

/* Encodes sentences into the cache of a member. */
static void
encode_for(struct searcher *x, struct member *o, int from, int to)
{
	const struct batch *b = o->b;
	struct node *memory;
	struct batch part;

	tape_rewind(o->tape);
	if (x->masks) {
		memory = gated_encoder_next(&x->encoder, o->tape, from, to, &b);
	} else {
		if (from || to < b->n) {
			batch_part(&part, b, from, to, tape_arena(o->tape));
			b = &part;
		}
		memory = model_encode(o->m, o->tape, b);
	}
	decoder_cache_add(o->cache, o->m, o->tape, b, memory);
}

void
search_encode(struct searcher *x, int end)
{
	for (int k = 0; k < x->n; k++)
		encode_for(x, &x->member[k], x->encoded, end);
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

const real *
search_gates(const struct searcher *x, int mask)
{
	return x->masks + (size_t)mask * x->n_gates;
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
		gates[i] = search_gates(x, x->mask + x->which[i]);
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
void
search_step(void *arg, const struct beam_step *all)
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

void
search_copy(void *arg, int n, const int *from, const int *to, const int *len)
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

void
search_begin_steps(struct searcher *x, const int *const *prefix, const int *prefix_n)
{
	begin_coverage(x);
	if (x->shortlist)
		list_candidates(x, prefix, prefix_n);
}
