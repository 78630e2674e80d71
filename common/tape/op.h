/*
 * op: the interface of a differentiable operation.
 *
 * An operation is one file, common/ops/NAME.c.  The file exports a constant, ops_NAME, of type
 * struct op, and a function, op_NAME(), which applies the op.  The Makefile finds the file and
 * writes the prototype of op_NAME() to ops/ops.h; the checkers of gradients and relevance
 * (tests/ops) find the constant.  No other file needs to be edited.
 */
#ifndef OP_H
#define OP_H

#include <stdbool.h>

#include "tape/tape.h"

/*
 * How the relevance of an output is distributed over the inputs of an op (Bach et al. 2015, On
 * Pixel-Wise Explanations, equations 58 and 60).  The contribution of an input is its term in the
 * sum that gives the output, such as w_ij x_j.
 *
 * LRP_EPSILON: an input receives the relevance times its contribution, divided by the sum of all
 * contributions, which is moved away from 0 by `eps`.
 *
 * LRP_ALPHABETA: the part `alpha` of the relevance is distributed over the positive contributions,
 * and the part `beta` over the negative ones.  If all contributions have the same sign, the part of
 * the other sign is lost.  After each op, the relevance of all its inputs is rescaled to the sum of
 * the relevance of its outputs.  Relevance is thus conserved for each seed, the output element at
 * which a pass begins, but not for each output of an op.  This is the rule in the code of Voita et
 * al. (2019).
 *
 * LRP_ALPHABETA_LOCAL: LRP_ALPHABETA without rescaling.  If all contributions have the same sign,
 * they receive all of the relevance, which is thus conserved for each output of an op.
 *
 * LRP_ATTNLRP: LRP_EPSILON, except in attention, which has the rules of Achtibat et al. (2024,
 * AttnLRP).  A product of two activations passes half of the relevance to each factor (equations 14
 * and 15).  A softmax distributes relevance by its first-order Taylor expansion (equation 13),
 * whose constant term absorbs a part.
 *
 * `norm` selects the rule for normalization: LRP_NORM_JACOBIAN uses its Jacobian,
 * LRP_NORM_FROZEN_STD treats the standard deviation as a constant, and LRP_NORM_IDENTITY passes
 * relevance through unchanged.  `bias` selects the rule for a bias: LRP_BIAS_SPREAD distributes its
 * contribution evenly over the inputs, LRP_BIAS_DROP leaves it out, and with LRP_BIAS_ABSORB, which
 * needs LRP_EPSILON or LRP_ATTNLRP, the bias keeps its share.
 */
struct lrp {
	enum { LRP_EPSILON, LRP_ALPHABETA, LRP_ALPHABETA_LOCAL, LRP_ATTNLRP } rule;
	real eps, alpha, beta;		/* alpha and beta need not sum to 1: lrp_share() divides
					 * them by their sum */
	enum { LRP_NORM_JACOBIAN, LRP_NORM_FROZEN_STD, LRP_NORM_IDENTITY } norm;
	unsigned attention_constant:1;	/* queries and keys receive no relevance */
	enum { LRP_BIAS_SPREAD, LRP_BIAS_DROP, LRP_BIAS_ABSORB } bias;
	struct flow *flow;		/* [planes] statistics of each seed with LRP_EPSILON and
					 * LRP_ATTNLRP (tensor/relevance-kernels.h); NULL: none, as
					 * it must be if the pass has several threads */
};

struct op_case;

struct op {
	const char *name;
	const char *formula;		/* one line, for nmt-info --ops and messages */
	unsigned flags;

	/*
	 * Sets the shape and the layouts of n from its inputs and n->arg.  Calls bug() if these do
	 * not fit.
	 */
	void (*infer)(struct node *n, struct arena *mem);
	/*
	 * Returns the size in bytes of n->saved, which the tape allocates, and in which forward()
	 * saves data for the backward and relevance passes.  NULL: 0 bytes.
	 */
	size_t (*saved)(const struct node *n);

	void (*forward)(struct node *n, struct pass *p);	/* computes n->x */
	/* Adds to the gradients of the inputs, given n->grad; see grad_of(). */
	void (*gradient)(struct node *n, struct pass *p);
	/* Adds to the relevance of the inputs, given n->rel; see rel_of(). */
	void (*relevance)(struct node *n, struct pass *p, const struct lrp *lrp);

	const struct op_case *cases;	/* inputs on which the checkers run the op
					 * (ops/kit/op-case.h); ends with {0} */
};

enum {
	OP_VIEW   = 1,	/* x points into the first input */
	OP_RANDOM = 2,	/* depends on seed and step in training */
	OP_LINEAR = 4,	/* a linear function of its first input, plus a constant */
	OP_LOSS   = 8,	/* a scalar loss, which propagates no relevance */
	OP_PLANES = 16,	/* relevance() handles all seeds in one call: see rel_of() */
	OP_SHIFTS = 32,	/* adds values to attention scores or weights, or selects among them,
			 * independently of activations */
	OP_REPLACED = 64,	/* gradient() does not read n->x, or can read n->x16 in its place:
				 * n->x may be freed */
	OP_READS_BF16 = 128	/* reads in[0]->x16 if in[0]->x is NULL */
};

/*
 * Functions for implementations of ops.  Those that take a struct pass may be called only by the
 * thread that runs the pass, not by the threads of its pool.
 */

/*
 * Returns the memory for the gradient of an input, laid out like input->x (rows input->ld apart),
 * or NULL if the input needs no gradient or is NULL.  If *beta becomes 0, the memory is
 * uninitialized, and the op must write all of it.  If *beta becomes 1, the op must add to it.
 */
real *grad_of(struct pass *p, struct node *input, real *beta);
/*
 * grad_of() for an op that adds its whole part of the gradient in one step, reading and writing
 * each element once.  If the input is a leaf without other uses, the part is then added directly to
 * the memory that tape_gradients_add() (params.h) was given.
 */
real *grad_of_whole(struct pass *p, struct node *input, real *beta);
/*
 * grad_of() for n inputs, for an op that then writes, or adds to, all elements of all these
 * gradients.  Stores the results in `g` and `beta`, [n] each.  Views that together show every
 * column of a node can then share the memory of its gradient without setting it to 0 first.
 */
void grads_of_whole(struct pass *p, int n, struct node *const *input, real **g, real *beta);
/*
 * Returns memory with the values of n->grad that the op may overwrite: n->grad itself, or a copy if
 * n->grad must be kept.
 */
real *grad_writable(struct pass *p, struct node *n);
/*
 * Makes the gradient of n the gradient of an input of the same shape, without copying.  Afterwards
 * n->grad is NULL.  Returns false and does nothing if the input needs no gradient or already has
 * one, or if one of the two nodes is a view or must keep its gradient.
 */
bool grad_move(struct pass *p, struct node *n, struct node *input);

/*
 * Returns the memory for the relevance of an input, laid out like input->x, to which the op adds;
 * NULL for a parameter, which receives none, and for a NULL input.
 *
 * Several seeds are propagated at once, and the relevance of each is in a plane of its own.  An op
 * without OP_PLANES is called once for each plane; rel_of() and n->rel then are the memory of that
 * plane.  An op with OP_PLANES is called once; rel_of() and n->rel then are the first of
 * rel_planes() planes, and the planes of a node are rel_step() elements apart.
 */
real *rel_of(struct pass *p, struct node *input);
int rel_planes(const struct pass *p);
ptrdiff_t rel_step(const struct node *n);
/*
 * For an op n that fuses two ops: rescales `left`, the relevance between these two, to the sum of
 * n->rel in each plane.  LRP_ALPHABETA does so after each op; with other rules nothing changes.
 * `left` has planes like those of n->rel.
 */
void rel_rescale(struct pass *p, const struct node *n, real *left);
struct share;
/*
 * Does the rule distribute relevance in proportion to all contributions, regardless of their signs?
 */
static inline bool
lrp_is_epsilon(const struct lrp *lrp)
{
	return lrp->rule == LRP_EPSILON || lrp->rule == LRP_ATTNLRP;
}
/* The rule in the form that kernels take (struct share of tensor/relevance-kernels.h). */
struct share lrp_share(const struct lrp *lrp);
/*
 * A relevance function that passes relevance on unchanged, for elementwise ops with one input
 * (ReLU, scale, dropout).
 */
void relevance_identity(struct node *n, struct pass *p, const struct lrp *lrp);
/* A relevance function that propagates nothing, for embeddings and losses. */
void relevance_none(struct node *n, struct pass *p, const struct lrp *lrp);

/*
 * The number of rows of a layout that belong to sentences, without unused rows.  Rows that several
 * hypotheses share are counted for each of them.
 */
int layout_used(const struct layout *l);

/*
 * Copies the shape, layouts and blocks of an input to n.  The rows of n are contiguous, even if the
 * input is a view.
 */
void infer_like(struct node *n, const struct node *input);
/* Ends the program with bug() and a message that names the op and the shapes of its inputs. */
void bug_shapes(const struct node *n);

/*
 * Divides n items of `width` elements into ranges of at most 16,384 elements, or of one item if an
 * item is larger.  Calls work(arg, from, to) in parallel for the items `from` to `to` - 1 of each
 * range.
 */
typedef void range_work(void *arg, int from, int to);
void pass_ranges(struct pass *p, int n, int width, range_work *work, void *arg);
/* The number of items in a range, which depends only on `width`. */
int pass_grain(int width);

/*
 * For elementwise loops over k arrays: calls work(arg, v, n) in parallel for sequences of n
 * elements that are contiguous in all arrays.  `v[i]` points to the first of them in array i.
 * Array i begins at `base[i]` and is laid out like `node[i]`->x.  All nodes have the same shape.
 */
enum { ELEMENTS_MAX = 5 };
typedef void element_work(const void *arg, real *const *v, size_t n);
void pass_elements(struct pass *p, int k, real *const *base, const struct node *const *node,
		   element_work *work, const void *arg);

/*
 * Sums over the rows of a matrix, with the same bits for any number of threads.  Each range of rows
 * has sums of its own, which are added in order at the end.  The memory is freed after the op.
 */
struct sums { real *part; int rows, width, grain, pieces; };
/* Begins sums [width] over `rows` rows, all 0. */
void sums_begin(struct sums *s, struct pass *p, int rows, int width);
/*
 * Calls work(arg, from, to) in parallel for each range of rows, which adds rows `from` to `to` - 1
 * to sums_of(s, from).
 */
void sums_run(const struct sums *s, struct pass *p, range_work *work, void *arg);
/* The sums [width] of the range of a row. */
real *sums_of(const struct sums *s, int row);
/* out = total sums + beta out, [width] */
void sums_end(const struct sums *s, struct pass *p, real beta, real *out);
/* out = column sums of g [rows, width], whose rows are `ld` elements apart, + beta out */
void pass_column_sums(struct pass *p, int rows, int width, const real *g, int ld, real beta,
		      real *out);

/*
 * Returns memory with at least `bytes` bytes for each thread of the pool, which is freed after the
 * op.  The part of thread k begins at byte k * *stride.
 */
void *pass_thread_scratch(struct pass *p, size_t bytes, size_t *stride);

#endif
