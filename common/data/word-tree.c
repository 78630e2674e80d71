/* word-tree: see word-tree.h. */
#include "data/word-tree.h"

#include <stdio.h>

#include "stream/fields.h"
#include "trees/conllu.h"
#include "trees/piece-heads.h"

static int
subwords_of(const struct batch *b, int i, bool source)
{
	return source ? b->src.layout.len[i] - b->src_end : b->tgt.layout.len[i] - 1;
}

static int
word_read_tree(const struct record *rec, const struct side_fields *f, int n, struct word_tree *t,
	       struct err *e)
{
	size_t n_words, n_subwords;

	if (record_ints(rec, f->heads, &t->head, &n_words) ||
	    record_ints(rec, f->word, &t->word, &n_subwords))
		return err_set(e, EXIT_INPUT, "%s without %s", f->heads, f->word);
	if (n_subwords != (size_t)n)
		return err_set(e, EXIT_INPUT, "%s has %zu elements, expected one for each of %d "
			       "subwords", f->word, n_subwords, n);
	t->words = (int)n_words;
	t->subwords = n;
	if (pieces_check(t->word, n, t->words, e))
		return err_wrap(e, "%s", f->word);
	return dep_check(t->head, t->words, e) ? err_wrap(e, "%s", f->heads) : 0;
}

int
word_tree_of(const struct batch *b, int i, bool source, struct word_tree *t, struct err *e)
{
	const struct side_fields *f = &side_fields[!source];

	*t = (struct word_tree){ .head = NULL };
	if (!record_has(b->record[i], f->heads))
		return 0;
	if (word_read_tree(b->record[i], f, subwords_of(b, i, source), t, e))
		return err_wrap(e, "record %lld", (long long)b->number[i] + 1);
	return 0;
}

void
treeless_report(const struct batch *b, const char *field, const char *site, struct means *y)
{
	char name[128];

	snprintf(name, sizeof(name), "dev.treeless.%s", site);
	for (int i = 0; i < b->n; i++)
		means_add(y, name, !record_has(b->record[i], field), 1);
}
