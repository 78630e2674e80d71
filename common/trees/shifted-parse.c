/* shifted-parse: see shifted-parse.h. */
#include "trees/shifted-parse.h"

#include <stdlib.h>
#include <string.h>

#include "base/mem.h"

void
shifted_parse_keep(struct shifted_parse *s, const char *const *word, int n)
{
	shifted_parse_clear(s);
	if (!word)
		return;
	s->word = mem_grow(s->word, &s->room, (size_t)n, sizeof(*s->word));
	for (s->n = 0; s->n < n; s->n++)
		s->word[s->n] = texts_add(&s->texts, word[s->n], strlen(word[s->n]));
}

void
shifted_parse_clear(struct shifted_parse *s)
{
	s->n = 0;
	texts_clear(&s->texts);
}

void
shifted_parse_release(struct shifted_parse *s)
{
	free(s->word);
	texts_release(&s->texts);
	retokenize_release(&s->cut);
	*s = (struct shifted_parse){ .n = 0 };
}

bool
shifted_parse_fits(struct shifted_parse *s, const char *const *text, int n)
{
	int bad[2];

	return s->n && retokenize_align(&s->cut, text, n, s->word, s->n, bad);
}
