/*
 * decoder: one position at a time, keys and values kept; see model.h.
 *
 * A row of a cache is [2D]: a key and its value, as they stand side by side in
 * the fused projections, so that one copy stores both.  Slot s of layer l owns rows
 * [s * max_len, (s + 1) * max_len) of self[l]; sentence i owns rows
 * [start[i], start[i] + len[i]) of cross[l] for every layer.
 */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/mem.h"
#include "model/layers.h"

struct decoder_cache {
	int n_layers, width, max_slots, max_len;
	real **self, **cross;		/* [layer][rows, 2D] */
	real *spare;			/* one slot of one layer, for moves in a circle */
	int src_rows, src_used;		/* of cross: room, and where the next sentence goes */
	int n_sentences;
	size_t room;			/* in start and len */
	int *start, *len;		/* len -1: dropped */
};

struct decoder_cache *
decoder_cache_new(const struct model *m, int max_slots, int max_len, int src_rows)
{
	struct decoder_cache *c = xcalloc(1, sizeof(*c));
	const size_t width = (size_t)m->config.width, layers = (size_t)m->config.dec_layers;

	c->n_layers = (int)layers;
	c->width = (int)width;
	c->max_slots = max_slots;
	c->max_len = max_len;
	c->src_rows = src_rows > 0 ? src_rows : 1;
	c->self = xcalloc(layers, sizeof(*c->self));
	c->cross = xcalloc(layers, sizeof(*c->cross));
	c->spare = xmalloc((size_t)max_len * 2 * width * sizeof(real));
	for (size_t l = 0; l < layers; l++) {
		c->self[l] = xreallocarray(NULL, (size_t)max_slots * (size_t)max_len,
					   2 * width * sizeof(real));
		c->cross[l] = xreallocarray(NULL, (size_t)c->src_rows, 2 * width * sizeof(real));
	}
	return c;
}

void
decoder_cache_free(struct decoder_cache *c)
{
	if (!c)
		return;
	for (int l = 0; l < c->n_layers; l++) {
		free(c->self[l]);
		free(c->cross[l]);
	}
	free(c->self);
	free(c->cross);
	free(c->spare);
	free(c->start);
	free(c->len);
	free(c);
}

static size_t
row_bytes(const struct decoder_cache *c)
{
	return 2 * (size_t)c->width * sizeof(real);
}

static real *
row_at(const struct decoder_cache *c, real *rows, int64_t row)
{
	return rows + row * 2 * c->width;
}

/* Moves the sentences that are still there to the front, in the order of their rows. */
static void
compact(struct decoder_cache *c)
{
	int at = 0, from = 0, next;

	do {
		next = -1;
		for (int i = 0; i < c->n_sentences; i++)
			if (c->len[i] >= 0 && c->start[i] >= from &&
			    (next < 0 || c->start[i] < c->start[next]))
				next = i;
		if (next < 0)
			break;
		from = c->start[next] + (c->len[next] > 0 ? c->len[next] : 1);
		for (int l = 0; l < c->n_layers; l++)
			memmove(row_at(c, c->cross[l], at), row_at(c, c->cross[l], c->start[next]),
				(size_t)c->len[next] * row_bytes(c));
		c->start[next] = at;
		at += c->len[next];
	} while (from < c->src_used);
	c->src_used = at;
}

/* Room for the rows of a batch; what a tape of before still points to may move. */
static void
make_room(struct decoder_cache *c, int rows)
{
	if (rows <= c->src_rows - c->src_used)
		return;
	compact(c);
	if (rows <= c->src_rows - c->src_used)
		return;
	c->src_rows = c->src_used + rows;
	for (int l = 0; l < c->n_layers; l++)
		c->cross[l] = xreallocarray(c->cross[l], (size_t)c->src_rows, row_bytes(c));
}

static void
add_sentences(struct decoder_cache *c, const struct layout *rows)
{
	const size_t need = (size_t)(c->n_sentences + rows->n);
	size_t room = c->room;

	c->start = mem_grow(c->start, &room, need, sizeof(*c->start));
	c->len = mem_grow(c->len, &c->room, need, sizeof(*c->len));
	for (int i = 0; i < rows->n; i++) {
		c->start[c->n_sentences] = c->src_used;
		c->len[c->n_sentences++] = rows->len[i];
		c->src_used += rows->len[i];
	}
}

int
decoder_cache_add(struct decoder_cache *c, struct model *m, struct tape *t, const struct batch *b,
		  struct node *memory)
{
	const struct layout *rows = &b->src.layout;
	int first;

	while (c->n_sentences > 0 && c->len[c->n_sentences - 1] < 0)
		c->n_sentences--;
	if (!c->n_sentences)
		c->src_used = 0;
	first = c->n_sentences;
	make_room(c, rows->rows);
	add_sentences(c, rows);
	for (int l = 0; l < c->n_layers; l++) {
		const struct node *kv = layers_dense(t, memory, &m->layers->dec[l].cross.kv);

		for (int i = 0; i < rows->n; i++)
			memcpy(row_at(c, c->cross[l], c->start[first + i]),
			       row_at(c, kv->x, rows->start[i]),
			       (size_t)rows->len[i] * row_bytes(c));
	}
	return first;
}

void
decoder_cache_drop(struct decoder_cache *c, int sentence)
{
	if (sentence < 0 || sentence >= c->n_sentences || c->len[sentence] < 0)
		bug("decoder_cache_drop: no sentence %d", sentence);
	c->len[sentence] = -1;
}

/* What a step's nodes need as long as they live: in the tape's arena. */
struct step {
	int n;
	struct batch_side in;		/* one row a hypothesis */
	struct layout self, cross;	/* keys, in the caches' rows */
	const int *sentence;
	int first;
};

static void
plan_keys(const struct decoder_cache *c, struct step *s, struct arena *mem, const int *slot,
	  const int *pos, const int *sentence)
{
	const size_t n = (size_t)s->n;
	int *start = ARENA_ARRAY(mem, int, 2 * n), *len = ARENA_ARRAY(mem, int, 2 * n);

	for (size_t i = 0; i < n; i++) {
		if (slot[i] < 0 || slot[i] >= c->max_slots || pos[i] < 0 || pos[i] >= c->max_len ||
		    sentence[i] < 0 || sentence[i] >= c->n_sentences || c->len[sentence[i]] < 0)
			bug("decoder_step: slot %d, position %d, sentence %d", slot[i], pos[i],
			    sentence[i]);
		start[i] = slot[i] * c->max_len;
		len[i] = pos[i] + 1;
		start[n + i] = c->start[sentence[i]];
		len[n + i] = c->len[sentence[i]];
	}
	s->self = (struct layout){
		.n = s->n, .rows = c->max_slots * c->max_len, .start = start, .len = len
	};
	s->cross = (struct layout){
		.n = s->n, .rows = c->src_rows, .start = start + n, .len = len + n
	};
}

static struct step *
plan(const struct decoder_cache *c, struct arena *mem, int n, const int *slot, const int *sentence,
     const int *pos, const int *id)
{
	struct step *s = arena_zero(mem, sizeof(*s));
	int *start = ARENA_ARRAY(mem, int, n), *len = ARENA_ARRAY(mem, int, n);

	for (int i = 0; i < n; i++) {
		start[i] = i;
		len[i] = 1;
	}
	s->n = n;
	s->in.layout = (struct layout){ .n = n, .rows = n, .start = start, .len = len };
	s->in.id = arena_copy(mem, id, (size_t)n * sizeof(*id));
	s->in.pos = arena_copy(mem, pos, (size_t)n * sizeof(*pos));
	s->sentence = arena_copy(mem, sentence, (size_t)n * sizeof(*sentence));
	s->first = n ? pos[0] : 0;
	plan_keys(c, s, mem, slot, pos, sentence);
	return s;
}

/* A cache's rows as keys and values. */
static void
set_keys(const struct decoder_cache *c, struct tape *t, struct att_nodes *n, real *rows,
	 const struct layout *layout)
{
	const int d[2] = { layout->rows, 2 * c->width };
	struct node *kv = tape_leaf(t, NULL, 2, d, rows, NULL);

	kv->rows = layout;
	n->k = op_columns(t, kv, 0, c->width);
	n->v = op_columns(t, kv, c->width, c->width);
}

static struct node *
step_self(struct decoder_cache *c, struct model *m, struct tape *t, struct node *x,
	  const struct step *s, int l)
{
	const struct attention_layer *a = &m->layers->dec[l].self;
	const struct looking look = {
		.site = a->site, .queries = &s->in.layout, .keys = &s->self, .causal = true
	};
	struct node *in = layers_before(m, t, x, &a->norm), *qkv = layers_dense(t, in, &a->qkv);
	struct att_nodes n = { .x = in, .memory = in, .first = s->first, .sentence = s->sentence };

	for (int i = 0; i < s->n; i++)
		memcpy(row_at(c, c->self[l], s->self.start[i] + s->in.pos[i]),
		       qkv->x + (int64_t)i * qkv->ld + c->width, row_bytes(c));
	n.q = op_columns(t, qkv, 0, c->width);
	set_keys(c, t, &n, c->self[l], &s->self);
	return layers_behind(m, t, x, layers_dense(t, layers_attend(m, t, &look, &n), &a->out),
			     &a->norm);
}

static struct node *
step_cross(struct decoder_cache *c, struct model *m, struct tape *t, struct node *x,
	   const struct step *s, int l)
{
	const struct attention_layer *a = &m->layers->dec[l].cross;
	const struct looking look = { .site = a->site,
				      .queries = &s->in.layout,
				      .keys = &s->cross };
	struct node *in = layers_before(m, t, x, &a->norm);
	struct att_nodes n = { .x = in, .first = s->first, .sentence = s->sentence };

	n.q = layers_dense(t, in, &a->q);
	set_keys(c, t, &n, c->cross[l], &s->cross);
	return layers_behind(m, t, x, layers_dense(t, layers_attend(m, t, &look, &n), &a->out),
			     &a->norm);
}

struct node *
decoder_step(struct decoder_cache *c, struct model *m, struct tape *t, int n, const int *slot,
	     const int *sentence, const int *pos, const int *id)
{
	const struct step *s = plan(c, tape_arena(t), n, slot, sentence, pos, id);
	struct node *x = layers_embed(m, t, &s->in, m->layers->tgt_embed, NULL, "tgt.embed");

	for (int l = 0; l < c->n_layers; l++) {
		x = step_self(c, m, t, x, s, l);
		x = step_cross(c, m, t, x, s, l);
		x = layers_feed_forward(m, t, x, &m->layers->dec[l]);
	}
	return m->config.final_norm ? layers_norm(m, t, x, &m->layers->dec_norm) : x;
}

/*
 * Moves that are still to be done; reads[s]: how many of them read slot s; into[s]: which one
 * writes it.
 */
struct moves {
	int n;
	const int *from, *to;
	int *reads, *into;
};

static void
copy_slot(struct decoder_cache *c, int from, int to, int len)
{
	for (int l = 0; l < c->n_layers; l++)
		memcpy(row_at(c, c->self[l], (int64_t)to * c->max_len),
		       row_at(c, c->self[l], (int64_t)from * c->max_len),
		       (size_t)len * row_bytes(c));
}

/*
 * Does move i and all that only waited for it: whoever writes the slot that i was the last to
 * read.
 */
static void
follow(struct decoder_cache *c, struct moves *v, int i, int len)
{
	while (i >= 0) {
		const int from = v->from[i];

		copy_slot(c, from, v->to[i], len);
		v->into[v->to[i]] = -1;
		i = --v->reads[from] == 0 ? v->into[from] : -1;
	}
}

/* What is left are circles, each slot read once and written once: one slot waits in the spare. */
static void
turn(struct decoder_cache *c, struct moves *v, int i, int len)
{
	const int start = v->to[i];

	for (int l = 0; l < c->n_layers; l++) {
		real *base = c->self[l];
		int j = i;

		memcpy(c->spare, row_at(c, base, (int64_t)start * c->max_len),
		       (size_t)len * row_bytes(c));
		for (; v->from[j] != start; j = v->into[v->from[j]])
			memcpy(row_at(c, base, (int64_t)v->to[j] * c->max_len),
			       row_at(c, base, (int64_t)v->from[j] * c->max_len),
			       (size_t)len * row_bytes(c));
		memcpy(row_at(c, base, (int64_t)v->to[j] * c->max_len), c->spare,
		       (size_t)len * row_bytes(c));
	}
	for (int next; i >= 0; i = next) {
		next = v->into[v->from[i]];
		v->into[v->to[i]] = -1;
	}
}

void
decoder_cache_move(struct decoder_cache *c, int n, const int *from, const int *to, int len)
{
	struct moves v = { .n = n, .from = from, .to = to };

	v.reads = xcalloc((size_t)c->max_slots, sizeof(*v.reads));
	v.into = xreallocarray(NULL, (size_t)c->max_slots, sizeof(*v.into));
	memset(v.into, -1, (size_t)c->max_slots * sizeof(*v.into));
	for (int i = 0; i < n; i++) {
		if (from[i] == to[i])
			continue;
		if (v.into[to[i]] >= 0)
			bug("decoder_cache_move: two moves into slot %d", to[i]);
		v.into[to[i]] = i;
		v.reads[from[i]]++;
	}
	for (int i = 0; i < n; i++)
		if (v.into[to[i]] == i && !v.reads[to[i]])
			follow(c, &v, i, len);
	for (int i = 0; i < n; i++)
		if (v.into[to[i]] == i)
			turn(c, &v, i, len);
	free(v.reads);
	free(v.into);
}
