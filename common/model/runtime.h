/*
 * runtime: what a program needs to run a model: a back end, threads, arenas, a tape.
 */
#ifndef RUNTIME_H
#define RUNTIME_H

#include "base/arena.h"
#include "base/cli.h"
#include "base/err.h"
#include "base/pool.h"
#include "tape/tape.h"
#include "tensor/backend.h"

struct runtime {
	struct backend backend;
	struct pool *pool;
	struct arena step, scratch;	/* of the tape; of an op */
	struct pass pass;		/* not training, seed and step 0, until someone says so */
	struct tape *tape;
};

/* The row of a program's option table; the variable starts as NULL. */
#define OPT_BACKEND(p) { .kind = OPT_STRING, .long_name = "backend", .arg = "name", \
	.help = "who multiplies matrices: openblas (default), native or reference", .to = (p) }

/*
 * backend: NULL for the default; threads: 0 for all processors.  The struct must stay where it is.
 */
int runtime_open(struct runtime *r, const char *backend, int64_t threads, struct err *e) MUST_USE;
void runtime_close(struct runtime *r);

#endif
