/* ptb: any bytes are an error or trees, which are consistent and can be written and read again. */
#include <stdlib.h>
#include <string.h>

#include "trees/ptb.h"

#include "fuzz.h"

/* Checks that subtrees and their word spans are nested. */
static void
look(const struct tree *t)
{
	must(t->n > 1 && t->n_words > 0 && t->node[0].parent == -1 && t->node[0].last == t->n - 1);
	for (int i = 0; i < t->n; i++) {
		const struct tree_node *p = &t->node[i];
		const struct tree_node *up = p->parent < 0 ? p : &t->node[p->parent];

		must(p->parent < i && (p->parent >= 0 || i == 0));
		must(p->last >= i && p->last <= up->last);
		must(p->first < p->end && p->first >= up->first && p->end <= up->end);
		must(!up->leaf || up == p);
		must(!p->leaf || (p->last == i && p->end == p->first + 1 && *p->label));
		must(p->leaf || p->last > i);
	}
}

static void
must_read_alike(const struct buf *text, const void *data, size_t n, unsigned flags)
{
	struct tree t = { .n = 0 };
	struct buf again = { 0 };
	struct ptb_reader *r;
	struct err e;

	r = ptb_open_memory("fuzz", data, n, flags, &e);
	must(r && ptb_next(r, &t, &e) == 1);
	tree_write(&t, &again);
	must(again.n == text->n && !memcmp(again.data, text->data, text->n));
	must(ptb_next(r, &t, &e) == 0);
	ptb_close(r);
	buf_release(&again);
	tree_release(&t);
}

static void
read_field(const uint8_t *data, size_t n, unsigned flags)
{
	struct tree t = { .n = 0 };
	struct buf text = { 0 };
	struct err e;

	if (ptb_parse(&t, (const char *)data, n, flags, &e)) {
		must(e.status == EXIT_INPUT);
	} else {
		look(&t);
		tree_write(&t, &text);
		must_read_alike(&text, data, n, flags);
		must_read_alike(&text, text.data, text.n, PTB_KEEP_FUNCTIONS);
	}
	buf_release(&text);
	tree_release(&t);
}

static void
read_file(const uint8_t *data, size_t n)
{
	struct tree t = { .n = 0 };
	struct err e;
	struct ptb_reader *r = ptb_open_memory("fuzz", data, n, 0, &e);
	int more;

	if (!r)
		return;
	while ((more = ptb_next(r, &t, &e)) > 0) {
		look(&t);
		must(ptb_line(r) > 0);
	}
	must(!more || e.status == EXIT_INPUT);
	ptb_close(r);
	tree_release(&t);
}

int
LLVMFuzzerTestOneInput(const uint8_t *data, size_t n)
{
	read_field(data, n, 0);
	read_field(data, n, PTB_KEEP_FUNCTIONS);
	read_file(data, n);
	return 0;
}
