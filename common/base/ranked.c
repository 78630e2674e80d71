/* ranked: see ranked.h. */
#include "base/ranked.h"

#include <stdlib.h>

static int
ranked_compare(const void *a, const void *b)
{
	const struct ranked *x = a, *y = b;

	return x->value != y->value ? (x->value < y->value) - (x->value > y->value)
				    : (x->at > y->at) - (x->at < y->at);
}

void
ranked_sort(struct ranked *r, size_t n)
{
	qsort(r, n, sizeof(*r), ranked_compare);
}
