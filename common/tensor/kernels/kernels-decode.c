/*
 * kernels-decode: cached keys and values, attention of a query, and the largest elements of a row.
 */
#include "tensor/kernels.h"

#include <math.h>
#include <string.h>

#include "tensor/fast/fast.h"
#include "tensor/int8.h"

size_t
k_cached_size(struct cached form)
{
	const size_t width = (size_t)form.heads * (size_t)form.d;

	return form.bytes ? whole_lines(cached_units(form.heads) + 2 * width)
			  : 2 * width * sizeof(real);
}

void
k_cached_put(struct cached form, const real *kv, void *row)
{
	const int groups = 2 * form.heads, d = form.d;
	int8_t *q = (int8_t *)row + cached_units(form.heads);
	real *unit = row;

	if (!form.bytes) {
		memcpy(row, kv, (size_t)groups * (size_t)d * sizeof(*kv));
		return;
	}
	for (int i = 0; i < groups; i++, kv += d, q += d) {
		unit[i] = k_unit_int8(d, kv);
		k_to_int8(d, kv, unit[i], 0, q);
	}
}

void
k_cached_get(struct cached form, const void *row, real *kv)
{
	const int groups = 2 * form.heads, d = form.d;
	const int8_t *q = (const int8_t *)row + cached_units(form.heads);
	const real *unit = row;

	if (!form.bytes)
		memcpy(kv, row, (size_t)groups * (size_t)d * sizeof(*kv));
	for (int i = 0; form.bytes && i < groups * d; i++)
		kv[i] = unit[i / d] * q[i];
}

/* Whole vectors are stored. */
size_t
k_query_room(int n)
{
	return ((size_t)n + 15) & ~(size_t)15;
}

/* kv [n, 2, heads * d] has the keys and values as real numbers. */
void
slow_query(const struct query *q, const real *kv, real *room)
{
	const int d = q->form.d, width = q->form.heads * d;

	for (int h = 0; h < q->form.heads; h++) {
		for (int s = 0; s < q->n; s++) {
			double sum = 0;

			for (int j = h * d; j < (h + 1) * d; j++)
				sum += (double)q->q[j] * kv[2 * s * width + j];
			room[s] = (real)(q->scale * sum +
					 (q->bias ? (double)q->bias[h * q->bias_step + s] : 0));
		}
		slow_softmax(q->n, room, room);
		for (int j = h * d; j < (h + 1) * d; j++) {
			double sum = 0;

			for (int s = 0; s < q->n; s++)
				sum += (double)room[s] * kv[(2 * s + 1) * width + j];
			q->out[j] = (real)sum;
		}
	}
}

void
best_init(struct best *b, struct scored *list, int width)
{
	*b = (struct best){ .list = list, .width = width, .max = -(real)INFINITY };
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
