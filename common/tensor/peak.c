/* peak: see peak.h. */
#include "tensor/peak.h"

#include "base/pool.h"
#include "tensor/fast/fast.h"

enum { ROUNDS = 1000000, TRIES = 5 };	/* a few milliseconds per try; the best one counts */

static void
do_loop(void *arg, int piece, int thread)
{
	double *flops = arg;
	real sink = 1;

	(void)thread;
	if (piece)
		FASTEST(fma_loop)(ROUNDS, &sink);
	else
		*flops = FASTEST(fma_loop)(ROUNDS, &sink);
}

double
peak_flops(struct pool *pool, double (*clock)(void))
{
	double best = 0, flops = 0;

	for (int i = 0; i < TRIES; i++) {
		double start = clock(), took;

		pool_run(pool, pool_threads(pool), do_loop, &flops);
		took = clock() - start;
		if (took > 0 && flops * pool_threads(pool) / took > best)
			best = flops * pool_threads(pool) / took;
	}
	return best;
}
