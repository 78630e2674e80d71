/* panel: any bytes are a table or are refused; the table is complete and can be drawn. */
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "draw/heat-map.h"

#include "fuzz.h"

/* There are at most as many words as subwords, and each word has a label. */
static void
merge(const struct axis *pieces)
{
	struct axis words = { 0 };
	int *word = axis_word(pieces);

	axis_words(pieces, word, &words);
	must(words.n == word[pieces->n - 1] + 1 && words.n <= pieces->n);
	axis_release(&words);
	free(word);
}

static void
draw(const struct panel *m)
{
	const struct heat_map h = { .panel = m, .n = 1, .numbers = m->rows->n < 4 };
	struct heat_map_size size;
	struct buf svg = { 0 };
	struct err e;

	if (heat_map_draw(&h, &svg, &size, &e))
		must(e.status == EXIT_INPUT);
	else
		must(size.width > 0 && size.height > 0 && !memchr(svg.data, 0, svg.n));
	buf_release(&svg);
}

int
LLVMFuzzerTestOneInput(const uint8_t *data, size_t n)
{
	struct axis rows = { 0 }, columns = { 0 };
	struct panel m = { 0 };
	struct err e;
	struct input *in = input_memory("fuzz", data, n, INPUT_UTF8, &e);

	if (!in)
		return 0;
	if (panel_read(&m, &rows, &columns, in, &e)) {
		must(e.status == EXIT_INPUT);
	} else {
		must(rows.n > 0 && columns.n > 0);
		merge(&rows);
		merge(&columns);
		draw(&m);
	}
	panel_release(&m);
	axis_release(&rows);
	axis_release(&columns);
	input_close(in);
	return 0;
}
