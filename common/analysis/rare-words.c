/* rare-words: frequency ranks of vocabulary entries; see rare-words.h. */
#include "analysis/rare-words.h"

#include <stdlib.h>
#include <string.h>

#include "base/mem.h"
#include "bpe/piece-counts.h"
#include "text/lines.h"

void
rare_words_release(struct rare_words *r)
{
	free(r->rank);
	*r = (struct rare_words){ .n = 0 };
}

static void
init(struct rare_words *r, const struct vocab *v)
{
	r->n = v->n;
	r->rank = xcalloc((size_t)v->n, sizeof(*r->rank));
}

void
rare_words_of_vocab(struct rare_words *r, const struct vocab *v)
{
	init(r, v);
	for (int i = 0; i < v->n; i++)
		r->rank[i] = i < VOCAB_SPECIALS ? v->n : i - VOCAB_SPECIALS;
}

/* --- counts --- */

static int
rare_words_take(void *arg, const char *s, size_t n, int64_t count, struct err *e)
{
	struct word_count *c = arg;
	const size_t had = c->words.n;

	word_count_add(c, s, n, count);
	if (c->words.n > had)
		return 0;
	return err_set(e, EXIT_INPUT, "duplicate token '%.*s', expected one count for each",
		       (int)(n < 60 ? n : 60), s);
}

static int
rare_words_by_falling_count(const void *a, const void *b)
{
	const int64_t x = *(const int64_t *)a, y = *(const int64_t *)b;

	return (x < y) - (x > y);
}

/* The number of falling counts that are greater. */
static int
greater(const int64_t *falling, size_t n, int64_t count)
{
	size_t from = 0;

	while (from < n) {
		const size_t middle = from + (n - from) / 2;

		if (falling[middle] > count)
			from = middle + 1;
		else
			n = middle;
	}
	return (int)from;
}

static void
rank_all(struct rare_words *r, const struct vocab *v, const struct word_count *c)
{
	int64_t *falling = xcalloc(c->words.n + 1, sizeof(*falling));

	if (c->words.n)
		memcpy(falling, c->count, c->words.n * sizeof(*falling));
	qsort(falling, c->words.n, sizeof(*falling), rare_words_by_falling_count);
	init(r, v);
	for (int i = 0; i < v->n; i++) {
		size_t n;
		const char *text = vocab_text(v, i, &n);
		const int id = i < VOCAB_SPECIALS ? -1 : strmap_find(&c->words, text, n);

		r->rank[i] = id < 0 ? (int)c->words.n
				    : greater(falling, c->words.n, c->count[id]);
	}
	free(falling);
}

int
rare_words_of_counts(struct rare_words *r, const struct vocab *v, const char *name,
		     const char *text, size_t n, struct err *e)
{
	struct word_count c = { .room = 0 };
	int bad;

	bad = piece_counts_read(text, n, rare_words_take, &c, e);
	if (bad)
		err_wrap(e, "%s", name);
	else
		rank_all(r, v, &c);
	word_count_release(&c);
	return bad ? -1 : 0;
}

/* --- sentences --- */

int
rare_words_read(struct rare_words *r, const struct vocab *v, const char *path, struct err *e)
{
	struct buf text = { 0 };
	int bad;

	if (!path) {
		rare_words_of_vocab(r, v);
		return 0;
	}
	bad = lines_read_all(path, &text, e) ||
	      rare_words_of_counts(r, v, path, text.data, text.n, e) ? -1 : 0;
	buf_release(&text);
	return bad;
}

bool
rare_words_find(const struct rare_words *r, int frequent, const int *id, int n, int rarest[2])
{
	rarest[0] = rarest[1] = -1;
	for (int i = 0; i < n; i++) {
		const int rank = r->rank[id[i]];

		if (rarest[0] < 0 || rank > r->rank[id[rarest[0]]]) {
			rarest[1] = rarest[0];
			rarest[0] = i;
		} else if (rarest[1] < 0 || rank > r->rank[id[rarest[1]]]) {
			rarest[1] = i;
		}
	}
	return rarest[0] >= 0 && r->rank[id[rarest[0]]] >= frequent;
}
