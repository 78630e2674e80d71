/* order: see order.h. */
#include "parser/order.h"

#include <stdlib.h>
#include <string.h>

#include "base/mem.h"

void
sentence_order_init(struct sentence_order *o, const struct treebank *b)
{
	memset(o, 0, sizeof(*o));
	corpus_order_init(&o->order);
	o->corpus.n = o->corpus.n_used = b->n;
	o->corpus.pair = xcalloc(b->n + 1, sizeof(*o->corpus.pair));
	o->corpus.used = xcalloc(b->n + 1, sizeof(*o->corpus.used));
	for (size_t i = 0; i < b->n; i++) {
		int n = b->sentence[i].n < UINT16_MAX ? b->sentence[i].n : UINT16_MAX;

		o->corpus.used[i] = (uint32_t)i;
		o->corpus.pair[i].src = o->corpus.pair[i].tgt = (uint16_t)n;
	}
}

void
sentence_order_release(struct sentence_order *o)
{
	free(o->corpus.pair);
	free(o->corpus.used);
	corpus_order_release(&o->order);
}
