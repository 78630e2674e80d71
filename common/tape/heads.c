/* heads: see heads.h. */
#include "tape/heads.h"

#include <string.h>

#include "base/pool.h"
#include "tensor/product.h"

const ptrdiff_t *
heads_blocks(const struct layout *q, const struct layout *k, int heads, struct arena *mem)
{
	ptrdiff_t *block = ARENA_ARRAY(mem, ptrdiff_t, q->n + 1), at = 0;

	for (int i = 0; i < q->n; i++) {
		block[i] = at;
		at += (ptrdiff_t)heads * q->len[i] * k->len[i];
	}
	block[q->n] = at;
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

struct job { heads_work *work; void *arg; char *room; size_t stride; };

static void
do_sentence(void *arg, int i, int thread)
{
	const struct job *j = arg;

	j->work(j->arg, i, (real *)(void *)(j->room + (size_t)thread * j->stride));
}

void
heads_run(struct pass *p, int sentences, size_t numbers, heads_work *work, void *arg)
{
	struct job j = { .work = work, .arg = arg };

	j.room = pass_thread_scratch(p, numbers * sizeof(real), &j.stride);
	pool_run(p->pool, sentences, do_sentence, &j);
}

void
heads_clear(real *g, int ld, const struct layout *l, int i, int width)
{
	for (int r = l->start[i]; r < l->start[i] + l->len[i]; r++)
		k_zero((size_t)width, g + (ptrdiff_t)r * ld);
}

/* Where heads follow each other as rows do, they are rows of one product; the same of a sum over rows. */
static bool
join_heads(struct gemm *g, int heads, int step_a, int step_b, int step_c)
{
	if (!g->trans_a && !step_b && g->lda == heads * step_a && g->ldc == heads * step_c) {
		g->m *= heads;
		g->lda = step_a;
		g->ldc = step_c;
		return true;
	}
	if (g->trans_a && !g->trans_b && !step_c && g->lda == heads * step_a && g->ldb == heads * step_b) {
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
heads_loss_infer(struct node *n)
{
	const struct node *s = n->in[0];

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

/* The inputs of one output: q's row [d], keys [S,d], a column of v [S]: values, Jacobian, relevance. */
size_t
heads_core_room(int S, int d)
{
	return 3 * ((size_t)d + (size_t)S * (size_t)d + (size_t)S);
}

struct unit { real *x, *w, *rel; int n, n_q, n_k; };

static void
gather(const struct head *h, const real *a, int i, int c, bool constant, real o, struct unit *u)
{
	int d = h->d, at = 0;

	for (int e = 0; e < d && !constant; e++) {
		real sum = 0;

		for (int j = 0; j < h->S; j++)
			sum += a[j] * (h->v[j * h->ldv + c] - o) * h->k[j * h->ldk + e];
		u->x[at] = h->q[i * h->ldq + e];
		u->w[at++] = h->scale * sum;
	}
	for (int j = 0; j < h->S && !constant; j++) {
		for (int e = 0; e < d; e++) {
			u->x[at] = h->k[j * h->ldk + e];
			u->w[at++] = h->scale * h->q[i * h->ldq + e] * a[j] * (h->v[j * h->ldv + c] - o);
		}
	}
	for (int j = 0; j < h->S; j++) {
		u->x[at] = h->v[j * h->ldv + c];
		u->w[at++] = a[j];
	}
	u->n = at;
}

static void
spread(const struct head *h, int i, int c, bool constant, const struct unit *u, struct core_rel to)
{
	int at = 0;

	for (int e = 0; e < h->d && !constant; e++)
		to.q[i * h->ldq + e] += u->rel[at++];
	for (int j = 0; j < h->S && !constant; j++)
		for (int e = 0; e < h->d; e++)
			to.k[j * h->ldk + e] += u->rel[at++];
	for (int j = 0; j < h->S; j++)
		to.v[j * h->ldv + c] += u->rel[at++];
}

void
heads_core_relevance(const struct head *h, const real *weights, const struct share *s, bool constant,
		     const real *rel, ptrdiff_t ld, struct core_rel to, real *room)
{
	size_t n = heads_core_room(h->S, h->d) / 3;
	struct unit u = { .x = room, .w = room + n, .rel = room + 2 * n };

	for (int i = 0; i < h->T; i++) {
		const real *a = weights + (ptrdiff_t)i * h->S;

		for (int c = 0; c < h->d; c++) {
			real o = 0;

			if (rel[i * ld + c] == 0)
				continue;
			for (int j = 0; j < h->S; j++)
				o += a[j] * h->v[j * h->ldv + c];
			gather(h, a, i, c, constant, o, &u);
			memset(u.rel, 0, (size_t)u.n * sizeof(*u.rel));
			k_share(s, u.n, u.w, u.x, 0, rel[i * ld + c], u.rel);
			spread(h, i, c, constant, &u, to);
		}
	}
}
