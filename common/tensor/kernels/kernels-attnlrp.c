/* kernels-attnlrp: relevance through the core of attention by AttnLRP; see relevance-kernels.h. */
#include "tensor/relevance-kernels.h"

#include <math.h>
#include <string.h>

#include "base/compiler.h"

/* A query of a head, with scratch memory. */
struct one_query {
	const struct core *c;
	const struct share *s;
	int i, n;			/* the query, and the number of its keys */
	const real *q, *weights;
	real *score;			/* [n] */
	real *above, *below;		/* [n] sums of the contributions to scores, by sign */
	real *out_by, *out_even;	/* [d] shares in the elements of the head output */
	real *up, *down, *w;		/* [d] */
	real *rel;			/* [planes, S] of the weights, then of the scores */
};

size_t
k_attnlrp_room(int S, int d, int planes)
{
	return (size_t)S * (3 + (size_t)planes) + 5 * (size_t)d;
}

static struct one_query
query_of(const struct core *c, const struct share *s, int i, real *room)
{
	const struct head *h = &c->h;
	struct one_query u = { .c = c, .s = s, .i = i, .n = k_core_keys(h, i), .score = room };

	u.q = h->q + i * h->ldq;
	u.weights = c->weights + (ptrdiff_t)i * h->S;
	u.above = u.score + h->S;
	u.below = u.above + h->S;
	u.out_by = u.below + h->S;
	u.out_even = u.out_by + h->d;
	u.up = u.out_even + h->d;
	u.down = u.up + h->d;
	u.w = u.down + h->d;
	u.rel = u.w + h->d;
	return u;
}

static const real *
rel_of_plane(const struct one_query *u, int plane)
{
	return u->c->rel + plane * u->c->step + u->i * u->c->ld;
}

CLONES static void
add_signs(int n, real a, const real *x, real *up, real *down)
{
	for (int e = 0; e < n; e++) {
		const real z = a * x[e];

		up[e] += z > 0 ? z : 0;
		down[e] += z > 0 ? 0 : z;
	}
}

/* The shares of weights and values in each element of the head output. */
static void
attnlrp_share_output(const struct one_query *u)
{
	const struct head *h = &u->c->h;

	memset(u->up, 0, (size_t)h->d * sizeof(*u->up));
	memset(u->down, 0, (size_t)h->d * sizeof(*u->down));
	for (int j = 0; j < u->n; j++)
		add_signs(h->d, u->weights[j], h->v + j * h->ldv, u->up, u->down);
	for (int e = 0; e < h->d; e++) {
		const struct shares k = k_shares(u->s, u->n, u->up[e], u->down[e], 1);

		u->out_by[e] = k.positive;
		u->out_even[e] = k.uniform;
		k_count_flow(u->s, &k, u->up[e], u->down[e], u->c->planes,
			     rel_of_plane(u, 0) + e, u->c->step);
	}
}

/* y += a x w + even; returns x w */
CLONES static real
added_value(int n, real a, const real *x, const real *w, const real *even, real *y)
{
	real sum = 0;

	for (int e = 0; e < n; e++) {
		const real z = x[e] * w[e];

		sum += z;
		y[e] += a * z + even[e];
	}
	return sum;
}

/* Distributes the head output over values and weights; up is scratch for even parts. */
static void
trace_output(const struct one_query *u, int plane)
{
	const struct head *h = &u->c->h;
	const real part = u->c->constant ? 1 : (real)0.5, *rel = rel_of_plane(u, plane);
	real even = 0, *to = u->rel + (ptrdiff_t)plane * h->S;

	for (int e = 0; e < h->d; e++) {
		u->w[e] = part * rel[e] * u->out_by[e];
		u->up[e] = part * rel[e] * u->out_even[e];
		even += u->up[e];
	}
	for (int j = 0; j < u->n; j++)
		to[j] = even + u->weights[j] *
			       added_value(h->d, u->weights[j], h->v + j * h->ldv, u->w, u->up,
					   u->c->v + plane * u->c->step_v + j * h->ldv);
}

static void
find_scores(const struct one_query *u)
{
	const struct head *h = &u->c->h;
	const real *bias = k_head_bias(h, u->i);

	for (int j = 0; j < u->n; j++) {
		const struct signs s = k_signs(h->d, u->q, h->k + j * h->ldk, 0);

		u->above[j] = h->scale * s.positive;
		u->below[j] = h->scale * s.negative;
		u->score[j] = u->above[j] + u->below[j] + (bias ? bias[j] : 0);
	}
}

static void
trace_softmax(const struct one_query *u, int plane)
{
	real *r = u->rel + (ptrdiff_t)plane * u->c->h.S;

	k_attnlrp_softmax(u->n, u->score, u->weights, r, r,
			  u->s->flow ? u->s->flow + plane : NULL);
}

/* x and y are rows of queries and keys, and rx and ry their relevance. */
CLONES static void
add_pair(int n, real factor, real even, const real *x, const real *y, real *rx, real *ry)
{
	for (int e = 0; e < n; e++) {
		const real r = factor * x[e] * y[e] + even;

		rx[e] += r;
		ry[e] += r;
	}
}

/* Distributes the score of key j over the query and the key. */
static void
trace_score(const struct one_query *u, int j)
{
	const struct core *c = u->c;
	const struct head *h = &c->h;
	const struct shares k = k_shares(u->s, h->d, u->above[j], u->below[j], 1);

	k_count_flow(u->s, &k, u->above[j], u->below[j], c->planes, u->rel + j, h->S);
	for (int p = 0; p < c->planes; p++) {
		const real r = u->rel[(ptrdiff_t)p * h->S + j] / 2;

		if (r != 0)
			add_pair(h->d, r * k.positive * h->scale, r * k.uniform, u->q,
				 h->k + j * h->ldk, c->q + p * c->step_q + u->i * h->ldq,
				 c->k + p * c->step_k + j * h->ldk);
	}
}

void
k_attnlrp_softmax(int n, const real *x, const real *y, const real *rel, real *rel_scores,
		  struct flow *flow)
{
	double sum = 0, left = 0, size = 0;

	for (int i = 0; i < n; i++)
		sum += (double)rel[i];
	for (int i = 0; i < n; i++) {
		const double r = x[i] == -INFINITY ? 0
				 : (double)x[i] * ((double)rel[i] - (double)y[i] * sum);

		left += r;
		size += fabs(r);
		rel_scores[i] = (real)r;
	}
	if (flow) {
		flow->absorbed += sum - left;
		flow->magnitude += size;
	}
}

void
k_attnlrp(const struct core *c, const struct share *s, real *room)
{
	for (int i = 0; i < c->h.T; i++) {
		const struct one_query u = query_of(c, s, i, room);

		attnlrp_share_output(&u);
		for (int p = 0; p < c->planes; p++)
			trace_output(&u, p);
		if (c->constant)
			continue;
		find_scores(&u);
		for (int p = 0; p < c->planes; p++)
			trace_softmax(&u, p);
		for (int j = 0; j < u.n; j++)
			trace_score(&u, j);
	}
}
