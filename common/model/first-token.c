/* first-token: see first-token.h. */
#include "model/first-token.h"

#include <stdlib.h>
#include <string.h>

#include "base/mem.h"
#include "data/batch.h"

static const char *const pieces_of[] = { "src.pieces", "tgt.pieces" };
static const char *const text_of[] = { "src", "tgt" };
static const char *const word_of[] = { "src.word", "tgt.word" };

/* Fields with a row for each subword. */
static const char *const matrices[2][3] = {
	{ "src.dep", "src.phrase", "src.relation" }, { "tgt.dep", "tgt.phrase", "tgt.relation" }
};

/*
 * The record's subwords or tokens from v[1] on, with v[0] free; *n counts it.  NULL if the record
 * has neither.
 */
static struct str *
with_room(const struct record *rec, bool target, size_t *n)
{
	const struct str *subword;
	struct str text, token, *v;
	size_t at = 0, count = 0;

	if (!record_strs(rec, pieces_of[target], &subword, n)) {
		v = xreallocarray(NULL, *n + 1, sizeof(*v));
		for (size_t i = 0; i < *n; i++)
			v[1 + i] = subword[i];
		++*n;
		return v;
	}
	if (record_has(rec, pieces_of[target]) || record_str(rec, text_of[target], &text))
		return NULL;
	v = xreallocarray(NULL, text.n / 2 + 2, sizeof(*v));
	while (batch_token(text, &at, &token))
		v[1 + count++] = token;
	*n = count + 1;
	return v;
}

/* The token belongs to the first of the words or, in a record without words, of its n tokens. */
static void
put_word(struct record *rec, const char *field, size_t n)
{
	const int32_t *word = NULL;
	int32_t *more;

	if (record_has(rec, field) && record_ints(rec, field, &word, &n))
		return;
	more = xreallocarray(NULL, n + 1, sizeof(*more));
	more[0] = word && n ? word[0] : 0;
	for (size_t i = 0; i < n; i++)
		more[1 + i] = word ? word[i] : (int32_t)i;
	record_set_ints(rec, field, more, n + 1);
	free(more);
}

int
first_token_put(const struct model *m, struct record *rec, bool target, struct err *e)
{
	const char *first = m->first_token[target];
	struct str *v;
	size_t n;

	if (!first)
		return 0;
	v = with_room(rec, target, &n);
	if (!v)
		return 0;
	v[0] = (struct str){ first, strlen(first) };
	if (batch_begins_with(v + 1, n - 1, v[0])) {
		free(v);
		return 0;
	}
	for (int i = 0; i < 3; i++)
		if (record_has(rec, matrices[target][i])) {
			free(v);
			return err_set(e, EXIT_INPUT, "%s has no row for %s, expected %s to "
				       "begin with it", matrices[target][i], first,
				       pieces_of[target]);
		}
	record_set_strs(rec, pieces_of[target], v, n);
	put_word(rec, word_of[target], n - 1);
	free(v);
	return 0;
}

static bool
is_read(const struct field *needs, const char *name)
{
	while (needs->name && strcmp(needs->name, name))
		needs++;
	return needs->name != NULL;
}

int
first_tokens_put(const struct model *m, struct record *rec, bool training, struct err *e)
{
	const struct field *needs = attention_set_needs(m->attention, training);

	if (!needs->name)
		return 0;
	for (int target = 0; target <= training; target++) {
		for (int i = 0; m->first_token[target] && i < 3; i++)
			if (!is_read(needs, matrices[target][i]))
				record_delete(rec, matrices[target][i]);
		if (first_token_put(m, rec, target, e))
			return -1;
	}
	return 0;
}

int
first_token_set(struct model *m, bool target, const char *token, struct err *e)
{
	const struct vocab *v = target ? &m->tgt : &m->src;

	if (!token)
		return 0;
	if (*token && vocab_id(v, token, strlen(token)) == VOCAB_UNK)
		return err_set(e, EXIT_USAGE, "--first-%s %s: expected an entry of the vocabulary",
			       text_of[target], token);
	free(m->first_token[target]);
	m->first_token[target] = *token ? xstrdup(token) : NULL;
	return 0;
}
