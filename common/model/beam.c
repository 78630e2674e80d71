/* beam: see beam.h for the interface and search.h for what the variants do. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/mem.h"
#include "model/beam.h"

/* A continuation: of the hypothesis at place `from` of its beam, by symbol id. */
struct candidate {
	double score, log_prob;		/* score: what candidates are ranked by */
	int from, id;
};

/* A hypothesis in a beam.  Its symbols are a chain of links. */
struct place {
	double log_prob, score;
	int slot, link, row;		/* row: of this step's log-probabilities */
	bool finished;			/* gnmt: it stays, and keeps its score ... */
	int len;			/* ... and its symbols, the end not counted */
};

struct link { int id, before; };	/* before: -1 at the beginning */

struct final { double score, log_prob; int link, n; };

struct sentence {
	struct place *beam;		/* [n], best first */
	int n;
	struct final *final;		/* best first; at most room of them are kept */
	int n_final, room;
	bool top_ended, done;
};

struct search {
	const struct scorer *sc;
	const struct search_settings *set;
	int n, t, width;		/* t: symbols so far of every hypothesis; width: candidates a step */
	const int *max_len, *prefix_n;
	const int *const *prefix;
	struct sentence *s;
	struct place *next;		/* [beam] */
	struct candidate *top, *merged;	/* [rows, width]; [width + 1] */
	int *n_top;			/* [rows] */
	struct link *link;
	size_t n_links, links_room;
	int rows, *slot, *sentence, *pos, *id, *from, *to;
	const real *log_probs;
	struct arena *mem;
};

const char *const search_variants[] = { "fairseq", "gnmt", "onmt", "voita", NULL };

void
search_defaults(struct search_settings *s, enum search_variant variant)
{
	static const struct search_settings defaults[] = {
		[SEARCH_FAIRSEQ] = { .beam = 5, .length_penalty = 1, .max_ratio = 0, .max_extra = 200 },
		[SEARCH_GNMT] = { .beam = 4, .length_penalty = 0.6, .max_ratio = 1, .max_extra = 50 },
		[SEARCH_ONMT] = { .beam = 5, .length_penalty = 0.6, .max_ratio = 0, .max_extra = 250 },
		[SEARCH_VOITA] = { .beam = 4, .length_penalty = 0.6, .max_ratio = 2, .max_extra = 3, .spread = 3 },
	};

	*s = defaults[variant];
	s->variant = variant;
	s->n_best = s->min_length = 1;
}

double
search_score(const struct search_settings *s, double log_prob, int len)
{
	switch (s->variant) {
	case SEARCH_FAIRSEQ:
		return log_prob / pow(len, s->length_penalty);
	case SEARCH_GNMT:
	case SEARCH_ONMT:
		return log_prob / pow((5.0 + len) / 6.0, s->length_penalty);
	case SEARCH_VOITA:
		return log_prob / pow(1.0 + len / 6.0, s->length_penalty);
	}
	bug("search_score: variant %d", (int)s->variant);
}

/* The order of candidates: score, then the lower place, then the lower id. */
static bool
better(const struct candidate *a, const struct candidate *b)
{
	if (a->score != b->score)
		return a->score > b->score;
	return a->from != b->from ? a->from < b->from : a->id < b->id;
}

/* Puts c into the sorted list of at most width; returns its new length. */
static int
insert(struct candidate *list, int n, int width, const struct candidate *c)
{
	int at = n;

	while (at > 0 && better(c, &list[at - 1]))
		at--;
	if (at == width)
		return n;
	if (n == width)
		n--;
	memmove(list + at + 1, list + at, (size_t)(n - at) * sizeof(*list));
	list[at] = *c;
	return n + 1;
}

/* The one symbol that may come, or -1 if there is a choice. */
static int
forced(const struct search *x, int sentence)
{
	if (x->prefix && x->t < x->prefix_n[sentence])
		return x->prefix[sentence][x->t];
	return x->set->variant == SEARCH_FAIRSEQ && x->t == x->max_len[sentence] ? VOCAB_EOS : -1;
}

/*
 * A hypothesis' best continuations.  The place is set when rows are merged.  Only what beats the
 * worst of the list is looked at twice: nearly all types cost one comparison.
 */
static void
top_of_row(void *arg, int row, int thread)
{
	struct search *x = arg;
	const real *p = x->log_probs + (ptrdiff_t)row * x->sc->n_types;
	struct candidate *list = x->top + (ptrdiff_t)row * x->width, c = { .from = 0 };
	const int only = forced(x, x->sentence[row]);
	const int begin = only >= 0 ? only : x->t < x->set->min_length ? VOCAB_EOS + 1 : VOCAB_EOS;
	const int end = only >= 0 ? only + 1 : x->sc->n_types;
	real least = -INFINITY;
	int n = 0;

	(void)thread;
	for (c.id = begin; c.id < end; c.id++) {
		if (!(p[c.id] > least))
			continue;
		c.score = c.log_prob = p[c.id];
		n = insert(list, n, x->width, &c);
		if (n == x->width)
			least = (real)list[n - 1].score;
	}
	x->n_top[row] = n;
}

/* gnmt compares hypotheses of different lengths, so it ranks by score; the others by log_prob. */
static double
rank(const struct search *x, double log_prob)
{
	return x->set->variant == SEARCH_GNMT ? search_score(x->set, log_prob, x->t + 1) : log_prob;
}

static int
merge(struct search *x, const struct sentence *s)
{
	int n = 0;

	for (int i = 0; i < s->n; i++) {
		const struct place *h = &s->beam[i];
		const struct candidate *list = x->top + (ptrdiff_t)h->row * x->width;

		if (h->finished) {
			n = insert(x->merged, n, x->width, &(struct candidate){ h->score, h->log_prob, i, VOCAB_EOS });
			continue;
		}
		for (int k = 0; k < x->n_top[h->row]; k++) {
			struct candidate c = { .from = i, .id = list[k].id, .log_prob = h->log_prob + list[k].log_prob };

			c.score = rank(x, c.log_prob);
			n = insert(x->merged, n, x->width, &c);
		}
	}
	return n;
}

/* Finals of equal score stay in the order in which they came. */
static void
add_final(struct sentence *s, double score, double log_prob, int link, int n)
{
	int at = s->n_final;

	while (at > 0 && score > s->final[at - 1].score)
		at--;
	if (at == s->room)
		return;
	if (s->n_final == s->room)
		s->n_final--;
	memmove(s->final + at + 1, s->final + at, (size_t)(s->n_final - at) * sizeof(*s->final));
	s->final[at] = (struct final){ score, log_prob, link, n };
	s->n_final++;
}

/* A candidate that ends: n symbols and the end. */
static void
finish(struct search *x, struct sentence *s, const struct candidate *c)
{
	add_final(s, search_score(x->set, c->log_prob, x->t + 1), c->log_prob, s->beam[c->from].link, x->t);
}

static int
extend(struct search *x, int before, int id)
{
	x->link = mem_grow(x->link, &x->links_room, x->n_links + 1, sizeof(*x->link));
	x->link[x->n_links] = (struct link){ id, before };
	return (int)x->n_links++;
}

/* The candidate becomes place n of the next beam. */
static void
go_on(struct search *x, const struct sentence *s, int n, const struct candidate *c)
{
	const struct place *h = &s->beam[c->from];
	bool finished = c->id == VOCAB_EOS;

	x->next[n] = (struct place){ .log_prob = c->log_prob, .score = c->score, .slot = h->slot, .link = h->link,
				     .finished = finished };
	if (!finished)
		x->next[n].link = extend(x, h->link, c->id);
}

static int
advance_fairseq(struct search *x, struct sentence *s, const struct candidate *c, int n, bool last)
{
	int n_next = 0;

	for (int i = 0; i < n; i++) {
		if (c[i].id == VOCAB_EOS && i < x->set->beam && s->n_final < x->set->beam)
			finish(x, s, &c[i]);
		else if (c[i].id != VOCAB_EOS && n_next < x->set->beam)
			go_on(x, s, n_next++, &c[i]);
	}
	s->done = last || s->n_final >= x->set->beam;
	return n_next;
}

static int
advance_gnmt(struct search *x, struct sentence *s, const struct candidate *c, int n, bool last)
{
	int open = 0;

	for (int i = 0; i < n; i++) {
		const struct place *h = &s->beam[c[i].from];

		go_on(x, s, i, &c[i]);
		x->next[i].len = h->finished ? h->len : x->t + (c[i].id != VOCAB_EOS);
		open += c[i].id != VOCAB_EOS;
	}
	s->done = !open || last;
	for (int i = 0; s->done && i < n; i++)
		add_final(s, x->next[i].score, x->next[i].log_prob, x->next[i].link, x->next[i].len);
	return n;
}

/* Hypotheses of the longest length count as they are. */
static void
end_as_they_are(struct search *x, struct sentence *s, int n)
{
	for (int i = 0; i < n; i++)
		add_final(s, search_score(x->set, x->next[i].log_prob, x->t + 1), x->next[i].log_prob,
			  x->next[i].link, x->t + 1);
}

static int
advance_onmt(struct search *x, struct sentence *s, const struct candidate *c, int n, bool last)
{
	int n_next = 0;

	for (int i = 0; i < n; i++) {
		if (c[i].id == VOCAB_EOS)
			finish(x, s, &c[i]);
		else
			go_on(x, s, n_next++, &c[i]);
	}
	s->top_ended = s->top_ended || (n && c[0].id == VOCAB_EOS);
	s->done = last || (s->top_ended && s->n_final >= x->set->n_best);
	if (last)
		end_as_they_are(x, s, n_next);
	return n_next;
}

static bool
out_of_reach(const struct search *x, const struct sentence *s, const struct place *h)
{
	const double spread = x->set->spread;

	if (spread <= 0 || !s->n_final)
		return false;
	return search_score(x->set, h->log_prob, x->t + 1) + spread < s->final[0].score ||
	       h->log_prob + spread < s->final[0].log_prob;
}

static int
advance_voita(struct search *x, struct sentence *s, const struct candidate *c, int n, bool last)
{
	int n_next = 0, kept = 0;

	for (int i = 0; i < n; i++) {
		if (c[i].id == VOCAB_EOS)
			finish(x, s, &c[i]);
		else
			go_on(x, s, n_next++, &c[i]);
	}
	for (int i = 0; i < n_next; i++)
		if (!out_of_reach(x, s, &x->next[i]))
			x->next[kept++] = x->next[i];
	s->done = last;
	if (last && !s->n_final)
		end_as_they_are(x, s, kept);
	return kept;
}

typedef int advance(struct search *x, struct sentence *s, const struct candidate *c, int n, bool last);
static advance *const advances[] = {
	[SEARCH_FAIRSEQ] = advance_fairseq, [SEARCH_GNMT] = advance_gnmt,
	[SEARCH_ONMT] = advance_onmt, [SEARCH_VOITA] = advance_voita,
};

/*
 * The next beam's slots: the first child of a hypothesis takes over its slot, the others
 * get slots that nobody reads any more.  Returns how many copies were added to the lists.
 */
static int
assign_slots(struct search *x, int sentence, int n_next, int n_copies)
{
	const int base = sentence * x->set->beam;
	unsigned char *taken = arena_zero(x->mem, (size_t)x->set->beam);
	unsigned char *late = arena_zero(x->mem, (size_t)x->set->beam);
	int spare = 0;

	for (int i = 0; i < n_next; i++) {
		int slot = x->next[i].slot - base;

		if (x->next[i].finished)
			continue;
		late[i] = taken[slot];
		taken[slot] = 1;
	}
	for (int i = 0; i < n_next; i++) {
		if (!late[i])
			continue;
		while (taken[spare])
			spare++;
		taken[spare] = 1;
		x->from[n_copies] = x->next[i].slot;
		x->to[n_copies++] = x->next[i].slot = base + spare;
	}
	return n_copies;
}

/* fairseq has one step more, for the end symbol alone. */
static bool
is_last(const struct search *x, int sentence)
{
	return x->t + (x->set->variant != SEARCH_FAIRSEQ) >= x->max_len[sentence];
}

static int
advance_sentence(struct search *x, int i, int n_copies)
{
	struct sentence *s = &x->s[i];
	struct arena_mark mark = arena_mark(x->mem);
	int n = merge(x, s);

	n = advances[x->set->variant](x, s, x->merged, n, is_last(x, i));
	s->done = s->done || !n;
	if (!s->done) {
		n_copies = assign_slots(x, i, n, n_copies);
		memcpy(s->beam, x->next, (size_t)n * sizeof(*s->beam));
	}
	s->n = s->done ? 0 : n;
	if (s->done && x->sc->ended)
		x->sc->ended(x->sc->arg, i);
	arena_rewind_to(x->mem, mark);
	return n_copies;
}

/* The rows of this step: every hypothesis of every beam that goes on. */
static void
gather_rows(struct search *x)
{
	x->rows = 0;
	for (int i = 0; i < x->n; i++)
		for (int k = 0; k < x->s[i].n; k++) {
			struct place *h = &x->s[i].beam[k];

			if (h->finished)
				continue;
			x->slot[x->rows] = h->slot;
			x->sentence[x->rows] = i;
			x->pos[x->rows] = x->t;
			x->id[x->rows] = h->link < 0 ? x->sc->first : x->link[h->link].id;
			h->row = x->rows++;
		}
}

static void
run_steps(struct search *x, struct pool *pool)
{
	for (;; x->t++) {
		int copies = 0;

		gather_rows(x);
		if (!x->rows)
			return;
		x->log_probs = x->sc->step(x->sc->arg, x->rows, x->slot, x->sentence, x->pos, x->id);
		pool_run(pool, x->rows, top_of_row, x);
		for (int i = 0; i < x->n; i++)
			if (x->s[i].n)
				copies = advance_sentence(x, i, copies);
		if (copies)
			x->sc->copy(x->sc->arg, copies, x->from, x->to, x->t + 1);
	}
}

static void
start(struct search *x)
{
	const int beam = x->set->beam;
	const size_t rows = (size_t)x->n * (size_t)beam;

	x->width = x->set->variant == SEARCH_FAIRSEQ ? 2 * beam : beam;
	x->s = arena_zero(x->mem, (size_t)x->n * sizeof(*x->s));
	for (int i = 0; i < x->n; i++) {
		struct sentence *s = &x->s[i];

		s->beam = ARENA_ARRAY(x->mem, struct place, beam);
		s->beam[0] = (struct place){ .slot = i * beam, .link = -1 };
		s->n = 1;
		s->room = beam > x->set->n_best ? beam : x->set->n_best;
		s->final = ARENA_ARRAY(x->mem, struct final, s->room + 1);
	}
	x->next = ARENA_ARRAY(x->mem, struct place, x->width);
	x->top = ARENA_ARRAY(x->mem, struct candidate, rows * (size_t)(x->width + 1));
	x->merged = ARENA_ARRAY(x->mem, struct candidate, x->width + 1);
	x->n_top = ARENA_ARRAY(x->mem, int, rows);
	x->slot = ARENA_ARRAY(x->mem, int, rows);
	x->sentence = ARENA_ARRAY(x->mem, int, rows);
	x->pos = ARENA_ARRAY(x->mem, int, rows);
	x->id = ARENA_ARRAY(x->mem, int, rows);
	x->from = ARENA_ARRAY(x->mem, int, rows);
	x->to = ARENA_ARRAY(x->mem, int, rows);
}

static void
spell(const struct search *x, const struct final *f, struct arena *mem, struct hypothesis *h)
{
	int link = f->link;

	*h = (struct hypothesis){ .n = f->n, .score = f->score, .log_prob = f->log_prob };
	h->id = ARENA_ARRAY(mem, int, f->n + 1);
	for (int i = f->n; i > 0; link = x->link[link].before)
		h->id[--i] = x->link[link].id;
}

void
beam_search(const struct scorer *sc, const struct search_settings *set, int n, const int *max_len,
	    const int *const *prefix, const int *prefix_n, struct pool *pool, struct arena *mem,
	    struct translation *out)
{
	struct arena scratch;
	struct search x = { .sc = sc, .set = set, .n = n, .max_len = max_len, .prefix = prefix,
			    .prefix_n = prefix_n, .mem = &scratch };

	arena_init(&scratch, 0);
	start(&x);
	run_steps(&x, pool);
	for (int i = 0; i < n; i++) {
		out[i].n = x.s[i].n_final < set->n_best ? x.s[i].n_final : set->n_best;
		out[i].best = ARENA_ARRAY(mem, struct hypothesis, out[i].n + 1);
		for (int k = 0; k < out[i].n; k++)
			spell(&x, &x.s[i].final[k], mem, &out[i].best[k]);
	}
	free(x.link);
	arena_release(&scratch);
}
