/* normal: see normal.h. */
#include "tape/normal.h"

#include "base/pool.h"
#include "tape/units.h"

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

/*
 * Row j of a row's Jacobian: gain_j rstd (delta_ij - 1/d - xhat_j xhat_i / d), the last without a frozen
 * deviation.
 */
struct jacobian { const real *gain, *xhat; real rstd; int d; bool frozen; };

static void
fill(const struct jacobian *k, int j, int i, int n, real *w)
{
	const real c = k->gain[j] * k->rstd, by = -c / (real)k->d;

	k_line((size_t)n, k->frozen ? 0 : by * k->xhat[j], k->xhat + i, by, w);
	if (j >= i && j < i + n)
		w[j - i] += c;
}

static const real *
jacobian_row(const void *arg, int j, real *room)
{
	const struct jacobian *k = arg;

	fill(k, j, 0, k->d, room);
	return room;
}

static void
jacobian_tile(const void *arg, int j, int n, int i, int width, real *to)
{
	for (int k = 0; k < n; k++)
		fill(arg, j + k, i, width, to + k * SHARE_TILE);
}

/* Every row has a Jacobian of its own. */
static void
relevance_rows(const struct normal *m, struct pass *p, const struct lrp *how, real *to)
{
	const struct node *n = m->n;
	const struct norm_row *s = n->saved;
	const int d = n->d[1];
	real *xhat = ARENA_ARRAY(p->scratch, real, d), *room = ARENA_ARRAY(p->scratch, real, d);
	struct jacobian k = { .gain = m->gain->x, .xhat = xhat, .d = d, .frozen = how->norm == LRP_NORM_FROZEN_STD };
	struct unit_row row;
	const struct units u = {
		.inputs = d, .outputs = d, .rows = 1, .planes = rel_planes(p), .row = &row,
		.weights = jacobian_row, .tile = jacobian_tile, .arg = &k, .bias = how->drop_bias ? NULL : m->bias->x,
		.share = lrp_share(how), .from = n->rel, .step_from = rel_step(n), .to = to, .step_to = rel_step(n),
	};

	for (int r = 0; r < n->d[0]; r++) {
		const struct arena_mark mark = arena_mark(p->scratch);

		row = (struct unit_row){ m->row(n, m->arg, r, room), (ptrdiff_t)r * n->ld, (ptrdiff_t)r * n->ld };
		k.rstd = s[r].rstd;
		k_line((size_t)d, k.rstd, row.x, -s[r].mean * k.rstd, xhat);
		units_relevance(&u, p);
		arena_rewind_to(p->scratch, mark);
	}
}

void
normal_relevance(const struct normal *m, struct pass *p, const struct lrp *how, real *to)
{
	if (how->norm == LRP_NORM_IDENTITY)
		k_add((size_t)rel_planes(p) * node_size(m->n), to, m->n->rel, to);
	else
		relevance_rows(m, p, how, to);
}
