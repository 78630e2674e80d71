/* head-logits: see head-logits.h. */
#include "analysis/head-logits.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "analysis/gated-scores.h"
#include "attention/attention-heads.h"
#include "base/compiler.h"
#include "base/mem.h"
#include "base/pool.h"
#include "model/layer-params.h"
#include "ops/ops.h"
#include "tape/op.h"

static bool
is_possible(const struct model *m, int token)
{
	return !m->tgt_valid || m->tgt_valid[token];
}

void
head_logits_begin(struct head_logits *x, const struct model *m)
{
	const size_t heads = heads_before(m->sites, m->n_sites);
	const struct param *w = m->layers->output;
	const int wide = w->d[1];
	int n = 0;

	*x = (struct head_logits){ .m = m };
	x->mean = xcalloc((size_t)wide, sizeof(*x->mean));
	x->sum = xcalloc(heads + 1, sizeof(*x->sum));
	x->error = xcalloc(heads + 1, sizeof(*x->error));
	for (int v = 0; v < w->d[0]; v++) {
		for (int k = 0; is_possible(m, v) && k < wide; k++)
			x->mean[k] += (double)w->x[(ptrdiff_t)v * wide + k];
		n += is_possible(m, v);
	}
	for (int k = 0; k < wide; k++)
		x->mean[k] /= n;
}

void
head_logits_release(struct head_logits *x)
{
	free(x->mean);
	free(x->sum);
	free(x->error);
	*x = (struct head_logits){ .m = NULL };
}

/* --- from the logits down the residual stream --- */

/* For each target row, the factors by which a node of the residual stream adds to the logits. */
struct readout {
	int rows, wide;
	double *u;			/* [rows, wide] */
};

static void
readout_init(struct readout *d, const struct head_logits *x, const struct batch *b)
{
	const struct param *w = x->m->layers->output;
	const double factor = x->m->config.output_scale == OUTPUT_SCALE_SQRT
			      ? 1 / sqrt((double)w->d[1]) : 1;

	*d = (struct readout){ .rows = b->tgt.layout.rows, .wide = w->d[1] };
	d->u = xcalloc((size_t)d->rows * (size_t)d->wide + 1, sizeof(*d->u));
	for (int r = 0; r < d->rows; r++) {
		const ptrdiff_t token = b->tgt.out[r];

		for (int k = 0; is_possible(x->m, (int)token) && k < d->wide; k++)
			d->u[(ptrdiff_t)r * d->wide + k] =
				factor * ((double)w->x[token * d->wide + k] - x->mean[k]);
	}
}

/* From the output of a normalization to its input: u = (gain u - its mean) rstd, for each row. */
static void
readout_norm(struct readout *d, const struct node *gain, bool centered,
	     const struct norm_row *saved)
{
	for (int r = 0; r < d->rows; r++) {
		double *u = d->u + (ptrdiff_t)r * d->wide, mean = 0;

		for (int k = 0; k < d->wide; k++) {
			u[k] *= (double)gain->x[k];
			mean += centered ? u[k] / d->wide : 0;
		}
		for (int k = 0; k < d->wide; k++)
			u[k] = (u[k] - mean) * (double)saved[r].rstd;
	}
}

/*
 * Goes from a node of the residual stream to the last residual connection before it, and returns
 * the connection's node, of which in[1] is the output of its sublayer.
 */
static const struct node *
readout_connection(struct readout *d, const struct node *n)
{
	for (;; n = n->in[0]) {
		const char *op = n->op->name;

		if (!strcmp(op, "residual"))
			return n;
		if (!strcmp(op, "residual-norm")) {
			readout_norm(d, n->in[2], n->in[3] != NULL, n->saved);
			return n;
		}
		if (!strcmp(op, "norm"))
			readout_norm(d, n->in[1], n->in[2] != NULL, n->saved);
		else if (strcmp(op, "scale"))	/* the factor of readout_init() */
			bug("%s in the residual stream", op);
	}
}

/* --- heads --- */

/* Is it a site of the decoder whose output projection reads its heads? */
static bool
has_logits(const struct model *m, size_t site)
{
	return m->sites[site].where != ENCODER_SELF && m->sites[site].heads &&
	       attention_set_projects_heads(m->attention, site);
}

/*
 * v [heads * head_dim] = W' u, for one row.  Each element is summed in the order of the rows of W,
 * of which four are read at a time.
 */
static CLONES void
through_output(const struct param *w, const double *u, double *v)
{
	const int inner = w->d[1];
	int r = 0;

	memset(v, 0, (size_t)inner * sizeof(*v));
	for (; r + 4 <= w->d[0]; r += 4) {
		const real *row = w->x + (ptrdiff_t)r * inner;
		const double a = u[r], b = u[r + 1], c = u[r + 2], d = u[r + 3];

		for (int k = 0; k < inner; k++, row++)
			v[k] = v[k] + a * (double)row[0] + b * (double)row[inner] +
			       c * (double)row[2 * inner] + d * (double)row[3 * inner];
	}
	for (; r < w->d[0]; r++)
		for (int k = 0; k < inner; k++)
			v[k] += u[r] * (double)w->x[(ptrdiff_t)r * inner + k];
}

/* The sums of all sentences at a site; context: what the output projection reads. */
struct head_sums {
	const struct readout *d;
	const struct site *s;
	const struct param *w;
	const struct layout *rows;
	const struct node *context;
	double *sum;			/* [sentences, heads] */
};

static void
head_logits_of_sentence(void *arg, int i, int thread)
{
	const struct head_sums *x = arg;
	const struct node *context = x->context;
	const ptrdiff_t first = x->rows->start[i];
	double *v = xcalloc((size_t)x->w->d[1], sizeof(*v)), *sum = x->sum + i * x->s->heads;

	(void)thread;
	for (ptrdiff_t r = first; r < first + x->rows->len[i]; r++) {
		through_output(x->w, x->d->u + r * x->d->wide, v);
		for (int k = 0; k < x->w->d[1]; k++)
			sum[k / x->s->head_dim] +=
				v[k] * (double)context->x[r * context->ld + k];
	}
	free(v);
}

/* n: the residual connection of the site. */
static void
head_logits_add_site(struct head_logits *x, struct tape *t, const struct readout *d,
		     const struct attention_layer *a, const struct batch *b, const struct node *n)
{
	const struct site *s = &x->m->sites[a->site];
	const size_t first = heads_before(x->m->sites, a->site);
	const struct layout *rows = &b->tgt.layout;
	struct head_sums all = { .d = d, .s = s, .w = a->out.weight, .rows = rows };

	if (!has_logits(x->m, a->site))
		return;
	all.context = n->in[1]->in[0];
	all.sum = xcalloc((size_t)rows->n * (size_t)s->heads + 1, sizeof(*all.sum));
	pool_run(tape_pass(t)->pool, rows->n, head_logits_of_sentence, &all);
	for (int i = 0; i < rows->n; i++) {
		int tokens = 0;

		for (int r = rows->start[i]; r < rows->start[i] + rows->len[i]; r++)
			tokens += is_possible(x->m, b->tgt.out[r]);
		for (int h = 0; h < s->heads; h++) {
			const double sum = all.sum[i * s->heads + h];

			x->sum[first + (size_t)h] += sum;
			if (x->errors)
				ratio_error_add(&x->error[first + (size_t)h], sum, tokens);
		}
	}
	free(all.sum);
}

void
head_logits_add(struct head_logits *x, struct tape *t, const struct batch *b,
		const struct node *nll)
{
	const struct layer *layer = x->m->layers->dec;
	const struct node *n = nll->in[0];
	struct readout d;

	readout_init(&d, x, b);
	for (int64_t i = x->m->config.dec_layers - 1; i >= 0; i--) {
		n = readout_connection(&d, n)->in[0];	/* the feed-forward layer */
		n = readout_connection(&d, n);
		head_logits_add_site(x, t, &d, &layer[i].cross, b, n);
		n = readout_connection(&d, n->in[0]);
		head_logits_add_site(x, t, &d, &layer[i].self, b, n);
		n = n->in[0];
	}
	x->tokens += gated_loss_tokens(x->m, b);
	free(d.u);
}

void
head_logits_fill(const struct head_logits *x, struct head_table *t)
{
	const struct site *sites = x->m->sites;

	for (size_t i = 0; i < heads_before(sites, x->m->n_sites); i++)
		if (has_logits(x->m, (size_t)(site_of_head(sites, i, NULL) - sites)))
			head_table_fill_mean(t, sites, i, "logit", x->sum[i] / (double)x->tokens,
					     ratio_error_of(&x->error[i]));
}
