/* shifted: see shifted.h. */
#include "trees/shifted.h"

#include <stdlib.h>
#include <string.h>

#include "base/mem.h"

void
shifted_keep(struct shifted *s, const char *const *word, int n)
{
	shifted_clear(s);
	if (!word)
		return;
	s->word = mem_grow(s->word, &s->room, (size_t)n, sizeof(*s->word));
	for (s->n = 0; s->n < n; s->n++)
		s->word[s->n] = texts_add(&s->texts, word[s->n], strlen(word[s->n]));
}

void
shifted_clear(struct shifted *s)
{
	s->n = 0;
	texts_clear(&s->texts);
}

void
shifted_release(struct shifted *s)
{
	free(s->word);
	texts_release(&s->texts);
	retokenize_release(&s->cut);
	*s = (struct shifted){ .n = 0 };
}

bool
shifted_fits(struct shifted *s, const char *const *text, int n)
{
	int bad[2];

	return s->n && retokenize_align(&s->cut, text, n, s->word, s->n, bad);
}
