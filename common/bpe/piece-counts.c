/* piece-counts: see piece-counts.h. */
#include "bpe/piece-counts.h"

#include <stdbool.h>

#include "base/output.h"
#include "base/text-line.h"
#include "base/utf8.h"
#include "bpe/bpe.h"

static int
piece_counts_read_line(const char *s, size_t n, piece_counts_take *take, void *arg, struct err *e)
{
	const size_t bad = utf8_check(s, n);
	int64_t count;

	if (bad < n)
		return err_set(e, EXIT_INPUT, "byte %zu is not UTF-8", bad + 1);
	if (word_count_split(&s, &n, "a subword and a frequency", INT64_MAX, &count, e))
		return -1;
	return take(arg, s, n, count, e);
}

int
piece_counts_read(const char *text, size_t n, piece_counts_take *take, void *arg, struct err *e)
{
	struct text_line line = text_lines(text, n);

	while (text_line_next(&line))
		if (piece_counts_read_line(line.s, line.n, take, arg, e))
			return err_wrap(e, "line %zu", line.number);
	return 0;
}

/* --- of a text segmented by BPE codes --- */

/* Counts the subwords of all words, in the order in which they first occur in the coded text. */
static void
count_subwords(struct bpe_coder *coder, const struct word_count *words,
	       struct word_count *subwords)
{
	struct buf out = { 0 };

	for (size_t i = 0; i < words->words.n; i++) {
		size_t n, start = 0;
		const char *s = strmap_text(&words->words, (int)i, &n);

		buf_clear(&out);
		bpe_coder_word(coder, s, n, &out);
		for (size_t j = 0; j <= out.n; j++)
			if (j == out.n || out.data[j] == ' ') {
				word_count_add(subwords, out.data + start, j - start,
					       words->count[i]);
				start = j + 1;
			}
	}
	buf_release(&out);
}

int
piece_counts_write(const struct buf *codes, const struct word_count *words,
		     const char *separator, const char *path, struct err *e)
{
	struct bpe *bpe = bpe_read(codes->data, codes->n, BPE_NO_LIMIT, e);
	struct bpe_coder *coder;
	struct word_count subwords = { .room = 0 };
	struct buf b = { 0 };
	int bad;

	if (!bpe)
		return -1;
	coder = bpe_coder_new(bpe, separator);
	count_subwords(coder, words, &subwords);
	word_count_write(&subwords, &b);
	bad = output_text(path, &b, e);
	word_count_release(&subwords);
	bpe_coder_free(coder);
	bpe_free(bpe);
	return bad;
}
