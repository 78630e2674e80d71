/*
 * op: the interface of a differentiable operation.
 *
 * An operation is one file, common/ops/NAME.c, which exports one constant, ops_NAME, and the
 * function that applies it, op_NAME().  The Makefile finds the file, and writes its prototype to
 * ops/ops.h.  The tape and the checkers of gradients and relevance find the constant.  No other
 * file needs to be edited.
 */
#ifndef OP_H
#define OP_H

#include <stdbool.h>

#include "tape/tape.h"

/*
 * How the relevance of an output is distributed over its inputs, by their contributions (Bach et
 * al. 2015, On Pixel-Wise Explanations, equations 58 and 60):
 *
 * LRP_EPSILON: in proportion to the contributions, divided by their sum, which is moved away from 0
 * by eps.
 *
 * LRP_ALPHABETA: alpha over the positive contributions, beta over the negative ones.  If all have
 * the same sign, the other part is not distributed; the relevance of all inputs of an op is then
 * rescaled to the sum of its outputs.  Relevance is conserved for each seed, but not for each
 * output.  This is the rule of the code of Voita et al.
 *
 * LRP_ALPHABETA_LOCAL: the same, but if all contributions have the same sign, they receive all of
 * the relevance.  It is conserved for each output.
 *
 * LRP_ATTNLRP: LRP_EPSILON, but attention is propagated by the rules of Achtibat et al. (2024,
 * AttnLRP): a product of two activations passes half of the relevance to each factor (equations 14
 * and 15), and a softmax its first-order Taylor expansion (equation 13).  The constant term of that
 * expansion absorbs relevance.
 *
 * LRP_BIAS_SPREAD distributes the contribution of a bias evenly over the inputs, and LRP_BIAS_DROP
 * leaves it out.  With LRP_BIAS_ABSORB, which needs LRP_EPSILON or LRP_ATTNLRP, the bias keeps its
 * share.
 */
struct lrp {
	enum { LRP_EPSILON, LRP_ALPHABETA, LRP_ALPHABETA_LOCAL, LRP_ATTNLRP } rule;
	real eps, alpha, beta;		/* alpha and beta are normalized to sum 1 */
	enum { LRP_NORM_JACOBIAN, LRP_NORM_FROZEN_STD, LRP_NORM_IDENTITY } norm;
	unsigned attention_constant:1;	/* queries and keys receive no relevance */
	enum { LRP_BIAS_SPREAD, LRP_BIAS_DROP, LRP_BIAS_ABSORB } bias;
	struct flow *flow;		/* [planes] statistics of LRP_EPSILON and LRP_ATTNLRP
					 * (struct flow of tensor/kernels.h); NULL if a pass has
					 * several threads */
};

struct op_case;

struct op {
	const char *name;
	const char *formula;		/* one line, for nmt-info --ops and messages */
	unsigned flags;

	/* Sets the shape and the layouts of n from its inputs and arg; bug() if they do not fit. */
	void (*infer)(struct node *n, struct arena *mem);
	/*
	 * Returns the number of bytes that n saves for the backward and relevance passes, at
	 * n->saved; may be NULL.
	 */
	size_t (*saved)(const struct node *n);

	void (*forward)(struct node *n, struct pass *p);
	/* Adds to in[i]->grad if in[i]->wants_grad. */
	void (*gradient)(struct node *n, struct pass *p);
	/* Adds to in[i]->rel. */
	void (*relevance)(struct node *n, struct pass *p, const struct lrp *lrp);

	const struct op_case *cases;	/* for the checkers; ends with {0} */
};

enum {
	OP_VIEW   = 1,	/* x points into the first input */
	OP_RANDOM = 2,	/* depends on seed and step in training */
	OP_LINEAR = 4,	/* linear in its first input */
	OP_LOSS   = 8,	/* a scalar that ends a graph, without relevance */
	OP_PLANES = 16,	/* its relevance function handles all seeds at once: rel_planes() */
	OP_SHIFTS = 32,	/* adds to scores or weights, or selects among them, independently of
			 * activations */
	OP_REPLACED = 64,	/* its gradient does not read n->x, or reads n->x16 instead */
	OP_READS_BF16 = 128	/* reads in[0]->x16 where in[0]->x is NULL */
};

/* Functions for implementations of ops, to be called by the calling thread only. */

/*
 * Returns the memory for the gradient of an input, laid out as its x (rows input->ld apart), or
 * NULL if it needs none.  *beta is 0 the first time, when the memory is uninitialized and must be
 * written, and 1 later, when the gradient must be added.
 */
real *grad_of(struct pass *p, struct node *input, real *beta);
/*
 * The same for an op that reads and writes each element of the gradient once, and so adds all of
 * its part at once.  A leaf without another use then needs no memory of its own for
 * tape_gradients_add().
 */
real *grad_of_whole(struct pass *p, struct node *input, real *beta);
/*
 * grad_of() of n inputs, for an op that then writes, or adds to, all elements of all of them.  If
 * the inputs are views that together show all of a node, the memory of its gradient need not be set
 * to 0 first.
 */
void grads_of_whole(struct pass *p, int n, struct node *const *input, real **g, real *beta);
/*
 * Returns memory with n->grad that may be overwritten: n->grad itself, or a copy if it must be
 * kept.
 */
real *grad_writable(struct pass *p, struct node *n);
/*
 * Makes the gradient of n that of an input of the same shape, without copying it.  Returns false if
 * the input already has a gradient, or if n's must be kept.  Must be the last use of n->grad.
 */
bool grad_move(struct pass *p, struct node *n, struct node *input);

/*
 * Returns the memory for the relevance of an input, laid out as its x, to which the op adds; NULL
 * for a parameter, which receives none.  Several seeds are propagated at once, each in its own
 * plane.  An op handles one plane at a time, here and in n->rel.  With OP_PLANES both are the first
 * of rel_planes() planes, and the planes of a node are rel_step() elements apart.
 */
real *rel_of(struct pass *p, struct node *input);
int rel_planes(const struct pass *p);
ptrdiff_t rel_step(const struct node *n);
/*
 * For a fused op n: rescales `left`, the relevance between its two parts, as LRP_ALPHABETA does
 * between ops, to the sums of n->rel.  `left` has planes like those of n->rel.
 */
void rel_rescale(struct pass *p, const struct node *n, real *left);
struct share;
/* Is relevance divided by the sum of all contributions, of both signs? */
static inline bool
lrp_is_epsilon(const struct lrp *lrp)
{
	return lrp->rule == LRP_EPSILON || lrp->rule == LRP_ATTNLRP;
}
/* The rule as the kernels take it (tensor/kernels.h). */
struct share lrp_share(const struct lrp *lrp);
/* Passes relevance on unchanged, for elementwise ops of one input (ReLU, scale, dropout). */
void relevance_identity(struct node *n, struct pass *p, const struct lrp *lrp);
/* Propagates nothing: embeddings, losses. */
void relevance_none(struct node *n, struct pass *p, const struct lrp *lrp);

/* The number of rows of a layout that sentences use. */
int layout_used(const struct layout *l);

/* Copies shape, layouts and blocks of an input.  The result of a view is dense. */
void infer_like(struct node *n, const struct node *input);
/* Ends the program with a message that names the op and the shapes of its inputs. */
void bug_shapes(const struct node *n);

/*
 * Calls work(arg, from, to) for ranges of 0 ... n-1, in parallel.  Items have `width` elements; a
 * range has about 16,000 elements.
 */
typedef void range_work(void *arg, int from, int to);
void pass_ranges(struct pass *p, int n, int width, range_work *work, void *arg);
/* The number of items in a range. */
int pass_grain(int width);

/*
 * Calls work(arg, v, n) for sequences of n elements that are contiguous in all k arrays, in
 * parallel; v[i] points into array i.  `base[i]` is laid out as `node[i]`->x, and all nodes have
 * the same shape.
 */
enum { ELEMENTS_MAX = 5 };
typedef void element_work(const void *arg, real *const *v, size_t n);
void pass_elements(struct pass *p, int k, real *const *base, const struct node *const *node,
		   element_work *work, const void *arg);

/*
 * Sums over rows with the same bits for any number of threads: each range of rows has its own sums,
 * which are added in order at the end.
 */
struct sums { real *part; int rows, width, grain, pieces; };
/* Sets all sums to 0. */
void sums_begin(struct sums *s, struct pass *p, int rows, int width);
/* Calls work(arg, from, to) for the ranges of rows, in parallel; it adds to sums_of(s, from). */
void sums_run(const struct sums *s, struct pass *p, range_work *work, void *arg);
/* The sums [width] of the range that begins with a row. */
real *sums_of(const struct sums *s, int row);
/* out = sums + beta out */
void sums_end(const struct sums *s, struct pass *p, real beta, real *out);
/* out = column sums of g [rows, width] + beta out */
void pass_column_sums(struct pass *p, int rows, int width, const real *g, int ld, real beta,
		      real *out);

/* Scratch memory for each thread; that of thread k begins at k * stride bytes. */
void *pass_thread_scratch(struct pass *p, size_t bytes, size_t *stride);

#endif
