/*
 * bpe-word: merges the characters of a word; see bpe-internal.h.
 *
 * Each step merges all occurrences of the pair of lowest rank, from left to right.  Short words
 * are scanned for this pair.  Long ones keep their pairs in a heap, so that a long line without
 * spaces does not take quadratic time.
 */
#include <stdlib.h>
#include <string.h>

#include "base/mem.h"
#include "base/rng.h"
#include "base/utf8.h"
#include "bpe/bpe-internal.h"

#define LONG 200		/* symbols; for longer words the heap is faster */
#define DROPOUT_MAX 1000	/* symbols; dropout scans all pairs in each step */
#define NO_RANK INT32_MAX
#define NONE UINT32_MAX

/* A pair at a position; it is stale if the symbols there have changed since. */
struct bpe_candidate {
	int32_t rank, left, right, merged;
	uint32_t at;
};

static int32_t
rank_of(const struct bpe *b, const struct bpe_symbol *s)
{
	const struct bpe_pair *p = bpe_find(b, s[0].id, s[1].id);

	return p ? p->rank : NO_RANK;
}

static int32_t
bpe_word_symbol_of(const struct bpe *b, const char *s, size_t len, bool ends_word)
{
	char text[8 + BPE_WORD_END_N];

	if (len == 1 && (unsigned char)*s < 128)
		return b->letter[ends_word][(unsigned char)*s];
	if (!ends_word)
		return strmap_find(&b->symbols, s, len);
	memcpy(text, s, len);
	memcpy(text + len, BPE_WORD_END, BPE_WORD_END_N);
	return strmap_find(&b->symbols, text, len + BPE_WORD_END_N);
}

static size_t
split_characters(const struct bpe *b, struct bpe_scratch *s, const char *word, size_t n)
{
	size_t m = 0, len;

	s->symbol = mem_grow(s->symbol, &s->symbol_room, n + 1, sizeof(*s->symbol));
	for (size_t i = 0; i < n; i += len) {
		len = 1;
		if ((unsigned char)word[i] >= 0x80)
			utf8_next(word + i, n - i, &len);
		s->symbol[m].id = bpe_word_symbol_of(b, word + i, len, !b->end_apart && i +
						     len == n);
		s->symbol[m++].at = (uint32_t)i;
	}
	if (b->end_apart) {
		s->symbol[m].id = strmap_find(&b->symbols, BPE_WORD_END, BPE_WORD_END_N);
		s->symbol[m++].at = (uint32_t)n;
	}
	return m;
}

/* Merges every pair of rank `best`, and updates the ranks next to the new symbols. */
static size_t
merge_rank(const struct bpe *b, struct bpe_symbol *s, int32_t *rank, size_t n, int32_t best,
	   int32_t merged)
{
	size_t m = 0;

	for (size_t i = 0; i < n; i++, m++) {
		s[m] = s[i];
		rank[m] = rank[i];
		if (i + 1 < n && rank[i] == best) {
			s[m].id = merged;
			rank[m] = rank[i + 1];
			i++;
		}
	}
	for (size_t i = 0; i + 1 < m; i++)
		if (s[i].id == merged || s[i + 1].id == merged)
			rank[i] = rank_of(b, &s[i]);
	return m;
}

/* The lowest rank of a pair of neighbors among n symbols, and its first place; or NO_RANK. */
static int32_t
lowest(const int32_t *rank, size_t n, size_t *at)
{
	int32_t best = NO_RANK;

	*at = 0;
	for (size_t i = 0; i + 1 < n; i++)
		if (rank[i] < best) {
			best = rank[i];
			*at = i;
		}
	return best;
}

/*
 * Without dropout, r is NULL.  With dropout, a pair that is skipped in one step is possible again
 * in the next, so each step finds the ranks of all pairs.
 */
static size_t
merge_short(const struct bpe *b, struct bpe_scratch *scratch, size_t n, struct rng *r, double p)
{
	struct bpe_symbol *s = scratch->symbol;
	int32_t *rank, best;
	size_t at;

	rank = scratch->rank = mem_grow(scratch->rank, &scratch->rank_room, n + 1, sizeof(*rank));
	for (bool first = true;; first = false) {
		for (size_t i = 0; (r || first) && i + 1 < n; i++)
			rank[i] = !r || rng_uniform(r) >= p ? rank_of(b, &s[i]) : NO_RANK;
		best = lowest(rank, n, &at);
		if (best == NO_RANK)
			return n;
		n = merge_rank(b, s, rank, n, best, bpe_find(b, s[at].id, s[at + 1].id)->merged);
	}
}

static bool
comes_first(const struct bpe_candidate *x, const struct bpe_candidate *y)
{
	return x->rank != y->rank ? x->rank < y->rank : x->at < y->at;
}

static void
bpe_word_heap_push(struct bpe_scratch *s, struct bpe_candidate new)
{
	size_t i = s->n_heap++;

	s->heap = mem_grow(s->heap, &s->heap_room, s->n_heap, sizeof(*s->heap));
	for (; i > 0 && comes_first(&new, &s->heap[(i - 1) / 2]); i = (i - 1) / 2)
		s->heap[i] = s->heap[(i - 1) / 2];
	s->heap[i] = new;
}

static struct bpe_candidate
bpe_word_heap_pop(struct bpe_scratch *s)
{
	const struct bpe_candidate top = s->heap[0], last = s->heap[--s->n_heap];
	size_t i = 0;

	for (;;) {
		size_t child = 2 * i + 1;

		if (child + 1 < s->n_heap && comes_first(&s->heap[child + 1], &s->heap[child]))
			child++;
		if (child >= s->n_heap || !comes_first(&s->heap[child], &last))
			break;
		s->heap[i] = s->heap[child];
		i = child;
	}
	if (s->n_heap)
		s->heap[i] = last;
	return top;
}

static void
propose(const struct bpe *b, struct bpe_scratch *s, uint32_t at)
{
	const uint32_t next = s->next[at];
	const struct bpe_pair *p = next == NONE ? NULL :
				   bpe_find(b, s->symbol[at].id, s->symbol[next].id);

	if (p)
		bpe_word_heap_push(s, (struct bpe_candidate){ p->rank, p->left, p->right,
							      p->merged, at });
}

/*
 * Takes all candidates of the lowest rank off the heap.  They are merged together, before any
 * pair with a new symbol becomes a candidate.
 */
static size_t
take_batch(struct bpe_scratch *s)
{
	const int32_t rank = s->heap[0].rank;
	size_t n = 0;

	while (s->n_heap && s->heap[0].rank == rank) {
		s->batch = mem_grow(s->batch, &s->batch_room, n + 1, sizeof(*s->batch));
		s->batch[n++] = bpe_word_heap_pop(s);
	}
	return n;
}

/* Merges at a position if the pair is still there; a symbol that was merged away gets number -2. */
static bool
merge_at(struct bpe_scratch *s, const struct bpe_candidate *c)
{
	const uint32_t next = s->next[c->at];

	if (s->symbol[c->at].id != c->left || next == NONE || s->symbol[next].id != c->right)
		return false;
	s->symbol[c->at].id = c->merged;
	s->symbol[next].id = -2;
	s->next[c->at] = s->next[next];
	if (s->next[next] != NONE)
		s->previous[s->next[next]] = c->at;
	return true;
}

static size_t
merge_long(const struct bpe *b, struct bpe_scratch *s, size_t n)
{
	size_t kept = 0;

	s->next = mem_grow(s->next, &s->next_room, n, sizeof(*s->next));
	s->previous = mem_grow(s->previous, &s->previous_room, n, sizeof(*s->previous));
	s->n_heap = 0;
	for (size_t i = 0; i < n; i++) {
		s->next[i] = i + 1 < n ? (uint32_t)i + 1 : NONE;
		s->previous[i] = i > 0 ? (uint32_t)i - 1 : NONE;
	}
	for (size_t i = 0; i + 1 < n; i++)
		propose(b, s, (uint32_t)i);
	while (s->n_heap) {
		size_t n_batch = take_batch(s), done = 0;

		for (size_t i = 0; i < n_batch; i++)
			if (merge_at(s, &s->batch[i]))
				s->batch[done++] = s->batch[i];
		for (size_t i = 0; i < done; i++) {
			const uint32_t at = s->batch[i].at;

			propose(b, s, at);
			if (s->previous[at] != NONE)
				propose(b, s, s->previous[at]);
		}
	}
	for (uint32_t i = 0; i != NONE; i = s->next[i])
		s->symbol[kept++] = s->symbol[i];
	return kept;
}

size_t
bpe_merge_word(const struct bpe *b, struct bpe_scratch *s, const char *word, size_t n,
	       struct rng *r, double p)
{
	size_t m;

	if (n >= UINT32_MAX) {	/* positions have 32 bits: such a word is not segmented */
		s->symbol = mem_grow(s->symbol, &s->symbol_room, 1, sizeof(*s->symbol));
		s->symbol[0] = (struct bpe_symbol){ -1, 0 };
		return 1;
	}
	m = split_characters(b, s, word, n);
	if (r && m <= DROPOUT_MAX)
		m = merge_short(b, s, m, r, p);
	else if (m < LONG)
		m = merge_short(b, s, m, NULL, 0);
	else
		m = merge_long(b, s, m);
	if (b->end_apart && m > 1 && s->symbol[m - 1].at == n)
		m--;	/* the end of the word was not merged, and has no text */
	return m;
}

void
bpe_scratch_release(struct bpe_scratch *s)
{
	free(s->symbol);
	free(s->rank);
	free(s->heap);
	free(s->next);
	free(s->previous);
	free(s->batch);
	*s = (struct bpe_scratch){ 0 };
}
