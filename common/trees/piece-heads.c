/* piece-heads: see piece-heads.h. */
#include "trees/piece-heads.h"

int
pieces_check(const int32_t *word, int n, int n_words, struct err *e)
{
	int32_t last = -1;

	for (int i = 0; i < n; last = word[i++]) {
		const int32_t w = word[i];

		if (i == 0 && w != 0)
			return err_set(e, EXIT_INPUT, "subword 1 belongs to word %d, expected 0",
				       (int)w);
		if (i > 0 && w != last && w != last + 1)
			return err_set(e, EXIT_INPUT,
				       "subword %d belongs to word %d, expected %d or %d",
				       i + 1, (int)w, (int)last, (int)last + 1);
		if (w >= n_words)
			return err_set(e, EXIT_INPUT,
				       "subword %d belongs to word %d, expected at most %d",
				       i + 1, (int)w, n_words - 1);
	}
	if (last + 1 != n_words)
		return err_set(e, EXIT_INPUT, "subwords of %d words, expected %d", (int)last + 1,
			       n_words);
	return 0;
}

/* The first subword of word w or a later word; n if there is none. */
int
piece_first(const int32_t *word, int n, int32_t w)
{
	int from = 0;

	while (from < n) {
		const int middle = from + (n - from) / 2;

		if (word[middle] < w)
			from = middle + 1;
		else
			n = middle;
	}
	return from;
}

int
piece_last(const int32_t *word, int n, int32_t w)
{
	return piece_first(word, n, w + 1) - 1;
}

void
piece_heads(enum piece_rule rule, const int32_t *word, int n, const int32_t *head, int32_t *out)
{
	int (*const to)(const int32_t *, int, int32_t) = rule == PIECES_LAST ? piece_last
									      : piece_first;

	for (int i = 0; i < n; i++) {
		const int32_t w = word[i];
		const int bearer = rule == PIECES_FIRST ? piece_first(word, n, w)
							: piece_last(word, n, w);

		if (i != bearer)
			out[i] = rule == PIECES_DEGUCHI ? i + 1 : bearer;
		else
			out[i] = head[w] ? to(word, n, head[w] - 1) : i;
	}
}
