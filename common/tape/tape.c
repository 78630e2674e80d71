/* tape: nodes are appended as they are computed; see tape.h. */
#include "tape/tape.h"

#include <stdlib.h>
#include <string.h>

#include "base/err.h"
#include "base/mem.h"
#include "tape/op.h"
#include "tape/params.h"
#include "tape/tape-own.h"
#include "tensor/kernels.h"

struct tape *
tape_new(struct arena *mem, struct pass *p)
{
	struct tape *t = xcalloc(1, sizeof(*t));

	t->mem = mem;
	t->pass = p;
	return t;
}

void
tape_free(struct tape *t)
{
	if (!t)
		return;
	free(t->node);
	free(t->leaf);
	free(t->spare);
	free(t);
}

void
tape_rewind(struct tape *t)
{
	t->n = 0;
	t->n_leaves = 0;
	t->n_spare = 0;
	if (t->leaf_room)
		memset(t->leaf, 0, t->leaf_room * sizeof(*t->leaf));
	arena_rewind(t->mem);
}

struct pass *
tape_pass(struct tape *t)
{
	return t->pass;
}

struct arena *
tape_arena(struct tape *t)
{
	return t->mem;
}

void
tape_watch_with(struct tape *t, tape_watch *watch, void *arg)
{
	t->watch = watch;
	t->watch_arg = arg;
}

void
tape_final_with(struct tape *t, tape_final *final, void *arg)
{
	t->final = final;
	t->final_arg = arg;
}

static struct node *
tape_append(struct tape *t)
{
	struct node *n = arena_zero(t->mem, sizeof(*n));

	t->node = mem_grow(t->node, &t->room, t->n + 1, sizeof(*t->node));
	n->id = (uint32_t)t->n;
	t->node[t->n++] = n;
	return n;
}

size_t
node_size(const struct node *n)
{
	size_t size = 1;

	if (n->block)
		return (size_t)n->block[n->queries->n];
	for (int i = 0; i < n->n_dim; i++)
		size *= (size_t)n->d[i];
	return size;
}

static void
set_dims(struct node *n, int n_dim, const int *d)
{
	n->n_dim = n_dim;
	for (int i = 0; i < n_dim; i++)
		n->d[i] = d[i];
	n->ld = n_dim ? d[n_dim - 1] : 1;
}

struct node *
tape_leaf(struct tape *t, const char *name, int n_dim, const int *d, real *x, real *grad)
{
	struct node *n = tape_append(t);

	set_dims(n, n_dim, d);
	n->name = name;
	n->x = x;
	n->grad = grad;
	n->grad_set = 1;
	n->wants_grad = grad != NULL;
	return n;
}

static void
compute(struct tape *t, struct node *n)
{
	struct pass *p = t->pass;
	struct arena_mark mark = arena_mark(p->scratch);
	size_t kept;

	p->tape = t;
	n->op->infer(n, t->mem);
	if (!n->ld)
		n->ld = n->n_dim ? n->d[n->n_dim - 1] : 1;
	if (!(n->op->flags & OP_VIEW))
		n->x = storage_take(t, n);
	kept = n->op->saved ? n->op->saved(n) : 0;
	if (kept)
		n->saved = arena_get(t->mem, kept);
	tape_notify(t, n, TAPE_FORWARD, false);
	n->op->forward(n, p);
	tape_notify(t, n, TAPE_FORWARD, true);
	arena_rewind_to(p->scratch, mark);
}

/* Values that were replaced can be read by few ops. */
static void
check_stored(const struct op *op, int i, const struct node *input)
{
	if (input && input->op && !input->x && !(input->x16 && i == 0 && op->flags & OP_READS_BF16))
		bug("%s: input %d, of %s, has no values in fp32", op->name, i, input->op->name);
}

struct node *
tape_apply(struct tape *t, const struct op *op, int n_in, struct node *const *input,
	   const void *arg, size_t arg_size)
{
	struct node *n = tape_append(t);

	if (n_in > NODE_MAX_IN)
		bug("%s: %d inputs, expected at most %d", op->name, n_in, NODE_MAX_IN);
	n->op = op;
	n->n_in = n_in;
	for (int i = 0; i < n_in; i++) {
		check_stored(op, i, input[i]);
		n->in[i] = input[i];
		if (input[i])
			input[i]->uses++;
		if (input[i] && input[i]->wants_grad)
			n->wants_grad = 1;
	}
	if (arg_size)
		n->arg = arena_copy(t->mem, arg, arg_size);
	compute(t, n);
	return n;
}

struct node *
tape_name(struct node *n, const char *name)
{
	n->name = name;
	return n;
}

struct node *
tape_find(const struct tape *t, const char *name)
{
	for (size_t i = t->n; i-- > 0;)
		if (t->node[i]->name && !strcmp(t->node[i]->name, name))
			return t->node[i];
	return NULL;
}

/* The slot of a parameter in the table of leaves (open addressing). */
static struct leaf *
leaf_slot(struct tape *t, const struct param *p)
{
	size_t mask = t->leaf_room - 1, i = ((uintptr_t)p >> 4) * 0x9e3779b1u & mask;

	while (t->leaf[i].param && t->leaf[i].param != p)
		i = (i + 1) & mask;
	return &t->leaf[i];
}

static void
grow_leaves(struct tape *t)
{
	struct leaf *old = t->leaf;
	size_t room = t->leaf_room;

	t->leaf_room = room ? 2 * room : 256;
	t->leaf = xcalloc(t->leaf_room, sizeof(*t->leaf));
	for (size_t i = 0; i < room; i++)
		if (old[i].param)
			*leaf_slot(t, old[i].param) = old[i];
	free(old);
}

void
tape_gradients_to(struct tape *t, real *block)
{
	t->grads = block;
	t->adds = false;
}

void
tape_gradients_add(struct tape *t, real *block)
{
	t->grads = block;
	t->adds = true;
}

void
tape_zero_missing_gradients(struct tape *t, const struct params *p)
{
	for (size_t i = 0; i < p->n && t->grads && !t->adds; i++) {
		const struct param *q = p->list[i];
		const struct node *leaf = t->n_leaves ? leaf_slot(t, q)->node : NULL;

		if (!leaf || !leaf->grad || !leaf->grad_set)
			k_zero(q->n, t->grads + q->at);
	}
}

struct node *
tape_param(struct tape *t, struct param *p)
{
	struct leaf *l;
	real *grad;

	if (!p)
		return NULL;
	if (2 * t->n_leaves >= t->leaf_room)
		grow_leaves(t);
	l = leaf_slot(t, p);
	if (!l->param) {
		if (!p->x && !p->q && !p->prepared)
			bug("parameter %s has no values", p->name);
		grad = t->grads ? t->grads + p->at : p->grad;
		l->param = p;
		l->node = tape_leaf(t, p->name, p->n_dim, p->d, p->x, p->frozen ? NULL : grad);
		l->node->parameter = 1;
		l->node->grad_set = !t->grads;
		if (t->adds && !p->frozen) {
			l->node->add_to = grad;
			l->node->grad = NULL;
		}
		l->node->prepared = p->prepared;
		l->node->narrow = p->q ? p : NULL;
		t->n_leaves++;
	}
	return l->node;
}
