/* aligning-heads: see aligning-heads.h. */
#include "analysis/aligning-heads.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "analysis/sink-tokens.h"
#include "attention/attention-heads.h"
#include "base/mem.h"
#include "data/word-sums.h"
#include "scores/ratio-error.h"

enum { MIN_SENTENCES = 4 };		/* two of each half, for standard errors */

int
aligning_heads_begin(struct aligning_heads *a, struct site_list sites, const char *gold, int first,
		     bool content_only, struct err *e)
{
	*a = (struct aligning_heads){ .sites = sites, .content_only = content_only };
	a->head = xcalloc(heads_before(sites.site, sites.n) + 1, sizeof(*a->head));
	a->n = heads_of_kind(sites.site, sites.n, DECODER_CROSS, a->head);
	if (!a->n)
		return err_usage(e, "the model has no heads of cross-attention, expected some");
	a->sinks = xcalloc(a->n, sizeof(*a->sinks));
	return link_file_open(&a->gold, gold, first, e);
}

void
aligning_heads_release(struct aligning_heads *a)
{
	for (size_t i = 0; i < a->sentences; i++) {
		link_set_release(&a->sentence[i].gold);
		free(a->sentence[i].weight);
	}
	free(a->sentence);
	free(a->head);
	free(a->sinks);
	link_file_release(&a->gold);
	*a = (struct aligning_heads){ .n = 0 };
}

/* --- sentences --- */

struct side_pair {
	struct link_side src, tgt;
	struct sink_tokens tokens;
	struct word_sums sums;		/* room for one head */
	real *content;			/* [source tokens] room for one row; NULL: all weights
					 * count */
};

/* A row of weights, or its weights on content alone, which sum to 1. */
static const real *
word_row(const struct side_pair *side, const real *x)
{
	const enum key_kind *kind = side->tokens.kind;
	double sum;

	if (!side->content)
		return x;
	sum = sink_content(x, kind, side->src.tokens);
	for (int j = 0; j < side->src.tokens; j++)
		side->content[j] = sum > 0 && kind[j] == KEY_CONTENT
			? (real)((double)x[j] / sum) : 0;
	return side->content;
}

/* Sums the weights of the head in rows that predict tokens or read them. */
static void
aligning_sum_rows(struct side_pair *side, const struct head_weights *w, enum aligning_rows rows,
		  float *out)
{
	const size_t cells = (size_t)side->tgt.words * (size_t)side->src.words;
	const real *x = rows == ROWS_READS ? w->x + w->keys : w->x;

	word_sums_begin(&side->sums, side->tgt.words, side->src.words);
	for (int i = 0; i < side->tgt.tokens; i++, x += w->keys)
		word_sums_add(&side->sums, link_side_word(&side->tgt, i), &side->src,
			      word_row(side, x));
	for (size_t i = 0; i < cells; i++)
		out[i] = (float)side->sums.sum[i];
}

/* Adds the weights of head i in a sentence. */
static void
aligning_add_head(struct aligning_heads *a, struct aligned_sentence *s, size_t i,
		  struct side_pair *side, struct head_weights w)
{
	const size_t cells = (size_t)s->words * (size_t)s->source_words;

	sink_sums_add(&a->sinks[i], &w, &side->tokens);
	for (int k = 0; k < ROWS_KINDS; k++)
		aligning_sum_rows(side, &w, (enum aligning_rows)k,
				  s->weight + ((size_t)k * a->n + i) * cells);
}

static int
read_word_sides(struct aligning_heads *a, const struct sentence_attention *s,
		struct side_pair *side, struct link_set *gold, struct err *e)
{
	const int src = s->source - s->source_end, tgt = s->target - 1;

	if (link_side_read(&side->src, s->rec, "src.word", src, e) ||
	    link_side_read(&side->tgt, s->rec, "tgt.word", tgt, e))
		return -1;
	if (sink_tokens_read(&side->tokens, s, DECODER_CROSS, e))
		return -1;
	return link_file_read(&a->gold, s->number, side->src.words, side->tgt.words, gold, e);
}

int
aligning_heads_add(void *arg, const struct sentence_attention *given, struct err *e)
{
	struct aligning_heads *a = arg;
	struct aligned_sentence s = { 0 };
	struct side_pair side = { 0 };
	const int bad = read_word_sides(a, given, &side, &s.gold, e);

	if (!bad) {
		s.words = side.tgt.words;
		s.source_words = side.src.words;
		s.weight = xcalloc(ROWS_KINDS * a->n * (size_t)s.words * (size_t)s.source_words + 1,
				   sizeof(*s.weight));
		if (a->content_only)
			side.content = xcalloc((size_t)side.src.tokens + 1, sizeof(*side.content));
		for (size_t i = 0; i < a->n; i++)
			aligning_add_head(a, &s, i, &side, sentence_attention_head(
				given, &a->sites, a->head[i]));
	}
	sink_tokens_release(&side.tokens);
	word_sums_release(&side.sums);
	free(side.content);
	a->sentence = mem_grow(a->sentence, &a->room, a->sentences + 1, sizeof(*a->sentence));
	a->sentence[a->sentences++] = s;
	return bad;
}

int
aligning_heads_check(struct aligning_heads *a, int64_t records, struct err *e)
{
	if (a->sentences < MIN_SENTENCES)
		return err_set(e, EXIT_INPUT, "%zu sentences, expected at least %d", a->sentences,
			       MIN_SENTENCES);
	return link_file_check(&a->gold, records, e);
}

/* --- scores --- */

/* The links of the mean of the heads in a sentence. */
static void
find_links(const struct aligning_heads *a, const struct aligned_sentence *s, const bool *set,
	   enum aligning_rows rows, struct word_sums *sums, struct link_set *links)
{
	const size_t cells = (size_t)s->words * (size_t)s->source_words;

	word_sums_begin(sums, s->words, s->source_words);
	for (size_t i = 0; i < a->n; i++) {
		const float *x = s->weight + ((size_t)rows * a->n + i) * cells;

		for (int v = 0; set[i] && v < s->words; v++) {
			double *row = word_sums_row(sums, v);

			for (int u = 0; u < s->source_words; u++)
				row[u] += (double)*x++;
		}
	}
	word_sums_links(sums, links);
}

static bool
is_counted(size_t sentence, enum aligning_part part)
{
	return part == PART_ALL || (sentence % 2 == 0) == (part == PART_CHOICE);
}

struct aligning_score
aligning_heads_score(const struct aligning_heads *a, const bool *set, enum aligning_rows rows,
		     enum aligning_part part)
{
	struct word_sums sums = { 0 };
	struct link_set links = { 0 };
	struct link_score all = { 0 };
	struct ratio_error error = { 0 };

	for (size_t i = 0; i < a->sentences; i++) {
		struct link_score one = { 0 };

		if (!is_counted(i, part))
			continue;
		find_links(a, &a->sentence[i], set, rows, &sums, &links);
		link_score_add(&one, &a->sentence[i].gold, &links);
		link_score_add(&all, &a->sentence[i].gold, &links);
		ratio_error_add(&error, (double)(one.sure + one.possible),
				(double)(one.links + one.gold_sure));
	}
	word_sums_release(&sums);
	link_set_release(&links);
	return (struct aligning_score){ link_score_aer(&all), ratio_error_of(&error),
					link_score_translation(&all) };
}

/* --- the choice of a set --- */

/* The head whose addition gives the lowest error, the first of equals; the score is in *best. */
static size_t
find_next(const struct aligning_heads *a, enum aligning_rows rows, bool *set,
	  struct aligning_score *best)
{
	size_t next = a->n;

	*best = (struct aligning_score){ .aer = INFINITY };
	for (size_t i = 0; i < a->n; i++) {
		struct aligning_score s;

		if (set[i])
			continue;
		set[i] = true;
		s = aligning_heads_score(a, set, rows, PART_CHOICE);
		set[i] = false;
		if (s.aer >= best->aer)
			continue;
		next = i;
		*best = s;
	}
	return next;
}

size_t
aligning_heads_choose(const struct aligning_heads *a, enum aligning_rows rows, bool *set,
		      size_t *order)
{
	struct aligning_score now = { .aer = 1 }, best;
	size_t n = 0;

	memset(set, 0, a->n * sizeof(*set));
	while (n < a->n) {
		const size_t next = find_next(a, rows, set, &best);

		if (n && !(now.aer - best.aer > best.error))
			break;
		set[next] = true;
		order[n++] = next;
		now = best;
	}
	return n;
}
