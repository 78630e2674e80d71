/* bitext: see bitext.h. */
#include "align/bitext.h"

#include <stdlib.h>
#include <string.h>

#include "base/mem.h"

static void
side_init(struct bitext_side *s, int n_vocab)
{
	*s = (struct bitext_side){ .n_vocab = n_vocab };
	s->start = mem_grow(s->start, &s->start_room, 1, sizeof(*s->start));
	s->start[0] = 0;
}

void
bitext_init(struct bitext *b, int n_src, int n_tgt)
{
	side_init(&b->src, n_src);
	side_init(&b->tgt, n_tgt);
	b->sentences = 0;
}

static void
side_release(struct bitext_side *s)
{
	free(s->word);
	free(s->start);
}

void
bitext_release(struct bitext *b)
{
	side_release(&b->src);
	side_release(&b->tgt);
}

static void
side_add(struct bitext_side *s, size_t sentence, int n, const int *word)
{
	s->word = mem_grow(s->word, &s->room, s->n + (size_t)n + 1, sizeof(*s->word));
	if (n)
		memcpy(s->word + s->n, word, (size_t)n * sizeof(*word));
	s->n += (size_t)n;
	s->start = mem_grow(s->start, &s->start_room, sentence + 2, sizeof(*s->start));
	s->start[sentence + 1] = s->n;
}

void
bitext_add(struct bitext *b, int n_src, const int *src, int n_tgt, const int *tgt)
{
	side_add(&b->src, b->sentences, n_src, src);
	side_add(&b->tgt, b->sentences, n_tgt, tgt);
	b->sentences++;
}

const int *
bitext_sentence(const struct bitext_side *s, size_t k, int *n)
{
	*n = (int)(s->start[k + 1] - s->start[k]);
	return s->word + s->start[k];
}
