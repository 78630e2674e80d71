/* buckets: see buckets.h. */
#include "ops/kit/buckets.h"

#include <math.h>

#include "tensor/kernels.h"

static int
bucket_row(const struct distance_bias *rule, int head)
{
	return rule->head ? rule->head[head] : head;
}

bool
buckets_fit(const struct distance_bias *rule, const struct node *table, int heads)
{
	if (table->n_dim != 2 || table->ld != table->d[1] || table->d[1] % 4 ||
	    rule->most <= table->d[1] / 2)
		return false;
	for (int h = 0; h < heads; h++)
		if (bucket_row(rule, h) >= table->d[0])
			return false;
	return true;
}

/* Of a distance key - query.  The logarithms are floats, as in the papers' implementations. */
static int
bucket_of(const struct distance_bias *rule, int buckets, int distance)
{
	int n = rule->both ? buckets / 2 : buckets, exact = n / 2, bucket = 0;
	float ratio;

	if (rule->both && distance > 0)
		bucket = n;
	else
		distance = distance > 0 ? 0 : -distance;
	if (distance < exact)
		return bucket + distance;
	ratio = logf((float)distance / (float)exact) / (float)log((double)rule->most / exact);
	exact += (int)(ratio * (float)(n - exact));
	return bucket + (exact < n ? exact : n - 1);
}

struct buckets
buckets_new(struct arena *mem, const struct distance_bias *rule, struct node *table, int heads,
	    int longest)
{
	const int reach = longest > 0 ? longest - 1 : 0, n = 2 * reach + 1;
	struct buckets b = { .rule = rule, .table = table, .reach = reach };
	real *to;

	b.bucket = ARENA_ARRAY(mem, int, n);
	for (int i = 0; i < n; i++)
		b.bucket[i] = bucket_of(rule, table->d[1], i - reach);
	to = b.bias = ARENA_ARRAY(mem, real, (size_t)heads * (size_t)n);
	for (int h = 0; h < heads; h++) {
		const real *row = table->x + (ptrdiff_t)bucket_row(rule, h) * table->d[1];

		for (int i = 0; i < n; i++)
			*to++ = row[b.bucket[i]];
	}
	return b;
}

void
buckets_begin(struct buckets *b, struct pass *p, int sentences)
{
	const size_t size = (size_t)sentences * node_size(b->table);

	if (!b->table->wants_grad)
		return;
	b->part = ARENA_ARRAY(p->scratch, real, size);
	k_zero(size, b->part);
}

void
buckets_collect(const struct buckets *b, int sentence, int head, const real *sum)
{
	const size_t size = node_size(b->table);
	real *row = b->part + (size_t)sentence * size +
		    (ptrdiff_t)bucket_row(b->rule, head) * b->table->d[1];

	for (int i = 0; i <= 2 * b->reach; i++)
		row[b->bucket[i]] += sum[i];
}

void
buckets_end(const struct buckets *b, struct pass *p, int sentences)
{
	real beta, *to = b->part ? grad_of(p, b->table, &beta) : NULL;
	const size_t size = to ? node_size(b->table) : 0;

	if (to && beta == 0)
		k_zero(size, to);
	for (int i = 0; to && i < sentences; i++)
		k_add(size, to, b->part + (size_t)i * size, to);
}
