/* kernels-decode: attention of a query, and the largest elements of a row. */
#include "tensor/kernels.h"

#include <math.h>

#include "tensor/fast/fast.h"

/* Whole vectors are stored. */
size_t
k_query_room(int n)
{
	return ((size_t)n + 15) & ~(size_t)15;
}

void
k_query(const struct query *q, real *room)
{
	FASTEST(k_query)(q, room);
}

void
slow_query(const struct query *q, real *room)
{
	for (int h = 0; h < q->heads; h++) {
		for (int s = 0; s < q->n; s++) {
			double sum = 0;

			for (int j = h * q->d; j < (h + 1) * q->d; j++)
				sum += (double)q->q[j] * q->row[s][q->key + j];
			room[s] = (real)(q->scale * sum);
		}
		slow_softmax(q->n, room, room);
		for (int j = h * q->d; j < (h + 1) * q->d; j++) {
			double sum = 0;

			for (int s = 0; s < q->n; s++)
				sum += (double)room[s] * q->row[s][q->value + j];
			q->out[j] = (real)sum;
		}
	}
}

void
best_init(struct best *b, struct scored *list, int width)
{
	*b = (struct best){ .list = list, .width = width, .max = -(real)INFINITY };
}

void
k_best(struct best *b, int first, int n, const real *x, int from, int to)
{
	FASTEST(k_best)(b, first, n, x, from, to);
}

/* Sorts by insertion, and rescales the sum to the new maximum. */
void
slow_best(struct best *b, int first, int n, const real *x, int from, int to)
{
	double log_sum = b->sum > 0 ? log(b->sum) + (double)b->max : -(double)INFINITY;

	for (int i = 0; i < n; i++) {
		const int id = first + i;

		b->max = x[i] > b->max ? x[i] : b->max;
		if (id < from || id >= to || !(x[i] > -(real)INFINITY))
			continue;
		if (b->n == b->width && x[i] <= b->list[b->n - 1].x)
			continue;
		b->n += b->n < b->width;
		b->list[b->n - 1] = (struct scored){ x[i], id };
		for (int k = b->n - 1; k > 0 && b->list[k].x > b->list[k - 1].x; k--) {
			struct scored s = b->list[k];

			b->list[k] = b->list[k - 1];
			b->list[k - 1] = s;
		}
	}
	b->sum = exp(log_sum - (double)b->max);
	for (int i = 0; i < n; i++)
		b->sum += exp((double)x[i] - b->max);
}

real
best_log_sum(const struct best *b)
{
	return (real)(b->max + log(b->sum));
}

void
best_log_probs(struct best *b)
{
	const real shift = best_log_sum(b);

	if (isnan(shift))
		b->n = 0;
	for (int i = 0; i < b->n; i++)
		b->list[i].x -= shift;
}
