/*
 * runtime: what a program needs to run a model: a back end, threads, arenas, a tape.
 */
#ifndef RUNTIME_H
#define RUNTIME_H

#include "base/arena.h"
#include "base/cli.h"
#include "base/err.h"
#include "base/pool.h"
#include "model/model.h"
#include "tape/tape.h"
#include "tensor/backend.h"

struct runtime {
	struct backend backend;
	int precision;			/* PRECISION_*, model.h: what it came to */
	char why[192];			/* the reason, if PRECISION_AUTO chose it; else "" */
	struct pool *pool;
	struct arena step, scratch;	/* of the tape; of an op */
	struct pass pass;		/* not training, seed and step 0, until someone says so */
	struct tape *tape;
};

/* The row of a program's option table; the variable starts as NULL. */
#define OPT_BACKEND(p) { .kind = OPT_STRING, .long_name = "backend", .arg = "name", \
	.help = "matrix-product back end: native, openblas, reference or onednn", .to = (p) }

/* The same; an int, which starts as the program's default.  training_precisions leave int16 out. */
#define OPT_PRECISION(p, choices) { .kind = OPT_CHOICE, .long_name = "precision", .arg = "name", \
	.help = "precision of the factors of matrix products; auto: the fastest here", \
	.to = (p), .choice = (choices) }

enum { PRECISION_AUTO = PRECISION_BF16 + 1, PRECISION_INT16 };
extern const char *const precision_names[], *const training_precisions[];

/*
 * backend: NULL for the fastest one of that precision: in bf16 onednn where the processor
 * multiplies bf16 faster than fp32 (tensor/processor.h), else native, as in int16.  threads: 0 for
 * all processors.  The struct must stay where it is.
 *
 * PRECISION_AUTO is the fastest on this processor, with the back end if one is named: int16 where
 * there is AVX-512 VNNI, else bf16 where onednn gains by it, else fp32; in training never int16.
 */
int runtime_open(struct runtime *r, const char *backend, int precision, int64_t threads, struct err *e) MUST_USE;
int runtime_open_training(struct runtime *r, const char *backend, int precision, int64_t threads,
			  struct err *e) MUST_USE;
/* A line for people: precision, back end, and why it is those. */
void runtime_print(const struct runtime *r);
void runtime_close(struct runtime *r);

#endif
