/* head-table: a stream of kind head of any bytes becomes a table or is refused; the table is written as text, a line a head. */
#include <stdbool.h>
#include <stdint.h>
#include <stdlib.h>

#include "analysis/head-table.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t n);

static void
must(bool yes)
{
	if (!yes)
		abort();
}

static size_t
lines(const struct buf *text)
{
	size_t n = 0;

	for (size_t i = 0; i < text->n; i++)
		n += text->data[i] == '\n';
	return n;
}

static void
write_table(const struct head_table *t)
{
	struct buf tsv = { 0 }, markdown = { 0 };

	head_table_tsv(t, &tsv);
	head_table_markdown(t, &markdown);
	must(lines(&tsv) == t->n + 1 && lines(&markdown) == t->n + 2);
	buf_release(&tsv);
	buf_release(&markdown);
}

int
LLVMFuzzerTestOneInput(const uint8_t *data, size_t n)
{
	struct head_table t;
	struct err e;
	struct reader *in = reader_memory("fuzz", data, n, "head", NULL, 0, &e);

	if (!in)
		return 0;
	head_table_init(&t);
	if (head_table_read(&t, in, &e))
		must(e.status == EXIT_INPUT);
	else
		write_table(&t);
	head_table_release(&t);
	reader_close(in);
	return 0;
}
