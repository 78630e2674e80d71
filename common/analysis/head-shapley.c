/* head-shapley: see head-shapley.h. */
#include "analysis/head-shapley.h"

#include <math.h>
#include <stdlib.h>

#include "base/mem.h"
#include "base/rng.h"

void
head_shapley_begin(struct head_shapley *x, size_t heads, int64_t permutations, uint64_t seed)
{
	const size_t n = (size_t)permutations * heads;
	const uint32_t purpose = rng_purpose("shapley");

	*x = (struct head_shapley){ .heads = heads, .permutations = permutations };
	x->order = xcalloc(n + 1, sizeof(*x->order));
	x->increase = xcalloc(n + 1, sizeof(*x->increase));
	for (int64_t i = 0; i < permutations; i++) {
		struct rng r;

		rng_init(&r, seed, purpose, (uint32_t)i);
		rng_permutation(&r, x->order + (size_t)i * heads, heads);
	}
}

void
head_shapley_release(struct head_shapley *x)
{
	free(x->order);
	free(x->increase);
	*x = (struct head_shapley){ .heads = 0 };
}

static void
add_permutation(struct head_shapley *x, int64_t which, struct gated_loss *g, struct tape *t,
		const struct batch *b, double whole)
{
	const uint32_t *order = x->order + (size_t)which * x->heads;
	double *increase = x->increase + (size_t)which * x->heads, before = whole;

	for (size_t i = 0; i < x->heads; i++) {
		double loss;

		g->gates[order[i]] = 0;
		loss = gated_loss_of(g, t, b);
		increase[order[i]] += loss - before;
		before = loss;
	}
	for (size_t i = 0; i < x->heads; i++)
		g->gates[i] = 1;
}

void
head_shapley_add(struct head_shapley *x, struct gated_loss *g, struct tape *t,
		 const struct batch *b, double whole)
{
	for (int64_t i = 0; i < x->permutations; i++)
		add_permutation(x, i, g, t, b, whole);
}

double
head_shapley_of(const struct head_shapley *x, size_t head, double *error)
{
	const double n = (double)x->permutations;
	double sum = 0, squares = 0, mean;

	for (int64_t i = 0; i < x->permutations; i++)
		sum += x->increase[(size_t)i * x->heads + head];
	mean = x->permutations ? sum / n : 0;
	for (int64_t i = 0; i < x->permutations; i++) {
		const double d = x->increase[(size_t)i * x->heads + head] - mean;

		squares += d * d;
	}
	if (error)
		*error = x->permutations > 1 ? sqrt(squares / (n - 1) / n) : NAN;
	return mean;
}
