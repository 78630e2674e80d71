/* word-count: see word-count.h. */
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "base/mem.h"
#include "base/num.h"
#include "base/ranked.h"
#include "text/lines.h"
#include "text/word-count.h"

/*
 * The maximum of a frequency, and of the bytes of all words together, each as often as its
 * frequency: sums of frequencies of words and of subwords are then exact in double.
 */
#define MAX_COUNT (INT64_C(1) << 53)

void
word_count_release(struct word_count *c)
{
	strmap_release(&c->words);
	free(c->count);
	*c = (struct word_count){ .count = NULL };
}

void
word_count_add(struct word_count *c, const void *s, size_t n, int64_t times)
{
	const size_t before = c->words.n;
	const int id = strmap_add(&c->words, s, n);

	if (c->words.n > before) {
		c->count = mem_grow(c->count, &c->room, c->words.n, sizeof(*c->count));
		c->count[id] = 0;
	}
	c->count[id] += times;
}

void
word_count_line(struct word_count *c, const char *line, size_t n)
{
	size_t start = 0;

	line_trim(&line, &n);
	while (start < n) {
		const char *space = memchr(line + start, ' ', n - start);
		const size_t end = space ? (size_t)(space - line) : n;

		if (end > start)
			word_count_add(c, line + start, end - start, 1);
		start = end + 1;
	}
}

int
word_count_split(const char **line, size_t *n, const char *expected, int64_t max, int64_t *count,
		 struct err *e)
{
	const char *space, *end;

	line_trim(line, n);
	end = *line + *n;
	space = *n ? memchr(*line, ' ', *n) : NULL;
	if (!space)
		return err_set(e, EXIT_INPUT, "'%.*s', expected %s", (int)(*n < 60 ? *n : 60),
			       *line, expected);
	*n = (size_t)(space - *line);
	if (num_int(space + 1, (size_t)(end - space - 1), 0, max, count, e)) {
		e->status = EXIT_INPUT;
		return err_wrap(e, "frequency");
	}
	return 0;
}

int
word_count_entry(struct word_count *c, const char *line, size_t n, int64_t *total, struct err *e)
{
	int64_t times;

	if (word_count_split(&line, &n, "a word, a space and a frequency", MAX_COUNT, &times, e))
		return -1;
	if (times > (MAX_COUNT - *total) / (int64_t)n)
		return err_set(e, EXIT_INPUT, "the words until here, as often as their frequencies,"
			       " have more than 2^53 bytes, expected lower frequencies");
	*total += times * (int64_t)n;
	word_count_add(c, line, n, times);
	return 0;
}

void
word_count_merge(struct word_count *total, const struct word_count *part)
{
	for (size_t i = 0; i < part->words.n; i++) {
		size_t n;
		const char *s = strmap_text(&part->words, (int)i, &n);

		word_count_add(total, s, n, part->count[i]);
	}
}

void
word_count_write(const struct word_count *c, struct buf *out)
{
	struct ranked *list = xcalloc(c->words.n ? c->words.n : 1, sizeof(*list));

	for (size_t i = 0; i < c->words.n; i++)
		list[i] = (struct ranked){ (double)c->count[i], i };
	ranked_sort(list, c->words.n);
	for (size_t i = 0; i < c->words.n; i++) {
		size_t n;
		const char *s = strmap_text(&c->words, (int)list[i].at, &n);

		buf_add(out, s, n);
		buf_printf(out, " %" PRId64 "\n", c->count[list[i].at]);
	}
	free(list);
}
