/*
 * bpe-train: see bpe-train.h.
 *
 * Words are sequences of symbols, which are characters or subwords.  Each pair of adjacent
 * symbols has a count and a list of words.  Merging the most frequent pair changes only the words
 * that contain it and the counts of adjacent pairs.
 *
 * subword-nmt keeps counts in a table from which it prunes rare pairs, and it may count a pair
 * twice if its text arises in two ways (ab c, a bc).  Both affect which pair is merged on real
 * corpora, so table, pruning and counting are the same here.  Only the search for the maximum
 * differs: it uses a heap (bpe-queue.c), whose stale entries are corrected when they reach the top.
 */
#include <stdlib.h>
#include <string.h>

#include "base/mem.h"
#include "base/utf8.h"
#include "bpe/bpe-train-parts.h"
#include "bpe/bpe-train.h"

#define WORD_END "</w>"

static uint32_t
intern(struct bpe_trainer *t, const char *s, size_t n)
{
	const int id = strmap_add(&t->symbols, s, n);
	uint64_t key = 0;

	t->prefix = mem_grow(t->prefix, &t->prefix_room, t->symbols.n, sizeof(*t->prefix));
	for (size_t i = 0; i < 8; i++)
		key = key << 8 | (i < n ? (unsigned char)s[i] : 0u);
	t->prefix[id] = key;
	return (uint32_t)id;
}

static size_t
map_start(const struct bpe_pair_map *m, uint32_t left, uint32_t right)
{
	uint64_t h = ((uint64_t)left << 32 | right) * UINT64_C(0x9e3779b97f4a7c15);

	return (size_t)(h >> 32) & (m->slots - 1);
}

static void
map_grow(struct bpe_trainer *t)
{
	struct bpe_pair_map *m = &t->map;

	free(m->slot);
	m->slots = m->slots ? 2 * m->slots : 1 << 16;
	m->slot = xcalloc(m->slots, sizeof(*m->slot));
	for (size_t i = 0; i < t->n_pairs; i++) {
		size_t s = map_start(m, t->pair[i].left, t->pair[i].right);

		while (m->slot[s])
			s = (s + 1) & (m->slots - 1);
		m->slot[s] = (uint32_t)i + 1;
	}
}

static uint32_t
find_pair(struct bpe_trainer *t, uint32_t left, uint32_t right)
{
	size_t s = map_start(&t->map, left, right);

	for (; t->map.slot[s]; s = (s + 1) & (t->map.slots - 1)) {
		const struct bpe_train_pair *p = &t->pair[t->map.slot[s] - 1];

		if (p->left == left && p->right == right)
			return t->map.slot[s] - 1;
	}
	t->pair = mem_grow(t->pair, &t->pair_room, t->n_pairs + 1, sizeof(*t->pair));
	t->pair[t->n_pairs] = (struct bpe_train_pair){ .left = left, .right = right,
						       .queued = BPE_NOT_QUEUED };
	t->map.slot[s] = (uint32_t)++t->n_pairs;
	if (2 * t->n_pairs > t->map.slots)
		map_grow(t);
	return (uint32_t)t->n_pairs - 1;
}

/* Adds a pair to the table with a count of 0 if it is missing, as a Python defaultdict does. */
static struct bpe_train_pair *
into_table(struct bpe_trainer *t, uint32_t p)
{
	if (!t->pair[p].in_table) {
		t->pair[p].in_table = true;
		t->pair[p].stat = 0;
		t->table = mem_grow(t->table, &t->table_room, t->n_table + 1, sizeof(*t->table));
		t->table[t->n_table++] = p;
	}
	return &t->pair[p];
}

static void
note_word(struct bpe_train_pair *p, size_t word, bool gone)
{
	p->seen = mem_grow(p->seen, &p->room, p->n_seen + 1, sizeof(*p->seen));
	p->seen[p->n_seen++] = (uint32_t)(word << 1 | gone);
}

static void
raise_pair(struct bpe_trainer *t, uint32_t left, uint32_t right, size_t word)
{
	const uint32_t id = find_pair(t, left, right);
	struct bpe_train_pair *p = into_table(t, id);

	p->stat += t->word[word].count;
	note_word(p, word, false);
	if (!p->raised) {
		p->raised = true;
		t->raised = mem_grow(t->raised, &t->raised_room, t->n_raised + 1,
				     sizeof(*t->raised));
		t->raised[t->n_raised++] = id;
	}
}

static void
lower_pair(struct bpe_trainer *t, uint32_t left, uint32_t right, size_t word)
{
	struct bpe_train_pair *p = into_table(t, find_pair(t, left, right));

	p->stat -= t->word[word].count;
	note_word(p, word, true);
}

/* Queues the pairs whose counts increased above their key in the heap. */
static void
queue_raised(struct bpe_trainer *t)
{
	for (size_t i = 0; i < t->n_raised; i++) {
		struct bpe_train_pair *p = &t->pair[t->raised[i]];

		p->raised = false;
		if (p->in_table && p->stat > 0 && p->stat > p->queued)
			bpe_queue_add(t, t->raised[i]);
	}
	t->n_raised = 0;
}

static void
split_word(struct bpe_trainer *t, struct bpe_train_word *w, const char *s, size_t n,
	   struct buf *end)
{
	size_t len;

	for (size_t i = 0; i < n; i += len) {
		utf8_next(s + i, n - i, &len);
		if (i + len < n) {
			t->symbol[w->at + w->n++] = intern(t, s + i, len);
			continue;
		}
		buf_clear(end);
		buf_add(end, s + i, len);
		buf_add_str(end, WORD_END);
		t->symbol[w->at + w->n++] = intern(t, end->data, end->n);
	}
}

static void
bpe_split_words(struct bpe_trainer *t, const struct word_count *c)
{
	struct buf last = { 0 };
	size_t at = 0, longest = 0;

	t->n_words = c->words.n;
	t->word = xcalloc(t->n_words + 1, sizeof(*t->word));
	t->balance = xcalloc(t->n_words + 1, sizeof(*t->balance));
	t->symbol = xcalloc(c->words.text_n + 1, sizeof(*t->symbol));
	for (size_t i = 0; i < t->n_words; i++) {
		size_t n;
		const char *s = strmap_text(&c->words, (int)i, &n);

		t->word[i] = (struct bpe_train_word){ .at = at, .count = c->count[i] };
		split_word(t, &t->word[i], s, n, &last);
		at += t->word[i].n;
		longest = t->word[i].n > longest ? t->word[i].n : longest;
	}
	t->old = xcalloc(longest + 1, sizeof(*t->old));
	buf_release(&last);
}

static void
bpe_count_pairs(struct bpe_trainer *t)
{
	int64_t max = 0;

	for (size_t j = 0; j < t->n_words; j++)
		for (size_t i = 1; i < t->word[j].n; i++)
			raise_pair(t, t->symbol[t->word[j].at + i - 1],
				   t->symbol[t->word[j].at + i], j);
	for (size_t p = 0; p < t->n_pairs; p++) {
		t->pair[p].big = t->pair[p].stat;
		max = t->pair[p].stat > max ? t->pair[p].stat : max;
	}
	t->threshold = (double)max / 10;
	queue_raised(t);
}

/* The number of distinct characters; one at the end of a word differs from one inside. */
static int64_t
count_characters(const struct bpe_trainer *t)
{
	unsigned char *place = xcalloc(t->symbols.n + 1, 1);
	int64_t n = 0;

	for (size_t j = 0; j < t->n_words; j++)
		for (size_t i = 0; i < t->word[j].n; i++)
			place[t->symbol[t->word[j].at + i]] |= i + 1 < t->word[j].n ? 1 : 2;
	for (size_t i = 0; i < t->symbols.n; i++)
		n += (place[i] & 1) + (place[i] >> 1);
	free(place);
	return n;
}

/* Removes rare pairs from the table. */
static void
prune(struct bpe_trainer *t)
{
	size_t kept = 0;

	for (size_t i = 0; i < t->n_table; i++) {
		struct bpe_train_pair *p = &t->pair[t->table[i]];

		if ((double)p->stat >= t->threshold) {
			t->table[kept++] = t->table[i];
			continue;
		}
		p->big = p->stat < 0 ? p->big + p->stat : p->stat;
		p->in_table = false;
	}
	t->n_table = kept;
}

/* Restores all counts, when a pruned pair may be more frequent than the best pair in the table. */
static bool
bpe_train_restore(struct bpe_trainer *t, int64_t step, uint32_t *best)
{
	prune(t);
	for (size_t p = 0; p < t->n_pairs; p++) {
		into_table(t, (uint32_t)p)->stat = t->pair[p].big;
		t->pair[p].queued = BPE_NOT_QUEUED;
	}
	t->n_heap = 0;
	for (size_t p = 0; p < t->n_pairs; p++)
		if (t->pair[p].stat > 0)
			bpe_queue_add(t, (uint32_t)p);
	if (!bpe_queue_best(t, best))
		return false;
	t->threshold = (double)t->pair[*best].stat * (double)step / ((double)step + 10000.0);
	prune(t);
	return true;
}

/* Merges each occurrence of (left, right) in word j into new; copies the old symbols to t->old. */
static size_t
merge_word(struct bpe_trainer *t, size_t j, uint32_t left, uint32_t right, uint32_t new)
{
	uint32_t *s = &t->symbol[t->word[j].at];
	const size_t n = t->word[j].n;
	size_t m = 0;

	memcpy(t->old, s, n * sizeof(*s));
	for (size_t i = 0; i < n; i++)
		if (i + 1 < n && t->old[i] == left && t->old[i + 1] == right) {
			s[m++] = new;
			i++;
		} else {
			s[m++] = t->old[i];
		}
	t->word[j].n = m;
	return n;
}

/* Decreases the counts of the pairs next to each merged occurrence of (left, right). */
static void
lower_around(struct bpe_trainer *t, size_t j, size_t n, uint32_t left, uint32_t right)
{
	const uint32_t *s = t->old;

	for (size_t i = 0; i + 1 < n; i++) {
		if (s[i] != left || s[i + 1] != right)
			continue;
		if (i > 0)
			lower_pair(t, s[i - 1], s[i], j);
		/* in A B C B C, the pair C B is counted with the next occurrence of B C */
		if (i + 2 < n && (s[i + 2] != left || i + 3 >= n || s[i + 3] != right))
			lower_pair(t, s[i + 1], s[i + 2], j);
		i++;
	}
}

static void
raise_around(struct bpe_trainer *t, size_t j, uint32_t new)
{
	const size_t n = t->word[j].n, at = t->word[j].at;

	for (size_t i = 0; i < n; i++) {
		if (t->symbol[at + i] != new)
			continue;
		if (i > 0)
			raise_pair(t, t->symbol[at + i - 1], new, j);
		if (i + 1 < n && t->symbol[at + i + 1] != new)
			raise_pair(t, new, t->symbol[at + i + 1], j);
	}
}

/* Stores the words that contain the pair in t->touched, and empties the pair's list. */
static size_t
words_of(struct bpe_trainer *t, struct bpe_train_pair *p)
{
	size_t n = 0;

	t->touched = mem_grow(t->touched, &t->touched_room, p->n_seen, sizeof(*t->touched));
	for (size_t i = 0; i < p->n_seen; i++)
		t->balance[p->seen[i] >> 1] += p->seen[i] & 1 ? -1 : 1;
	for (size_t i = 0; i < p->n_seen; i++) {
		const uint32_t j = p->seen[i] >> 1;

		if (t->balance[j] > 0)
			t->touched[n++] = j;
		t->balance[j] = 0;
	}
	free(p->seen);
	p->seen = NULL;
	p->n_seen = p->room = 0;
	return n;
}

static void
put_symbols(const struct bpe_trainer *t, const struct bpe_train_pair *p, const char *between,
	    struct buf *out)
{
	size_t n;
	const char *s = strmap_text(&t->symbols, (int)p->left, &n);

	buf_add(out, s, n);
	buf_add_str(out, between);
	s = strmap_text(&t->symbols, (int)p->right, &n);
	buf_add(out, s, n);
}

static void
bpe_merge(struct bpe_trainer *t, uint32_t best, struct buf *scratch)
{
	const uint32_t left = t->pair[best].left, right = t->pair[best].right;
	const size_t n_words = words_of(t, &t->pair[best]);
	uint32_t new;

	buf_clear(scratch);
	put_symbols(t, &t->pair[best], "", scratch);
	new = intern(t, scratch->data, scratch->n);
	for (size_t i = 0; i < n_words; i++) {
		const size_t n = merge_word(t, t->touched[i], left, right, new);

		lower_around(t, t->touched[i], n, left, right);
		raise_around(t, t->touched[i], new);
	}
	t->pair[best].stat = 0;
	queue_raised(t);
}

static int64_t
merge_all(struct bpe_trainer *t, int64_t merges, int64_t min_frequency, struct buf *out)
{
	struct buf scratch = { 0 };
	int64_t step;

	for (step = 0; step < merges && t->n_pairs; step++) {
		uint32_t best = 0;
		bool found = bpe_queue_best(t, &best);

		if (!found || (step && (double)t->pair[best].stat < t->threshold))
			found = bpe_train_restore(t, step, &best);
		if (!found || t->pair[best].stat < min_frequency)
			break;
		put_symbols(t, &t->pair[best], " ", out);
		buf_add_char(out, '\n');
		bpe_merge(t, best, &scratch);
		if (step % 100 == 0)
			prune(t);
	}
	buf_release(&scratch);
	return step;
}

static void
trainer_release(struct bpe_trainer *t)
{
	for (size_t i = 0; i < t->n_pairs; i++)
		free(t->pair[i].seen);
	strmap_release(&t->symbols);
	free(t->prefix);
	free(t->word);
	free(t->symbol);
	free(t->pair);
	free(t->map.slot);
	free(t->table);
	free(t->raised);
	free(t->heap);
	free(t->balance);
	free(t->touched);
	free(t->old);
}

void
bpe_train(struct bpe_train *o, const struct word_count *words, struct buf *out)
{
	struct bpe_trainer t = { 0 };
	int64_t merges = o->merges;

	map_grow(&t);
	bpe_split_words(&t, words);
	bpe_count_pairs(&t);
	o->characters = count_characters(&t);
	if (o->total_symbols)
		merges -= o->characters;
	buf_add_str(out, "#version: 0.2\n");
	o->made = merge_all(&t, merges, o->min_frequency, out);
	trainer_release(&t);
}
