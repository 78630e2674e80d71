/* beam: see beam.h for the interface and search.h for the variants. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/mem.h"
#include "search/beam.h"

/* A continuation: hypothesis `from` of the beam, extended by token id. */
struct candidate {
	double score, log_prob;		/* candidates are ranked by score */
	int from, id;
};

/* A hypothesis in a beam.  Its tokens are a chain of links. */
struct entry {
	double log_prob, score;
	int slot, link, row;		/* row: its index in this step */
	bool finished;			/* gnmt: it keeps its place and its score */
	int len;			/* gnmt: its tokens, without the end token */
};

struct link { int id, before; };	/* before: the previous link, -1 for the first token */

struct final { double score, log_prob; int link, n; };

struct sentence {
	int number, t;			/* index in the task; tokens so far of every hypothesis */
	struct entry *beam;		/* [n], best first; n is 0 if there is no sentence */
	int n;
	struct final *final;		/* best first; only the best `room` are kept */
	int n_final, room;
	struct link *link;
	size_t n_links, links_room;
	bool top_ended, done;
};

struct search {
	const struct scorer *sc;
	const struct search_settings *set;
	const struct beam_task *task;
	int started, width;		/* sentences started; candidates per step */
	struct sentence *s;		/* [live]; s[i] owns the slots i * beam ... */
	struct entry *next;		/* [beam] */
	struct candidate *merged;	/* [width] */
	int rows, *slot, *sentence, *pos, *id, *from, *to;
	struct best *best;		/* [rows] */
	struct scored *scored;		/* [rows, width] */
	int copies, *copy_from, *copy_to, *copy_len;
	struct arena *mem, *results;
	struct translation *out;
};

const char *const search_variants[] = { "fairseq", "gnmt", "onmt", "voita", "marian", NULL };

void
search_defaults(struct search_settings *s, enum search_variant variant)
{
	static const struct search_settings defaults[] = {
		[SEARCH_FAIRSEQ] = { .beam = 5, .length_penalty = 1, .max_extra = 200 },
		[SEARCH_GNMT] = { .beam = 4, .length_penalty = 0.6, .max_ratio = 1,
				  .max_extra = 50 },
		[SEARCH_ONMT] = { .beam = 5, .length_penalty = 0.6, .max_extra = 250 },
		[SEARCH_VOITA] = { .beam = 4, .length_penalty = 0.6, .max_ratio = 2,
				   .max_extra = 3, .spread = 3 },
		[SEARCH_MARIAN] = { .beam = 12, .length_penalty = 1, .max_ratio = 3 },
	};

	*s = defaults[variant];
	s->variant = variant;
	s->n_best = 1;
	s->min_length = variant != SEARCH_MARIAN;
}

double
search_score(const struct search_settings *s, double log_prob, int len)
{
	switch (s->variant) {
	case SEARCH_FAIRSEQ:
	case SEARCH_MARIAN:
		return log_prob / pow(len, s->length_penalty);
	case SEARCH_GNMT:
	case SEARCH_ONMT:
		return log_prob / pow((5.0 + len) / 6.0, s->length_penalty);
	case SEARCH_VOITA:
		return log_prob / pow(1.0 + len / 6.0, s->length_penalty);
	}
	bug("search_score: variant %d", (int)s->variant);
}

/* The order of candidates: by score, then the higher-ranked hypothesis, then the lower id. */
static bool
better(const struct candidate *a, const struct candidate *b)
{
	if (a->score != b->score)
		return a->score > b->score;
	return a->from != b->from ? a->from < b->from : a->id < b->id;
}

/* Inserts c into a sorted list of at most width candidates; returns its new length. */
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

/* The only token that is allowed next, or -1 if there is a choice. */
static int
forced(const struct search *x, const struct sentence *s)
{
	const struct beam_task *task = x->task;

	if (task->prefix && s->t < task->prefix_n[s->number])
		return task->prefix[s->number][s->t];
	return x->set->variant == SEARCH_FAIRSEQ && s->t == task->max_len[s->number]
		? VOCAB_EOS : -1;
}

/* gnmt compares hypotheses of different lengths, so it ranks by score; the others by log_prob. */
static double
rank(const struct search *x, const struct sentence *s, double log_prob)
{
	return x->set->variant == SEARCH_GNMT ? search_score(x->set, log_prob, s->t + 1) : log_prob;
}

/* The number of continuations to keep.  marian's beam shrinks with each finished hypothesis. */
static int
beam_width(const struct search *x, const struct sentence *s)
{
	return x->set->variant == SEARCH_MARIAN ? x->set->beam - s->n_final : x->width;
}

/* marian never produces <unk>, unless a prefix has it. */
static bool
suppressed(const struct search *x, const struct sentence *s, int id)
{
	return x->set->variant == SEARCH_MARIAN && id == VOCAB_UNK && forced(x, s) < 0;
}

static int
merge(struct search *x, const struct sentence *s)
{
	const int width = beam_width(x, s);
	int n = 0;

	for (int i = 0; i < s->n; i++) {
		const struct entry *h = &s->beam[i];
		const struct best *best = &x->best[h->row];

		if (h->finished) {
			n = insert(x->merged, n, width,
				   &(struct candidate){ h->score, h->log_prob, i, VOCAB_EOS });
			continue;
		}
		for (int k = 0; k < best->n; k++) {
			const bool counts = s->t >= x->set->free_prefix;
			const double x_k = counts ? best->list[k].x : 0;
			struct candidate c = { .from = i, .id = best->list[k].id,
					       .log_prob = h->log_prob + x_k };

			if (suppressed(x, s, c.id))
				continue;
			c.score = rank(x, s, c.log_prob);
			n = insert(x->merged, n, width, &c);
		}
	}
	return n;
}

/* Finished hypotheses with equal scores stay in the order in which they were found. */
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

/* Adds a candidate that ends to the finished hypotheses. */
static void
finish(struct search *x, struct sentence *s, const struct candidate *c)
{
	add_final(s, search_score(x->set, c->log_prob, s->t + 1), c->log_prob,
		  s->beam[c->from].link, s->t);
}

/* Returns the index of the new link. */
static int
add_link(struct sentence *s, int before, int id)
{
	s->link = mem_grow(s->link, &s->links_room, s->n_links + 1, sizeof(*s->link));
	s->link[s->n_links] = (struct link){ id, before };
	return (int)s->n_links++;
}

/* Makes the candidate entry n of the next beam. */
static void
extend(struct search *x, struct sentence *s, int n, const struct candidate *c)
{
	const struct entry *h = &s->beam[c->from];
	bool finished = c->id == VOCAB_EOS;

	x->next[n] = (struct entry){ .log_prob = c->log_prob, .score = c->score, .slot = h->slot,
				     .link = h->link, .finished = finished };
	if (!finished)
		x->next[n].link = add_link(s, h->link, c->id);
}

static int
advance_fairseq(struct search *x, struct sentence *s, const struct candidate *c, int n, bool last)
{
	int n_next = 0;

	for (int i = 0; i < n; i++) {
		if (c[i].id == VOCAB_EOS && i < x->set->beam && s->n_final < x->set->beam)
			finish(x, s, &c[i]);
		else if (c[i].id != VOCAB_EOS && n_next < x->set->beam)
			extend(x, s, n_next++, &c[i]);
	}
	s->done = last || s->n_final >= x->set->beam;
	return n_next;
}

static int
advance_gnmt(struct search *x, struct sentence *s, const struct candidate *c, int n, bool last)
{
	int open = 0;

	for (int i = 0; i < n; i++) {
		const struct entry *h = &s->beam[c[i].from];

		extend(x, s, i, &c[i]);
		x->next[i].len = h->finished ? h->len : s->t + (c[i].id != VOCAB_EOS);
		open += c[i].id != VOCAB_EOS;
	}
	s->done = !open || last;
	for (int i = 0; s->done && i < n; i++)
		add_final(s, x->next[i].score, x->next[i].log_prob, x->next[i].link,
			  x->next[i].len);
	return n;
}

/* At the maximum length, hypotheses without an end token are results. */
static void
finish_unended(struct search *x, struct sentence *s, int n)
{
	for (int i = 0; i < n; i++)
		add_final(s, search_score(x->set, x->next[i].log_prob, s->t + 1),
			  x->next[i].log_prob, x->next[i].link, s->t + 1);
}

static int
advance_onmt(struct search *x, struct sentence *s, const struct candidate *c, int n, bool last)
{
	int n_next = 0;

	for (int i = 0; i < n; i++) {
		if (c[i].id == VOCAB_EOS)
			finish(x, s, &c[i]);
		else
			extend(x, s, n_next++, &c[i]);
	}
	s->top_ended = s->top_ended || (n && c[0].id == VOCAB_EOS);
	s->done = last || (s->top_ended && s->n_final >= x->set->n_best);
	if (last)
		finish_unended(x, s, n_next);
	return n_next;
}

/* voita: is the hypothesis too much worse than the best finished one? */
static bool
is_hopeless(const struct search *x, const struct sentence *s, const struct entry *h)
{
	const double spread = x->set->spread;

	if (spread <= 0 || !s->n_final)
		return false;
	return search_score(x->set, h->log_prob, s->t + 1) + spread < s->final[0].score ||
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
			extend(x, s, n_next++, &c[i]);
	}
	for (int i = 0; i < n_next; i++)
		if (!is_hopeless(x, s, &x->next[i]))
			x->next[kept++] = x->next[i];
	s->done = last;
	if (last && !s->n_final)
		finish_unended(x, s, kept);
	return kept;
}

static int
advance_marian(struct search *x, struct sentence *s, const struct candidate *c, int n, bool last)
{
	int n_next = 0;

	for (int i = 0; i < n; i++) {
		if (c[i].id == VOCAB_EOS)
			finish(x, s, &c[i]);
		else
			extend(x, s, n_next++, &c[i]);
	}
	s->done = last;
	if (last)
		finish_unended(x, s, n_next);
	return n_next;
}

/* One step of a sentence: turns n candidates into x->next; returns the number of its entries. */
typedef int advance(struct search *x, struct sentence *s, const struct candidate *c, int n,
		    bool last);
static advance *const advances[] = {
	[SEARCH_FAIRSEQ] = advance_fairseq, [SEARCH_GNMT] = advance_gnmt,
	[SEARCH_ONMT] = advance_onmt, [SEARCH_VOITA] = advance_voita,
	[SEARCH_MARIAN] = advance_marian,
};

/*
 * Assigns slots to the next beam.  The first child of a hypothesis takes over its slot; the other
 * children get slots that are no longer read.
 */
static void
assign_slots(struct search *x, const struct sentence *s, int n_next)
{
	const int base = (int)(s - x->s) * x->set->beam;
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
		x->copy_from[x->copies] = x->next[i].slot;
		x->copy_to[x->copies] = x->next[i].slot = base + spare;
		x->copy_len[x->copies++] = s->t + 1;
	}
}

/* fairseq has one more step, in which only the end token is allowed. */
static bool
is_last(const struct search *x, const struct sentence *s)
{
	return s->t + (x->set->variant != SEARCH_FAIRSEQ) >= x->task->max_len[s->number];
}

/* Collects the tokens of a finished hypothesis into h. */
static void
read_tokens(const struct sentence *s, const struct final *f, struct arena *mem,
	    struct hypothesis *h)
{
	int link = f->link;

	*h = (struct hypothesis){ .n = f->n, .score = f->score, .log_prob = f->log_prob };
	h->id = ARENA_ARRAY(mem, int, f->n + 1);
	for (int i = f->n; i > 0; link = s->link[link].before)
		h->id[--i] = s->link[link].id;
}

static void
end_sentence(struct search *x, struct sentence *s)
{
	struct translation *out = &x->out[s->number];

	out->n = s->n_final < x->set->n_best ? s->n_final : x->set->n_best;
	out->best = ARENA_ARRAY(x->results, struct hypothesis, out->n + 1);
	for (int k = 0; k < out->n; k++)
		read_tokens(s, &s->final[k], x->results, &out->best[k]);
	s->n = 0;
}

static void
advance_sentence(struct search *x, struct sentence *s)
{
	struct arena_mark mark = arena_mark(x->mem);
	int n = merge(x, s);

	n = advances[x->set->variant](x, s, x->merged, n, is_last(x, s));
	if (s->done || !n) {
		end_sentence(x, s);
		return;
	}
	assign_slots(x, s, n);
	memcpy(s->beam, x->next, (size_t)n * sizeof(*s->beam));
	s->n = n;
	s->t++;
	arena_rewind_to(x->mem, mark);
}

/* Adds a hypothesis to the lists of this step. */
static void
add_row(struct search *x, const struct sentence *s, struct entry *h)
{
	const int r = x->rows++, only = forced(x, s);

	x->slot[r] = h->slot;
	x->sentence[r] = s->number;
	x->pos[r] = s->t;
	x->id[r] = h->link < 0 ? x->sc->first : s->link[h->link].id;
	x->from[r] = only >= 0 ? only : s->t < x->set->min_length ? VOCAB_EOS + 1 : VOCAB_EOS;
	x->to[r] = only >= 0 ? only + 1 : x->sc->n_vocab;
	best_init(&x->best[r], x->scored + (ptrdiff_t)r * x->width, x->width);
	h->row = r;
}

/* Starts the next sentence in a free place. */
static void
begin_sentence(struct search *x, struct sentence *s)
{
	s->number = x->started++;
	s->t = s->n_final = 0;
	s->n_links = 0;
	s->top_ended = s->done = false;
	s->beam[0] = (struct entry){ .slot = (int)(s - x->s) * x->set->beam, .link = -1 };
	s->n = 1;
}

/* Collects the rows of this step: all unfinished hypotheses of all beams. */
static void
gather_rows(struct search *x)
{
	x->rows = 0;
	for (int i = 0; i < x->task->live; i++) {
		struct sentence *s = &x->s[i];

		if (!s->n && x->started < x->task->n)
			begin_sentence(x, s);
		for (int k = 0; k < s->n; k++)
			if (!s->beam[k].finished)
				add_row(x, s, &s->beam[k]);
	}
}

static void
run_steps(struct search *x)
{
	for (gather_rows(x); x->rows; gather_rows(x)) {
		const struct beam_step step = { x->rows, x->slot, x->sentence, x->pos, x->id,
						x->from, x->to, x->best };

		x->sc->step(x->sc->arg, &step);
		x->copies = 0;
		for (int i = 0; i < x->task->live; i++)
			if (x->s[i].n)
				advance_sentence(x, &x->s[i]);
		if (x->copies)
			x->sc->copy(x->sc->arg, x->copies, x->copy_from, x->copy_to,
				    x->copy_len);
	}
}

static void
make_room(struct search *x)
{
	const int beam = x->set->beam, rows = x->task->live * beam;
	int **const list[] = { &x->slot, &x->sentence, &x->pos, &x->id, &x->from, &x->to,
			       &x->copy_from, &x->copy_to, &x->copy_len };

	x->s = arena_zero(x->mem, (size_t)x->task->live * sizeof(*x->s));
	for (int i = 0; i < x->task->live; i++) {
		struct sentence *s = &x->s[i];

		s->beam = ARENA_ARRAY(x->mem, struct entry, beam);
		s->room = beam > x->set->n_best ? beam : x->set->n_best;
		s->final = ARENA_ARRAY(x->mem, struct final, s->room + 1);
	}
	x->next = ARENA_ARRAY(x->mem, struct entry, x->width);
	x->merged = ARENA_ARRAY(x->mem, struct candidate, x->width + 1);
	x->best = ARENA_ARRAY(x->mem, struct best, rows);
	x->scored = ARENA_ARRAY(x->mem, struct scored, (ptrdiff_t)rows * x->width);
	for (size_t i = 0; i < sizeof(list) / sizeof(*list); i++)
		*list[i] = ARENA_ARRAY(x->mem, int, rows);
}

void
beam_search(const struct scorer *sc, const struct search_settings *set,
	    const struct beam_task *task, struct arena *mem, struct translation *out)
{
	struct arena scratch;
	struct search x = { .sc = sc, .set = set, .task = task, .mem = &scratch, .results = mem,
			    .out = out, .width = set->beam };

	if (set->variant == SEARCH_FAIRSEQ)
		x.width *= 2;
	else if (set->variant == SEARCH_MARIAN)
		x.width++;	/* <unk> takes one of them */
	arena_init(&scratch, 0);
	make_room(&x);
	run_steps(&x);
	for (int i = 0; i < task->live; i++)
		free(x.s[i].link);
	arena_release(&scratch);
}
