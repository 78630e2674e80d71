/* side-tokens: see side-tokens.h. */
#include "data/side-tokens.h"

#include <limits.h>
#include <stdlib.h>
#include <string.h>

#include "base/mem.h"
#include "stream/fields.h"

bool
text_token(struct str text, size_t *at, struct str *token)
{
	while (*at < text.n && text.s[*at] == ' ')
		++*at;
	token->s = text.s + *at;
	while (*at < text.n && text.s[*at] != ' ')
		++*at;
	token->n = (size_t)(text.s + *at - token->s);
	return token->n > 0;
}

size_t
text_tokens(struct str text)
{
	size_t n = text.n && text.s[0] != ' ';

	for (size_t i = 1; i < text.n; i++)	/* without branches: the compiler vectorizes it */
		n += (text.s[i] != ' ') & (text.s[i - 1] == ' ');
	return n;
}

/* Gets the subwords of a side, and returns 1, or its text, and returns 0; -1 without both. */
static int
find_side(const struct record *rec, bool target, struct side_tokens *t, struct str *text)
{
	const struct side_fields *f = &side_fields[target];

	t->pieces = !record_strs(rec, f->pieces, &t->token, &t->n);
	if (t->pieces)
		return 1;
	return record_has(rec, f->pieces) || record_str(rec, f->text, text) ? -1 : 0;
}

int
side_tokens_of(struct side_tokens *t, const struct record *rec, bool target, struct arena *mem,
	       struct err *e)
{
	struct str text, *token;
	size_t at = 0;
	const int found = find_side(rec, target, t, &text);

	if (found < 0)
		return err_set(e, EXIT_INPUT, "no %s and no %s, expected one of them",
			       side_fields[target].pieces, side_fields[target].text);
	if (found)
		return 0;
	t->n = text_tokens(text);
	t->token = token = ARENA_ARRAY(mem, struct str, t->n);
	for (size_t i = 0; i < t->n; i++)
		text_token(text, &at, &token[i]);
	return 0;
}

int
side_tokens_count(const struct record *rec, bool target)
{
	struct side_tokens t;
	struct str text;
	const int found = find_side(rec, target, &t, &text);

	if (found < 0)
		return -1;
	if (!found)
		t.n = text_tokens(text);
	return t.n < INT_MAX ? (int)t.n : INT_MAX;
}

bool
tokens_begin_with(const struct str *token, size_t n, struct str first)
{
	return n && token[0].n == first.n && !memcmp(token[0].s, first.s, first.n);
}

bool
side_tokens_begin_with(const struct record *rec, bool target, struct str first)
{
	struct side_tokens t;
	struct str text, token;
	size_t at = 0;
	const int found = find_side(rec, target, &t, &text);

	if (found)
		return found > 0 && tokens_begin_with(t.token, t.n, first);
	return tokens_begin_with(&token, text_token(text, &at, &token), first);
}

void
side_matrices(bool target, const char *name[SIDE_MATRICES])
{
	const struct side_fields *f = &side_fields[target];

	name[0] = f->dep;
	name[1] = f->phrase;
	name[2] = f->relation;
}

/* The first token belongs to the first of the words or, without words, to that of its n tokens. */
static void
side_tokens_put_word(struct record *rec, const char *field, size_t n)
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

static int
check_matrices(const struct record *rec, bool target, struct str first, struct err *e)
{
	const char *name[SIDE_MATRICES];

	side_matrices(target, name);
	for (int i = 0; i < SIDE_MATRICES; i++)
		if (record_has(rec, name[i]))
			return err_set(e, EXIT_INPUT, "%s has no row for %.*s, expected %s to "
				       "begin with it", name[i], (int)first.n, first.s,
				       side_fields[target].pieces);
	return 0;
}

void
side_tokens_prepend(struct side_tokens *t, struct str first, struct arena *mem)
{
	struct str *token = ARENA_ARRAY(mem, struct str, t->n + 1);

	token[0] = first;
	for (size_t i = 0; i < t->n; i++)
		token[1 + i] = t->token[i];
	t->token = token;
	t->n++;
}

int
side_tokens_put_first(struct record *rec, bool target, struct str first, struct err *e)
{
	struct side_tokens t;
	struct arena mem;
	struct err none;
	int bad = 0;

	arena_init(&mem, 0);
	if (!side_tokens_of(&t, rec, target, &mem, &none) &&
	    !tokens_begin_with(t.token, t.n, first)) {
		bad = check_matrices(rec, target, first, e);
		if (!bad) {
			side_tokens_prepend(&t, first, &mem);
			record_set_strs(rec, side_fields[target].pieces, t.token, t.n);
			side_tokens_put_word(rec, side_fields[target].word, t.n - 1);
		}
	}
	arena_release(&mem);
	return bad;
}
