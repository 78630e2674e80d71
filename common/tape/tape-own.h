/* tape-own: what the files of the tape share among themselves. */
#ifndef TAPE_OWN_H
#define TAPE_OWN_H

#include "tape/op.h"

struct param;

struct leaf { const struct param *param; struct node *node; };

/*
 * A gradient's memory, or that of relevance, given back and waiting for the next of about its
 * size.
 */
struct spare { real *p; size_t n; };

/* Relevance on its way: what the op at work leaves its inputs, apart until the whole is known. */
struct walk {
	int planes, plane;		/* of the seeds; the one at work where an op takes them one
					 * by one */
	bool rescale;			/* what an op leaves is brought to the sum of what came to
					 * it */
	struct { struct node *node; real *x; } part[NODE_MAX_IN];
	int n_parts;
};

struct tape {
	struct arena *mem;
	struct pass *pass;
	struct node **node;
	size_t n, room;

	real *grads;			/* where parameters' gradients go; NULL: to the parameters' own */
	struct leaf *leaf;		/* hash table of the parameters met so far */
	size_t n_leaves, leaf_room;

	tape_watch *watch;
	void *watch_arg;
	tape_final *final;
	void *final_arg;

	struct spare *spare;
	size_t n_spare, spare_room;

	struct walk walk;
};

/* n numbers, not cleared, from what was given back if there is a piece of about that size. */
real *spare_take(struct tape *t, size_t n);
void spare_give(struct tape *t, real *p);

static inline bool
node_is_view(const struct node *n)
{
	return n->op && n->op->flags & OP_VIEW;
}

static inline void
tape_notify(const struct tape *t, const struct node *n, int way, int end)
{
	if (t->watch)
		t->watch(t->watch_arg, n, way, end);
}

#endif
