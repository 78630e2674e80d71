/* groups: see groups.h. */
#include "parser/groups.h"

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
