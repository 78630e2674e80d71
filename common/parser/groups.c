/* counts: counts by key, and integers grouped by key; see counts.h. */
#include <stdlib.h>

#include "base/mem.h"
#include "parser/counts.h"

int64_t
counts_add(struct counts *t, const void *key, size_t n, int64_t count)
{
	size_t old = t->key.n;
	int id = strmap_add(&t->key, key, n);

	t->count = mem_grow(t->count, &t->room, t->key.n, sizeof(*t->count));
	if ((size_t)id == old)
		t->count[id] = 0;
	return t->count[id] += count;
}

void
counts_release(struct counts *t)
{
	strmap_release(&t->key);
	free(t->count);
}

struct groups
group_by(const int *key, int n, int n_keys, struct arena *mem)
{
	struct groups g = { arena_zero(mem, ((size_t)n_keys + 2) * sizeof(int)),
			    ARENA_ARRAY(mem, int, n) };

	for (int i = 0; i < n; i++)
		g.start[key[i] + 2]++;
	for (int k = 0; k < n_keys; k++)
		g.start[k + 2] += g.start[k + 1];
	for (int i = 0; i < n; i++)
		g.item[g.start[key[i] + 1]++] = i;
	return g;
}
