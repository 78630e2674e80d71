/* beam: see beam.h for the interface and search.h for the variants. */
#include <stdlib.h>
#include <string.h>

#include "search/beam-parts.h"

/* The order of candidates: by score, then the higher-ranked hypothesis, then the lower id. */
static bool
beam_better(const struct beam_candidate *a, const struct beam_candidate *b)
{
	if (a->score != b->score)
		return a->score > b->score;
	return a->from != b->from ? a->from < b->from : a->id < b->id;
}

/* Inserts c into a sorted list of at most width candidates; returns its new length. */
static int
beam_insert(struct beam_candidate *list, int n, int width, const struct beam_candidate *c)
{
	int at = n;

	while (at > 0 && beam_better(c, &list[at - 1]))
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
forced(const struct beam_state *x, const struct beam_sentence *s)
{
	const struct beam_task *task = x->task;

	if (task->prefix && s->t < task->prefix_n[s->number])
		return task->prefix[s->number][s->t];
	return x->set->variant == SEARCH_FAIRSEQ && s->t == task->max_len[s->number]
		? VOCAB_EOS : -1;
}

/* gnmt compares hypotheses of different lengths, so it ranks by score; the others by log_prob. */
static double
beam_rank(const struct beam_state *x, const struct beam_sentence *s, const struct beam_entry *h,
	  double log_prob)
{
	if (x->set->variant != SEARCH_GNMT)
		return log_prob;
	return beam_score(x, s, log_prob) + beam_covered(x, h);
}

/* The number of continuations to keep.  marian's beam shrinks with each finished hypothesis. */
static int
beam_width(const struct beam_state *x, const struct beam_sentence *s)
{
	return x->set->variant == SEARCH_MARIAN ? x->set->beam - s->n_final : x->width;
}

/* marian never produces <unk>, unless a prefix has it. */
static bool
suppressed(const struct beam_state *x, const struct beam_sentence *s, int id)
{
	return x->set->variant == SEARCH_MARIAN && id == VOCAB_UNK && forced(x, s) < 0;
}

static int
beam_merge(struct beam_state *x, const struct beam_sentence *s)
{
	const int width = beam_width(x, s);
	int n = 0;

	for (int i = 0; i < s->n; i++) {
		const struct beam_entry *h = &s->beam[i];
		const struct best *best = &x->best[h->row];

		if (h->finished) {
			n = beam_insert(x->merged, n, width,
					&(struct beam_candidate){ h->score, h->log_prob, i,
								 VOCAB_EOS });
			continue;
		}
		for (int k = 0; k < best->n; k++) {
			const bool counts = s->t >= x->set->free_prefix;
			const double x_k = counts ? best->list[k].x : 0;
			struct beam_candidate c = { .from = i, .id = best->list[k].id,
					       .log_prob = h->log_prob + x_k };

			if (suppressed(x, s, c.id))
				continue;
			c.score = beam_rank(x, s, h, c.log_prob);
			n = beam_insert(x->merged, n, width, &c);
		}
	}
	return n;
}

/*
 * Assigns slots to the next beam.  The first child of a hypothesis takes over its slot; the other
 * children get slots that are no longer read.
 */
static void
assign_slots(struct beam_state *x, const struct beam_sentence *s, int n_next)
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
is_last(const struct beam_state *x, const struct beam_sentence *s)
{
	return s->t + (x->set->variant != SEARCH_FAIRSEQ) >= x->task->max_len[s->number];
}

/* Collects the tokens of a finished hypothesis into h. */
static void
read_tokens(const struct beam_sentence *s, const struct beam_final *f, struct arena *mem,
	    struct hypothesis *h)
{
	int link = f->link;

	*h = (struct hypothesis){ .n = f->n, .score = f->score, .log_prob = f->log_prob };
	h->id = ARENA_ARRAY(mem, int, f->n + 1);
	for (int i = f->n; i > 0; link = s->link[link].before)
		h->id[--i] = s->link[link].id;
}

static void
end_sentence(struct beam_state *x, struct beam_sentence *s)
{
	struct translation *out = &x->out[s->number];

	out->n = s->n_final < x->set->n_best ? s->n_final : x->set->n_best;
	out->best = ARENA_ARRAY(x->results, struct hypothesis, out->n + 1);
	for (int k = 0; k < out->n; k++)
		read_tokens(s, &s->final[k], x->results, &out->best[k]);
	s->n = 0;
}

static void
advance_sentence(struct beam_state *x, struct beam_sentence *s)
{
	struct arena_mark mark = arena_mark(x->mem);
	int n = beam_merge(x, s);

	n = beam_advances[x->set->variant](x, s, x->merged, n, is_last(x, s));
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
beam_add_row(struct beam_state *x, const struct beam_sentence *s, struct beam_entry *h)
{
	const int r = x->rows++, only = forced(x, s);
	const int min_length = x->set->min_length + x->set->free_prefix;

	x->slot[r] = h->slot;
	x->sentence[r] = s->number;
	x->pos[r] = s->t;
	x->id[r] = h->link < 0 ? x->sc->first : s->link[h->link].id;
	x->from[r] = only >= 0 ? only : s->t < min_length ? VOCAB_EOS + 1 : VOCAB_EOS;
	x->to[r] = only >= 0 ? only + 1 : x->sc->n_vocab;
	best_init(&x->best[r], x->scored + (ptrdiff_t)r * x->width, x->width);
	h->row = r;
}

/* Starts the next sentence in a free place. */
static void
begin_sentence(struct beam_state *x, struct beam_sentence *s)
{
	s->number = x->started++;
	s->t = s->n_final = 0;
	s->n_links = 0;
	s->top_ended = s->done = false;
	s->beam[0] = (struct beam_entry){ .slot = (int)(s - x->s) * x->set->beam, .link = -1 };
	s->n = 1;
}

/* Starts sentences in the places of a group, if all are free. */
static void
begin_group(struct beam_state *x, struct beam_sentence *s)
{
	for (int i = 0; i < x->together; i++)
		if (s[i].n)
			return;
	for (int i = 0; i < x->together && x->started < x->task->n; i++)
		begin_sentence(x, &s[i]);
}

/* Collects the rows of this step: all unfinished hypotheses of all beams. */
static void
gather_rows(struct beam_state *x)
{
	x->rows = 0;
	for (int i = 0; i < x->task->live; i++) {
		struct beam_sentence *s = &x->s[i];

		if (i % x->together == 0)
			begin_group(x, s);
		for (int k = 0; k < s->n; k++)
			if (!s->beam[k].finished)
				beam_add_row(x, s, &s->beam[k]);
	}
}

static void
run_steps(struct beam_state *x)
{
	for (gather_rows(x); x->rows; gather_rows(x)) {
		const struct beam_step step = { x->rows, x->slot, x->sentence, x->pos, x->id,
						x->from, x->to, x->best, x->coverage };

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
beam_make_room(struct beam_state *x)
{
	const int beam = x->set->beam, rows = x->task->live * beam;
	int **const list[] = { &x->slot, &x->sentence, &x->pos, &x->id, &x->from, &x->to,
			       &x->copy_from, &x->copy_to, &x->copy_len };

	x->s = arena_zero(x->mem, (size_t)x->task->live * sizeof(*x->s));
	for (int i = 0; i < x->task->live; i++) {
		struct beam_sentence *s = &x->s[i];

		s->beam = ARENA_ARRAY(x->mem, struct beam_entry, beam);
		s->room = beam > x->set->n_best ? beam : x->set->n_best;
		s->final = ARENA_ARRAY(x->mem, struct beam_final, s->room + 1);
	}
	x->next = ARENA_ARRAY(x->mem, struct beam_entry, x->width);
	x->merged = ARENA_ARRAY(x->mem, struct beam_candidate, x->width + 1);
	x->best = ARENA_ARRAY(x->mem, struct best, rows);
	x->scored = ARENA_ARRAY(x->mem, struct scored, (ptrdiff_t)rows * x->width);
	if (x->set->coverage_penalty > 0)
		x->coverage = ARENA_ARRAY(x->mem, double, rows);
	for (size_t i = 0; i < sizeof(list) / sizeof(*list); i++)
		*list[i] = ARENA_ARRAY(x->mem, int, rows);
}

void
beam_search(const struct scorer *sc, const struct search_settings *set,
	    const struct beam_task *task, struct arena *mem, struct translation *out)
{
	struct arena scratch;
	struct beam_state x = { .sc = sc, .set = set, .task = task, .mem = &scratch, .results = mem,
			    .out = out, .width = set->beam,
				.together = task->together ? task->together : 1 };

	if (set->variant == SEARCH_FAIRSEQ)
		x.width *= 2;
	else if (set->variant == SEARCH_MARIAN)
		x.width++;	/* <unk> takes one of them */
	arena_init(&scratch, 0);
	beam_make_room(&x);
	run_steps(&x);
	for (int i = 0; i < task->live; i++)
		free(x.s[i].link);
	arena_release(&scratch);
}
