/* runtime: see runtime.h. */
#include <string.h>

#include "model/runtime.h"

#ifdef REAL_DOUBLE
#define DEFAULT_BACKEND "reference"	/* the others compute in fp32 */
#else
#define DEFAULT_BACKEND "openblas"
#endif

int
runtime_open(struct runtime *r, const char *backend, int64_t threads, struct err *e)
{
	memset(r, 0, sizeof(*r));
	if (backend_open(&r->backend, backend ? backend : DEFAULT_BACKEND, e))
		return -1;
	r->pool = pool_new((int)threads);
	arena_init(&r->step, ARENA_LARGE);
	arena_init(&r->scratch, ARENA_LARGE);
	r->pass.scratch = &r->scratch;
	r->pass.backend = &r->backend;
	r->pass.pool = r->pool;
	r->tape = tape_new(&r->step, &r->pass);
	return 0;
}

void
runtime_close(struct runtime *r)
{
	tape_free(r->tape);
	arena_release(&r->step);
	arena_release(&r->scratch);
	pool_free(r->pool);
	backend_close(&r->backend);
}
