/* prefix: see prefix.h. */
#include "search/prefix.h"

#include <string.h>

int
prefix_input(const struct model *m)
{
	const int first = m->config.first;

	return first == TARGET_BOS ? VOCAB_BOS : first == TARGET_EOS ? VOCAB_EOS : -1;
}

int
prefix_check(const struct model *m, const int *prefix, int n, int max, struct err *e)
{
	const int first = m->first_token[1] != NULL;

	if (n > max) {
		err_set(e, EXIT_INPUT, "prefix has %d tokens, expected at most %d", n - first,
			max - first);
		err_hint(e, "--max-ratio and --max-extra limit the length, up to the model's");
		return -1;
	}
	for (int k = 0; k < n; k++)
		if (prefix[k] < VOCAB_UNK || prefix[k] >= m->tgt.n)
			return err_set(e, EXIT_INPUT, "prefix has token %d, expected %d to %d",
				       prefix[k], VOCAB_UNK, m->tgt.n - 1);
	return 0;
}

void
prefix_put_first(const struct model *m, int n, const int *const **prefix, const int **prefix_n,
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
prefix_drop_first(const struct model *m, int n, struct translation *out)
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
