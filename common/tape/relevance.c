/* relevance: the relevance pass, see struct lrp in op.h, backward like gradients. */
#include "base/err.h"
#include "tape/op.h"
#include "tape/tape-own.h"
#include "tensor/relevance-kernels.h"

/* The node that holds the relevance of n: the input of a view, else n. */
static struct node *
root_of(const struct node *n)
{
	while (node_is_view(n))
		n = n->in[0];
	return (struct node *)(uintptr_t)n;
}

/*
 * An odd number of cache lines, so that the same element of all planes is in different sets of the
 * first-level cache.  Sizes are often multiples of a large power of two.
 */
ptrdiff_t
rel_step(const struct node *n)
{
	const size_t line = 64 / sizeof(real);

	return (ptrdiff_t)(((node_size(root_of(n)) + line - 1) / line | 1) * line);
}

int
rel_planes(const struct pass *p)
{
	return p->tape->walk.planes;
}

static real *
cleared(struct tape *t, const struct node *n)
{
	const size_t size = (size_t)(t->walk.planes * rel_step(n));
	real *x = spare_take(t, size);

	k_zero(size, x);
	return x;
}

/* The memory for relevance of a node that is not a view: n->rel, or a part to be rescaled. */
static real *
memory_of(struct tape *t, struct node *n)
{
	struct walk *w = &t->walk;
	int i = 0;

	if (!w->rescale)
		return n->rel ? n->rel : (n->rel = cleared(t, n));
	while (i < w->n_parts && w->part[i].node != n)
		i++;
	if (i == w->n_parts) {
		w->part[i].node = n;
		w->part[i].x = cleared(t, n);
		w->n_parts++;
	}
	return w->part[i].x;
}

real *
rel_of(struct pass *p, struct node *input)
{
	struct node *root;

	if (!input || input->parameter)
		return NULL;
	root = root_of(input);
	return memory_of(p->tape, root) + p->tape->walk.plane * rel_step(input) +
	       (input->x - root->x);
}

struct share
lrp_share(const struct lrp *lrp)
{
	real sum = lrp->alpha + lrp->beta;

	return (struct share){
		.signs = !lrp_is_epsilon(lrp), .halves = lrp->rule == LRP_ALPHABETA,
		.eps = lrp->eps,
		.alpha = sum != 0 ? lrp->alpha / sum : (real)0.5,
		.beta = sum != 0 ? lrp->beta / sum : (real)0.5,
		.flow = lrp->flow,
	};
}

static void
relevance_add(const void *arg, real *const *v, size_t n)
{
	(void)arg;
	k_add(n, v[0], v[1], v[1]);
}

void
relevance_identity(struct node *n, struct pass *p, const struct lrp *lrp)
{
	real *to = rel_of(p, n->in[0]);

	(void)lrp;
	if (to)
		pass_elements(p, 2, (real *[]){ n->rel, to },
			      (const struct node *[]){ n, n->in[0] }, relevance_add, NULL);
}

void
relevance_none(struct node *n, struct pass *p, const struct lrp *lrp)
{
	(void)n;
	(void)p;
	(void)lrp;
}

/* Adds the parts of plane i to the inputs, rescaled to the relevance of n. */
static void
add_plane(const struct walk *w, const struct node *n, int i)
{
	const double from = k_sum(node_size(n), n->rel + (ptrdiff_t)i * rel_step(n));
	double left = 0;
	real by;

	for (int k = 0; k < w->n_parts; k++)
		left += k_sum(node_size(w->part[k].node),
			      w->part[k].x + (ptrdiff_t)i * rel_step(w->part[k].node));
	by = left > 0 ? (real)(from / left) : 0;
	for (int k = 0; k < w->n_parts; k++) {
		struct node *to = w->part[k].node;
		const ptrdiff_t at = (ptrdiff_t)i * rel_step(to);
		real *x = w->part[k].x + at;

		k_axpby(node_size(to), by, x, to->rel ? 1 : 0, to->rel ? to->rel + at : x);
	}
}

void
rel_rescale(struct pass *p, const struct node *n, real *left)
{
	const struct walk *w = &p->tape->walk;
	const size_t size = node_size(n);
	const real *from = n->rel;

	for (int i = 0; w->rescale && i < w->planes; i++) {
		const double sum = k_sum(size, left);

		k_axpby(size, sum > 0 ? (real)(k_sum(size, from) / sum) : 0, left, 0, left);
		from += rel_step(n);
		left += rel_step(n);
	}
}

static void
relevance_add_parts(struct tape *t, const struct node *n)
{
	struct walk *w = &t->walk;

	for (int i = 0; w->rescale && i < w->planes; i++)
		add_plane(w, n, i);
	for (int k = 0; k < w->n_parts; k++) {
		if (w->part[k].node->rel)
			spare_give(t, w->part[k].x);
		else
			w->part[k].node->rel = w->part[k].x;
	}
	w->n_parts = 0;
}

/* Runs the relevance function of n for all planes at once, or for each. */
static void
run_op(struct tape *t, struct node *n, const struct lrp *lrp)
{
	const int times = n->op->flags & OP_PLANES ? 1 : t->walk.planes;
	const struct arena_mark mark = arena_mark(t->pass->scratch);
	real *const first = n->rel;
	struct lrp one = *lrp;

	for (t->walk.plane = 0; t->walk.plane < times; t->walk.plane++) {
		n->rel = first + t->walk.plane * rel_step(n);
		one.flow = lrp->flow ? lrp->flow + t->walk.plane : NULL;
		n->op->relevance(n, t->pass, &one);
		arena_rewind_to(t->pass->scratch, mark);
	}
	n->rel = first;
	t->walk.plane = 0;
	for (int i = 0; lrp->flow && i < t->walk.planes; i++) {
		struct flow *f = &lrp->flow[i];

		if (f->magnitude > f->max_magnitude)
			f->max_magnitude = f->magnitude;
		f->magnitude = 0;
	}
}

real *
tape_relevance_seeds(struct tape *t, struct node *result, int planes)
{
	struct node *root = root_of(result);

	for (size_t i = 0; i < t->n; i++) {
		if (t->node[i]->rel)
			spare_give(t, t->node[i]->rel);
		t->node[i]->rel = NULL;
	}
	t->walk = (struct walk){ .planes = planes };
	root->rel = cleared(t, root);
	return root->rel + (result->x - root->x);
}

void
tape_relevance(struct tape *t, struct node *result, const struct lrp *lrp)
{
	t->pass->tape = t;
	t->walk.rescale = lrp->rule == LRP_ALPHABETA;
	for (size_t i = result->id + 1; i-- > 0;) {
		struct node *n = t->node[i];

		if (!n->op || !n->rel || n->op->relevance == relevance_none)
			continue;
		tape_notify(t, n, TAPE_RELEVANCE, false);
		run_op(t, n, lrp);
		relevance_add_parts(t, n);
		tape_notify(t, n, TAPE_RELEVANCE, true);
		spare_give(t, n->rel);
		n->rel = NULL;
	}
}
