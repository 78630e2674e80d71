/* audit: see audit.h. */
#include "data/audit.h"

#include "data/side-tokens.h"
#include "stream/fields.h"

/* Warn if more than one token in SUSPICIOUS_RATE, and at least MIN_UNKNOWN tokens, are unknown. */
enum { SUSPICIOUS_RATE = 5, MIN_UNKNOWN = 10 };

const char *const too_long_actions[] = { "fail", "skip", "cut", NULL };

static const char *const done[] = {
	[TOO_LONG_SKIP] = "skipped", [TOO_LONG_CUT] = "cut"
};

int
audit_begin(struct audit *a, const struct batch_rules *rules, const struct field *needs,
	    struct err *e)
{
	a->rules = *rules;
	a->needs = needs;
	if (a->too_long != TOO_LONG_CUT || !needs->name)
		return 0;
	return err_set(e, EXIT_USAGE, "--too-long cut: the model reads %s of whole sentences, "
		       "expected skip or fail", needs->name);
}

/* --- sentences that are too long --- */

int
audit_length(struct audit *a, const struct record *rec, const struct reader *reader,
	     const char *where, struct err *e)
{
	a->checked++;
	if (!batch_fits(rec, &a->rules, e))
		return 0;
	a->longer++;
	if (a->too_long == TOO_LONG_FAIL) {
		err_hint(e, "--too-long skip leaves such sentences out, "
			 "--too-long cut drops their end");
		return -1;
	}
	warn("%s: %s: %s", where ? where : reader_where(reader), e->text, done[a->too_long]);
	return a->too_long == TOO_LONG_SKIP;
}

void
audit_set_cut(const struct audit *a, const struct record *checked, struct record *written)
{
	const struct batch_rules *r = &a->rules;

	for (int side = 0; side < 2; side++) {
		const int room = batch_room(r, side);
		const char *cut = side_fields[side].cut;

		record_delete(written, cut);
		if (a->too_long == TOO_LONG_CUT && side <= r->with_target &&
		    side_tokens_count(checked, side) - batch_has_first(checked, r, side) > room)
			record_set_int(written, cut, room + batch_has_first(written, r, side));
	}
}

void
audit_declare_cut(const struct audit *a, bool with_target, struct writer *out)
{
	for (int side = 0; a->too_long == TOO_LONG_CUT && side <= with_target; side++)
		writer_add_field(out, side_fields[side].cut, "int");
}

const char *
audit_length_note(const struct audit *a)
{
	return a->too_long == TOO_LONG_CUT ? "sentences.cut" : "sentences.skipped";
}

/* --- fields and tokens --- */

void
audit_fields(struct audit *a, const struct record *rec)
{
	a->sentences++;
	for (int i = 0; i < AUDIT_FIELDS && a->needs[i].name; i++)
		a->without[i] += !record_has(rec, a->needs[i].name);
}

static void
count_side(struct audit_tokens *t, const struct record *rec, int side, const struct vocab *v)
{
	struct side_tokens s;
	struct arena mem;
	struct err none;

	arena_init(&mem, 0);
	if (!side_tokens_of(&s, rec, side, &mem, &none))
		for (size_t i = 0; i < s.n; i++) {
			t->all[side]++;
			t->unknown[side] +=
				vocab_id(v, s.token[i].s, s.token[i].n) == VOCAB_UNK;
		}
	arena_release(&mem);
}

void
audit_tokens(struct audit_tokens *t, const struct record *rec, const struct vocab *src,
	     const struct vocab *tgt)
{
	count_side(t, rec, 0, src);
	if (tgt)
		count_side(t, rec, 1, tgt);
}

void
audit_token_counts(struct audit_tokens *t, int side, const struct word_count *tokens,
		   const struct vocab *v)
{
	for (size_t i = 0; i < tokens->words.n; i++) {
		size_t n;
		const char *s = strmap_text(&tokens->words, (int)i, &n);

		t->all[side] += tokens->count[i];
		t->unknown[side] += vocab_id(v, s, n) == VOCAB_UNK ? tokens->count[i] : 0;
	}
}

void
audit_targets(struct audit *a, const struct batch *b, const unsigned char *valid)
{
	a->targets += b->tgt.layout.rows;
	for (int i = 0; valid && i < b->tgt.layout.rows; i++)
		a->masked += !valid[b->tgt.out[i]];
}

/* --- warnings --- */

void
audit_warn_length(const struct audit *a)
{
	if (a->longer)
		warn("%lld of %lld sentences were longer than the model accepts and were %s",
		     (long long)a->longer, (long long)a->checked, done[a->too_long]);
}

void
audit_warn_fields(const struct audit *a)
{
	for (int i = 0; i < AUDIT_FIELDS && a->needs[i].name; i++)
		if (a->without[i])
			warn("%lld of %lld sentences lack %s, which the model reads",
			     (long long)a->without[i], (long long)a->sentences, a->needs[i].name);
}

void
audit_warn_tokens(const struct audit_tokens *t, const char *input, const char *with)
{
	static const char *const side[] = { "source", "target" };

	for (int k = 0; k < 2; k++)
		if (t->unknown[k] >= MIN_UNKNOWN && t->unknown[k] * SUSPICIOUS_RATE > t->all[k])
			warn("%s: %lld of %lld %s tokens are not in the model's vocabulary; "
			     "segment the text %s", input, (long long)t->unknown[k],
			     (long long)t->all[k], side[k],
			     with ? with : "like the training data");
}

void
audit_warn_targets(const struct audit *a, const char *input, const char *effect)
{
	if (a->masked)
		warn("%s: the model's output mask excludes %lld of %lld target tokens: %s", input,
		     (long long)a->masked, (long long)a->targets, effect);
}
