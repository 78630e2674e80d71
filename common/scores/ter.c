/* ter: see ter.h. */
#include <stdlib.h>
#include <string.h>

#include "base/mem.h"
#include "scores/ngram.h"
#include "scores/ter-edits.h"
#include "scores/ter.h"

struct sentence {
	const struct ter *ter;
	struct word_ids words;
	struct buf tokens, once;
	int32_t *ref;			/* the words of all references, one after another */
	int *end;			/* [n_refs] where each of them ends */
	size_t n_refs, room, ends;
	struct ter_edits *edits;
};

/* If all references are empty, the score is 0 without edits, and 100 with edits. */
static double
ter_score(const int64_t *sums, const void *settings)
{
	const struct ter *t = settings;

	if (sums[TER_REF_LEN])
		return 100 * ((double)sums[TER_EDITS] /
			      ((double)sums[TER_REF_LEN] / t->n_refs));
	return sums[TER_EDITS] ? 100 : 0;
}

static void *
ter_open_sentence(const void *settings)
{
	struct sentence *st = xcalloc(1, sizeof(*st));

	st->ter = settings;
	st->edits = ter_edits_new();
	return st;
}

static void
ter_close_sentence(void *scratch)
{
	struct sentence *st = scratch;

	if (!st)
		return;
	word_ids_release(&st->words);
	buf_release(&st->tokens);
	buf_release(&st->once);
	free(st->ref);
	free(st->end);
	ter_edits_free(st->edits);
	free(st);
}

/*
 * Tokenizes a text into st->words.  sacreBLEU tokenizes references twice, which matters for
 * normalization: it then finds the possessive in "dogs's\tbark", and "&amp;lt;" becomes "<".
 */
static void
ter_read_words(struct sentence *st, const char *s, size_t n, bool reference)
{
	const struct tercom *t = &st->ter->tokens;

	buf_clear(&st->tokens);
	tokenize_tercom(t, s, n, &st->tokens);
	if (reference && t->normalized && st->tokens.n) {
		buf_clear(&st->once);
		buf_add(&st->once, st->tokens.data, st->tokens.n);
		buf_clear(&st->tokens);
		tokenize_tercom(t, st->once.data, st->once.n, &st->tokens);
	}
	word_ids_read(&st->words, st->tokens.data, st->tokens.n, reference, true);
}

static void
ter_reference(void *scratch, size_t k, const char *s, size_t n)
{
	struct sentence *st = scratch;
	size_t at;

	if (k == 0) {
		word_ids_clear(&st->words);
		st->n_refs = 0;
	}
	at = k ? (size_t)st->end[k - 1] : 0;
	ter_read_words(st, s, n, true);
	st->ref = mem_grow(st->ref, &st->room, at + st->words.n + 1, sizeof(*st->ref));
	memcpy(st->ref + at, st->words.id, st->words.n * sizeof(*st->ref));
	st->end = mem_grow(st->end, &st->ends, k + 1, sizeof(*st->end));
	st->end[st->n_refs++] = (int)(at + st->words.n);
}

static void
ter_hypothesis(void *scratch, const char *s, size_t n, int32_t *stats)
{
	struct sentence *st = scratch;

	ter_read_words(st, s, n, false);
	for (size_t k = 0; k < st->n_refs; k++) {
		const int from = k ? st->end[k - 1] : 0;
		const int edits = ter_edits(st->edits, st->words.id, (int)st->words.n,
					    st->ref + from, st->end[k] - from);

		if (!k || edits < stats[TER_EDITS])
			stats[TER_EDITS] = edits;
	}
	stats[TER_REF_LEN] = st->end[st->n_refs - 1];
}

static void
ter_name(const void *settings, struct buf *out)
{
	(void)settings;
	buf_add_str(out, "TER");
}

static const char *
ter_yes(bool on)
{
	return on ? "yes" : "no";
}

static void
ter_signature(const void *settings, bool brief, struct buf *out)
{
	const struct tercom *t = &((const struct ter *)settings)->tokens;

	buf_printf(out, "%s:%s|%s:tercom|%s:%s|%s:%s|%s:%s",
		   brief ? "c" : "case", t->case_sensitive ? "mixed" : "lc",
		   brief ? "t" : "tok", brief ? "nr" : "norm", ter_yes(t->normalized),
		   brief ? "pn" : "punct", ter_yes(!t->no_punct),
		   brief ? "as" : "asian", ter_yes(t->asian_support));
}

struct metric
ter_metric(const struct ter *t)
{
	return (struct metric) {
		.how = t, .width = TER_WIDTH, .decimals = 1, .lower_is_better = true,
		.open = ter_open_sentence, .close = ter_close_sentence,
		.reference = ter_reference, .hypothesis = ter_hypothesis,
		.score = ter_score, .name = ter_name, .signature = ter_signature
	};
}
