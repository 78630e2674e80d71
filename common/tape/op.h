/*
 * op: one differentiable operation, whole.
 *
 * Everything the project knows about an operation sits in one file,
 * common/ops/NAME.c, and leaves it through one constant, ops_NAME (the function that
 * applies it is op_NAME()).  The Makefile finds the file; the tape, the gradient checker and the relevance
 * checker find the constant.  Nothing else needs to hear of it.
 */
#ifndef OP_H
#define OP_H

#include <stdbool.h>

#include "tape/tape.h"

/*
 * How relevance is shared among the inputs of an output by what each contributed (methods 6.2):
 * by its part of the sum, eps away from 0 (LRP_EPSILON); or alpha of it among the positive
 * contributions and beta among the negative ones.  Where one sign is missing the other gets all
 * (LRP_ALPHABETA_LOCAL), or its part alone, and what an op has left its inputs is then brought
 * to the sum of what came to it (LRP_ALPHABETA, as Voita et al.'s code has it: no output's
 * relevance is kept by itself, but that of each seed is).
 */
struct lrp {
	enum { LRP_EPSILON, LRP_ALPHABETA, LRP_ALPHABETA_LOCAL } rule;
	real eps, alpha, beta;		/* alpha and beta are made to sum to 1 */
	enum { LRP_NORM_JACOBIAN, LRP_NORM_FROZEN_STD, LRP_NORM_IDENTITY } norm;
	unsigned attention_constant:1;	/* nothing through query and key */
	unsigned drop_bias:1;		/* a bias takes no share (methods 6.2) */
	struct flow *flow;		/* [planes], kernels.h: epsilon counts; NULL where a pass has threads */
};

struct op_case;

struct op {
	const char *name;
	const char *formula;		/* shown by nmt-info --ops and in op(3) */
	unsigned flags;

	/* Sets n->n_dim, n->d, layouts ... from the inputs and arg; bug() if they do not fit. */
	void (*infer)(struct node *n, struct arena *mem);
	size_t (*saved)(const struct node *n);	/* bytes kept for the ways back; may be NULL */

	void (*forward)(struct node *n, struct pass *p);
	void (*gradient)(struct node *n, struct pass *p);	/* adds to in[i]->grad where in[i]->wants_grad */
	void (*relevance)(struct node *n, struct pass *p, const struct lrp *how);	/* adds to in[i]->rel */

	const struct op_case *cases;	/* what the checkers try; ends with {0} */
};

enum {
	OP_VIEW   = 1,	/* x points into an input: no memory of its own */
	OP_RANDOM = 2,	/* depends on seed and step when training */
	OP_LINEAR = 4,	/* in its first input */
	OP_LOSS   = 8,	/* a scalar that ends a graph: no relevance */
	OP_PLANES = 16,	/* its relevance takes all seeds at once: rel_planes() */
	OP_SHIFTS = 32	/* scores or weights as they come in, plus what does not depend on
			 * activations */
};

extern const struct op *const ops[];	/* all of them, NULL at the end */

/* What an op's forward, gradient and relevance stand on; all called by the calling thread only. */

/*
 * Where to leave the gradient of an input, laid out as its x is (rows in->ld apart).  *beta
 * is 0 the first time: write, what is there is noise; later 1: add.  NULL if none is wanted.
 */
real *grad_of(struct pass *p, struct node *in, real *beta);
/* n->grad as something that may be overwritten: itself, or a copy if it is to be kept. */
real *grad_writable(struct pass *p, struct node *n);
/*
 * Hands n's gradient on to an input of the same shape as it is, without a copy, if the input has
 * none yet and nobody keeps n's; false if that cannot be.  To be called last.
 */
bool grad_move(struct pass *p, struct node *n, struct node *in);

/*
 * Where to add relevance for an input, laid out as its x is; NULL for a parameter, which takes
 * none.  Several seeds are on their way at once, a plane each.  An op sees one plane at a time,
 * in n->rel and here; with OP_PLANES it sees the first of rel_planes(), and a node's next
 * begins rel_step() numbers behind.
 */
real *rel_of(struct pass *p, struct node *in);
int rel_planes(const struct pass *p);
ptrdiff_t rel_step(const struct node *n);
/*
 * For an op that is two in one: brings what the first has left, n numbers a plane, dense, to
 * the sums of what came to it, where the rule wants that of every op.
 */
void rel_rescale(struct pass *p, size_t n, const real *from, real *left);
struct share;
struct share lrp_share(const struct lrp *how);	/* the rule as the kernels know it, kernels.h */
/* Relevance goes on as it is: ops of one number in, one number out (ReLU, scale, dropout). */
void relevance_identity(struct node *n, struct pass *p, const struct lrp *how);
/* It ends here: embeddings, losses. */
void relevance_none(struct node *n, struct pass *p, const struct lrp *how);

/* Rows that sentences own: those of the dense matrix, but for gaps. */
int layout_used(const struct layout *l);

/* Copies shape, layouts and blocks of an input; rows of a view become dense. */
void infer_like(struct node *n, const struct node *in);
/* bug() that names the op and both shapes. */
void bug_shapes(const struct node *n);

/* work(arg, from, to) over 0 ... n-1, cut so that a piece has about 16,000 numbers; width: numbers each. */
typedef void range_work(void *arg, int from, int to);
void pass_ranges(struct pass *p, int n, int width, range_work *work, void *arg);
int  pass_grain(int width);			/* how many of them make a piece */

/*
 * work(arg, v, n) over runs of numbers that are contiguous in all k arrays; base[i] is laid out
 * as node[i]->x is, and all nodes have the same shape.  v[i] points at the run.
 */
enum { ELEMENTS_MAX = 5 };
typedef void element_work(const void *arg, real *const *v, size_t n);
void pass_elements(struct pass *p, int k, real *const *base, const struct node *const *node,
		   element_work *work, const void *arg);

/*
 * Sums over rows that come out the same for any number of threads: each piece of rows has sums of
 * its own, which are added in order at the end.
 */
struct sums { real *part; int rows, width, grain, pieces; };
void sums_begin(struct sums *s, struct pass *p, int rows, int width);	/* all 0 */
void sums_run(const struct sums *s, struct pass *p, range_work *work, void *arg);
real *sums_of(const struct sums *s, int from);		/* [width], of the piece that begins with row from */
void sums_end(const struct sums *s, struct pass *p, real beta, real *to);	/* to = sums + beta to */
/* to = the sums of g's columns + beta to */
void pass_column_sums(struct pass *p, int rows, int width, const real *g, int ld, real beta, real *to);

/* Room in the scratch arena for each thread; thread k's begins at k * stride bytes. */
void *pass_thread_scratch(struct pass *p, size_t bytes, size_t *stride);

#endif
