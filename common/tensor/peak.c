/* peak: see peak.h. */
#include "tensor/peak.h"

#include "base/pool.h"
#include "tensor/bf16-tiles.h"
#include "tensor/fast/fast.h"

enum { ROUNDS = 1000000, TRIES = 5 };	/* a few milliseconds per try; the best one counts */

struct loop { bool pairs; double flops; };

static double
run_loop(const struct loop *l)
{
	float few = 1;
	real sink = 1;

	return l->pairs ? bf16_loop(ROUNDS, &few) : FASTEST(fma_loop)(ROUNDS, &sink);
}

static void
do_loop(void *arg, int piece, int thread)
{
	struct loop *l = arg;

	(void)thread;
	if (piece)
		run_loop(l);
	else
		l->flops = run_loop(l);
}

double
peak_flops(struct pool *pool, bool pairs, double (*clock)(void))
{
	struct loop l = { .pairs = pairs && fast_bf16() };
	double best = 0;

	for (int i = 0; i < TRIES; i++) {
		double start = clock(), took;

		pool_run(pool, pool_threads(pool), do_loop, &l);
		took = clock() - start;
		if (took > 0 && l.flops * pool_threads(pool) / took > best)
			best = l.flops * pool_threads(pool) / took;
	}
	return best;
}
