/* forced: see forced.h. */
#include "search/forced.h"

#include <stdlib.h>
#include <string.h>

#include "base/mem.h"
#include "model/model-input.h"

enum { TAPE_BYTES = 512 << 20 };

const char *const forced_targets[] = { "any", "hyp", "ref", NULL };

/* The fields that forced_open() checks; the caller frees them. */
static struct field *
forced_needs(const struct model *m, enum forced_target target, const struct field *more)
{
	const struct field *variants = attention_set_needs(m->attention, false);
	const bool pieces = model_has_pieces(m), given = target == TARGET_REF;
	size_t n = 0, n_variants = 0, n_more = 0;
	struct field *needs;

	while (variants[n_variants].name)
		n_variants++;
	while (more && more[n_more].name)
		n_more++;
	needs = xcalloc(n_variants + n_more + 5, sizeof(*needs));
	needs[n++] = (struct field){ "src.pieces", "[str]", !pieces };
	needs[n++] = (struct field){ "tgt.pieces", "[str]", !pieces || !given };
	/* Without codes, a record has subwords or else text, as batch_make() reads it. */
	needs[n++] = (struct field){ "src", "str", 1 };
	needs[n++] = (struct field){ "tgt", "str", 1 };
	memcpy(needs + n, variants, n_variants * sizeof(*needs));
	if (n_more)
		memcpy(needs + n + n_variants, more, n_more * sizeof(*needs));
	return needs;
}

struct reader *
forced_open(const struct model *m, enum forced_target target, const struct field *more,
	    const char *path, unsigned flags, struct err *e)
{
	struct field *needs = forced_needs(m, target, more);
	struct reader *in = reader_open(path, "sentence", needs, flags, e);

	free(needs);
	return in;
}

int
forced_check(const struct model *m, enum forced_target target, const struct reader *reader,
	     struct err *e)
{
	struct field *needs = forced_needs(m, target, NULL);
	const int bad = header_check(reader_header(reader), reader_name(reader), needs, e);

	free(needs);
	return bad;
}

bool
forced_has_target(const struct header *h)
{
	return header_type(h, "tgt.pieces") || header_type(h, "tgt") ||
	       header_type(h, "hyp.pieces") || header_type(h, "hyp");
}

static void
copy_field(struct record *rec, const char *field, const char *copy)
{
	const void *p;
	size_t n;

	record_delete(rec, copy);
	if (!record_raw(rec, field, &p, &n))
		record_set_raw(rec, copy, p, n);
}

/* Deletes the target fields, tgt.*: its subwords and trees. */
static void
delete_target(struct record *rec)
{
	for (int i = record_n_fields(rec) - 1; i >= 0; i--) {
		const struct str name = record_name(rec, i);
		char *copy;

		if (name.n < 4 || memcmp(name.s, "tgt.", 4))
			continue;
		copy = xstrndup(name.s, name.n);
		record_delete(rec, copy);
		free(copy);
	}
}

bool
forced_has_hyp(const struct model *m, const struct record *rec)
{
	return record_has(rec, "hyp.pieces") || (!model_has_pieces(m) && record_has(rec, "hyp"));
}

/* Makes the translation the target, if that is asked for. */
static int
choose_target(const struct model *m, struct record *rec, enum forced_target target, struct err *e)
{
	const bool has_hyp = forced_has_hyp(m, rec);

	if (target == TARGET_HYP && !has_hyp)
		return err_set(e, EXIT_INPUT, "no %s, expected a translation",
			       model_has_pieces(m) ? "hyp.pieces" : "hyp");
	if (target == TARGET_REF || !has_hyp)
		return 0;
	delete_target(rec);
	copy_field(rec, "hyp", "tgt");
	copy_field(rec, "hyp.pieces", "tgt.pieces");
	return 0;
}

int
forced_choose(const struct model *m, struct record *rec, enum forced_target target, struct err *e)
{
	return choose_target(m, rec, target, e) || model_put_first_token(m, rec, false, e) ||
	       model_put_first_token(m, rec, true, e) ? -1 : 0;
}

/* Adds the first token to a source whose words already include it. */
static int
forced_put_first(const struct model *m, struct record *rec, struct err *e)
{
	const int32_t *found;
	int32_t *word = NULL;
	size_t n;
	int status;

	if (record_has(rec, "src.word") && !record_ints(rec, "src.word", &found, &n)) {
		word = xreallocarray(NULL, n + 1, sizeof(*word));
		for (size_t i = 0; i < n; i++)
			word[i] = found[i];
	}
	status = model_put_first_token(m, rec, false, e);
	if (word)
		record_set_ints(rec, "src.word", word, n);
	free(word);
	return status;
}

int
forced_corrupt(const struct model *m, struct record *rec, struct err *e)
{
	const bool pieces = record_has(rec, "corrupted.pieces");

	if (!pieces && (model_has_pieces(m) || !record_has(rec, "corrupted")))
		return err_set(e, EXIT_INPUT, "no %s, expected a corrupted source",
			       model_has_pieces(m) ? "corrupted.pieces" : "corrupted");
	copy_field(rec, "corrupted", "src");
	copy_field(rec, "corrupted.pieces", "src.pieces");
	return forced_put_first(m, rec, e);
}

struct batch_rules
forced_rules(const struct forced *f)
{
	struct batch_rules rules = f->audit.rules;

	rules.word_dropout = 0;
	rules.cut = f->audit.too_long == TOO_LONG_CUT;
	return rules;
}

/* Processes the records collected so far as a batch. */
static int
flush(struct forced *f, struct err *e)
{
	const struct batch_rules rules = forced_rules(f);
	struct batch b;

	if (!f->n)
		return 0;
	tape_rewind(f->run->tape);
	arena_rewind(&f->mem);
	if (model_batch(f->m, &b, &f->mem, (const struct record *const *)f->rec, f->number, f->n,
			&rules, e))
		return err_wrap(e, "%s", reader_name(f->in));
	if (!f->encoder)
		audit_targets(&f->audit, &b, f->m->tgt_valid);
	if (f->work(f->arg, f, &b, e))
		return -1;
	f->n = 0;
	f->tokens = 0;
	return 0;
}

/* The approximate number of tokens on one side of the record. */
static int64_t
forced_length_of(const struct record *rec, const char *pieces, const char *text)
{
	const struct str *v;
	struct str s;
	size_t n;

	if (!record_strs(rec, pieces, &v, &n))
		return (int64_t)n + 1;
	return record_str(rec, text, &s) ? 1 : (int64_t)s.n / 4 + 1;
}

/* The approximate number of tokens of the target that forced_choose() will set. */
static int64_t
target_length(const struct forced *f, const struct record *rec)
{
	const bool hyp = f->target != TARGET_REF && forced_has_hyp(f->m, rec);

	return hyp ? forced_length_of(rec, "hyp.pieces", "hyp")
		   : forced_length_of(rec, "tgt.pieces", "tgt");
}

/* Copies the record to *copied: the reader reuses its own. */
static int
forced_copy(struct record **copied, const struct record *rec, struct err *e)
{
	if (!*copied)
		*copied = record_new();
	record_clear(*copied);
	if (record_copy(*copied, rec))
		return err_set(e, EXIT_INPUT, "record cannot be copied");
	return 0;
}

/* Prepares a record as f->rec[f->n].  Returns 1 if it is to be left out. */
static int
forced_keep(struct forced *f, const struct record *rec, struct err *e)
{
	int skip = forced_copy(&f->rec[f->n], rec, e) || forced_copy(&f->given[f->n], rec, e) ||
		   forced_choose(f->m, f->rec[f->n], f->target, e)
		? -1 : audit_length(&f->audit, f->rec[f->n], f->in, NULL, e);

	if (skip < 0)
		return err_wrap(e, "%s", reader_where(f->in));
	if (skip)
		return 1;
	f->hyps += f->target != TARGET_REF && forced_has_hyp(f->m, rec);
	audit_fields(&f->audit, f->rec[f->n]);
	audit_tokens(&f->audit.tokens, f->rec[f->n], &f->m->src, f->encoder ? NULL : &f->m->tgt);
	f->number[f->n] = reader_count(f->in) - 1;
	return 0;
}

/* Flushes first, so that the records stay in order. */
static int
leave_out(struct forced *f, const struct record *rec, struct err *e)
{
	if (!f->skip)
		return 0;
	return flush(f, e) || forced_copy(&f->rec[0], rec, e) || f->skip(f->arg, f->rec[0], e)
	       ? -1 : 0;
}

static int
forced_take(struct forced *f, const struct record *rec, struct err *e)
{
	const int64_t n = forced_length_of(rec, "src.pieces", "src") + target_length(f, rec);
	const bool full = f->n == FORCED_SENTENCES || f->tokens + n > f->batch_tokens;
	int skip;

	if (f->n && full && flush(f, e))
		return -1;
	skip = forced_keep(f, rec, e);
	if (skip)
		return skip < 0 ? -1 : leave_out(f, rec, e);
	f->n++;
	f->tokens += n;
	return 0;
}

/*
 * The number of values that the tape keeps for a source and a target token, without the weights of
 * attention: for each sublayer its norm, output and sum; queries, keys, values and head outputs,
 * twice with gates; the hidden values, before and after an activation that is not fused, and with
 * a gate also its values and the products.
 */
static int64_t
values_of_pair(const struct model *m)
{
	const struct model_config *c = &m->config;
	const int64_t heads = c->heads * (c->head_width ? c->head_width : c->width / c->heads);
	const int64_t hidden = 1 + (c->activation != ACTIVATION_RELU) + 2 * c->ff_gate;
	const int64_t dec_ff = c->dec_ff ? c->dec_ff : c->ff;

	return c->enc_layers * (6 * c->width + 5 * heads + hidden * c->ff) +
	       c->dec_layers * (9 * c->width + 10 * heads + hidden * dec_ff);
}

int64_t
forced_tokens(const struct model *m)
{
	const int64_t most = 2 * (TAPE_BYTES / (int64_t)sizeof(real)) / values_of_pair(m);

	return most < 1 ? 1 : most < FORCED_TOKENS ? most : FORCED_TOKENS;
}

static int
forced_run_all(struct forced *f, struct err *e)
{
	struct record *rec;
	int more;

	if (model_audit(f->m, !f->encoder, &f->audit, e))
		return -1;
	while ((more = reader_next(f->in, &rec, e)) > 0)
		if (forced_take(f, rec, e))
			return -1;
	return more ? -1 : flush(f, e);
}

int
forced_run(struct forced *f, struct err *e)
{
	int status;

	if (!f->batch_tokens)
		f->batch_tokens = forced_tokens(f->m);
	arena_init(&f->mem, 0);
	status = forced_run_all(f, e);
	arena_release(&f->mem);
	for (int i = 0; i < FORCED_SENTENCES; i++) {
		record_free(f->rec[i]);
		record_free(f->given[i]);
	}
	if (status)
		return -1;
	model_audit_warn(f->m, &f->audit, reader_header(f->in), reader_name(f->in));
	if (f->masked_effect)
		audit_warn_targets(&f->audit, reader_name(f->in), f->masked_effect);
	return 0;
}
