/* data-sums: see data-sums.h. */
#include <stdbool.h>
#include <string.h>

#include "results/data-sums.h"
#include "stream/input.h"
#include "stream/stream.h"

/* Field i of a tab-separated line, "" if there are fewer. */
static struct str
column(const char *line, size_t n, int i)
{
	const char *end = line + n, *tab;

	for (; i > 0 && line; i--)
		line = (tab = memchr(line, '\t', (size_t)(end - line))) ? tab + 1 : NULL;
	if (!line)
		return (struct str){ "", 0 };
	tab = memchr(line, '\t', (size_t)(end - line));
	return (struct str){ line, (size_t)((tab ? tab : end) - line) };
}

static bool
data_sums_is(struct str s, const char *text)
{
	return s.n == strlen(text) && !memcmp(s.s, text, s.n);
}

static const char *const splits[] = { "train", "dev", "test" };
enum { SPLITS = 3 };

/* Marks the split whose fields are summed together in this line. */
static void
mark_split(const char *line, size_t n, bool found[SPLITS])
{
	for (int i = 0; i < SPLITS; i++)
		found[i] |= data_sums_is(column(line, n, 1), "together") &&
			    data_sums_is(column(line, n, 0), splits[i]);
}

static int
check_splits(const char *path, const bool found[SPLITS], struct err *e)
{
	for (int i = 0; i < SPLITS; i++)
		if (!found[i])
			return err_set(e, EXIT_INPUT, "%s: no line \"together\" of %s, expected "
				       "those of train, dev and test", path, splits[i]);
	return 0;
}

static void
add_sum(const char *line, size_t n, struct buf *out)
{
	const struct str split = column(line, n, 0), field = column(line, n, 1);
	const struct str sum = column(line, n, 2), pairs = column(line, n, 3);

	if (data_sums_is(field, "together"))
		buf_printf(out, "pairs.%.*s\t%.*s\ndata.%.*s\t%.*s\n", (int)split.n, split.s,
			   (int)pairs.n, pairs.s, (int)split.n, split.s, (int)sum.n, sum.s);
	else if (data_sums_is(field, "tgt.pieces"))
		buf_printf(out, "target.%.*s\t%.*s\n", (int)split.n, split.s, (int)sum.n, sum.s);
}

int
data_sums_facts(const char *path, struct buf *out, struct err *e)
{
	struct input *in = input_open(path, INPUT_UTF8, e);
	bool found[SPLITS] = { false };
	const char *line;
	size_t n;
	int r = -1;

	while (in && (r = input_line(in, &line, &n, e)) > 0) {
		if (!column(line, n, 3).n || column(line, n, 4).n) {
			r = input_error(in, e, "expected split, field, checksum and number of "
					"records, separated by tabs");
			break;
		}
		add_sum(line, n, out);
		mark_split(line, n, found);
	}
	input_close(in);
	return r ? r : check_splits(path, found, e);
}
