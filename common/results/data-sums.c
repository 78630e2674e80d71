/* data-sums: see data-sums.h. */
#include <stdbool.h>

#include "results/data-sums.h"
#include "stream/cells.h"
#include "stream/input.h"

static const char *const splits[] = { "train", "dev", "test" };
enum { SPLITS = 3, CELLS = 4 };

static int
check_splits(const char *path, const bool found[SPLITS], struct err *e)
{
	for (int i = 0; i < SPLITS; i++)
		if (!found[i])
			return err_set(e, EXIT_INPUT, "%s: no line \"together\" of %s, expected "
				       "those of train, dev and test", path, splits[i]);
	return 0;
}

/* Adds the facts of a line, and marks the split whose fields are summed together in it. */
static int
add_sum(struct str line, bool found[SPLITS], struct buf *out, const struct input *input,
	struct err *e)
{
	struct str cell[CELLS + 1] = { { NULL, 0 } };
	const struct str *split = &cell[0], *field = &cell[1], *sum = &cell[2], *pairs = &cell[3];

	for (int i = 0; i <= CELLS && cell_next(&line, &cell[i]); i++)
		;
	if (!pairs->n || cell[CELLS].n)
		return input_error(input, e, "expected split, field, checksum and number of "
				   "records, separated by tabs");
	if (str_is(*field, "tgt.pieces"))
		buf_printf(out, "target.%.*s\t%.*s\n", (int)split->n, split->s, (int)sum->n,
			   sum->s);
	if (!str_is(*field, "together"))
		return 0;
	buf_printf(out, "pairs.%.*s\t%.*s\ndata.%.*s\t%.*s\n", (int)split->n, split->s,
		   (int)pairs->n, pairs->s, (int)split->n, split->s, (int)sum->n, sum->s);
	for (int i = 0; i < SPLITS; i++)
		found[i] |= str_is(*split, splits[i]);
	return 0;
}

int
data_sums_facts(const char *path, struct buf *out, struct err *e)
{
	struct input *input = input_open(path, INPUT_UTF8, e);
	bool found[SPLITS] = { false };
	const char *line;
	size_t n;
	int r = -1;

	while (input && (r = input_line(input, &line, &n, e)) > 0)
		if (add_sum((struct str){ line, n }, found, out, input, e))
			break;
	input_close(input);
	return r ? -1 : check_splits(path, found, e);
}
