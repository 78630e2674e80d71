/* beam-variants: scores, and the steps of the variants of beam search; see search.h. */
#include <limits.h>
#include <math.h>
#include <string.h>

#include "base/mem.h"
#include "search/beam-parts.h"

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
	s->noun = "record";
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

int
search_max_tokens(const struct search_settings *s, int source)
{
	double n = s->max_ratio * source + s->max_extra;

	if (s->variant == SEARCH_MARIAN)	/* the first length that is not below its limit */
		n = ceil(n);
	return (int)(fmin(fmax(n, 1), INT_MAX - 1) + s->free_prefix);
}

/* Sites are in the order of encoder, decoder and cross-attention. */
size_t
search_coverage_site(const struct model *m)
{
	const int64_t layers = m->config.dec_layers;

	return (size_t)(m->config.enc_layers + layers + (layers > 1 ? layers - 2 : 0));
}

double
beam_score(const struct beam_state *x, const struct beam_sentence *s, double log_prob)
{
	const int len = s->t + 1 - (x->set->count_first ? 0 : x->set->free_prefix);

	return search_score(x->set, log_prob, len > 0 ? len : 1);
}

double
beam_covered(const struct beam_state *x, const struct beam_entry *h)
{
	return x->coverage ? x->set->coverage_penalty * x->coverage[h->row] : 0;
}

/* Finished hypotheses with equal scores stay in the order in which they were found. */
static void
beam_add_final(struct beam_sentence *s, double score, double log_prob, int link, int n)
{
	int at = s->n_final;

	while (at > 0 && score > s->final[at - 1].score)
		at--;
	if (at == s->room)
		return;
	if (s->n_final == s->room)
		s->n_final--;
	memmove(s->final + at + 1, s->final + at, (size_t)(s->n_final - at) * sizeof(*s->final));
	s->final[at] = (struct beam_final){ score, log_prob, link, n };
	s->n_final++;
}

/* Adds a candidate that ends to the finished hypotheses. */
static void
beam_finish(struct beam_state *x, struct beam_sentence *s, const struct beam_candidate *c)
{
	const struct beam_entry *h = &s->beam[c->from];

	beam_add_final(s, beam_score(x, s, c->log_prob) + beam_covered(x, h),
		       c->log_prob, h->link, s->t);
}

/* Returns the index of the new link. */
static int
add_link(struct beam_sentence *s, int before, int id)
{
	s->link = mem_grow(s->link, &s->links_room, s->n_links + 1, sizeof(*s->link));
	s->link[s->n_links] = (struct beam_link){ id, before };
	return (int)s->n_links++;
}

/* Makes the candidate entry n of the next beam. */
static void
beam_extend(struct beam_state *x, struct beam_sentence *s, int n, const struct beam_candidate *c)
{
	const struct beam_entry *h = &s->beam[c->from];
	bool finished = c->id == VOCAB_EOS;

	x->next[n] = (struct beam_entry){ .log_prob = c->log_prob, .score = c->score,
					  .slot = h->slot,
				     .link = h->link, .finished = finished };
	if (!h->finished)
		x->next[n].covered = beam_covered(x, h);
	if (!finished)
		x->next[n].link = add_link(s, h->link, c->id);
}

static int
advance_fairseq(struct beam_state *x, struct beam_sentence *s, const struct beam_candidate *c,
		int n, bool is_last)
{
	int n_next = 0;

	for (int i = 0; i < n; i++) {
		if (c[i].id == VOCAB_EOS && i < x->set->beam && s->n_final < x->set->beam)
			beam_finish(x, s, &c[i]);
		else if (c[i].id != VOCAB_EOS && n_next < x->set->beam)
			beam_extend(x, s, n_next++, &c[i]);
	}
	s->done = is_last || s->n_final >= x->set->beam;
	return n_next;
}

static int
advance_gnmt(struct beam_state *x, struct beam_sentence *s, const struct beam_candidate *c, int n,
	     bool is_last)
{
	int open = 0;

	for (int i = 0; i < n; i++) {
		const struct beam_entry *h = &s->beam[c[i].from];

		beam_extend(x, s, i, &c[i]);
		x->next[i].len = h->finished ? h->len : s->t + (c[i].id != VOCAB_EOS);
		open += c[i].id != VOCAB_EOS;
	}
	s->done = !open || is_last;
	for (int i = 0; s->done && i < n; i++)
		beam_add_final(s, x->next[i].score, x->next[i].log_prob, x->next[i].link,
			       x->next[i].len);
	return n;
}

/* At the maximum length, hypotheses without an end token are results. */
static void
finish_unended(struct beam_state *x, struct beam_sentence *s, int n)
{
	for (int i = 0; i < n; i++)
		beam_add_final(s, x->next[i].covered + beam_score(x, s, x->next[i].log_prob),
			       x->next[i].log_prob, x->next[i].link, s->t + 1);
}

/* Finishes the candidates that end; the others are extended, in order.  Returns their number. */
static int
finish_or_extend(struct beam_state *x, struct beam_sentence *s, const struct beam_candidate *c,
		 int n)
{
	int n_next = 0;

	for (int i = 0; i < n; i++) {
		if (c[i].id == VOCAB_EOS)
			beam_finish(x, s, &c[i]);
		else
			beam_extend(x, s, n_next++, &c[i]);
	}
	return n_next;
}

static int
advance_onmt(struct beam_state *x, struct beam_sentence *s, const struct beam_candidate *c, int n,
	     bool is_last)
{
	const int n_next = finish_or_extend(x, s, c, n);

	s->top_ended = s->top_ended || (n && c[0].id == VOCAB_EOS);
	s->done = is_last || (s->top_ended && s->n_final >= x->set->n_best);
	if (is_last)
		finish_unended(x, s, n_next);
	return n_next;
}

/* voita: is the hypothesis too much worse than the best finished one? */
static bool
is_hopeless(const struct beam_state *x, const struct beam_sentence *s, const struct beam_entry *h)
{
	const double spread = x->set->spread;

	if (spread <= 0 || !s->n_final)
		return false;
	return beam_score(x, s, h->log_prob) + spread < s->final[0].score ||
	       h->log_prob + spread < s->final[0].log_prob;
}

static int
advance_voita(struct beam_state *x, struct beam_sentence *s, const struct beam_candidate *c, int n,
	      bool is_last)
{
	const int n_next = finish_or_extend(x, s, c, n);
	int kept = 0;

	for (int i = 0; i < n_next; i++)
		if (!is_hopeless(x, s, &x->next[i]))
			x->next[kept++] = x->next[i];
	s->done = is_last;
	if (is_last && !s->n_final)
		finish_unended(x, s, kept);
	return kept;
}

static int
advance_marian(struct beam_state *x, struct beam_sentence *s, const struct beam_candidate *c, int n,
	       bool is_last)
{
	const int n_next = finish_or_extend(x, s, c, n);

	s->done = is_last;
	if (is_last)
		finish_unended(x, s, n_next);
	return n_next;
}

beam_advance *const beam_advances[] = {
	[SEARCH_FAIRSEQ] = advance_fairseq, [SEARCH_GNMT] = advance_gnmt,
	[SEARCH_ONMT] = advance_onmt, [SEARCH_VOITA] = advance_voita,
	[SEARCH_MARIAN] = advance_marian,
};
