/* peak: see peak.h. */
#include "tensor/peak.h"

#include "base/pool.h"
#include "tensor/backend/backend.h"
#include "tensor/bf16-tiles.h"
#include "tensor/fast/fast.h"
#include "tensor/processor.h"

enum { ROUNDS = 1000000, TRIES = 5 };	/* a few milliseconds per try; the best one counts */

struct loop { enum bf16_unit unit; double flops; };

static double
run_loop(const struct loop *l)
{
	float few = 1;
	real sink = 1;

	switch (l->unit) {
	case BF16_AMX: return amx_loop(ROUNDS / 4, &few);
	case BF16_AVX512: return bf16_loop(ROUNDS, &few);
	default: return FASTEST(fma_loop)(ROUNDS, &sink);
	}
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

/* The units that a back end with these caps multiplies with: it rounds by itself if it has them. */
static enum bf16_unit
unit_of(unsigned caps)
{
	if (!(caps & BACKEND_BF16) || !(caps & BACKEND_ROUNDS))
		return BF16_NONE;
	return caps & BACKEND_MATRIX_UNITS ? BF16_AMX : BF16_AVX512;
}

double
peak_flops(struct pool *pool, unsigned caps, double (*clock)(void))
{
	struct loop l = { .unit = unit_of(caps) };
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
