/* gradient: the backward pass; gradients of inner nodes reuse spare memory. */
#include "base/err.h"
#include "tape/op.h"
#include "tape/tape-own.h"
#include "tensor/kernels.h"

static void
zero_range(void *arg, int from, int to)
{
	real *g = arg;

	k_zero((size_t)(to - from) * 4096, g + (size_t)from * 4096);
}

static void
gradient_zero(struct pass *p, real *g, size_t n)
{
	pass_ranges(p, (int)(n / 4096), 4096, zero_range, g);
	k_zero(n % 4096, g + n / 4096 * 4096);
}

/*
 * The gradient of a view is a view of its input's gradient, which must be zero where it has not
 * been written.
 */
static void
prepare_view(struct pass *p, struct node *n)
{
	struct node *in = n->in[0];
	real beta, *g;

	if (n->grad)
		return;
	g = grad_of(p, in, &beta);
	if (beta == 0)
		gradient_zero(p, g, node_size(in));
	n->grad = g + (n->x - in->x);
	n->grad_set = 1;
}

real *
grad_of(struct pass *p, struct node *input, real *beta)
{
	if (!input || !input->wants_grad) {
		*beta = 0;
		return NULL;
	}
	if (node_is_view(input))
		prepare_view(p, input);
	if (!input->grad)
		input->grad = spare_take(p->tape, node_size(input));
	*beta = input->grad_set ? 1 : 0;
	input->grad_set = 1;
	return input->grad;
}

real *
grad_of_whole(struct pass *p, struct node *input, real *beta)
{
	if (input && input->add_to && !input->grad && input->uses == 1) {
		input->grad = input->add_to;
		input->grad_set = 1;
	}
	return grad_of(p, input, beta);
}

/* The view among input[n] that begins at column first of base, or NULL. */
static const struct node *
view_at(int n, struct node *const *input, const struct node *base, int first)
{
	for (int i = 0; i < n; i++)
		if (node_is_view(input[i]) && input[i]->in[0] == base &&
		    input[i]->x == base->x + first)
			return input[i];
	return NULL;
}

/* Do the views of base among input[n] show each of its columns once? */
static bool
views_tile(int n, struct node *const *input, const struct node *base)
{
	const struct node *view;
	int views = 0, end = 0;

	for (int i = 0; i < n; i++)
		views += node_is_view(input[i]) && input[i]->in[0] == base;
	for (; (view = view_at(n, input, base, end)); views--)
		end += view->d[1];
	return end == base->ld && !views;
}

void
grads_of_whole(struct pass *p, int n, struct node *const *input, real **g, real *beta)
{
	for (int i = 0; i < n; i++) {
		struct node *base = input[i]->in[0];

		if (!node_is_view(input[i]) || !input[i]->wants_grad || base->grad ||
		    node_is_view(base) || !views_tile(n, input, base))
			continue;
		base->grad = spare_take(p->tape, node_size(base));
		base->grad_set = 1;
		for (int j = i; j < n; j++)
			if (node_is_view(input[j]) && input[j]->in[0] == base)
				input[j]->grad = base->grad + (input[j]->x - base->x);
	}
	for (int i = 0; i < n; i++)
		g[i] = grad_of(p, input[i], &beta[i]);
}

real *
grad_writable(struct pass *p, struct node *n)
{
	real *copy;

	if (!n->keep_grad && !node_is_view(n))
		return n->grad;
	copy = ARENA_ARRAY(p->scratch, real, node_size(n));
	k_copy(node_size(n), n->grad, copy);
	return copy;
}

bool
grad_move(struct pass *p, struct node *n, struct node *input)
{
	(void)p;
	if (!input->wants_grad || input->grad || node_is_view(input) || input->keep_grad ||
	    n->keep_grad || node_is_view(n))
		return false;
	input->grad = n->grad;
	input->grad_set = 1;
	n->grad = NULL;
	return true;
}

void
tape_keep_gradient(struct tape *t, struct node *n)
{
	(void)t;
	/* The gradient of a view is in its input. */
	for (n->keep_grad = 1; node_is_view(n); n = n->in[0])
		n->in[0]->keep_grad = 1;
}

/* Discards gradients of an earlier backward pass, except those of leaves. */
static void
forget(struct tape *t)
{
	for (size_t i = 0; i < t->n; i++) {
		if (t->node[i]->op) {
			t->node[i]->grad = NULL;
			t->node[i]->grad_set = 0;
		}
	}
}

static void
propagate(struct tape *t, struct node *n)
{
	struct arena_mark mark = arena_mark(t->pass->scratch);

	tape_notify(t, n, TAPE_GRADIENT, false);
	n->op->gradient(n, t->pass);
	tape_notify(t, n, TAPE_GRADIENT, true);
	arena_rewind_to(t->pass->scratch, mark);
	if (n->grad && !n->keep_grad) {
		spare_give(t, n->grad);
		n->grad = NULL;
	}
}

struct sum { const real *from; real *to; };

static void
gradient_add_range(void *arg, int from, int to)
{
	const struct sum *s = arg;

	k_add((size_t)(to - from), s->to + from, s->from + from, s->to + from);
}

/* All uses of a leaf are after it on the tape. */
static void
gradient_complete(struct tape *t, struct node *leaf)
{
	if (leaf->add_to) {
		struct sum s = { leaf->grad, leaf->add_to };

		if (s.from && s.from != s.to) {
			pass_ranges(t->pass, (int)node_size(leaf), 1, gradient_add_range, &s);
			spare_give(t, leaf->grad);
		}
		leaf->grad = leaf->add_to;
		leaf->grad_set = 1;
		leaf->add_to = NULL;
	}
	if (t->final)
		t->final(t->final_arg, leaf);
}

void
tape_gradient(struct tape *t, struct node *loss, real seed)
{
	real beta, *g;

	if (node_size(loss) != 1)
		bug("the gradient of %s with %zu elements, expected a scalar",
		    loss->op ? loss->op->name : "a leaf", node_size(loss));
	if (!loss->wants_grad)
		return;
	t->pass->tape = t;
	forget(t);
	g = grad_of(t->pass, loss, &beta);
	*g = seed + (beta != 0 ? *g : 0);
	for (size_t i = loss->id + 1; i-- > 0;) {
		struct node *n = t->node[i];

		if (n->op && n->grad && !node_is_view(n))
			propagate(t, n);
		if (!n->op && n->wants_grad)
			gradient_complete(t, n);
	}
}
