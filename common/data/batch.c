/*
 * batch: packs the sentences of records; see batch.h.
 *
 * No value of a row depends on the other sentences of the batch.  Its key for random numbers is
 * made of the number of the record and the position in the sentence.
 */
#include <limits.h>

#include "base/rng.h"
#include "data/batch.h"
#include "stream/fields.h"

/* The state while one side is packed. */
struct packing {
	struct arena *mem;
	const struct vocab *vocab;
	const char *noise;		/* the purpose of the random numbers of word dropout */
	int before, after;		/* tokens added before and after; NO_TOKEN: none */
	bool target;
	int *start, *len, *id, *pos, *out;
	uint32_t *key;
	int rows;
};

enum { NO_TOKEN = -2, ZERO_VECTOR = -1 };	/* no valid ids of tokens */

static uint32_t
row_key(int64_t number, bool target, int at)
{
	return rng_key(((uint64_t)number << 21) + ((uint64_t)target << 20) + (uint64_t)at);
}

/* The most tokens that the rules add to a side. */
static int
added(const struct batch_rules *r, bool target)
{
	return (target || r->src_eos) + (r->first_token[target].n > 0);
}

int
batch_room(const struct batch_rules *r, bool target)
{
	return r->max_length > 0 ? r->max_length - added(r, target) : INT_MAX;
}

void
batch_limit(struct batch_rules *r, int room)
{
	if (room < batch_room(r, false))
		r->max_length = room + added(r, false);
}

static int
check_room(long long n, const struct batch_rules *r, bool target, struct err *e)
{
	if (n <= batch_room(r, target))
		return 0;
	return err_set(e, EXIT_INPUT, "%s has %lld tokens, expected at most %d",
		       side_fields[target].text, n + added(r, target), r->max_length);
}

/* Stores the input of a sentence, with the tokens added, and the output of a target. */
static void
pack_ids(const struct packing *k, int64_t number, int at, const struct side_tokens *t)
{
	int len = 0;

	if (k->before != NO_TOKEN)
		k->id[at + len++] = k->before;
	for (size_t j = 0; j < t->n; j++) {
		int id = vocab_id(k->vocab, t->token[j].s, t->token[j].n);

		if (k->out)
			k->out[at + (int)j] = id;
		k->id[at + len++] = id;
	}
	if (k->out)
		k->out[at + (int)t->n] = VOCAB_EOS;
	else if (k->after != NO_TOKEN)
		k->id[at + len++] = k->after;
	for (int i = 0; i < len; i++) {
		k->pos[at + i] = i;
		k->key[at + i] = row_key(number, k->target, i);
	}
}

/*
 * Word dropout: replaces a share of the tokens by <unk>, except those of before and after.  The
 * first token of side_tokens_prepend() is not excepted.
 */
static void
drop_words(const struct packing *k, const struct batch_rules *r, int at, int len)
{
	const uint32_t seed[2] = { (uint32_t)r->seed, (uint32_t)(r->seed >> 32) };
	const uint32_t purpose = rng_purpose(k->noise);
	const double limit = (double)r->word_dropout * 4294967296.0;

	for (int i = at + (k->before != NO_TOKEN); i < at + len - (k->after != NO_TOKEN); i++) {
		const uint32_t counter[4] = { k->key[i], purpose, r->step, 0 };
		uint32_t word[4];

		philox(seed, counter, word);
		if (word[0] < limit)
			k->id[i] = VOCAB_UNK;
	}
}

bool
batch_has_first(const struct record *rec, const struct batch_rules *r, bool target)
{
	return r->first_token[target].n &&
	       side_tokens_begin_with(rec, target, r->first_token[target]);
}

int
batch_added(const struct record *rec, const struct batch_rules *r, bool target)
{
	return added(r, target) - batch_has_first(rec, r, target);
}

int
batch_fits(const struct record *rec, const struct batch_rules *r, struct err *e)
{
	for (int side = 0; side <= r->with_target; side++)
		if (check_room(side_tokens_count(rec, side) - batch_has_first(rec, r, side), r,
			       side, e))
			return -1;
	return 0;
}

/* Finds the tokens of sentence i, and assigns its rows. */
static int
batch_place(struct packing *k, const struct record *rec, int i, const struct batch_rules *r,
	    struct side_tokens *t, struct err *e)
{
	const struct str first = r->first_token[k->target];
	const size_t room = (size_t)batch_room(r, k->target);
	size_t len, own;

	if (side_tokens_of(t, rec, k->target, k->mem, e))
		return -1;
	own = first.n && tokens_begin_with(t->token, t->n, first);
	if (r->cut && t->n > room + own)
		t->n = room + own;
	if (check_room((long long)(t->n - own), r, k->target, e))
		return -1;
	if (first.n && !tokens_begin_with(t->token, t->n, first))
		side_tokens_prepend(t, first, k->mem);
	len = t->n + (size_t)added(r, k->target) - (first.n > 0);
	if (len > (size_t)(INT32_MAX / 2 - k->rows))
		return err_set(e, EXIT_INPUT, "%s is too long for this batch",
			       side_fields[k->target].text);
	k->start[i] = k->rows;
	k->len[i] = (int)len;
	k->rows += (int)len;
	return 0;
}

static void
batch_make_room(struct packing *k)
{
	k->id = ARENA_ARRAY(k->mem, int, k->rows);
	k->pos = ARENA_ARRAY(k->mem, int, k->rows);
	k->key = ARENA_ARRAY(k->mem, uint32_t, k->rows);
	k->out = k->target ? ARENA_ARRAY(k->mem, int, k->rows) : NULL;
}

static int
batch_pack(struct packing *k, struct batch_side *side, const struct batch *b,
	   const struct batch_rules *r, struct err *e)
{
	struct side_tokens *t = ARENA_ARRAY(k->mem, struct side_tokens, b->n);

	k->start = ARENA_ARRAY(k->mem, int, b->n);
	k->len = ARENA_ARRAY(k->mem, int, b->n);
	for (int i = 0; i < b->n; i++)
		if (batch_place(k, b->record[i], i, r, &t[i], e))
			return err_wrap(e, "record %lld", (long long)b->number[i] + 1);
	batch_make_room(k);
	for (int i = 0; i < b->n; i++) {
		pack_ids(k, b->number[i], k->start[i], &t[i]);
		if (r->word_dropout > 0)
			drop_words(k, r, k->start[i], k->len[i]);
	}
	side->layout = (struct layout){
		.n = b->n, .rows = k->rows, .start = k->start, .len = k->len, .key = k->key
	};
	side->id = k->id;
	side->pos = k->pos;
	side->out = k->out;
	return 0;
}

int
batch_make(struct batch *b, struct arena *mem, const struct record *const *rec,
	   const int64_t *number, int n, const struct batch_rules *r, struct err *e)
{
	static const int first[] = { [TARGET_BOS] = VOCAB_BOS, [TARGET_EOS] = VOCAB_EOS,
				     [TARGET_ZERO] = ZERO_VECTOR };
	struct packing src = { .mem = mem, .vocab = r->src, .noise = "word-dropout.src",
			       .before = NO_TOKEN, .after = r->src_eos ? VOCAB_EOS : NO_TOKEN };
	struct packing tgt = { .mem = mem, .vocab = r->tgt, .noise = "word-dropout.tgt",
			       .before = first[r->first], .after = NO_TOKEN, .target = true };

	*b = (struct batch){ .n = n, .mem = mem, .src_end = r->src_eos };
	b->record = arena_copy(mem, rec, (size_t)n * sizeof(*rec));
	b->number = arena_copy(mem, number, (size_t)n * sizeof(*number));
	if (batch_pack(&src, &b->src, b, r, e))
		return -1;
	return r->with_target ? batch_pack(&tgt, &b->tgt, b, r, e) : 0;
}

struct batch_note {
	const void *key, *what;
	struct batch_note *next;
};

double
batch_update_targets(const struct batch *b)
{
	return b->counts ? b->target : b->tgt.layout.rows;
}

void
batch_keep(struct batch *b, const void *key, const void *value)
{
	struct batch_note *note = ARENA_ARRAY(b->mem, struct batch_note, 1);

	*note = (struct batch_note){ key, value, b->notes };
	b->notes = note;
}

const void *
batch_kept(const struct batch *b, const void *key)
{
	for (const struct batch_note *note = b->notes; note; note = note->next)
		if (note->key == key)
			return note->what;
	return NULL;
}

void
batch_part(struct batch *part, const struct batch *b, int from, int to, struct arena *mem)
{
	const struct batch_side *side = &b->src;
	const struct layout *l = &side->layout;
	const int n = to - from, first = n > 0 ? l->start[from] : 0;
	int *start = ARENA_ARRAY(mem, int, n), rows = 0;

	for (int i = 0; i < n; i++) {
		start[i] = rows;
		rows += l->len[from + i];
	}
	*part = (struct batch){ .n = n, .src_end = b->src_end, .record = b->record + from,
				.number = b->number + from, .mem = mem };
	part->src.layout = (struct layout){ .n = n, .rows = rows, .start = start,
					    .len = l->len + from,
					    .key = l->key ? l->key + first : NULL };
	part->src.id = side->id + first;
	part->src.pos = side->pos + first;
}
