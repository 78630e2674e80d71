/* link-order: see link-order.h. */
#include "data/link-order.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/mem.h"

void
link_order_release(struct link_order *o)
{
	free(o->memory);
}

/* Sorts v and returns the number of pairs that were in the wrong order; scratch has room for n. */
static uint64_t
sort_count(int *v, int *scratch, size_t n)
{
	const size_t half = n / 2;
	uint64_t wrong = 0;
	size_t i = 0, k = half, at = 0;

	if (n < 2)
		return 0;
	wrong = sort_count(v, scratch, half) + sort_count(v + half, scratch, n - half);
	while (i < half && k < n)
		if (v[k] < v[i]) {
			wrong += half - i;
			scratch[at++] = v[k++];
		} else {
			scratch[at++] = v[i++];
		}
	memcpy(scratch + at, v + i, (half - i) * sizeof(*v));
	memcpy(v, scratch, (at + half - i) * sizeof(*v));
	return wrong;
}

void
link_order_add(struct link_order *o, const struct link_set *links)
{
	const size_t n = links->n;
	double share;

	if (n < 2)
		return;
	o->memory = mem_grow(o->memory, &o->room, 2 * n, sizeof(*o->memory));
	for (size_t i = 0; i < n; i++)		/* sorted by target, then by source */
		o->memory[i] = links->v[i].source;
	share = (double)sort_count(o->memory, o->memory + n, n) /
		((double)n * (double)(n - 1) / 2);
	o->sentences++;
	o->sum += share;
	o->squares += share * share;
}

double
link_order_mean(const struct link_order *o)
{
	return o->sentences ? o->sum / (double)o->sentences : 0;
}

double
link_order_error(const struct link_order *o)
{
	const double n = (double)o->sentences, mean = link_order_mean(o);

	if (o->sentences < 2)
		return 0;
	return sqrt(fmax(o->squares / n - mean * mean, 0) / (n - 1));
}
