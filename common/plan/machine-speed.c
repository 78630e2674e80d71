/* machine-speed: see machine-speed.h. */
#include <time.h>

#include "base/arena.h"
#include "base/pool.h"
#include "plan/machine-speed.h"
#include "tensor/product.h"

enum { ROWS = 1024, WIDTH = 256, FF = 1024, PARTS = 15 };
#define SECONDS 0.2			/* of a part */

static double
seconds_now(void)
{
	struct timespec t;

	clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &t);
	return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}

/* Operations per second in products for about SECONDS. */
static double
speed_of_part(const struct backend *b, struct pool *pool, const struct gemm *g)
{
	const double start = seconds_now();
	struct arena scratch;
	double took, n = 0;

	arena_init(&scratch, 0);
	do {
		product(b, pool, &scratch, g, NULL, NULL);
		arena_rewind(&scratch);
		n++;
	} while ((took = seconds_now() - start) < SECONDS);
	arena_release(&scratch);
	return 2.0 * n * g->m * g->n * g->k / took;
}

double
machine_speed(void)
{
	struct pool *pool = pool_new(1);
	struct arena a;
	struct backend b;
	struct err e;
	double best = 0;

	arena_init(&a, 0);
	if (backend_open(&b, "native:bf16", &e))
		die(&e);
	const struct gemm g = {
		.m = ROWS, .n = FF, .k = WIDTH, .trans_b = true, .alpha = 1,
		.a = arena_zero(&a, ROWS * WIDTH * sizeof(real)),
		.b = arena_zero(&a, FF * WIDTH * sizeof(real)),
		.c = arena_zero(&a, ROWS * FF * sizeof(real)),
		.lda = WIDTH, .ldb = WIDTH, .ldc = FF,
	};
	for (int i = 0; i < PARTS; i++) {
		const double speed = speed_of_part(&b, pool, &g);

		best = speed > best ? speed : best;
	}
	backend_close(&b);
	pool_free(pool);
	arena_release(&a);
	return best;
}
