/* sublayer: see sublayer.h. */
#include "tape/sublayer.h"

void
sublayer_infer(struct node *n)
{
	const struct node *x = n->in[0], *y = n->in[1];

	if (x->block || y->block || x->n_dim != 2 || y->n_dim != 2 || x->d[0] != y->d[0] || x->d[1] != y->d[1])
		bug_shapes(n);
	infer_like(n, x);
	if (!n->rows)
		n->rows = y->rows;
}

struct sublayer
sublayer_of(struct node *n, const struct pass *p, real prob)
{
	struct sublayer s = { .n = n, .x = n->in[0], .y = n->in[1] };

	dropout_init(&s.d, p->seed, p->step, n->id, p->training ? (double)prob : 0);
	return s;
}

static uint32_t
key(const struct node *n, int r)
{
	return n->rows && n->rows->key ? n->rows->key[r] : (uint32_t)r;
}

void
sublayer_row(const struct sublayer *s, int r, real *z)
{
	k_residual(&s->d, key(s->n, r), s->n->d[1], s->x->x + (ptrdiff_t)r * s->x->ld,
		   s->y->x + (ptrdiff_t)r * s->y->ld, z);
}

struct back {
	const struct sublayer *s;
	const real *g;
	real *dx, *dy, beta_x, beta_y;
};

static void
back_rows(void *arg, int from, int to)
{
	const struct back *b = arg;
	const struct sublayer *s = b->s;
	int d = s->n->d[1];

	for (int r = from; r < to; r++) {
		const real *g = b->g + (ptrdiff_t)r * d;

		if (b->dy && s->d.threshold)
			k_dropout(&s->d, key(s->n, r), d, g, b->beta_y, b->dy + (ptrdiff_t)r * s->y->ld);
		else if (b->dy)
			k_axpby((size_t)d, 1, g, b->beta_y, b->dy + (ptrdiff_t)r * s->y->ld);
		if (b->dx)
			k_axpby((size_t)d, 1, g, b->beta_x, b->dx + (ptrdiff_t)r * s->x->ld);
	}
}

void
sublayer_gradient(const struct sublayer *s, struct pass *p, const real *g, bool into_x)
{
	struct back b = { .s = s, .g = g };

	b.dy = grad_of(p, s->y, &b.beta_y);
	if (into_x)
		b.dx = grad_of(p, s->x, &b.beta_x);
	if (b.dx || b.dy)
		pass_ranges(p, s->n->d[0], s->n->d[1], back_rows, &b);
}

struct relevance { const struct sublayer *s; struct share share; const real *rel; real *rx, *ry; };

static void
share_rows(void *arg, int from, int to)
{
	const struct relevance *v = arg;
	const struct sublayer *s = v->s;
	int d = s->n->d[1];

	for (int r = from; r < to; r++) {
		for (int i = 0; i < d; i++) {
			ptrdiff_t at_x = (ptrdiff_t)r * s->x->ld + i, at_y = (ptrdiff_t)r * s->y->ld + i;
			real z[2] = { s->x->x[at_x], s->y->x[at_y] }, to_both[2] = { 0, 0 };

			k_share(&v->share, 2, NULL, z, 0, v->rel[(ptrdiff_t)r * d + i], to_both);
			v->rx[at_x] += to_both[0];
			v->ry[at_y] += to_both[1];
		}
	}
}

void
sublayer_relevance(const struct sublayer *s, struct pass *p, const struct lrp *how, const real *rel)
{
	struct relevance v = { s, lrp_share(how), rel, rel_of(p, s->x), rel_of(p, s->y) };

	if (v.rx && v.ry)
		pass_ranges(p, s->n->d[0], s->n->d[1] * 16, share_rows, &v);
}
