/* kept-batches: see kept-batches.h. */
#include "analysis/kept-batches.h"

#include <stdlib.h>

#include "base/mem.h"

void
kept_batches_begin(struct kept_batches *k, struct model *m)
{
	*k = (struct kept_batches){ .m = m };
	arena_init(&k->mem, 0);
}

void
kept_batches_release(struct kept_batches *k)
{
	if (!k->m)
		return;
	for (size_t i = 0; i < k->n; i++) {
		for (int j = 0; j < k->batch[i].n; j++)
			record_free(k->batch[i].rec[j]);
		free(k->batch[i].rec);
		free(k->batch[i].number);
	}
	arena_release(&k->mem);
	free(k->batch);
	*k = (struct kept_batches){ .m = NULL };
}

int
kept_batches_add(struct kept_batches *k, const struct record *const *rec, int n,
		 const struct batch_rules *rules, struct err *e)
{
	struct kept_batch *x;

	k->batch = mem_grow(k->batch, &k->room, k->n + 1, sizeof(*k->batch));
	x = &k->batch[k->n++];
	*x = (struct kept_batch){ .n = n, .rec = xcalloc((size_t)n, sizeof(struct record *)),
				  .number = xcalloc((size_t)n, sizeof(*x->number)) };
	for (int i = 0; i < n; i++) {
		x->number[i] = k->sentences + i;
		x->rec[i] = record_new();
		if (record_copy(x->rec[i], rec[i]))
			return err_set(e, EXIT_INPUT, "record %lld: cannot be copied",
				       (long long)x->number[i] + 1);
	}
	k->sentences += n;
	return model_batch(k->m, &x->batch, &k->mem, (const struct record *const *)x->rec,
			   x->number, n, rules, e);
}

int
kept_batches_take(struct kept_batches *k, const struct forced *f,
		  const struct record *const *rec, int n, struct err *e)
{
	const struct batch_rules rules = forced_rules(f);

	return kept_batches_add(k, rec, n, &rules, e) ? err_wrap(e, "%s", reader_name(f->in)) : 0;
}
