/* relevance: walking the tape back with relevance in the place of gradients (methods 6.2). */
#include "base/err.h"
#include "tape/op.h"
#include "tape/tape-own.h"
#include "tensor/kernels.h"

static int
is_view(const struct node *n)
{
	return n->op && n->op->flags & OP_VIEW;
}

/* Rewound with the tape; a second walk uses the same memory again. */
static real *
cleared(struct tape *t, struct node *n)
{
	if (is_view(n)) {
		n->rel = cleared(t, n->in[0]) + (n->x - n->in[0]->x);
		return n->rel;
	}
	if (!n->rel)
		n->rel = ARENA_ARRAY(t->mem, real, node_size(n));
	if (!n->rel_set)
		k_zero(node_size(n), n->rel);
	n->rel_set = 1;
	return n->rel;
}

real *
rel_of(struct pass *p, struct node *in)
{
	return in && !in->parameter ? cleared(p->tape, in) : NULL;
}

struct share
lrp_share(const struct lrp *how)
{
	real sum = how->alpha + how->beta;

	return (struct share){
		.signs = how->rule == LRP_ALPHABETA, .eps = how->eps,
		.alpha = sum != 0 ? how->alpha / sum : (real)0.5, .beta = sum != 0 ? how->beta / sum : (real)0.5,
	};
}

static void
add(const void *arg, real *const *v, size_t n)
{
	(void)arg;
	k_add(n, v[0], v[1], v[1]);
}

void
relevance_identity(struct node *n, struct pass *p, const struct lrp *how)
{
	real *to = rel_of(p, n->in[0]);

	(void)how;
	if (to)
		pass_elements(p, 2, (real *[]){ n->rel, to }, (const struct node *[]){ n, n->in[0] }, add, NULL);
}

void
relevance_none(struct node *n, struct pass *p, const struct lrp *how)
{
	(void)n;
	(void)p;
	(void)how;
}

real *
tape_relevance_seed(struct tape *t, struct node *from)
{
	for (size_t i = 0; i < t->n; i++)
		t->node[i]->rel_set = 0;
	return cleared(t, from);
}

void
tape_relevance(struct tape *t, struct node *from, const struct lrp *how)
{
	t->pass->tape = t;
	for (size_t i = from->id + 1; i-- > 0;) {
		struct node *n = t->node[i];
		struct arena_mark mark = arena_mark(t->pass->scratch);

		if (!n->op || !n->rel_set || is_view(n))
			continue;
		n->op->relevance(n, t->pass, how);
		arena_rewind_to(t->pass->scratch, mark);
	}
}
