/* sublayer: residual connections; see sublayer.h. */
#include "ops/kit/sublayer.h"

#include "base/pool.h"

void
sublayer_infer(struct node *n)
{
	const struct node *x = n->in[0], *y = n->in[1];

	if (x->block || y->block || x->n_dim != 2 || y->n_dim != 2 || x->d[0] != y->d[0] ||
	    x->d[1] != y->d[1])
		bug_shapes(n);
	infer_like(n, x);
	if (!n->rows)
		n->rows = y->rows;
}

size_t
sublayer_saved(const struct node *n, real prob)
{
	return prob > 0 ? (size_t)n->d[0] * dropout_bytes(n->d[1]) : 0;
}

struct sublayer
sublayer_of(struct node *n, const struct pass *p, real prob, void *kept)
{
	struct sublayer s = { .n = n, .x = n->in[0], .y = n->in[1], .kept = kept };

	dropout_init(&s.d, p->seed, p->step, n->id, p->training ? (double)prob : 0);
	return s;
}

static uint32_t
sublayer_key(const struct node *n, int r)
{
	return n->rows && n->rows->key ? n->rows->key[r] : (uint32_t)r;
}

static uint8_t *
kept(const struct sublayer *s, int r)
{
	return s->kept ? s->kept + (size_t)r * dropout_bytes(s->n->d[1]) : NULL;
}

void
sublayer_draw(const struct sublayer *s, int r)
{
	if (s->d.threshold)
		k_dropout_draw(&s->d, sublayer_key(s->n, r), s->n->d[1], kept(s, r));
}

void
sublayer_row(const struct sublayer *s, int r, real *z)
{
	k_residual(&s->d, kept(s, r), s->n->d[1], s->x->x + (ptrdiff_t)r * s->x->ld,
		   s->y->x + (ptrdiff_t)r * s->y->ld, z);
}

struct back {
	const struct sublayer *s;
	const real *g;
	real *dx, *dy, beta_x, beta_y;
};

static void
sublayer_back_rows(void *arg, int from, int to)
{
	const struct back *b = arg;
	const struct sublayer *s = b->s;
	int d = s->n->d[1];

	for (int r = from; r < to; r++) {
		const real *g = b->g + (ptrdiff_t)r * d;

		if (b->dy && s->d.threshold)
			k_dropout_again(&s->d, kept(s, r), d, g, b->beta_y,
					b->dy + (ptrdiff_t)r * s->y->ld);
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
		pass_ranges(p, s->n->d[0], s->n->d[1], sublayer_back_rows, &b);
}

struct relevance {
	const struct sublayer *s;
	struct share share;
	const real *rel;
	real *rx, *ry;
	ptrdiff_t step, step_x, step_y;
	int planes;
	char *room;
	size_t stride;
};

/* Computes the share of each element for relevance 1, then multiplies it by each plane. */
static void
share_row(void *arg, int r, int thread)
{
	const struct relevance *v = arg;
	const struct sublayer *s = v->s;
	const size_t d = (size_t)s->n->d[1];
	const ptrdiff_t at_x = (ptrdiff_t)r * s->x->ld, at_y = (ptrdiff_t)r * s->y->ld;
	real *of_x = (real *)(void *)(v->room + (size_t)thread * v->stride), *of_y = of_x + d;

	k_share_pairs(&v->share, (int)d, s->x->x + at_x, s->y->x + at_y, v->planes,
		      v->rel + (ptrdiff_t)r * (ptrdiff_t)d,
		      v->step, of_x, of_y);
	for (int p = 0; p < v->planes; p++) {
		const real *rel = v->rel + p * v->step + (ptrdiff_t)r * (ptrdiff_t)d;

		k_multiply(d, rel, of_x, 1, v->rx + p * v->step_x + at_x);
		k_multiply(d, rel, of_y, 1, v->ry + p * v->step_y + at_y);
	}
}

void
sublayer_relevance(const struct sublayer *s, struct pass *p, const struct lrp *lrp, const real *rel)
{
	struct relevance v = {
		.s = s, .share = lrp_share(lrp), .rel = rel, .rx = rel_of(p, s->x),
		.ry = rel_of(p, s->y),
		.step = rel_step(s->n), .step_x = rel_step(s->x), .step_y = rel_step(s->y),
		.planes = rel_planes(p),
	};

	v.room = pass_thread_scratch(p, 2 * (size_t)s->n->d[1] * sizeof(real), &v.stride);
	if (v.rx && v.ry)
		pool_run(p->pool, s->n->d[0], share_row, &v);
}
