/* mixture: see mixture.h. */
#include "search/mixture.h"

#include <math.h>

#include "base/rng.h"

real
mixture_entry(real *const *x, int n, int id)
{
	real max = x[0][id];
	double sum = 0;

	for (int k = 1; k < n; k++)
		max = x[k][id] > max ? x[k][id] : max;
	if (!(max > -(real)INFINITY))
		return max;
	for (int k = 0; k < n; k++)
		sum += exp((double)x[k][id] - (double)max);
	return (real)((double)max + log(sum / n));
}

real
mixture_limit(real *const *x, int n, const struct best *best)
{
	real least = INFINITY;

	for (int k = 0; k < best->n; k++) {
		const real mean = mixture_entry(x, n, best->list[k].id);

		least = mean < least ? mean : least;
	}
	return best->n < best->width ? -(real)INFINITY : least;
}

/* The mean is at most the maximum, so most entries need no exponentials. */
void
mixture_mean(real *const *x, int n, int from, int to, real least)
{
	for (int v = from; v < to; v++) {
		bool enough = false;

		for (int k = 0; k < n; k++)
			enough |= x[k][v] >= least;
		x[0][v] = enough ? mixture_entry(x, n, v) : -(real)INFINITY;
	}
}

/* The counter of the generator is the address itself, so that no two addresses share numbers. */
double
sampling_uniform(int64_t seed, int64_t record, int sample, int pos)
{
	struct rng r;

	rng_init(&r, (uint64_t)seed, rng_purpose("sampling"), (uint32_t)record);
	r.counter[0] = (uint32_t)pos;
	r.counter[1] = (uint32_t)(record >> 32) << 10 | (uint32_t)sample;
	return rng_uniform(&r);
}

/* Is a drawn from a heap before b?  Equal tokens are in the order of their ids. */
static bool
mixture_before(const struct token_weight *a, const struct token_weight *b)
{
	return a->w != b->w ? a->w > b->w : a->id < b->id;
}

/* Restores the order of a heap of n tokens below token i. */
static void
sift(struct token_weight *heap, int n, int i)
{
	const struct token_weight t = heap[i];

	for (int child; (child = 2 * i + 1) < n; i = child) {
		child += child + 1 < n && mixture_before(&heap[child + 1], &heap[child]);
		if (!mixture_before(&heap[child], &t))
			break;
		heap[i] = heap[child];
	}
	heap[i] = t;
}

/*
 * Moves the most probable of n tokens to the end of the list, the most probable last: `most` of
 * them, or fewer if these have the weight `enough`.  Returns their number; *sum gets their weight.
 */
static int
take_best(struct token_weight *list, int n, int most, double enough, double *sum)
{
	int taken = 0;

	for (int i = n / 2; i-- > 0;)
		sift(list, n, i);
	for (*sum = 0; taken < most && taken < n && (*sum < enough || !taken); taken++) {
		const struct token_weight best = list[0];
		const int last = n - 1 - taken;

		list[0] = list[last];
		sift(list, last, 0);
		list[last] = best;
		*sum += best.w;
	}
	return taken;
}

/* Restricts the tokens to the most probable ones; returns the first of them. */
static struct token_weight *
restrict_tokens(const struct sampling *s, struct token_weight *list, int *n, double *sum)
{
	if (s->top_k && s->top_k < *n) {
		const int taken = take_best(list, *n, s->top_k, INFINITY, sum);

		list += *n - taken;
		*n = taken;
	}
	if (s->top_p < 1) {
		const int taken = take_best(list, *n, *n, s->top_p * *sum, sum);

		list += *n - taken;
		*n = taken;
	}
	return list;
}

int
sampling_draw(const struct sampling *s, const real *x, int from, int to, double u,
	      struct token_weight *room)
{
	struct token_weight *list = room;
	real max = -(real)INFINITY;
	double sum = 0, at = 0;
	int n = 0;

	for (int v = from; v < to; v++)
		max = x[v] > max ? x[v] : max;
	for (int v = from; v < to; v++) {
		if (!(x[v] > -(real)INFINITY))
			continue;
		list[n] = (struct token_weight){ exp(((double)x[v] - (double)max) /
						     s->temperature), v };
		sum += list[n++].w;
	}
	if (!n)
		return -1;
	list = restrict_tokens(s, list, &n, &sum);
	for (int i = 0; i < n; i++) {
		at += list[i].w;
		if (at > u * sum)
			return list[i].id;
	}
	return list[n - 1].id;
}
