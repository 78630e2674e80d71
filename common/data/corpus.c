/* corpus: an index of sentence pairs and the order of an epoch; see corpus.h. */
#include "data/corpus.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/hash.h"
#include "base/mem.h"
#include "base/rng.h"
#include "stream/store.h"
#include "stream/stream.h"

static const struct field needs[] = {
	{ "src.pieces", "[str]", 0 }, { "tgt.pieces", "[str]", 0 }, { 0 }
};

/*
 * Counts every field and adds it to the digest, because attention variants read other fields than
 * the subwords.
 */
static void
corpus_add_fields(struct corpus *c, const struct record *rec)
{
	for (int i = 0; i < record_n_fields(rec); i++) {
		struct str name = record_name(rec, i);
		char text[256];
		const void *p;
		size_t n;

		word_count_add(&c->fields, name.s, name.n, 1);
		c->digest = crc32_add(c->digest, name.s, name.n);
		if (name.n >= sizeof(text))
			continue;
		memcpy(text, name.s, name.n);
		text[name.n] = '\0';
		if (!record_raw(rec, text, &p, &n))
			c->digest = crc32_add(c->digest, p, n);
	}
}

static uint16_t
take_side(const struct str *piece, size_t n, struct word_count *counts)
{
	if (counts)
		for (size_t i = 0; i < n; i++)
			word_count_add(counts, piece[i].s, piece[i].n, 1);
	return n < UINT16_MAX ? (uint16_t)n : UINT16_MAX;
}

static int
corpus_take_record(const struct record *rec, int64_t number, void *arg, struct err *e)
{
	struct corpus *c = arg;
	const struct str *src, *tgt;
	size_t n_src, n_tgt;

	(void)number;
	if (record_strs(rec, "src.pieces", &src, &n_src) ||
	    record_strs(rec, "tgt.pieces", &tgt, &n_tgt))
		return err_set(e, EXIT_INPUT, "record lacks src.pieces or tgt.pieces");
	if (c->n == UINT32_MAX)
		return err_set(e, EXIT_INPUT, "more than %u records", UINT32_MAX);
	c->pair = mem_grow(c->pair, &c->room, c->n + 1, sizeof(*c->pair));
	c->pair[c->n].src = take_side(src, n_src, c->src);
	c->pair[c->n].tgt = take_side(tgt, n_tgt, c->tgt);
	c->n++;
	corpus_add_fields(c, rec);
	return 0;
}

int
corpus_open(struct corpus *c, const char *path, unsigned flags, struct word_count *src,
	    struct word_count *tgt, struct err *e)
{
	*c = (struct corpus){ .src = src, .tgt = tgt };
	c->store = store_open(path, "sentence", needs, flags, corpus_take_record, c, e);
	c->src = c->tgt = NULL;
	if (c->store)
		return 0;
	corpus_close(c);
	return -1;
}

void
corpus_close(struct corpus *c)
{
	store_close(c->store);
	word_count_release(&c->fields);
	free(c->pair);
	free(c->used);
	memset(c, 0, sizeof(*c));
}

size_t
corpus_with_field(const struct corpus *c, const char *name)
{
	const int id = strmap_find(&c->fields.words, name, strlen(name));

	return id < 0 ? 0 : (size_t)c->fields.count[id];
}

static uint16_t
corpus_count_tokens(uint16_t pieces, int extra)
{
	int n = pieces + extra;

	return n < UINT16_MAX ? (uint16_t)n : UINT16_MAX;
}

static void
select_pair(struct corpus *c, size_t i, const struct record *rec, const struct batch_rules *r)
{
	const int max = r->max_length > 0 && r->max_length < UINT16_MAX ? r->max_length
								       : UINT16_MAX - 1;
	struct corpus_pair *p = &c->pair[i];
	const bool empty = !p->src || !p->tgt;

	p->src = corpus_count_tokens(p->src, batch_added(rec, r, false));
	p->tgt = corpus_count_tokens(p->tgt, batch_added(rec, r, true));
	if (empty)
		c->n_empty++;
	else if (p->src > max || p->tgt > max)
		c->n_long++;
	else
		c->used[c->n_used++] = (uint32_t)i;
}

int
corpus_select(struct corpus *c, const struct batch_rules *r, struct err *e)
{
	const bool read = r->first_token[0].n || r->first_token[1].n;
	struct record *rec = record_new();
	int bad = 0;

	c->used = xreallocarray(NULL, c->n + 1, sizeof(*c->used));
	for (size_t i = 0; !bad && i < c->n; i++) {
		bad = read && store_record(c->store, (int64_t)i, rec, e);
		if (!bad)
			select_pair(c, i, rec, r);
	}
	record_free(rec);
	return bad ? -1 : 0;
}

void
corpus_order_release(struct corpus_order *o)
{
	free(o->record);
	free(o->start);
	free(o->turn);
	memset(o, 0, sizeof(*o));
}

static int
corpus_by_value(const void *a, const void *b)
{
	uint64_t x = *(const uint64_t *)a, y = *(const uint64_t *)b;

	return (x > y) - (x < y);
}

/* Sorts by target length, source length, then position in the permutation: keys are unique. */
static void
sort_pool(const struct corpus *c, uint32_t *record, size_t n)
{
	uint64_t *key = xreallocarray(NULL, n + 1, sizeof(*key));
	uint32_t *was = xreallocarray(NULL, n + 1, sizeof(*was));

	memcpy(was, record, n * sizeof(*was));
	for (size_t i = 0; i < n; i++) {
		const struct corpus_pair *p = &c->pair[record[i]];

		key[i] = (uint64_t)p->tgt << 48 | (uint64_t)p->src << 32 | i;
	}
	qsort(key, n, sizeof(*key), corpus_by_value);
	for (size_t i = 0; i < n; i++)
		record[i] = was[key[i] & UINT32_MAX];
	free(key);
	free(was);
}

static void
sort_pools(const struct corpus *c, uint32_t *record, size_t n, int64_t tokens)
{
	size_t from = 0;

	for (size_t i = 0; i < n; from = i) {
		int64_t src = 0, tgt = 0;

		for (; i < n && src < tokens && tgt < tokens; i++) {
			src += c->pair[record[i]].src;
			tgt += c->pair[record[i]].tgt;
		}
		sort_pool(c, record + from, i - from);
	}
}

static void
begin_batch(struct corpus_order *o, size_t at)
{
	o->start = mem_grow(o->start, &o->room, o->n_batches + 1, sizeof(*o->start));
	o->start[o->n_batches++] = at;
}

static void
corpus_cut(const struct corpus *c, struct corpus_order *o, int64_t tokens)
{
	int64_t src = 0, tgt = 0;

	o->n_batches = 0;
	for (size_t i = 0; i < c->n_used; i++) {
		const struct corpus_pair *p = &c->pair[o->record[i]];

		if (!i || src + p->src > tokens || tgt + p->tgt > tokens) {
			begin_batch(o, i);
			src = tgt = 0;
		}
		src += p->src;
		tgt += p->tgt;
	}
	begin_batch(o, c->n_used);
	o->n_batches--;
	o->turn = xreallocarray(o->turn, o->n_batches + 1, sizeof(*o->turn));
}

void
corpus_epoch(const struct corpus *c, struct corpus_order *o, const struct corpus_rules *r,
	     uint32_t epoch)
{
	int64_t pool = r->pool && r->tokens < INT64_MAX / r->pool ? r->pool * r->tokens : INT64_MAX;
	struct rng rng;

	o->record = xreallocarray(o->record, c->n_used + 1, sizeof(*o->record));
	rng_init(&rng, r->seed, rng_purpose("corpus order"), epoch);
	rng_permutation(&rng, o->record, c->n_used);
	for (size_t i = 0; i < c->n_used; i++)
		o->record[i] = c->used[o->record[i]];
	sort_pools(c, o->record, c->n_used, pool);
	corpus_cut(c, o, r->tokens);
	rng_init(&rng, r->seed, rng_purpose("corpus batches"), epoch);
	rng_permutation(&rng, o->turn, o->n_batches);
}

void
corpus_sorted(const struct corpus *c, struct corpus_order *o, int64_t tokens)
{
	o->record = xreallocarray(o->record, c->n_used + 1, sizeof(*o->record));
	memcpy(o->record, c->used, c->n_used * sizeof(*o->record));
	sort_pool(c, o->record, c->n_used);
	corpus_cut(c, o, tokens);
	for (size_t i = 0; i < o->n_batches; i++)
		o->turn[i] = (uint32_t)(o->n_batches - 1 - i);
}

size_t
corpus_order_records(const struct corpus_order *o, size_t i, const uint32_t **record)
{
	size_t batch = o->turn[i];

	*record = o->record + o->start[batch];
	return o->start[batch + 1] - o->start[batch];
}

void
corpus_tokens(const struct corpus *c, const uint32_t *record, size_t n, int64_t *src, int64_t *tgt)
{
	*src = *tgt = 0;
	for (size_t i = 0; i < n; i++) {
		*src += c->pair[record[i]].src;
		*tgt += c->pair[record[i]].tgt;
	}
}

void
corpus_vocab(const struct word_count *src, const struct word_count *tgt, int joint,
	     int64_t min_count, int max_types, struct vocab *v_src, struct vocab *v_tgt)
{
	struct word_count both = { .room = 0 };

	if (joint) {
		word_count_merge(&both, src);
		word_count_merge(&both, tgt);
		src = tgt = &both;
	}
	vocab_from_counts(v_src, &src->words, src->count, min_count, max_types);
	vocab_from_counts(v_tgt, &tgt->words, tgt->count, min_count, max_types);
	word_count_release(&both);
}

/* --- curriculum --- */

#define FIRST 0.01	/* c0 */

void
curriculum_init(struct curriculum *c, const struct corpus *corpus, uint64_t seed,
		int64_t updates, int64_t tokens)
{
	*c = (struct curriculum){ .corpus = corpus, .seed = seed, .updates = updates,
				  .tokens = tokens };
	if (updates)
		corpus_sorted(corpus, &c->sorted, tokens);
}

void
curriculum_release(struct curriculum *c)
{
	corpus_order_release(&c->sorted);
	free(c->batch);
	memset(c, 0, sizeof(*c));
}

double
curriculum_competence(const struct curriculum *c, int64_t t)
{
	double share = t < c->updates ? (double)t / (double)c->updates : 1;

	return fmin(1, sqrt(share * (1 - FIRST * FIRST) + FIRST * FIRST));
}

size_t
curriculum_batch(struct curriculum *c, int64_t t, uint32_t number, const uint32_t **record)
{
	double shortest = ceil(curriculum_competence(c, t) * (double)c->corpus->n_used);
	int64_t src = 0, tgt = 0;
	struct rng rng;
	size_t n = 0;

	rng_init(&rng, c->seed, rng_purpose("curriculum"), number);
	for (;;) {
		uint32_t one = c->sorted.record[rng_below(&rng, (uint32_t)shortest)];

		src += c->corpus->pair[one].src;
		tgt += c->corpus->pair[one].tgt;
		if (n && (src > c->tokens || tgt > c->tokens))
			break;
		c->batch = mem_grow(c->batch, &c->room, n + 1, sizeof(*c->batch));
		c->batch[n++] = one;
	}
	*record = c->batch;
	return n;
}

/* --- parts of a batch --- */

struct part_load { int64_t tokens; uint32_t part; };

static bool
is_before(const struct part_load *a, const struct part_load *b)
{
	return a->tokens != b->tokens ? a->tokens < b->tokens : a->part < b->part;
}

/* Restores the order of a heap of n whose first element has grown. */
static void
sift_down(struct part_load *heap, size_t n)
{
	const struct part_load moved = heap[0];
	size_t at = 0;

	for (size_t child; (child = 2 * at + 1) < n; at = child) {
		if (child + 1 < n && is_before(&heap[child + 1], &heap[child]))
			child++;
		if (is_before(&moved, &heap[child]))
			break;
		heap[at] = heap[child];
	}
	heap[at] = moved;
}

/* Sets of[], and start[k + 1] to the number of records of part k. */
static void
assign(struct batch_parts *p, const struct corpus *c, const uint32_t *record, size_t n,
       size_t parts)
{
	memset(p->start, 0, (parts + 1) * sizeof(*p->start));
	for (size_t k = 0; k < parts; k++)
		p->heap[k] = (struct part_load){ 0, (uint32_t)k };
	for (size_t i = 0; i < n; i++) {
		const struct corpus_pair *pair = &c->pair[record[i]];

		p->of[i] = p->heap[0].part;
		p->start[p->of[i] + 1]++;
		p->heap[0].tokens += pair->src + pair->tgt;
		sift_down(p->heap, parts);
	}
}

void
batch_parts_divide(struct batch_parts *p, const struct corpus *c, const uint32_t *record, size_t n,
		   int parts)
{
	const size_t k = (size_t)parts;

	p->record = mem_grow(p->record, &p->room[0], n + 1, sizeof(*p->record));
	p->of = mem_grow(p->of, &p->room[1], n + 1, sizeof(*p->of));
	p->start = mem_grow(p->start, &p->room[2], k + 1, sizeof(*p->start));
	p->heap = mem_grow(p->heap, &p->room[3], k, sizeof(*p->heap));
	assign(p, c, record, n, k);
	for (size_t i = 0; i < k; i++)
		p->start[i + 1] += p->start[i];
	/* Backwards, so that start[part + 1], the end of a part, moves to its beginning. */
	for (size_t i = n; i-- > 0;)
		p->record[--p->start[p->of[i] + 1]] = record[i];
	memmove(p->start, p->start + 1, k * sizeof(*p->start));
	p->start[k] = n;
}

size_t
batch_parts_get(const struct batch_parts *p, int part, const uint32_t **record)
{
	*record = p->record + p->start[part];
	return p->start[part + 1] - p->start[part];
}

void
batch_parts_release(struct batch_parts *p)
{
	free(p->record);
	free(p->start);
	free(p->of);
	free(p->heap);
	memset(p, 0, sizeof(*p));
}
