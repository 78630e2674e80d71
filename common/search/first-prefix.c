/* first-prefix: see first-prefix.h. */
#include "search/first-prefix.h"

#include <string.h>

void
first_prefix_put(const struct model *m, int n, const int *const **prefix, const int **prefix_n,
		 struct arena *mem)
{
	const char *first = m->first_token[1];
	const int **with;
	int *with_n;

	if (!first)
		return;
	with = ARENA_ARRAY(mem, const int *, n);
	with_n = ARENA_ARRAY(mem, int, n);
	for (int i = 0; i < n; i++) {
		const int given = *prefix ? (*prefix_n)[i] : 0;
		int *id = ARENA_ARRAY(mem, int, given + 1);

		id[0] = vocab_id(&m->tgt, first, strlen(first));
		for (int k = 0; k < given; k++)
			id[1 + k] = (*prefix)[i][k];
		with[i] = id;
		with_n[i] = given + 1;
	}
	*prefix = with;
	*prefix_n = with_n;
}

void
first_prefix_drop(const struct model *m, int n, struct translation *out)
{
	for (int i = 0; m->first_token[1] && i < n; i++)
		for (int k = 0; k < out[i].n; k++) {
			struct hypothesis *h = &out[i].best[k];

			if (!h->n)
				continue;
			h->id++;
			h->n--;
		}
}
