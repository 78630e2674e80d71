/*
 * head-table: any bytes are a stream of kind head and become a table, or are refused.  The table
 * has one line per head; correlation coefficients are at most 1, and probabilities are from 0 to
 * 1.
 */
#include <math.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdlib.h>

#include "analysis/head-pairs.h"

#include "fuzz.h"

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
	struct buf tsv = { 0 }, markdown = { 0 }, latex = { 0 };

	head_table_tsv(t, &tsv);
	head_table_layout(t, TABLE_MARKDOWN, &markdown);
	head_table_layout(t, TABLE_LATEX, &latex);
	must(lines(&tsv) == t->n + 1 && lines(&markdown) == t->n + 2);
	must(lines(&latex) == t->n + 6);
	buf_release(&latex);
	buf_release(&tsv);
	buf_release(&markdown);
}

enum { FEW = 12 };			/* measures; the number of pairs is quadratic */

static void
check(const struct rank_correlation *c)
{
	must(isnan(c->rho) == isnan(c->tau) && isnan(c->rho) == isnan(c->rho_p) &&
	     isnan(c->rho) == isnan(c->tau_p));
	if (!isnan(c->rho))
		must(fabs(c->rho) < 1 + 1e-9 && fabs(c->tau) < 1 + 1e-9 && c->rho_p > 0 &&
		     c->rho_p <= 1 &&
		     c->tau_p > 0 && c->tau_p <= 1);
}

static void
compare(const struct head_table *t)
{
	struct buf text = { 0 };
	struct head_pairs p;
	struct err e;

	if (head_pairs_init(&p, t, true, &e)) {
		must(e.status == EXIT_INPUT);
	} else {
		head_pairs_count(&p, 3, 1);
		for (size_t g = 0; g < p.n_groups; g++)
			for (size_t b = 0; b < p.n; b++)
				for (size_t a = 0; a < b; a++)
					check(&head_pairs_at(&p, g, a, b)->c);
		head_pairs_tsv(&p, &text);
		head_pairs_layout(&p, TABLE_MARKDOWN, &text);
		head_pairs_layout(&p, TABLE_LATEX, &text);
	}
	head_pairs_release(&p);
	buf_release(&text);
}

int
LLVMFuzzerTestOneInput(const uint8_t *data, size_t n)
{
	struct head_table t;
	struct err e;
	struct reader *in = reader_memory("fuzz", data, n, "head", NULL, &e);

	if (!in)
		return 0;
	t = (struct head_table){ 0 };
	if (head_table_read(&t, in, &e))
		must(e.status == EXIT_INPUT);
	else
		write_table(&t);
	if (t.n_columns <= FEW)
		compare(&t);
	head_table_release(&t);
	reader_close(in);
	return 0;
}
