/* tape-own: the structures of the tape, for the files in tape/ that implement tape.h. */
#ifndef TAPE_OWN_H
#define TAPE_OWN_H

#include "tape/op.h"

struct param;

struct leaf { const struct param *param; struct node *node; };

/*
 * Spare memory: n elements of a released gradient, relevance or value, which a later one of similar
 * size reuses.
 */
struct spare { real *p; size_t n; };

/*
 * The state of tape_relevance().  If `rescale` is set, the relevance that the current op gives to
 * its inputs is collected in part[], because it can only be rescaled when its sum is known.  The
 * memory `x` of a part has a plane for each seed.
 */
struct walk {
	int planes, plane;		/* number of seeds; the seed that an op without OP_PLANES is
					 * propagating */
	bool rescale;			/* the rule is LRP_ALPHABETA */
	struct { struct node *node; real *x; } part[NODE_MAX_IN];
	int n_parts;
};

struct tape {
	struct arena *mem;
	struct pass *pass;
	struct node **node;		/* [n] in the order in which they were computed */
	size_t n, room;

	real *grads;			/* block for the gradients of parameters; NULL: those of
					 * struct param */
	bool adds;			/* tape_gradients_add() was called: complete gradients are
					 * added to grads */
	struct leaf *leaf;		/* [leaf_room] hash table of the parameters that have a
					 * leaf */
	size_t n_leaves, leaf_room;

	tape_watch *watch;
	void *watch_arg;
	tape_final *final;
	void *final_arg;

	struct spare *spare;		/* [n_spare] memory that can be reused */
	size_t n_spare, spare_room;

	struct walk walk;
};

/*
 * spare_take() returns memory for n elements, not cleared, which may be spare memory of similar
 * size.  spare_give() makes memory that spare_take() returned spare.
 */
real *spare_take(struct tape *t, size_t n);
void spare_give(struct tape *t, real *p);

/*
 * Returns memory for the values of n.  n->spare is set to 1 if the memory is of spare_take(), so
 * that tape_drop() can release it.
 */
real *storage_take(struct tape *t, struct node *n);

static inline bool
node_is_view(const struct node *n)
{
	return n->op && n->op->flags & OP_VIEW;
}

static inline void
tape_notify(const struct tape *t, const struct node *n, enum tape_phase phase, bool done)
{
	if (t->watch)
		t->watch(t->watch_arg, n, phase, done);
}

#endif
