/* decoder: steps of decoding with cached keys and values; see decoder.h. */
#include <string.h>

#include "model/layer.h"
#include "ops/kit/buckets.h"
#include "ops/kit/heads.h"
#include "search/decoder-parts.h"

/*
 * A step in one layer.  Its hypotheses are those that compute this layer; they are the first ones
 * in the order of the step.  What the nodes of a step refer to is in the tape's arena.
 */
struct step {
	struct decoder_cache *c;
	int n;
	struct batch_side in;		/* one row per hypothesis */
	const int *slot, *sentence;
	const real *const *gates;
};

/* Which hypotheses share what: hypothesis i has the first from[i] layers of like[i] < i. */
struct sharing { int *from, *like; };

/* Are the gates a and b of a layer the same? */
static bool
same_gates(const struct decoder_cache *c, int l, const real *a, const real *b)
{
	for (int k = 0; k < 2; k++) {
		const size_t at = c->gates[k][l].at;

		if (memcmp(a + at, b + at, c->gates[k][l].n * sizeof(*a)))
			return false;
	}
	return true;
}

/* The number of the first layers whose gates are the same. */
static int
layers_alike(const struct decoder_cache *c, const real *a, const real *b)
{
	int l = 0;

	while (l < c->n_layers && same_gates(c, l, a, b))
		l++;
	return l;
}

/* Have the hypotheses i and j of a step the same tokens so far? */
static bool
same_prefix(const struct step *s, int i, int j)
{
	const struct track *a = s->c->slot[s->slot[i]].track, *b = s->c->slot[s->slot[j]].track;
	const int pos = s->in.pos[i];

	return s->sentence[i] == s->sentence[j] && s->in.id[i] == s->in.id[j] &&
	       s->in.pos[j] == pos && (!pos || a->row[pos - 1] == b->row[pos - 1]);
}

/*
 * Finds the hypothesis before i with which it shares most layers.  Those of a sentence are
 * adjacent.
 */
static void
share_layers(const struct step *s, const struct sharing *h, int i)
{
	const struct decoder_cache *c = s->c;
	int best = 0;

	h->like[i] = i;
	for (int j = i - 1; j >= 0 && best < c->n_layers && s->sentence[j] == s->sentence[i]; j--)
		if (same_prefix(s, i, j) && same_gates(c, best, s->gates[i], s->gates[j])) {
			const int n = layers_alike(c, s->gates[i], s->gates[j]);

			if (n > best) {
				best = n;
				h->like[i] = j;
			}
		}
	h->from[i] = best;
	for (int l = 0; l < best; l++) {
		const int pos = s->in.pos[i];

		c->slot[s->slot[i]].track[l].row[pos] =
			c->slot[s->slot[h->like[i]]].track[l].row[pos];
	}
}

/* The hypothesis that computes layer l for hypothesis i. */
static int
computes(const struct sharing *h, int i, int l)
{
	while (h->from[i] > l)
		i = h->like[i];
	return i;
}
static struct step *
decoder_plan(struct decoder_cache *c, struct arena *mem, int n, const int *slot,
	     const int *sentence, const int *pos, const int *id, const real *const *gates)
{
	struct step *s = arena_zero(mem, sizeof(*s));
	int *start = ARENA_ARRAY(mem, int, n), *len = ARENA_ARRAY(mem, int, n);

	for (int i = 0; i < n; i++) {
		if (slot[i] < 0 || slot[i] >= c->max_slots || pos[i] < 0 || sentence[i] < 0 ||
		    sentence[i] >= c->n_sentences)
			bug("decoder_step: slot %d, position %d, sentence %d", slot[i], pos[i],
			    sentence[i]);
		decoder_extend(c, &c->slot[slot[i]], pos[i]);
		start[i] = i;
		len[i] = 1;
	}
	s->c = c;
	s->n = n;
	s->in.layout = (struct layout){ .n = n, .rows = n, .start = start, .len = len };
	s->in.id = arena_copy(mem, id, (size_t)n * sizeof(*id));
	s->in.pos = arena_copy(mem, pos, (size_t)n * sizeof(*pos));
	s->slot = arena_copy(mem, slot, (size_t)n * sizeof(*slot));
	s->sentence = arena_copy(mem, sentence, (size_t)n * sizeof(*sentence));
	s->gates = gates;
	return s;
}

/* Keys and values of hypothesis i in a layer: row[0..n), each at offset `layer`. */
struct keys { const char *const *row; int n; ptrdiff_t layer; };

static struct keys
decoder_keys_of(const struct step *s, int i, bool self, int l)
{
	const struct decoder_cache *c = s->c;
	const struct source *source = &c->source[s->sentence[i]];

	if (self)
		return (struct keys){ c->slot[s->slot[i]].track[l % c->tracks].row,
				      s->in.pos[i] + 1, l * PAGE * c->row_size };
	return (struct keys){ source->row, source->len, l * source->layer };
}

static int
max_keys(const struct step *s, bool self, int l)
{
	int max = 0;

	for (int i = 0; i < s->n; i++) {
		const int n = decoder_keys_of(s, i, self, l).n;

		max = n > max ? n : max;
	}
	return max;
}

/* The arguments of attend_one(). */
struct plain {
	const struct step *s;
	const struct node *q;
	const struct site *site;
	struct buckets biases;		/* by distance, if a variant has them */
	real *out;
	int layer;
	bool self;
};

static void
attend_one(void *arg, int i, real *room)
{
	const struct plain *p = arg;
	const struct keys k = decoder_keys_of(p->s, i, p->self, p->layer);
	const int width = p->q->d[1];
	const real *bias = buckets_of_head(&p->biases, 0);
	struct query q = {
		.form = decoder_form(p->site, p->s->c->bytes), .n = k.n,
		.q = p->q->x + (ptrdiff_t)i * p->q->ld, .row = k.row, .at = k.layer,
		.scale = (real)(1 / p->site->divisor),
		.bias = bias ? bias - (k.n - 1) : NULL, .bias_step = 2 * p->biases.reach + 1,
		.out = p->out + (ptrdiff_t)i * width,
	};

	if (i + 1 < p->s->n) {
		const struct keys next = decoder_keys_of(p->s, i + 1, p->self, p->layer);

		q.next = next.row;
		q.n_next = next.n;
	}
	k_query(&q, room);
}

/*
 * The context vectors of a site whose attention may be fused.  Keys and values are read from the
 * cache without copies.
 */
static struct node *
attend_plain(struct model *m, struct tape *t, const struct step *s, size_t site,
	     const struct node *q)
{
	struct pass *pass = tape_pass(t);
	struct arena_mark mark = arena_mark(pass->scratch);
	const int d[2] = { s->n, q->d[1] };
	struct plain p = { .s = s, .q = q, .site = &m->sites[site],
			   .layer = m->sites[site].layer - 1,
			   .self = m->sites[site].where == DECODER_SELF,
			   .out = ARENA_ARRAY(tape_arena(t), real, (ptrdiff_t)d[0] * d[1]) };
	struct node *context = tape_leaf(t, NULL, 2, d, p.out, NULL), *table;
	const int longest = max_keys(s, p.self, p.layer);
	struct distance_bias rule;

	table = attention_set_bias(m->attention, site, t, &rule);
	if (table)
		p.biases = buckets_new(pass->scratch, &rule, table, p.site->heads, longest);
	heads_run(pass, s->n, k_query_room(longest), attend_one, &p);
	arena_rewind_to(pass->scratch, mark);
	context->rows = &s->in.layout;
	return context;
}

/* Copies the keys and values of all hypotheses into one tensor, for variants that need them. */
static void
gather_keys(struct tape *t, const struct step *s, const struct site *site, struct att_nodes *n,
	    struct layout *rows, bool self, int l)
{
	const struct cached form = decoder_form(site, s->c->bytes);
	struct arena *mem = tape_arena(t);
	const int width = n->q->d[1];
	const ptrdiff_t size = 2 * (ptrdiff_t)width;
	int *start = ARENA_ARRAY(mem, int, s->n), *len = ARENA_ARRAY(mem, int, s->n);
	struct node *kv;
	int total = 0;
	real *x;

	for (int i = 0; i < s->n; i++) {
		start[i] = total;
		total += len[i] = decoder_keys_of(s, i, self, l).n;
	}
	x = ARENA_ARRAY(mem, real, total * size);
	for (int i = 0; i < s->n; i++) {
		const struct keys k = decoder_keys_of(s, i, self, l);

		for (int j = 0; j < k.n; j++)
			k_cached_get(form, k.row[j] + k.layer, x + (start[i] + j) * size);
	}
	*rows = (struct layout){ .n = s->n, .rows = total, .start = start, .len = len };
	kv = tape_leaf(t, NULL, 2, (const int[]){ total, (int)size }, x, NULL);
	kv->rows = rows;
	n->k = op_columns(t, kv, 0, width);
	n->v = op_columns(t, kv, width, width);
}

/* Projects the queries; in self-attention also the keys and values, which go into the cache. */
static void
decoder_project(struct tape *t, const struct step *s, const struct attention_layer *a,
		const struct site *site, int l, struct att_nodes *n)
{
	const struct decoder_cache *c = s->c;
	const struct cached form = decoder_form(site, c->bytes);
	struct node *qkv;

	if (site->where != DECODER_SELF) {
		n->q = layer_dense(t, n->x, &a->q);
		return;
	}
	n->memory = n->x;
	qkv = layer_dense(t, n->x, &a->qkv);
	for (int i = 0; i < s->n; i++)
		k_cached_put(form, qkv->x + (ptrdiff_t)i * qkv->ld + a->width,
			     decoder_own_row(c, &c->slot[s->slot[i]], s->in.pos[i]) +
			     l * PAGE * c->row_size);
	n->q = op_columns(t, qkv, 0, a->width);
}

/* Attention of one position of each hypothesis; see stack_run(). */
static void
attend_step(struct model *m, struct tape *t, const struct attention_layer *a, struct att_nodes *n,
	    const void *arg)
{
	const struct step *s = arg;
	const struct site *site = &m->sites[a->site];
	const bool self = site->where == DECODER_SELF;
	const int l = site->layer - 1;
	struct att_rows look = { .site = a->site, .queries = &s->in.layout, .causal = self };
	struct layout *rows;

	decoder_project(t, s, a, site, l, n);
	n->first = s->n ? s->in.pos[0] : 0;
	n->sentence = s->sentence;
	n->row_gates = s->gates;
	if (attention_set_fused(m->attention, a->site) && (self || a->site != s->c->kept)) {
		attention_set_queries(m->attention, a->site, t, n);
		n->context = attend_plain(m, t, s, a->site, n->q);
		layer_heads(m, t, a->site, n);
		return;
	}
	rows = ARENA_ARRAY(tape_arena(t), struct layout, 1);
	gather_keys(t, s, site, n, rows, self, l);
	look.keys = rows;
	layer_attend(m, t, &look, n);
}

/* The hypotheses of a list. */
static struct step *
choose_hypotheses(const struct step *all, struct arena *mem, const int *which, int n)
{
	struct step *s = arena_copy(mem, all, sizeof(*all));
	int *slot = ARENA_ARRAY(mem, int, n), *sentence = ARENA_ARRAY(mem, int, n);
	int *id = ARENA_ARRAY(mem, int, n), *pos = ARENA_ARRAY(mem, int, n);
	const real **gates = ARENA_ARRAY(mem, const real *, n);

	for (int i = 0; i < n; i++) {
		slot[i] = all->slot[which[i]];
		sentence[i] = all->sentence[which[i]];
		id[i] = all->in.id[which[i]];
		pos[i] = all->in.pos[which[i]];
		gates[i] = all->gates[which[i]];
	}
	s->n = s->in.layout.n = s->in.layout.rows = n;
	s->slot = slot;
	s->sentence = sentence;
	s->in.id = id;
	s->in.pos = pos;
	s->gates = gates;
	return s;
}

static struct node *
decoder_choose_rows(struct tape *t, const struct step *s, const struct node *x, const int *row)
{
	const int d[2] = { s->n, x->d[1] };
	real *y = ARENA_ARRAY(tape_arena(t), real, (ptrdiff_t)d[0] * d[1]);
	struct node *n = tape_leaf(t, NULL, 2, d, y, NULL);

	for (int i = 0; i < s->n; i++)
		memcpy(y + (ptrdiff_t)i * d[1], x->x + (ptrdiff_t)row[i] * x->ld,
		       (size_t)d[1] * sizeof(*y));
	n->rows = &s->in.layout;
	return n;
}

/*
 * The step in layer l, or after the last layer, of which `before` is the step in the layer before
 * and *x its output, which gets rows for the hypotheses that begin here; both NULL in layer 0.
 */
static const struct step *
enter_layer(struct tape *t, const struct step *all, const struct sharing *h, int l,
	    const struct step *before, struct node **x)
{
	struct arena *mem = tape_arena(t);
	int *which = ARENA_ARRAY(mem, int, all->n), *row = ARENA_ARRAY(mem, int, all->n);
	int *old = ARENA_ARRAY(mem, int, all->n), n = 0, n_old = 0;
	const struct step *s;

	for (int i = 0; i < all->n; i++) {
		if (h->from[i] < l)
			old[i] = n_old++;
		if (h->from[i] > l)
			continue;
		row[n] = l ? old[computes(h, i, l - 1)] : i;
		which[n++] = i;
	}
	if (n == (before ? before->n : all->n))
		return before ? before : all;
	s = n == all->n ? all : choose_hypotheses(all, mem, which, n);
	if (before)
		*x = decoder_choose_rows(t, s, *x, row);
	return s;
}

struct node *
decoder_step(struct decoder_cache *c, struct model *m, struct tape *t, int n, const int *slot,
	     const int *sentence, const int *pos, const int *id, const real *const *gates)
{
	struct arena *mem = tape_arena(t);
	const struct step *all = decoder_plan(c, mem, n, slot, sentence, pos, id, gates), *s;
	const struct sharing h = { arena_zero(mem, (size_t)n * sizeof(int)),
				  ARENA_ARRAY(mem, int, n) };
	struct node *x;

	for (int i = 0; gates && c->tracks > 1 && i < n; i++)
		share_layers(all, &h, i);
	s = enter_layer(t, all, &h, 0, NULL, NULL);
	x = stack_embed(m, t, &s->in, true);
	for (int l = 0; l < c->n_layers; l++) {
		x = layer_run(m, t, x, &m->layers->dec[l], LAYER_DECODER, attend_step, s);
		s = enter_layer(t, all, &h, l + 1, s, &x);
	}
	return stack_end(m, t, x, true);
}
