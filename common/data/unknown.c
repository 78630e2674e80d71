/* unknown: see unknown.h. */
#include "data/unknown.h"

#include "base/err.h"
#include "data/batch.h"

enum { SUSPICIOUS = 5, FEW = 10 };	/* one in so many; so many are */

static void
add_symbol(struct unknown *u, int side, const struct vocab *v, struct str s)
{
	u->symbols[side]++;
	u->unknown[side] += vocab_id(v, s.s, s.n) == VOCAB_UNK;
}

static void
add_side(struct unknown *u, int side, const struct vocab *v, const struct record *rec)
{
	static const char *const pieces[] = { "src.pieces", "tgt.pieces" };
	static const char *const texts[] = { "src", "tgt" };
	const struct str *piece;
	struct str text, token;
	size_t n, at = 0;

	if (!record_strs(rec, pieces[side], &piece, &n))
		for (size_t i = 0; i < n; i++)
			add_symbol(u, side, v, piece[i]);
	else if (!record_str(rec, texts[side], &text))
		while (batch_token(text, &at, &token))
			add_symbol(u, side, v, token);
}

void
unknown_add(struct unknown *u, const struct record *rec, const struct vocab *src,
	    const struct vocab *tgt)
{
	add_side(u, 0, src, rec);
	if (tgt)
		add_side(u, 1, tgt, rec);
}

void
unknown_warn(const struct unknown *u, bool codes)
{
	static const char *const side[] = { "source", "target" };

	for (int k = 0; k < 2; k++)
		if (u->unknown[k] >= FEW && u->unknown[k] * SUSPICIOUS > u->symbols[k])
			warn("the model does not know %lld of %lld %s symbols; were they made %s?",
			     (long long)u->unknown[k], (long long)u->symbols[k], side[k],
			     codes ? "with its codes (nmt-info --codes)"
				   : "as those that it was trained with");
}
