/* head-norms: see head-norms.h. */
#include "analysis/head-norms.h"

#include <math.h>
#include <stdlib.h>

#include "base/compiler.h"
#include "base/mem.h"
#include "base/pool.h"

/*
 * W [D,d] is the part of the output projection that reads a head.  The squared norm of W x is the
 * quadratic form x' (W' W) x, which needs less work for each row.
 */
static CLONES void
fill_gram(const struct param *w, const struct site *s, int head, double *gram)
{
	const int d = s->head_dim, wide = w->d[1];

	for (int r = 0; r < w->d[0]; r++) {
		const real *row = w->x + (ptrdiff_t)r * wide + head * d;

		for (int i = 0; i < d; i++)
			for (int j = 0; j < d; j++)
				gram[i * d + j] += (double)row[i] * (double)row[j];
	}
}

/* The weight of the output projection of a site, or NULL. */
static const struct param *
output_of(const struct model *m, const struct site *s)
{
	char *name = xasprintf("%s.out.weight", s->name);
	const struct param *p = params_find(&m->params, name);

	free(name);
	return p;
}

static double *
gram_of(const struct head_norms *x, size_t site)
{
	const int d = x->m->sites[site].head_dim;

	return x->gram + heads_before(x->m->sites, site) * (size_t)(d * d);
}

void
head_norms_begin(struct head_norms *x, const struct model *m)
{
	const size_t heads = heads_before(m->sites, m->n_sites);
	const size_t d = m->n_sites ? (size_t)m->sites[0].head_dim : 0;

	*x = (struct head_norms){ .m = m };
	x->gram = xcalloc(heads * d * d + 1, sizeof(*x->gram));
	x->sum = xcalloc(heads + 1, sizeof(*x->sum));
	x->error = xcalloc(heads + 1, sizeof(*x->error));
	for (size_t i = 0; i < m->n_sites; i++) {
		const struct site *s = &m->sites[i];
		const struct param *w = output_of(m, s);

		for (int h = 0; w && h < s->heads; h++)
			fill_gram(w, s, h, gram_of(x, i) + (size_t)h * d * d);
	}
}

void
head_norms_release(struct head_norms *x)
{
	free(x->gram);
	free(x->sum);
	free(x->error);
	*x = (struct head_norms){ .m = NULL };
}

static double
head_norms_norm(const double *gram, int d, const real *x)
{
	double sum = 0;

	for (int i = 0; i < d; i++)
		for (int j = 0; j < d; j++)
			sum += gram[i * d + j] * (double)x[i] * (double)x[j];
	return sum > 0 ? sqrt(sum) : 0;
}

/* Adds n rows of a head in one sentence, which are ld elements apart. */
static void
head_norms_add_rows(struct head_norms *x, size_t head, const double *gram, int d, const real *row,
		    ptrdiff_t ld, int n)
{
	double sum = 0;

	for (int r = 0; r < n; r++) {
		const double y = head_norms_norm(gram, d, row + r * ld);

		x->sum[head] += y;
		sum += y;
	}
	if (x->errors)
		ratio_error_add(&x->error[head], sum, n);
}

/* The gated head outputs of a site. */
struct outputs {
	struct head_norms *x;
	size_t site;
	const struct layout *rows;
	const struct node *gated;
};

static void
head_norms_add_head(void *arg, int h, int thread)
{
	const struct outputs *o = arg;
	const struct site *sites = o->x->m->sites;
	const int d = sites[o->site].head_dim;

	(void)thread;
	for (int i = 0; i < o->rows->n; i++)
		head_norms_add_rows(o->x, heads_before(sites, o->site) + (size_t)h,
				    gram_of(o->x, o->site) + h * d * d, d,
				    o->gated->x + (ptrdiff_t)o->rows->start[i] * o->gated->ld +
				    h * d,
				    o->gated->ld, o->rows->len[i]);
}

static void
head_norms_add_site(struct head_norms *x, struct tape *t, const struct layout *rows, size_t site)
{
	struct outputs o = { x, site, rows, tape_find(t, x->m->gate_name[site]) };

	if (o.gated)
		pool_run(tape_pass(t)->pool, x->m->sites[site].heads, head_norms_add_head, &o);
}

void
head_norms_add(struct head_norms *x, struct tape *t, const struct batch *b)
{
	for (size_t i = 0; i < x->m->n_sites; i++)
		head_norms_add_site(x, t, x->m->sites[i].where == ENCODER_SELF ? &b->src.layout
				    : &b->tgt.layout, i);
	x->rows[0] += b->src.layout.rows;
	x->rows[1] += b->tgt.layout.rows;
}

void
head_norms_fill(const struct head_norms *x, struct head_table *t)
{
	const struct site *sites = x->m->sites;

	for (size_t i = 0; i < heads_before(sites, x->m->n_sites); i++) {
		const struct site *s = site_of_head(sites, i, NULL);
		const int64_t rows = x->rows[s->where != ENCODER_SELF];

		if (output_of(x->m, s))
			head_table_fill_mean(t, sites, i, "norm", x->sum[i] / (double)rows,
					     ratio_error_of(&x->error[i]));
	}
}
