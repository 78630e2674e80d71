/* unknown: see unknown.h. */
#include "data/unknown.h"

#include "base/err.h"
#include "data/batch.h"

/* Warn if more than one token in SUSPICIOUS_RATE, and at least MIN_UNKNOWN tokens, are unknown. */
enum { SUSPICIOUS_RATE = 5, MIN_UNKNOWN = 10 };

static void
add_token(struct unknown *u, int side, const struct vocab *v, struct str s)
{
	u->tokens[side]++;
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
			add_token(u, side, v, piece[i]);
	else if (!record_str(rec, texts[side], &text))
		while (batch_token(text, &at, &token))
			add_token(u, side, v, token);
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
unknown_add_counts(struct unknown *u, int side, const struct word_count *tokens,
		   const struct vocab *v)
{
	for (size_t i = 0; i < tokens->words.n; i++) {
		size_t n;
		const char *s = strmap_text(&tokens->words, (int)i, &n);

		u->tokens[side] += tokens->count[i];
		u->unknown[side] += vocab_id(v, s, n) == VOCAB_UNK ? tokens->count[i] : 0;
	}
}

void
unknown_warn(const struct unknown *u, const char *input, const char *with)
{
	static const char *const side[] = { "source", "target" };

	for (int k = 0; k < 2; k++)
		if (u->unknown[k] >= MIN_UNKNOWN && u->unknown[k] * SUSPICIOUS_RATE > u->tokens[k])
			warn("%s: %lld of %lld %s tokens are not in the model's vocabulary; "
			     "segment the text %s", input, (long long)u->unknown[k],
			     (long long)u->tokens[k], side[k],
			     with ? with : "like the training data");
}
