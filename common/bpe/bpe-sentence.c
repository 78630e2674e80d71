/* bpe-sentence: the subwords of a sentence as an array; see bpe-sentence.h. */
#include <stdlib.h>
#include <string.h>

#include "base/mem.h"
#include "bpe/bpe-sentence.h"

static void
add_word(struct bpe_sentence *s, struct bpe_coder *coder, const char *word, size_t length,
	 int32_t index)
{
	size_t k = bpe_coder_word(coder, word, length, &s->text);

	buf_add_char(&s->text, ' ');
	s->word = mem_grow(s->word, &s->word_room, s->n + k, sizeof(*s->word));
	while (k--)
		s->word[s->n++] = index;
}

void
bpe_sentence_cut(struct bpe_sentence *s, struct bpe_coder *coder, struct str sentence)
{
	size_t start = 0, at = 0;
	int32_t index = 0;

	buf_clear(&s->text);
	s->n = 0;
	while (start < sentence.n) {
		const char *from = sentence.s + start;
		const char *space = memchr(from, ' ', sentence.n - start);
		const size_t length = space ? (size_t)(space - from) : sentence.n - start;

		if (length)
			add_word(s, coder, from, length, index++);
		start += length + 1;
	}
	s->piece = mem_grow(s->piece, &s->piece_room, s->n + 1, sizeof(*s->piece));
	for (size_t i = 0; i < s->n; i++) {
		const char *from = s->text.data + at;
		const char *space = memchr(from, ' ', s->text.n - at);

		s->piece[i] = (struct str){ from, (size_t)(space - from) };
		at += s->piece[i].n + 1;
	}
}

void
bpe_sentence_release(struct bpe_sentence *s)
{
	buf_release(&s->text);
	free(s->piece);
	free(s->word);
}
