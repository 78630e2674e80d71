/* search: the model behind beam.h's scorer; see search.h. */
#include <stdlib.h>

#include "base/mem.h"
#include "model/beam.h"

struct model_scorer {
	struct model *m;
	struct arena mem;
	struct tape *tape;
	struct decoder_cache *cache;
	int first, *sentence;		/* the cache's number of the batch's first sentence; [slots] room */
	real *log_probs;		/* [slots, V] */
};

static const real *
step(void *arg, int n, const int *slot, const int *sentence, const int *pos, const int *id)
{
	struct model_scorer *x = arg;
	struct node *h;

	tape_rewind(x->tape);
	for (int i = 0; i < n; i++)
		x->sentence[i] = x->first + sentence[i];
	h = decoder_step(x->cache, x->m, x->tape, n, slot, x->sentence, pos, id);
	model_log_probs(x->m, x->tape, h, x->log_probs);
	return x->log_probs;
}

static void
copy(void *arg, int n, const int *from, const int *to, int len)
{
	struct model_scorer *x = arg;

	decoder_cache_move(x->cache, n, from, to, len);
}

static int
first_symbol(const struct model *m)
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

/* Positions are made for max_length symbols; the last step reads the last symbol. */
static int
longest(const struct model *m, const struct search_settings *s, int source)
{
	double n = s->max_ratio * source + s->max_extra;

	if (n > (double)(m->config.max_length - 1))
		n = (double)(m->config.max_length - 1);
	return n < 1 ? 1 : (int)n;
}

static int
check_prefix(const struct model *m, const struct batch *b, int i, const int *prefix, int n, int max, struct err *e)
{
	if (n > max)
		return err_set(e, EXIT_INPUT, "record %lld: a prefix of %d symbols, where a translation has at most %d",
			       (long long)b->number[i] + 1, n, max);
	for (int k = 0; k < n; k++)
		if (prefix[k] < VOCAB_UNK || prefix[k] >= m->tgt.n)
			return err_set(e, EXIT_INPUT, "record %lld: symbol %d cannot be in a prefix",
				       (long long)b->number[i] + 1, prefix[k]);
	return 0;
}

static void
open_scorer(struct model_scorer *x, struct model *m, struct pass *p, const struct batch *b, int beam, int max_len)
{
	const int slots = b->n * beam;
	struct node *memory;

	x->m = m;
	arena_init(&x->mem, 0);
	x->tape = tape_new(&x->mem, p);
	x->cache = decoder_cache_new(m, slots, max_len + 1, b->src.layout.rows);
	x->sentence = xreallocarray(NULL, (size_t)slots, sizeof(*x->sentence));
	x->log_probs = xreallocarray(NULL, (size_t)slots * (size_t)m->tgt.n, sizeof(*x->log_probs));
	memory = model_encode(m, x->tape, b);
	x->first = decoder_cache_add(x->cache, m, x->tape, b, memory);
}

static void
close_scorer(struct model_scorer *x)
{
	decoder_cache_free(x->cache);
	tape_free(x->tape);
	arena_release(&x->mem);
	free(x->sentence);
	free(x->log_probs);
}

static int
check_found(const struct batch *b, const struct translation *out, struct err *e)
{
	for (int i = 0; i < b->n; i++)
		if (!out[i].n)
			return err_set(e, EXIT_INPUT, "record %lld: the model gives no translation a probability",
				       (long long)b->number[i] + 1);
	return 0;
}

int
search_batch(struct model *m, struct pass *p, const struct batch *b, const struct search_settings *s,
	     const int *const *prefix, const int *prefix_n, struct arena *mem, struct translation *out, struct err *e)
{
	struct model_scorer x;
	struct scorer sc = { .n_types = m->tgt.n, .first = first_symbol(m), .step = step, .copy = copy, .arg = &x };
	int *max_len = ARENA_ARRAY(mem, int, b->n), most = 0;

	for (int i = 0; i < b->n; i++) {
		max_len[i] = longest(m, s, b->src.layout.len[i]);
		most = max_len[i] > most ? max_len[i] : most;
		if (prefix && check_prefix(m, b, i, prefix[i], prefix_n[i], max_len[i], e))
			return -1;
	}
	open_scorer(&x, m, p, b, s->beam, most);
	beam_search(&sc, s, b->n, max_len, prefix, prefix_n, p->pool, mem, out);
	close_scorer(&x);
	return check_found(b, out, e);
}
