/*
 * tape: a record of computed operations, for automatic differentiation and relevance propagation.
 *
 * tape_apply() computes an operation, called op (op.h), at once and appends a node with its value.
 * Nodes, values and gradients are in the arena of the tape until tape_rewind().  tape_gradient()
 * walks the tape backward and computes gradients; tape_relevance() does so for relevance.
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
 * i has the rows start[i] to start[i] + len[i] - 1 of every dense matrix with this layout.  In
 * training, the rows of a sentence follow those of the previous one.  In decoding, several
 * hypotheses may share the rows of a source sentence.  There, too, each hypothesis may have a fixed
 * range of rows in a cache, of which it uses only the first len[i].
 */
struct layout {
	int n;				/* sentences, or hypotheses */
	int rows;			/* number of rows of such a matrix, including unused ones */
	const int *start, *len;		/* [n] */
	/*
	 * [rows] a key for each row.  Its random numbers are a function of the key, so that they do
	 * not depend on the rest of the batch.  NULL if no op with this layout uses random numbers.
	 */
	const uint32_t *key;
};

struct node {
	const struct op *op;		/* NULL for a leaf */
	struct node *in[NODE_MAX_IN];
	/*
	 * The number of dimensions of a dense value and their sizes: [rows, width], [width], or
	 * none for a scalar.
	 */
	int n_in, n_dim, d[NODE_MAX_DIM];
	int ld;				/* elements from one row to the next: the width, or more in
					 * a view, which shows columns of its input */
	const struct layout *rows;	/* layout of a dense matrix with a row for each token; else
					 * NULL */
	const struct prepared *prepared;	/* for a parameter: `prepared` of struct param,
						 * params.h */
	const struct param *narrow;	/* the parameter if it is narrow (params.h), so that x is
					 * NULL; else NULL */

	/*
	 * A value that is not dense consists of blocks, one array [H, T_i, S_i] for each of n
	 * sentences, with T_i = queries->len[i] and S_i = keys->len[i].  Block i begins at x +
	 * block[i], and block[n] is the number of all elements.
	 */
	const struct layout *queries, *keys;
	int heads;			/* H */
	const ptrdiff_t *block;		/* [n + 1]; NULL for dense values */

	real *x, *grad, *rel;		/* value, gradient and relevance; grad and rel are NULL
					 * until they are needed */
	real *add_to;			/* for a leaf after tape_gradients_add() (params.h): the
					 * memory to which its complete gradient will be added */
	bf16 *x16;			/* the value in bf16 after tape_round(), or NULL */
	void *saved;			/* data for the backward and relevance passes */
	const void *arg;		/* settings of the op, copied into the tape's arena */
	uint32_t id;			/* index on the tape; the random numbers of the op are a
					 * function of it */
	unsigned wants_grad:1;		/* the value depends on a leaf that has a gradient */
	unsigned parameter:1;		/* a leaf that receives no relevance */
	unsigned keep_grad:1, grad_set:1, spare:1;	/* private to the tape */
	unsigned uses;			/* number of uses as an input; private to the tape */
	const char *name;		/* for tape_find(), or NULL */
};

/*
 * What an op needs while it runs.  The caller sets all members but `tape`, and owns what they point
 * to.
 */
struct pass {
	struct arena *scratch;		/* temporary memory, rewound after each op; only the thread
					 * that runs the pass may use it */
	const struct backend *backend;
	struct pool *pool;		/* threads for the op; NULL: the calling thread only */
	uint64_t seed;
	uint32_t step;			/* number of the update; random numbers are a function of it
					 * and of the seed */
	unsigned training:1;		/* 1: dropout and other noise are applied */
	struct tape *tape;		/* the tape that is running; set by the tape */
};

struct tape;

/*
 * Makes a tape whose nodes are in the arena `mem`.  The caller owns `mem` and p, which must outlive
 * the tape.
 */
struct tape *tape_new(struct arena *mem, struct pass *p);
void tape_free(struct tape *t);
/* Removes all nodes and rewinds the arena of the tape. */
void tape_rewind(struct tape *t);
struct pass *tape_pass(struct tape *t);
/* The arena of the tape, for data that must live as long as its nodes. */
struct arena *tape_arena(struct tape *t);

/*
 * Appends a leaf with the shape d[n_dim] and the values x.  tape_gradient() adds its gradient to
 * `grad`, unless `grad` is NULL.  The caller owns x, `grad` and `name`, which must live until the
 * tape is rewound; `name` may be NULL.
 */
struct node *tape_leaf(struct tape *t, const char *name, int n_dim, const int *d, real *x,
		       real *grad);

/*
 * Applies an op to n_in inputs: appends a node and computes its value.  `arg`, the settings of the
 * op, has `arg_size` bytes and is copied.  `input[i]` may be NULL if the op allows it.
 */
struct node *tape_apply(struct tape *t, const struct op *op, int n_in, struct node *const *input,
			const void *arg, size_t arg_size);

/*
 * Sets an observer, which is called with `arg` before (`done` is false) and after (`done` is true)
 * the forward, gradient or relevance function of each op.  When it is called before a relevance
 * function, n->rel is complete.  If `watch` is NULL, there is no observer any more.
 */
enum tape_phase { TAPE_FORWARD, TAPE_GRADIENT, TAPE_RELEVANCE };
typedef void tape_watch(void *arg, const struct node *n, enum tape_phase phase, bool done);
void tape_watch_with(struct tape *t, tape_watch *watch, void *arg);

/*
 * Sets a function that tape_gradient() calls with `arg` for each leaf when its gradient is
 * complete.  If `final` is NULL, there is none any more.
 */
typedef void tape_final(void *arg, const struct node *leaf);
void tape_final_with(struct tape *t, tape_final *final, void *arg);

/*
 * tape_drop() and tape_round() free the values n->x in training.  Both do nothing outside of
 * training, for nodes of ops without OP_REPLACED (op.h), and for small nodes.  There must be no
 * views of n.
 *
 * tape_drop() frees the values.  The caller guarantees that no op will read them, neither by being
 * applied to n nor in its backward pass.  tape_round() replaces the values by n->x16, rounded to
 * bf16, if the back end rounds the factors of products to bf16.  From then on, only ops with
 * OP_READS_BF16 may be applied to n.  These round the values anyway, so their results and gradients
 * do not change.
 */
void tape_drop(struct tape *t, struct node *n);
void tape_round(struct tape *t, struct node *n);

/*
 * Names a node for tape_find(), and returns the node.  `name` must live until the tape is rewound.
 */
struct node *tape_name(struct node *n, const char *name);
/* The last node with this name on the tape, or NULL. */
struct node *tape_find(const struct tape *t, const char *name);

/*
 * Adds the gradient of `seed` * loss to `grad` of each leaf that has one.  `loss` must be a scalar.
 * The gradient of a node that is not a leaf is released once it has been propagated, so that few
 * exist at a time.  To keep the gradient of node n in n->grad, call tape_keep_gradient() before.
 */
void tape_gradient(struct tape *t, struct node *loss, real seed);
void tape_keep_gradient(struct tape *t, struct node *n);

/*
 * Propagate relevance backward from the node `result`.  tape_relevance_seeds() allocates the
 * relevance of `result`, all 0, and returns it for the caller to fill.  It has `planes` planes, one
 * for each seed, that is, for each initial relevance that is propagated independently of the
 * others.  A plane is laid out like result->x, and planes are rel_step() elements apart (op.h).
 * With LRP_ALPHABETA, relevance must not be negative.
 *
 * tape_relevance() then propagates all planes by the rule `lrp` (op.h).  Once the relevance of a
 * node has been propagated, it is released.  Leaves, and nodes of ops that propagate nothing, keep
 * their relevance in `rel`.
 */
real *tape_relevance_seeds(struct tape *t, struct node *result, int planes);
void tape_relevance(struct tape *t, struct node *result, const struct lrp *lrp);

/* The number of elements of n->x; for a view, of the part that it shows. */
size_t node_size(const struct node *n);

#endif
