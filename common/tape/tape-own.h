/* tape-own: what the files of the tape share among themselves. */
#ifndef TAPE_OWN_H
#define TAPE_OWN_H

#include "tape/tape.h"

struct param;

struct leaf { const struct param *param; struct node *node; };

/* A gradient's memory, given back and waiting for the next of about its size. */
struct spare { real *p; size_t n; };

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
};

static inline void
tape_look(const struct tape *t, const struct node *n, int way, int end)
{
	if (t->watch)
		t->watch(t->watch_arg, n, way, end);
}

#endif
