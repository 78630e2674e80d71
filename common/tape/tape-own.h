/* tape-own: the structures of the tape, for the files that implement it. */
#ifndef TAPE_OWN_H
#define TAPE_OWN_H

#include "tape/op.h"

struct param;

struct leaf { const struct param *param; struct node *node; };

/* Released memory of a gradient or of relevance, which a later one of similar size reuses. */
struct spare { real *p; size_t n; };

/*
 * The state of tape_relevance().  With rescale, the relevance that the current op gives to its
 * inputs is collected in part[] until its sum is known.
 */
struct walk {
	int planes, plane;		/* number of seeds; the current one without OP_PLANES */
	bool rescale;			/* for LRP_ALPHABETA */
	struct { struct node *node; real *x; } part[NODE_MAX_IN];
	int n_parts;
};

struct tape {
	struct arena *mem;
	struct pass *pass;
	struct node **node;		/* [n] in the order in which they were computed */
	size_t n, room;

	real *grads;			/* for gradients of parameters; NULL: param.grad */
	bool adds;			/* complete gradients are added to grads */
	struct leaf *leaf;		/* hash table of parameters with a leaf */
	size_t n_leaves, leaf_room;

	tape_watch *watch;
	void *watch_arg;
	tape_final *final;
	void *final_arg;

	struct spare *spare;		/* [n_spare] */
	size_t n_spare, spare_room;

	struct walk walk;
};

/* Memory for n elements, not cleared; reuses spare memory of similar size. */
real *spare_take(struct tape *t, size_t n);
void spare_give(struct tape *t, real *p);

/* Memory for the values of n; n->spare tells whether it can be released. */
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
