/* model-input: see model-input.h. */
#include "model/model-input.h"

#include <stdlib.h>
#include <string.h>

#include "base/mem.h"
#include "bpe/bytes.h"
#include "data/side-tokens.h"

/* --- batches --- */

void
model_batch_rules(const struct model *m, struct batch_rules *r)
{
	*r = (struct batch_rules){
		.src = &m->src, .tgt = &m->tgt, .src_eos = m->config.src_eos,
		.first = (unsigned)m->config.first, .with_target = true,
		.max_length = (int)m->config.max_length,
		.word_dropout = (real)m->config.word_dropout,
	};
	for (int side = 0; side < 2; side++)
		if (m->first_token[side])
			r->first_token[side] = (struct str){ m->first_token[side],
							     strlen(m->first_token[side]) };
}

int
model_batch(struct model *m, struct batch *b, struct arena *mem, const struct record *const *rec,
	    const int64_t *number, int n, const struct batch_rules *r, struct err *e)
{
	struct batch_rules own;

	if (!r) {
		model_batch_rules(m, &own);
		own.with_target = false;
		own.word_dropout = 0;
		r = &own;
	}
	if (batch_make(b, mem, rec, number, n, r, e))
		return -1;
	return attention_set_batch(m->attention, b, e);
}

/* --- warnings --- */

int
model_audit(const struct model *m, bool with_target, struct audit *a, struct err *e)
{
	struct batch_rules rules;

	model_batch_rules(m, &rules);
	rules.with_target = with_target;
	return audit_begin(a, &rules, attention_set_needs(m->attention, false), e);
}

/* What to segment text with, or NULL. */
static const char *
segments_with(const struct model *m)
{
	return m->codes ? "with its BPE codes (nmt-info --codes)" :
	       bytes_is(m->spm[0], m->spm_n[0]) ? "into bytes (nmt-info --spm)" :
	       m->spm[0] || m->spm[1] ? "with its SentencePiece model (nmt-info --spm)" : NULL;
}

static void
warn_of_languages(const struct model *m, const struct audit_tokens *t, const struct header *h,
		  const char *name)
{
	static const char *const side_of[] = { "source", "target" };
	struct languages found;
	bool other[2];

	languages_of(h, &found);
	for (int k = 0; k < 2; k++) {
		const char *mine = m->languages.side[k];

		other[k] = t->all[k] && *mine && *found.side[k] && strcmp(mine, found.side[k]);
		if (other[k])
			warn("%s: the language of the %s is %s, expected %s, that of the model",
			     name, side_of[k], found.side[k], mine);
	}
	if (other[0] && other[1] && !strcmp(found.side[0], m->languages.side[1]) &&
	    !strcmp(found.side[1], m->languages.side[0]))
		warn("%s: source and target seem to be exchanged", name);
}

void
model_audit_warn_tokens(const struct model *m, const struct audit_tokens *t,
			const struct header *h, const char *name)
{
	warn_of_languages(m, t, h, name);
	audit_warn_tokens(t, name, segments_with(m));
}

void
model_audit_warn(const struct model *m, const struct audit *a, const struct header *h,
		 const char *name)
{
	audit_warn_length(a);
	audit_warn_fields(a);
	model_audit_warn_tokens(m, &a->tokens, h, name);
}

/* --- first tokens --- */

static bool
is_read(const struct field *needs, const char *name)
{
	while (needs->name && strcmp(needs->name, name))
		needs++;
	return needs->name != NULL;
}

/* A matrix has no row for a token that is added.  That matters only if a variant reads it. */
static int
put_first(const struct model *m, struct record *rec, bool target, const struct field *needs,
	  struct err *e)
{
	const char *text = m->first_token[target], *matrix[SIDE_MATRICES];
	const struct str first = { text, text ? strlen(text) : 0 };

	if (!text || side_tokens_begin_with(rec, target, first))
		return 0;
	side_matrices(target, matrix);
	for (int i = 0; i < SIDE_MATRICES; i++)
		if (!is_read(needs, matrix[i]))
			record_delete(rec, matrix[i]);
	return side_tokens_put_first(rec, target, first, e);
}

int
model_put_first_token(const struct model *m, struct record *rec, bool target, struct err *e)
{
	return put_first(m, rec, target, attention_set_needs(m->attention, false), e);
}

int
model_put_first_tokens(const struct model *m, struct record *rec, bool training, struct err *e)
{
	const struct field *needs = attention_set_needs(m->attention, training);

	for (int target = 0; needs->name && target <= training; target++)
		if (put_first(m, rec, target, needs, e))
			return -1;
	return 0;
}

int
model_set_first_token(struct model *m, bool target, const char *token, struct err *e)
{
	const struct vocab *v = target ? &m->tgt : &m->src;

	if (!token)
		return 0;
	if (*token && vocab_id(v, token, strlen(token)) == VOCAB_UNK)
		return err_set(e, EXIT_USAGE, "--first-%s %s: expected an entry of the vocabulary",
			       stream_sides[target], token);
	free(m->first_token[target]);
	m->first_token[target] = *token ? xstrdup(token) : NULL;
	return 0;
}
