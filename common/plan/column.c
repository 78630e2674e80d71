/* column: CORPUS.PAIR[@SIZE[.DRAW]]; see plan.h. */
#include <string.h>

#include "plan/plan.h"
#include "stream/input.h"

const char *
column_size(const char *column)
{
	const char *at = strrchr(column, '@');

	return at && at[1] && !at[1 + strspn(at + 1, "0123456789.")] ? at + 1 : NULL;
}

const char *
column_whole(struct arena *a, const char *column)
{
	const char *size = column_size(column);

	return size ? text_copy(a, column, (size_t)(size - 1 - column)) : column;
}

const char *
column_pair(struct arena *a, const char *column)
{
	const char *whole = column_whole(a, column), *dot = strrchr(whole, '.');

	return dot ? dot + 1 : "";
}

const char *
column_corpus(struct arena *a, const char *column)
{
	const char *whole = column_whole(a, column), *dot = strrchr(whole, '.');

	return dot ? text_copy(a, whole, (size_t)(dot - whole)) : whole;
}

const char *
column_language(struct arena *a, const char *column, const char *side)
{
	const char *pair = column_pair(a, column), *dash = strchr(pair, '-');

	if (!dash)
		return pair;
	return !strcmp(side, "tgt") ? dash + 1 : text_copy(a, pair, (size_t)(dash - pair));
}

const char *
text_of_file(struct arena *a, const char *path)
{
	struct buf b = { 0 };
	const char *line;
	struct err e;
	struct input *in = input_open(path, 0, &e);
	size_t n;

	if (!in)
		return NULL;
	while (input_line(in, &line, &n, &e) > 0) {
		if (b.n)
			buf_add_char(&b, ' ');
		buf_add(&b, line, n);
	}
	input_close(in);
	return text_take(a, &b);
}
