/* sink-tokens: see sink-tokens.h. */
#include "analysis/sink-tokens.h"

#include <stdlib.h>
#include <string.h>

#include "base/mem.h"
#include "data/side-tokens.h"
#include "stream/cells.h"

struct key_tokens {
	enum site_where where;
	struct side_tokens src, tgt;
	int first, end;			/* source tokens that are not special */
	int first_target;		/* target token that is not a tag */
};

/* Token i of a side whose first tokens are special; NULL: none, or special. */
static const struct str *
token_from(const struct side_tokens *t, int special, int i)
{
	return i >= special && (size_t)i < t->n ? &t->token[i] : NULL;
}

/* The decoder begins with a start token. */
static const struct str *
token_of_key(const struct key_tokens *p, int key)
{
	if (p->where == DECODER_SELF)
		return token_from(&p->tgt, p->first_target, key - 1);
	return key < p->end ? token_from(&p->src, p->first, key) : NULL;
}

static bool
is_copy(const struct key_tokens *p, int row, int key)
{
	const bool cross = p->where == DECODER_CROSS;
	const struct str *a = cross ? token_from(&p->tgt, p->first_target, row)
				    : token_of_key(p, row);
	const struct str *b = token_of_key(p, key);

	if (!a || !b || (!cross && row == key) || (p->where == DECODER_SELF && key > row))
		return false;
	return str_same(*a, *b);
}

int
sink_tokens_read(struct sink_tokens *t, const struct sentence_attention *s, enum site_where where,
		 struct err *e)
{
	struct key_tokens p = { .where = where, .first = s->first, .first_target = s->first_target,
				.end = s->source - s->source_end };
	const struct head_weights w = sentence_attention_shape(s, where);
	struct arena mem;
	int bad;

	arena_init(&mem, 0);
	t->kind = xcalloc((size_t)w.keys + 1, sizeof(*t->kind));
	t->same = xcalloc((size_t)w.rows * (size_t)w.columns + 1, sizeof(*t->same));
	bad = (where != DECODER_SELF && side_tokens_of(&p.src, s->rec, false, &mem, e)) ||
	      (where != ENCODER_SELF && side_tokens_of(&p.tgt, s->rec, true, &mem, e));
	for (int j = 0; !bad && j < w.keys; j++) {
		const struct str *token = token_of_key(&p, j);

		t->kind[j] = token ? key_kind_of(*token) : KEY_SPECIAL;
	}
	for (int i = 0; !bad && i < w.rows; i++)
		for (int j = 0; j < w.columns; j++)
			t->same[(ptrdiff_t)i * w.columns + j] = is_copy(&p, i, j);
	arena_release(&mem);
	return bad ? -1 : 0;
}

void
sink_tokens_release(struct sink_tokens *t)
{
	free(t->kind);
	free(t->same);
	*t = (struct sink_tokens){ .kind = NULL };
}
