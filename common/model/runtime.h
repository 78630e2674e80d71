/* runtime: the resources to run a model: a back end, threads, arenas and a tape. */
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
	int precision;			/* PRECISION_* of model.h or below: the one in use, never
					 * PRECISION_AUTO */
	char why[RUNTIME_WHY];		/* the reason for the choice of PRECISION_AUTO, or for bf16;
					 * otherwise "" */
	struct pool *pool;
	struct arena step, scratch;	/* memory of the tape; scratch memory of ops */
	struct pass pass;		/* initially not training, with seed and step 0 */
	struct tape *tape;
};

/* A row of an option table; the variable starts as NULL. */
#define OPT_BACKEND(p) { .kind = OPT_STRING, .long_name = "backend", .arg = "name", \
	.help = "matrix-product back end: native, openblas or reference", .to = (p) }

/*
 * A row for the precision; the variable is an int, which starts as the program's default.
 * training_precisions lacks int16 and int8.
 */
#define OPT_PRECISION(p, choices) { .kind = OPT_CHOICE, .long_name = "precision", .arg = "name", \
	.help = "round operands of matrix products to this precision, or auto for the fastest", \
	.to = (p), .choice = (choices) }

enum { PRECISION_AUTO = PRECISION_BF16 + 1, PRECISION_INT16, PRECISION_INT8 };
extern const char *const precision_names[], *const training_precisions[];

/*
 * Opens a runtime.  `backend` is a name or NULL for native.  `threads`: 0 for all processors.  The
 * struct must not be moved.
 *
 * PRECISION_AUTO chooses the fastest precision on this processor with the given back end: with
 * native, int16 if the processor has AVX-512 VNNI, except in training; otherwise bf16 if it is
 * faster than fp32 (tensor/processor.h); otherwise fp32.  runtime_open_training() opens a runtime
 * for training.
 */
int runtime_open(struct runtime *r, const char *backend, int precision, int64_t threads,
		 struct err *e) MUST_USE;
int runtime_open_training(struct runtime *r, const char *backend, int precision, int64_t threads,
			  struct err *e) MUST_USE;
/*
 * The precision for a model: `option`, unless it is -1 (not given); then int8 for a model with i8
 * parameters, and fp32 for others.
 */
int precision_for(const struct model *m, int option);
/*
 * The precision in which n models translate unless the user names one: int8 if one of them has i8
 * parameters, or if int8 is faster than fp32 for all of them, with the given back end on this
 * processor (tensor/processor.h); else fp32.  `why` is set to the reason, with the option that
 * selects fp32.
 */
int precision_to_translate(struct model *const *m, int n, const char *backend,
			   char why[RUNTIME_WHY]);
/* Prints a line on standard error: precision, back end, and the reason. */
void runtime_print(const struct runtime *r);
void runtime_close(struct runtime *r);

#endif
