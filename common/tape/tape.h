/*
 * tape: what was computed, in order, so that it can be walked back.
 *
 * Applying an op computes its value at once and appends a node.  Nodes, values
 * and gradients live in the tape's arena until tape_rewind().  Walking back
 * gives gradients (tape_gradient) or relevance (tape_relevance).
 */
#ifndef TAPE_H
#define TAPE_H

#include <stddef.h>
#include <stdint.h>

#include "base/arena.h"
#include "tensor/real.h"

#define NODE_MAX_IN  6
#define NODE_MAX_DIM 4

struct op;
struct prepared;
struct lrp;
struct backend;
struct pool;

/*
 * A batch is packed: the real tokens of all its sentences, no padding.
 * Sentence i has the rows start[i] ... start[i] + len[i] - 1 of every dense
 * matrix that follows this layout.  In training the sentences stand one after
 * another; in decoding several hypotheses may share the rows of one sentence, or
 * each own a stretch of a cache that is not full yet (rows between them unused).
 */
struct layout {
	int n;				/* sentences, or hypotheses */
	int rows;			/* of the dense matrix, unused ones counted */
	const int *start, *len;		/* [n] */
	const uint32_t *key;		/* [rows]: addresses a row's randomness whatever shares the batch; NULL if nothing random follows */
};

struct node {
	const struct op *op;		/* NULL for a leaf */
	struct node *in[NODE_MAX_IN];
	int n_in, n_dim, d[NODE_MAX_DIM];	/* dense: [rows, width], [width], [] for a scalar (n_dim 0) */
	int ld;				/* dense matrices: from one row to the next; the width unless it is a view */
	const struct layout *rows;	/* of a dense matrix of tokens, else NULL */
	const struct prepared *prepared;	/* of a parameter: see params.h */

	/* Set on blocks: one [H, T_i, S_i] a sentence, T_i = queries->len[i], S_i = keys->len[i]. */
	const struct layout *queries, *keys;
	int heads;
	const ptrdiff_t *block;		/* [n+1]: sentence i's block is x + block[i]; block[n] is the size */

	real *x, *grad, *rel;		/* grad and rel only once asked for */
	void *saved;			/* what the op keeps for the way back */
	const void *arg;		/* the op's own settings, copied into the tape's arena */
	uint32_t id;			/* position on the tape; addresses the op's randomness */
	unsigned wants_grad:1;		/* it, or something it came from, is trained */
	unsigned parameter:1;		/* a leaf that takes no relevance */
	unsigned keep_grad:1, grad_set:1;	/* the tape's own */
	const char *name;		/* or NULL; tape_find() */
};

/* What an op may use while it runs. */
struct pass {
	struct arena *scratch;		/* rewound after every op; for the calling thread only */
	const struct backend *backend;
	struct pool *pool;
	uint64_t seed;
	uint32_t step;			/* of the update; addresses randomness */
	unsigned training:1;		/* dropout and other noise are on */
	struct tape *tape;		/* the one at work; set by the tape */
};

struct tape;

/* mem and p stay the caller's and must outlive the tape. */
struct tape *tape_new(struct arena *mem, struct pass *p);
void tape_free(struct tape *t);
void tape_rewind(struct tape *t);		/* forgets all nodes, rewinds the arena */
struct pass *tape_pass(struct tape *t);
struct arena *tape_arena(struct tape *t);	/* for what must live as long as the nodes */

/*
 * A leaf over the caller's numbers.  grad may be NULL (then it is not trained);
 * otherwise gradients are added there.
 */
struct node *tape_leaf(struct tape *t, const char *name, int n_dim, const int *d, real *x, real *grad);

/* Appends and computes.  arg, of arg_size bytes, is copied; in[i] may be NULL where the op allows it. */
struct node *tape_apply(struct tape *t, const struct op *op, int n_in, struct node *const *in,
			const void *arg, size_t arg_size);

/*
 * For measuring: called before (end 0) and after (end 1) each op's forward (way 0), gradient
 * (way 1) and relevance (way 2: before it n->rel is complete).  NULL turns it off.
 */
typedef void tape_watch(void *arg, const struct node *n, int way, int end);
void tape_watch_with(struct tape *t, tape_watch *watch, void *arg);

/*
 * Called by tape_gradient() for each leaf whose gradient is complete: nothing more of this walk
 * comes to it.  NULL turns it off.
 */
typedef void tape_final(void *arg, const struct node *leaf);
void tape_final_with(struct tape *t, tape_final *final, void *arg);

struct node *tape_name(struct node *n, const char *name);	/* names it; returns n */
struct node *tape_find(const struct tape *t, const char *name);	/* the last of that name, or NULL */

/*
 * Adds the gradient of seed * loss (a scalar) to the grad of every leaf that has
 * one.  A node's own gradient is gone once it has been passed on, unless keep_grad
 * was asked for it, so that the peak stays near the largest few.
 */
void tape_gradient(struct tape *t, struct node *loss, real seed);
void tape_keep_gradient(struct tape *t, struct node *n);	/* before tape_gradient: n->grad is there afterwards */

/*
 * Walks relevance back from `from`, whose rel the caller has filled: a plane a seed, laid out
 * as its x is, rel_step() numbers (op.h) behind the one before, none of them negative.  Seeds
 * do not touch each other.  A node's own is gone once it has been passed on; what has come to a
 * leaf, and to an op that passes nothing on, is there afterwards in its rel.
 */
real *tape_relevance_seeds(struct tape *t, struct node *from,
			   int planes);	/* from->rel, zeroed */
void tape_relevance(struct tape *t, struct node *from, const struct lrp *how);

size_t node_size(const struct node *n);		/* numbers in x (of a view: in what it shows) */

#endif
