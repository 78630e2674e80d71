/* search: the scorer of beam.h that runs the model; see search.h. */
#include <math.h>
#include <stdlib.h>

#include "base/mem.h"
#include "search/beam.h"
#include "search/shortlist.h"

/*
 * The maximum number of hypotheses in a step: large enough for efficient matrix products, small
 * enough for their activations to stay in the cache.
 */
enum { ROWS = 320 };
/* The approximate number of source tokens that are encoded together. */
enum { ENCODED_TOKENS = 512 };

#define MEMORY ((size_t)1 << 28)	/* address space reserved at a time for nodes */

struct searcher {
	struct model *m;
	struct search_settings set;
	int live;			/* maximum number of sentences searched at a time */
	struct arena mem;
	struct tape *tape;
	struct decoder_cache *cache;
	const struct shortlist *shortlist;	/* or NULL */
	struct arena lists;
	struct candidates *candidates;	/* of each sentence of the batch, with a shortlist */
	const struct batch *b;		/* the current batch */
	int encoded;			/* number of its sentences in the cache */
};

struct searcher *
searcher_new(struct model *m, struct pass *p, const struct search_settings *s)
{
	struct searcher *x = xcalloc(1, sizeof(*x));

	x->m = m;
	x->set = *s;
	x->live = s->beam < ROWS ? ROWS / s->beam : 1;
	arena_init(&x->mem, MEMORY);
	arena_init(&x->lists, 0);
	x->tape = tape_new(&x->mem, p);
	x->cache = decoder_cache_new(m, x->live * s->beam);
	return x;
}

void
searcher_free(struct searcher *x)
{
	if (!x)
		return;
	decoder_cache_free(x->cache);
	tape_free(x->tape);
	arena_release(&x->mem);
	arena_release(&x->lists);
	free(x);
}

void
searcher_restrict(struct searcher *x, const struct shortlist *s)
{
	x->shortlist = s;
}

/* The tokens of a prefix are candidates, because they are forced. */
static void
list_candidates(struct searcher *x, const int *const *prefix, const int *prefix_n)
{
	const struct batch_side *src = &x->b->src;

	arena_rewind(&x->lists);
	x->candidates = ARENA_ARRAY(&x->lists, struct candidates, x->b->n);
	for (int i = 0; i < x->b->n; i++)
		x->candidates[i] =
			shortlist_candidates(x->shortlist, src->layout.len[i],
					     src->id + src->layout.start[i],
					     prefix ? prefix_n[i] : 0,
					     prefix ? prefix[i] : NULL, &x->lists);
}

/* Encodes the next sentences, about ENCODED_TOKENS tokens, into the cache. */
static void
encode_more(struct searcher *x)
{
	const struct layout *l = &x->b->src.layout;
	int to = x->encoded, rows = 0;
	struct batch part;

	while (to < x->b->n && rows < ENCODED_TOKENS)
		rows += l->len[to++];
	tape_rewind(x->tape);
	batch_part(&part, x->b, x->encoded, to, tape_arena(x->tape));
	decoder_cache_add(x->cache, x->m, x->tape, &part, model_encode(x->m, x->tape, &part));
	x->encoded = to;
}

/*
 * Encodes all sentences at once.  Attention variants that have read the batch identify a sentence
 * by its index, so the batch must not be split.
 */
static void
encode_all(struct searcher *x)
{
	tape_rewind(x->tape);
	decoder_cache_add(x->cache, x->m, x->tape, x->b, model_encode(x->m, x->tape, x->b));
	x->encoded = x->b->n;
}

static void
step(void *arg, const struct beam_step *s)
{
	struct searcher *x = arg;
	const struct candidates **among = NULL;
	struct node *h;

	for (int i = 0; i < s->n; i++)
		while (s->sentence[i] >= x->encoded)
			encode_more(x);
	tape_rewind(x->tape);
	h = decoder_step(x->cache, x->m, x->tape, s->n, s->slot, s->sentence, s->pos, s->id);
	if (x->shortlist)
		among = ARENA_ARRAY(tape_arena(x->tape), const struct candidates *, s->n);
	for (int i = 0; among && i < s->n; i++)
		among[i] = &x->candidates[s->sentence[i]];
	model_next(x->m, x->tape, h, &(struct next){ s->from, s->to, s->best, among });
}

static void
copy(void *arg, int n, const int *from, const int *to, const int *len)
{
	struct searcher *x = arg;

	decoder_cache_move(x->cache, n, from, to, len);
}

static int
first_token(const struct model *m)
{
	switch (m->config.first) {
	case TARGET_BOS:
		return VOCAB_BOS;
	case TARGET_EOS:
		return VOCAB_EOS;
	default:
		return -1;
	}
}

/*
 * The maximum number of tokens of a translation.  The model has max_length positions; one of them
 * is for the first token that the decoder reads.
 */
static int
max_tokens(const struct model *m, const struct search_settings *s, int source)
{
	double n = s->max_ratio * source + s->max_extra;

	if (s->variant == SEARCH_MARIAN)	/* the first length that is not below its limit */
		n = ceil(n);
	if (n > (double)(m->config.max_length - 1))
		n = (double)(m->config.max_length - 1);
	return n < 1 ? 1 : (int)n;
}

static int
check_prefix(const struct model *m, const struct batch *b, int i, const int *prefix, int n,
	     int max, struct err *e)
{
	if (n > max)
		return err_set(e, EXIT_INPUT, "record %lld: prefix has %d tokens, expected at "
			       "most %d", (long long)b->number[i] + 1, n, max);
	for (int k = 0; k < n; k++)
		if (prefix[k] < VOCAB_UNK || prefix[k] >= m->tgt.n)
			return err_set(e, EXIT_INPUT, "record %lld: prefix has token %d, expected "
				       "%d to %d", (long long)b->number[i] + 1, prefix[k],
				       VOCAB_UNK, m->tgt.n - 1);
	return 0;
}

static int
check_found(const struct batch *b, const struct translation *out, struct err *e)
{
	for (int i = 0; i < b->n; i++)
		if (!out[i].n)
			return err_set(e, EXIT_INPUT, "record %lld: no translation has a finite "
				       "score", (long long)b->number[i] + 1);
	return 0;
}

int
search_batch(struct searcher *x, const struct batch *b, const int *const *prefix,
	     const int *prefix_n, struct arena *mem, struct translation *out, struct err *e)
{
	const struct scorer sc = { .n_vocab = x->m->tgt.n, .first = first_token(x->m),
				   .step = step, .copy = copy, .arg = x };
	int *max_len = ARENA_ARRAY(mem, int, b->n);
	const struct beam_task task = { .n = b->n, .live = b->n < x->live ? b->n : x->live,
					.max_len = max_len, .prefix = prefix,
					.prefix_n = prefix_n };

	for (int i = 0; i < b->n; i++) {
		max_len[i] = max_tokens(x->m, &x->set, b->src.layout.len[i]);
		if (prefix &&
		    check_prefix(x->m, b, i, prefix[i], prefix_n[i], max_len[i], e))
			return -1;
	}
	x->b = b;
	x->encoded = 0;
	if (x->shortlist)
		list_candidates(x, prefix, prefix_n);
	decoder_cache_clear(x->cache);
	if (attention_set_n(x->m->attention))
		encode_all(x);
	beam_search(&sc, &x->set, &task, mem, out);
	return check_found(b, out, e);
}
