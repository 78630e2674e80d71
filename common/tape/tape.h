/*
 * tape: a record of computed operations, for automatic differentiation.
 *
 * Applying an op computes its value at once and appends a node.  Nodes, values and gradients live
 * in the tape's arena until tape_rewind().  Walking the tape backward gives gradients
 * (tape_gradient()) or relevance (tape_relevance()).
 */
#ifndef TAPE_H
#define TAPE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/arena.h"
#include "tensor/bf16.h"
#include "tensor/real.h"

#define NODE_MAX_IN  6
#define NODE_MAX_DIM 4

struct op;
struct param;
struct prepared;
struct lrp;
struct backend;
struct pool;

/*
 * The rows of a packed batch, which has the tokens of all its sentences without padding.  Sentence
 * i has the rows start[i] ... start[i] + len[i] - 1 of every dense matrix with this layout.  In
 * training the sentences are adjacent.  In decoding several hypotheses may share the rows of one
 * sentence, or each may have a part of a cache that is not full yet, with unused rows in between.
 */
struct layout {
	int n;				/* sentences, or hypotheses */
	int rows;			/* number of rows of the dense matrix, including unused
					 * ones */
	const int *start, *len;		/* [n] */
	/*
	 * [rows] the key of each row, of which its random numbers are a function, so that they do
	 * not depend on the batch; NULL if no op with this layout is random.
	 */
	const uint32_t *key;
};

struct node {
	const struct op *op;		/* NULL for a leaf */
	struct node *in[NODE_MAX_IN];
	/* A dense value has n_dim dimensions: [rows, width], [width], or none for a scalar. */
	int n_in, n_dim, d[NODE_MAX_DIM];
	int ld;				/* stride between rows; the width unless it is a view */
	const struct layout *rows;	/* of a dense matrix of tokens, else NULL */
	const struct prepared *prepared;	/* of a parameter, see params.h */
	const struct param *narrow;	/* the parameter if it is narrow, else NULL; x is NULL */

	/*
	 * Blocks have one [H, T_i, S_i] for each sentence, T_i = queries->len[i] and
	 * S_i = keys->len[i].  Block i begins at x + block[i]; block[n] is the total size.
	 */
	const struct layout *queries, *keys;
	int heads;
	const ptrdiff_t *block;		/* [n+1], or NULL for dense values */

	real *x, *grad, *rel;		/* grad and rel are NULL until needed */
	real *add_to;			/* for a leaf: the memory to which tape_gradients_add() adds
					 * grad */
	bf16 *x16;			/* tape_round() */
	void *saved;			/* data for the backward and relevance passes */
	const void *arg;		/* settings of the op, copied into the tape's arena */
	uint32_t id;			/* index on the tape, of which the random numbers of the op
					 * are a function */
	unsigned wants_grad:1;		/* a trained parameter is among its ancestors */
	unsigned parameter:1;		/* a leaf that receives no relevance */
	unsigned keep_grad:1, grad_set:1, spare:1;	/* private to the tape */
	unsigned uses;			/* number of uses as an input; private, too */
	const char *name;		/* for tape_find(), or NULL */
};

/* The environment of an op while it runs. */
struct pass {
	struct arena *scratch;		/* rewound after each op; for the calling thread only */
	const struct backend *backend;
	struct pool *pool;
	uint64_t seed;
	uint32_t step;			/* number of the update, of which random numbers are a
					 * function */
	unsigned training:1;		/* enables dropout and other noise */
	struct tape *tape;		/* the running tape; set by the tape */
};

struct tape;

/* The caller owns mem and p, which must outlive the tape. */
struct tape *tape_new(struct arena *mem, struct pass *p);
void tape_free(struct tape *t);
/* Removes all nodes and rewinds the arena. */
void tape_rewind(struct tape *t);
struct pass *tape_pass(struct tape *t);
/* The arena, for data that must live as long as the nodes. */
struct arena *tape_arena(struct tape *t);

/*
 * Appends a leaf with the caller's values x.  Gradients are added to `grad`; if `grad` is NULL, the
 * leaf is not trained.
 */
struct node *tape_leaf(struct tape *t, const char *name, int n_dim, const int *d, real *x,
		       real *grad);

/*
 * Appends a node and computes its value.  `arg`, of `arg_size` bytes, is copied.  `input[i]` may be
 * NULL if the op allows it.
 */
struct node *tape_apply(struct tape *t, const struct op *op, int n_in, struct node *const *input,
			const void *arg, size_t arg_size);

/*
 * An observer that is called before (`done` false) and after (`done` true) each op's forward,
 * gradient or relevance function.  Before the relevance function, n->rel is complete.  NULL turns
 * it off.
 */
enum tape_phase { TAPE_FORWARD, TAPE_GRADIENT, TAPE_RELEVANCE };
typedef void tape_watch(void *arg, const struct node *n, enum tape_phase phase, bool done);
void tape_watch_with(struct tape *t, tape_watch *watch, void *arg);

/* Called by tape_gradient() for each leaf when its gradient is complete.  NULL turns it off. */
typedef void tape_final(void *arg, const struct node *leaf);
void tape_final_with(struct tape *t, tape_final *final, void *arg);

/*
 * tape_drop() and tape_round() free memory of a node in training.  Both do nothing outside of
 * training, and for nodes of ops without OP_REPLACED.  There must be no views of n.
 *
 * tape_drop() releases the values: the caller guarantees that neither another op nor the backward
 * pass of an op that was applied to n needs them.  tape_round() replaces them by values in bf16,
 * n->x16, if the back end rounds the factors of products to bf16.  From then on, only ops with
 * OP_READS_BF16 may be applied to n; their results and gradients do not change.
 */
void tape_drop(struct tape *t, struct node *n);
void tape_round(struct tape *t, struct node *n);

/* Names a node and returns it.  `name` must outlive the tape. */
struct node *tape_name(struct node *n, const char *name);
/* The last node with this name, or NULL. */
struct node *tape_find(const struct tape *t, const char *name);

/*
 * Adds the gradient of `seed` * loss to the grad of each leaf that has one.  `loss` must be a
 * scalar.  The gradient of an inner node is released once it has been propagated, so that few of
 * them exist at a time; tape_keep_gradient() before this call keeps it in n->grad.
 */
void tape_gradient(struct tape *t, struct node *loss, real seed);
void tape_keep_gradient(struct tape *t, struct node *n);

/*
 * Propagates relevance backward from a node.  tape_relevance_seeds() allocates result->rel, zeroed,
 * with a plane for each seed; the caller then fills it.  A plane is laid out as result->x, planes
 * are rel_step() elements apart (op.h), and values must not be negative.  Seeds are independent of
 * each other.  The relevance of an inner node is released once it has been propagated.  Leaves, and
 * ops that propagate nothing, keep theirs in rel.
 */
real *tape_relevance_seeds(struct tape *t, struct node *result, int planes);
void tape_relevance(struct tape *t, struct node *result, const struct lrp *lrp);

/* The number of elements of x; for a view, of the part that it shows. */
size_t node_size(const struct node *n);

#endif
