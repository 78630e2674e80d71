/*
 * runtime: what a program needs to run a model: a matrix-product back end, threads, arenas and a
 * tape.
 */
#ifndef RUNTIME_H
#define RUNTIME_H

#include "base/arena.h"
#include "base/cli.h"
#include "base/err.h"
#include "base/pool.h"
#include "model/model.h"
#include "tape/tape.h"
#include "tensor/backend/backend.h"

enum { RUNTIME_WHY = 192 };

struct runtime {
	struct backend backend;
	int precision;			/* the precision in use, PRECISION_* of model.h or below;
					 * never PRECISION_AUTO */
	char why[RUNTIME_WHY];		/* one line for users: why PRECISION_AUTO chose `precision`,
					 * or whether this processor multiplies bf16 faster; "" if
					 * there is nothing to say */
	struct pool *pool;
	struct arena step, scratch;	/* memory of the tape; temporary memory of ops */
	struct pass pass;		/* initially not training, with seed and step 0 */
	struct tape *tape;
};

/*
 * A row of an option table (base/cli.h) for --backend.  `p` is the address of a string that starts
 * as NULL.
 */
#define OPT_BACKEND(p) { .kind = OPT_STRING, .long_name = "backend", .arg = "name", \
	.help = "matrix-product back end: native, openblas or reference", .to = (p) }

/*
 * A row for --precision.  `p` is the address of an int that starts as the program's default.
 * `choices` is precision_names or, in programs that train, training_precisions, which lacks int16
 * and int8.
 */
#define OPT_PRECISION(p, choices) { .kind = OPT_CHOICE, .long_name = "precision", .arg = "name", \
	.help = "round operands of matrix products to this precision, or auto for the fastest", \
	.to = (p), .choice = (choices) }

enum { PRECISION_AUTO = PRECISION_BF16 + 1, PRECISION_INT16, PRECISION_INT8 };
extern const char *const precision_names[], *const training_precisions[];

/*
 * Opens a runtime, which the caller closes with runtime_close().  `backend` is a name, or NULL for
 * native (reference in a build with REAL_DOUBLE).  `threads` is the number of threads; 0 means one
 * for each processor that the process may use.  *r has pointers to itself, so it must not be copied
 * or moved.
 *
 * PRECISION_AUTO chooses the fastest precision on this processor.  With native this is int16 if the
 * processor has AVX-512 VNNI, except in training; otherwise bf16 if it is faster than fp32
 * (tensor/processor.h); otherwise fp32.  With other back ends it is fp32.  runtime_open_training()
 * opens a runtime for training.
 */
int runtime_open(struct runtime *r, const char *backend, int precision, int64_t threads,
		 struct err *e) MUST_USE;
int runtime_open_training(struct runtime *r, const char *backend, int precision, int64_t threads,
			  struct err *e) MUST_USE;
/*
 * The precision in which to run a model.  `option` is that of the user, or -1 if none was given;
 * then it is int8 for a model with i8 parameters, and fp32 for others.
 */
int precision_for(const struct model *m, int option);
/*
 * The precision in which n models translate if the user specifies none.  It is int8 if one of them
 * has i8 parameters, or if int8 is faster than fp32 for all of them with this back end on this
 * processor (tensor/processor.h); else fp32.  `why` is set to the reason.  For int8, the reason
 * also names the option that selects fp32.
 */
int precision_to_translate(struct model *const *m, int n, const char *backend,
			   char why[RUNTIME_WHY]);
/* Prints a line on standard error: the precision, the back end, and r->why. */
void runtime_print(const struct runtime *r);
void runtime_close(struct runtime *r);

#endif
