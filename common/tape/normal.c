/* normal: see normal.h. */
#include "tape/normal.h"

#include "base/pool.h"

struct back {
	const struct normal *m;
	const real *g;
	real beta, *to;
	int ld;
	struct sums sums;		/* gain's, then bias's */
	char *room;
	size_t stride;
};

static void
back_rows(struct back *b, int from, int to, real *room)
{
	const struct normal *m = b->m;
	const struct norm_row *s = m->n->saved;
	int d = m->n->d[1];
	real *sum = sums_of(&b->sums, from);

	for (int r = from; r < to; r++)
		k_norm_back(d, s[r], m->row(m->n, m->arg, r, room), m->gain->x, b->g + (ptrdiff_t)r * d, b->beta,
			    b->to ? b->to + (ptrdiff_t)r * b->ld : NULL, sum, sum + d);
}

static void
back_piece(void *arg, int piece, int thread)
{
	struct back *b = arg;
	int from = piece * b->sums.grain, to = from + b->sums.grain;

	back_rows(b, from, to < b->sums.rows ? to : b->sums.rows,
		  (real *)(void *)(b->room + (size_t)thread * b->stride));
}

void
normal_gradient(const struct normal *m, struct pass *p, const real *g, real beta, real *to, int ld)
{
	struct back b = { .m = m, .g = g, .beta = beta, .to = to, .ld = ld };
	int d = m->n->d[1];
	real gain_beta, *gain = grad_of(p, m->gain, &gain_beta);
	real bias_beta, *bias = grad_of(p, m->bias, &bias_beta);

	b.room = pass_thread_scratch(p, (size_t)d * sizeof(real), &b.stride);
	sums_begin(&b.sums, p, m->n->d[0], 2 * d);
	pool_run(p->pool, b.sums.pieces, back_piece, &b);
	if (gain || bias) {
		real *sum = ARENA_ARRAY(p->scratch, real, 2 * d);

		sums_end(&b.sums, p, 0, sum);
		if (gain)
			k_axpby((size_t)d, 1, sum, gain_beta, gain);
		if (bias)
			k_axpby((size_t)d, 1, sum + d, bias_beta, bias);
	}
}

struct relevance {
	const struct normal *m;
	const struct lrp *how;
	struct share share;
	real *to;
	int ld;
	char *room;
	size_t stride;
};

/* Row j of the Jacobian: gain_j rstd (delta_ij - 1/d - xhat_j xhat_i / d), the last without a frozen deviation. */
static void
jacobian_row(int d, struct norm_row s, const real *x, real gain, int j, bool frozen, real *w)
{
	real c = gain * s.rstd, xj = frozen ? 0 : (x[j] - s.mean) * s.rstd;

	for (int i = 0; i < d; i++)
		w[i] = -c * (1 + xj * (x[i] - s.mean) * s.rstd) / (real)d;
	w[j] += c;
}

static void
relevance_row(const struct relevance *v, int r, real *room)
{
	const struct node *n = v->m->n;
	int d = n->d[1];
	struct norm_row s = ((const struct norm_row *)n->saved)[r];
	const real *x = v->m->row(n, v->m->arg, r, room), *rel = n->rel + (ptrdiff_t)r * n->ld;
	real *to = v->to + (ptrdiff_t)r * v->ld;

	if (v->how->norm == LRP_NORM_IDENTITY) {
		k_add((size_t)d, to, rel, to);
		return;
	}
	for (int j = 0; j < d; j++) {
		if (rel[j] == 0)
			continue;
		jacobian_row(d, s, x, v->m->gain->x[j], j, v->how->norm == LRP_NORM_FROZEN_STD, room + d);
		k_share(&v->share, d, room + d, x, v->how->drop_bias ? 0 : v->m->bias->x[j], rel[j], to);
	}
}

static void
relevance_piece(void *arg, int r, int thread)
{
	const struct relevance *v = arg;

	relevance_row(v, r, (real *)(void *)(v->room + (size_t)thread * v->stride));
}

void
normal_relevance(const struct normal *m, struct pass *p, const struct lrp *how, real *to, int ld)
{
	struct relevance v = { .m = m, .how = how, .share = lrp_share(how), .to = to, .ld = ld };

	v.room = pass_thread_scratch(p, 2 * (size_t)m->n->d[1] * sizeof(real), &v.stride);
	pool_run(p->pool, m->n->d[0], relevance_piece, &v);
}
