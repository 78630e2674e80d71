/* normal: gradient and relevance of layer normalization; see normal.h. */
#include "ops/kit/normal.h"

#include "base/pool.h"

bool
normal_fits(const struct node *gain, const struct node *bias, int width)
{
	return gain->d[0] == width && (!bias || bias->d[0] == width);
}

struct norm_row
normal_of(int n, real eps, const real *x, const struct node *gain, const struct node *bias, real *y)
{
	if (!bias)
		return (struct norm_row){ 0, k_rms_norm(n, eps, x, gain->x, y) };
	return k_norm(n, eps, x, gain->x, bias->x, y);
}

struct back {
	const struct normal *m;
	const real *g;
	real beta, *to;
	int ld;
	struct sums sums;		/* of gain, then of bias */
	char *room;
	size_t stride;
};

static void
normal_back_rows(struct back *b, int from, int to, real *room)
{
	const struct normal *m = b->m;
	const struct norm_row *s = m->n->saved;
	int d = m->n->d[1];
	real *sum = sums_of(&b->sums, from);

	for (int r = from; r < to; r++) {
		const real *x = m->row(m->n, m->arg, r, room), *g = b->g + (ptrdiff_t)r * d;
		real *y = b->to ? b->to + (ptrdiff_t)r * b->ld : NULL;

		if (m->bias)
			k_norm_back(d, s[r], x, m->gain->x, g, b->beta, y, sum, sum + d);
		else
			k_rms_norm_back(d, s[r].rstd, x, m->gain->x, g, b->beta, y, sum);
	}
}

static void
back_piece(void *arg, int piece, int thread)
{
	struct back *b = arg;
	int from = piece * b->sums.grain, to = from + b->sums.grain;

	normal_back_rows(b, from, to < b->sums.rows ? to : b->sums.rows,
			 (real *)(void *)(b->room + (size_t)thread * b->stride));
}

void
normal_gradient(const struct normal *m, struct pass *p, const real *g, real beta, real *y, int ld)
{
	struct back b = { .m = m, .g = g, .beta = beta, .to = y, .ld = ld };
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
	struct share share;
	struct norm_share row;		/* settings of all rows */
	char *room;
	size_t stride, of_row;		/* of_row: offset of the kernel's scratch memory */
};

static void
normal_relevance_row(void *arg, int r, int thread)
{
	const struct relevance *v = arg;
	const struct node *n = v->m->n;
	const struct norm_row *s = n->saved;
	struct norm_share k = v->row;
	char *room = v->room + (size_t)thread * v->stride;
	const ptrdiff_t at = (ptrdiff_t)r * n->ld;
	const struct planes some = k_planes(k.planes, k.n, k.rel + at, k.step);
	const struct share share = k_share_from(&v->share, some.from);

	if (some.from == some.to)
		return;
	k.x = v->m->row(n, v->m->arg, r, (real *)(void *)room);
	k.row = s[r];
	k.planes = some.to - some.from;
	k.rel += some.from * k.step + at;
	k.to += some.from * k.step + at;
	k_norm_share(&k, &share, room + v->of_row);
}

static void
relevance_rows(const struct normal *m, struct pass *p, const struct lrp *lrp, real *y)
{
	const struct node *n = m->n;
	const int d = n->d[1];
	struct relevance v = {
		.m = m, .share = lrp_share(lrp),
		.of_row = ((size_t)d * sizeof(real) + 63) / 64 * 64,
		.row = {
			.n = d, .planes = rel_planes(p), .frozen = lrp->norm == LRP_NORM_FROZEN_STD,
			.gain = m->gain->x, .rms = !m->bias,
			.bias = !m->bias || lrp->bias == LRP_BIAS_DROP ? NULL : m->bias->x,
			.absorb = lrp->bias == LRP_BIAS_ABSORB, .rel = n->rel, .to = y,
			.step = rel_step(n),
		},
	};

	v.room = pass_thread_scratch(p, v.of_row + k_norm_share_room(d, v.row.planes), &v.stride);
	pool_run(p->pool, n->d[0], normal_relevance_row, &v);
}

void
normal_relevance(const struct normal *m, struct pass *p, const struct lrp *lrp, real *y)
{
	if (lrp->norm == LRP_NORM_IDENTITY)
		k_add((size_t)(rel_planes(p) * rel_step(m->n)), y, m->n->rel, y);
	else
		relevance_rows(m, p, lrp, y);
}
