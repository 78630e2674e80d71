/* piece-counts: see piece-counts.h. */
#include "bpe/piece-counts.h"

#include <stdbool.h>
#include <string.h>

#include "base/num.h"
#include "base/utf8.h"
#include "text/lines.h"

static int
piece_counts_read_line(const char *s, size_t n, piece_counts_take *take, void *arg, struct err *e)
{
	const size_t bad = utf8_check(s, n);
	const char *space;
	int64_t count;

	if (bad < n)
		return err_set(e, EXIT_INPUT, "byte %zu is not UTF-8", bad + 1);
	while (n > 0 && line_is_edge(s[n - 1]))
		n--;
	while (n > 0 && line_is_edge(*s))
		s++, n--;
	space = n ? memchr(s, ' ', n) : NULL;
	if (!space)
		return err_set(e, EXIT_INPUT, "'%.*s', expected a subword and a frequency",
			       (int)(n < 60 ? n : 60), s);
	if (num_int(space + 1, (size_t)(s + n - space - 1), 0, INT64_MAX, &count, e)) {
		e->status = EXIT_INPUT;
		return err_wrap(e, "frequency");
	}
	return take(arg, s, (size_t)(space - s), count, e);
}

int
piece_counts_read(const char *text, size_t n, piece_counts_take *take, void *arg, struct err *e)
{
	const char *s = text, *const end = text + n;

	for (size_t line = 1; s < end; line++) {
		const char *nl = memchr(s, '\n', (size_t)(end - s));
		const size_t len = (size_t)((nl ? nl : end) - s);

		if (piece_counts_read_line(s, len, take, arg, e))
			return err_wrap(e, "line %zu", line);
		s += len + (nl != NULL);
	}
	return 0;
}
