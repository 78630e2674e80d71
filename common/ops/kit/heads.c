/* heads: common functions of the attention ops; see heads.h. */
#include "ops/kit/heads.h"

#include "base/pool.h"
#include "tensor/product.h"

void
heads_offsets(const struct layout *q, const struct layout *k, int heads, ptrdiff_t *block)
{
	block[0] = 0;
	for (int i = 0; i < q->n; i++)
		block[i + 1] = block[i] + (ptrdiff_t)heads * q->len[i] * k->len[i];
}

const ptrdiff_t *
heads_blocks(const struct layout *q, const struct layout *k, int heads, struct arena *mem)
{
	ptrdiff_t *block = ARENA_ARRAY(mem, ptrdiff_t, q->n + 1);

	heads_offsets(q, k, heads, block);
	return block;
}

int
heads_longest(const struct layout *l)
{
	int max = 0;

	for (int i = 0; i < l->n; i++)
		max = l->len[i] > max ? l->len[i] : max;
	return max;
}

int
heads_longest_of(const struct layout *queries, const struct layout *keys)
{
	const int q = heads_longest(queries), k = heads_longest(keys);

	return q > k ? q : k;
}

struct heads_job { heads_work *work; void *arg; char *room; size_t stride; };

static void
heads_do_sentence(void *arg, int i, int thread)
{
	const struct heads_job *j = arg;

	j->work(j->arg, i, (real *)(void *)(j->room + (size_t)thread * j->stride));
}

void
heads_run(struct pass *p, int sentences, size_t elements, heads_work *work, void *arg)
{
	struct heads_job j = { .work = work, .arg = arg };

	j.room = pass_thread_scratch(p, elements * sizeof(real), &j.stride);
	pool_run(p->pool, sentences, heads_do_sentence, &j);
}

void
heads_clear(real *g, int ld, const struct layout *l, int i, int width)
{
	for (int r = l->start[i]; r < l->start[i] + l->len[i]; r++)
		k_zero((size_t)width, g + (ptrdiff_t)r * ld);
}

/*
 * Combines the products of all heads into one if their matrices are contiguous: heads become rows,
 * or terms of a sum over rows.  Returns false if they are not contiguous.
 */
static bool
join_heads(struct gemm *g, int heads, int step_a, int step_b, int step_c)
{
	if (!g->trans_a && !step_b && g->lda == heads * step_a && g->ldc == heads * step_c) {
		g->m *= heads;
		g->lda = step_a;
		g->ldc = step_c;
		return true;
	}
	if (g->trans_a && !g->trans_b && !step_c && g->lda == heads * step_a &&
	    g->ldb == heads * step_b) {
		g->k *= heads;
		g->lda = step_a;
		g->ldb = step_b;
		return true;
	}
	return false;
}

void
heads_product(struct pass *p, int heads, const struct gemm *g, int step_a, int step_b, int step_c)
{
	struct gemm one = *g;
	const int n = join_heads(&one, heads, step_a, step_b, step_c) ? 1 : heads;

	for (int h = 0; h < n; h++) {
		product(p->backend, p->pool, p->scratch, &one, NULL, NULL);
		one.a += step_a;
		one.b += step_b;
		one.c += step_c;
		if (!step_c)
			one.beta = 1;
	}
}

void
heads_loss_infer(struct node *n, struct arena *mem)
{
	const struct node *s = n->in[0];

	(void)mem;
	if (!s->block || s->heads != 1 || s->queries != s->keys)
		bug_shapes(n);
	n->n_dim = 0;
}

size_t
heads_loss_saved(const struct node *n)
{
	return (node_size(n->in[0]) + (size_t)n->in[0]->queries->n) * sizeof(real);
}

real *
heads_losses(const struct node *n)
{
	return (real *)n->saved + node_size(n->in[0]);
}

void
heads_loss_forward(struct node *n, struct pass *p, size_t elements, heads_work *work)
{
	const int sentences = n->in[0]->queries->n;

	heads_run(p, sentences, elements, work, n);
	*n->x = (real)k_sum((size_t)sentences, heads_losses(n));
}
