/* elementwise: ops that compute each element from the same element of one input. */
#include "ops/kit/elementwise.h"
#include "ops/kit/op-case.h"
#include "ops/ops.h"
#include "tensor/kernels.h"

struct node *
elementwise_apply(struct tape *t, const struct op *op, struct node *x,
		  const struct elementwise *element)
{
	return tape_apply(t, op, 1, &x, element, sizeof(*element));
}

static void
kernel_run(const void *arg, real *const *v, size_t n)
{
	const struct elementwise *e = arg;

	e->kernels.run(n, v[0], v[1]);
}

static void
kernel_back(const void *arg, real *const *v, size_t n)
{
	const struct elementwise *e = arg;

	e->kernels.back(n, v[e->kernels.by_result], v[2], e->beta, v[3]);
}

struct node *
elementwise_by_kernels(struct tape *t, const struct op *op, struct node *x,
		       struct element_kernels kernels)
{
	const struct elementwise element = { kernel_run, kernel_back, .kernels = kernels };

	return elementwise_apply(t, op, x, &element);
}

void
elementwise_infer(struct node *n, struct arena *mem)
{
	(void)mem;
	infer_like(n, n->in[0]);
}

void
elementwise_forward(struct node *n, struct pass *p)
{
	const struct elementwise *e = n->arg;

	pass_elements(p, 2, (real *[]){ n->in[0]->x, n->x }, (const struct node *[]){ n->in[0], n },
		      e->run, e);
}

void
elementwise_gradient(struct node *n, struct pass *p)
{
	struct elementwise e = *(const struct elementwise *)n->arg;
	struct node *x = n->in[0];
	real *g = grad_of(p, x, &e.beta);

	if (g)
		pass_elements(p, 4, (real *[]){ x->x, n->x, n->grad, g },
			      (const struct node *[]){ x, n, n, x }, e.back, &e);
}

void
elementwise_plus(const void *arg, real *const *v, size_t n)
{
	k_axpby(n, 1, v[0], *(const real *)arg, v[1]);
}

void
elementwise_add(struct node *n, struct pass *p, struct node *input)
{
	real beta, *g = grad_of(p, input, &beta);

	if (g)
		pass_elements(p, 2, (real *[]){ n->grad, g }, (const struct node *[]){ n, input },
			      elementwise_plus, &beta);
}

void
elementwise_pass(struct node *n, struct pass *p, struct node *input)
{
	if (!grad_move(p, n, input))
		elementwise_add(n, p, input);
}

struct node *
elementwise_matrix(struct case_bench *b)
{
	return case_rows(b, case_layout(b, CASE_SOURCE), 5);
}

struct node *
elementwise_view(struct case_bench *b)
{
	struct node *x = case_rows(b, case_layout(b, CASE_SOURCE), 6);

	return op_columns(case_tape(b), x, 1, 3);
}
