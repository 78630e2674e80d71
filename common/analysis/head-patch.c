/* head-patch: see head-patch.h. */
#include "analysis/head-patch.h"

#include <stdlib.h>
#include <string.h>

#include "analysis/gated-scores.h"
#include "attention/attention-heads.h"
#include "base/mem.h"
#include "ops/ops.h"

bool
head_patch_backward(const struct head_patch_how *settings)
{
	return settings->method[PATCH_GRADIENT] || settings->method[PATCH_INTEGRATED];
}

void
head_patch_begin(struct head_patching *p, struct model *m, const struct head_patch_how *settings)
{
	const size_t heads = heads_before(m->sites, m->n_sites);

	*p = (struct head_patching){ .m = m, .how = *settings, .heads = heads };
	if (!head_patch_backward(settings))
		p->how.method[PATCH_EXACT] = true;
	else
		model_gate_gradients(m);
	p->output = xcalloc(heads + 1, sizeof(*p->output));
	p->gates = xcalloc(heads + 1, sizeof(*p->gates));
	for (size_t i = 0; i < heads; i++)
		p->gates[i] = 1;
	if (!m->gates)
		model_gate(m, p->gates);
	m->recipe.label_smoothing = 0;
	layer_pass_init(&p->pass, m);
	arena_init(&p->mem, 0);
}

void
head_patch_release(struct head_patching *p)
{
	if (!p->m)
		return;
	if (p->m->gates == p->gates)
		model_gate(p->m, NULL);
	for (int k = 0; k < PATCH_METHODS; k++)
		free(p->effect[k]);
	free(p->total);
	free(p->masked);
	free(p->gates);
	free(p->output);
	layer_pass_release(&p->pass);
	arena_release(&p->mem);
	*p = (struct head_patching){ .m = NULL };
}

/* --- pairs --- */

/*
 * Sets p->output to copies of the head outputs of the model's last run, or to what they changed
 * since those that it has.
 */
static void
keep_outputs(struct head_patching *p, struct tape *t, bool change)
{
	const struct model *m = p->m;
	real **to = p->output;

	for (size_t i = 0; i < m->n_sites; i++) {
		const struct site *s = &m->sites[i];
		const ptrdiff_t d = s->head_dim;
		const struct node *x = s->heads ? tape_find(t, m->gate_name[i])->in[0] : NULL;

		for (int h = 0; h < s->heads; h++, to++) {
			const real *before = change ? *to : NULL;

			*to = ARENA_ARRAY(&p->mem, real, (size_t)x->d[0] * (size_t)d);
			for (ptrdiff_t j = 0; j < x->d[0] * d; j++)
				(*to)[j] = x->x[j / d * x->ld + h * d + j % d] -
					   (before ? before[j] : 0);
		}
	}
}

/* Adds factor times the log-probability of each target to a column, of rows `step` apart. */
static void
head_patch_add_scores(const struct node *nll, const struct batch *b, double factor, double *column,
		      size_t step)
{
	int64_t infinite;

	for (int i = 0; i < b->n; i++, column += step)
		*column -= factor * loss_of_sentence(nll, b, i, &infinite);
}

/* The sign of the log-probability of the run that is patched in all effects. */
static double
sign_of_run(const struct head_patching *p)
{
	return p->how.direction == PATCH_NOISE ? 1 : -1;
}

/* Adds the log-probabilities of the run that is patched to the total effects. */
static void
head_patch_add_total(struct head_patching *p, const struct node *nll, const struct batch *b)
{
	for (size_t i = 0; i < (size_t)b->n; i++) {
		int64_t infinite;

		p->total[p->n + i] -= sign_of_run(p) * loss_of_sentence(nll, b, (int)i, &infinite);
		p->masked[p->n + i] = infinite > 0;
	}
}

static struct node *
run_whole(struct head_patching *p, struct tape *t, const struct batch *b)
{
	tape_rewind(t);
	return model_cross_entropy(p->m, t, b,
				   model_decode(p->m, t, b, model_encode(p->m, t, b)));
}

/* Patches each head into the run on b.  new_effect: the effects on the first pair in b. */
static void
patch_heads(struct head_patching *p, struct tape *t, const struct batch *b, double *new_effect)
{
	const double sign = sign_of_run(p);
	struct model *m = p->m;
	const struct node *nll;
	size_t column = 0;

	layer_pass_next(&p->pass);
	nll = layer_pass_run(&p->pass, t, b, (struct layer_change){ 0, 0 }, true);
	head_patch_add_total(p, nll, b);
	for (size_t h = 0; h < p->heads; h++)
		head_patch_add_scores(nll, b, sign, new_effect + h, p->heads);
	for (size_t i = 0; i < m->n_sites; i++) {
		const bool source = m->sites[i].where == ENCODER_SELF;
		struct head_patch one = { .site = i, .rows = source ? b->src.layout.rows
								    : b->tgt.layout.rows };
		const int place = layer_pass_place(m, i);
		const struct layer_change from = { place, source ? p->pass.places : place };

		model_patch(m, &one);
		for (; one.head < m->sites[i].heads; one.head++, column++) {
			one.x = p->output[column];
			head_patch_add_scores(layer_pass_run(&p->pass, t, b, from, false), b,
					      -sign, new_effect + column, p->heads);
		}
		model_patch(m, NULL);
	}
}

/* --- gradients --- */

/*
 * Adds `share` of the first order of the effects, after tape_gradient().  p->output has the changes
 * of the head outputs from the other run to the one that is patched.
 */
static void
add_first_order(const struct head_patching *p, struct tape *t, const struct batch *b, double share,
		double *new_effect)
{
	const double factor = -sign_of_run(p) * share;
	const struct model *m = p->m;
	size_t column = 0;

	for (size_t i = 0; i < m->n_sites; i++) {
		const struct node *gated = tape_find(t, m->gate_name[i]);
		const struct layout *rows = m->sites[i].where == ENCODER_SELF ? &b->src.layout
									      : &b->tgt.layout;

		for (int h = 0; h < m->sites[i].heads; h++, column++)
			for (int k = 0; k < b->n; k++)
				new_effect[(size_t)k * p->heads + column] += factor *
					(gradient_times(gated, p->output[column],
							m->sites[i].head_dim, rows, k, h) *
					 (double)gated->in[1]->x[h]);
	}
}

static const struct node *
run_backward(struct head_patching *p, struct tape *t, const struct batch *b)
{
	const struct model *m = p->m;
	struct node *nll = run_whole(p, t, b);

	for (size_t i = 0; i < m->n_sites; i++)
		if (m->sites[i].heads)
			tape_keep_gradient(t, tape_find(t, m->gate_name[i]));
	tape_gradient(t, nll, 1);
	return nll;
}

/* The embeddings of the source in the last run, minus `less`, which may be NULL. */
static real *
embeddings(struct head_patching *p, const struct tape *t, const real *less)
{
	const struct node *x = tape_find(t, "src.embed");
	const ptrdiff_t size = (ptrdiff_t)x->d[0] * x->d[1];
	real *copy = ARENA_ARRAY(&p->mem, real, (size_t)size);

	for (ptrdiff_t i = 0; i < size; i++)
		copy[i] = x->x[i / x->d[1] * x->ld + i % x->d[1]] - (less ? less[i] : 0);
	return copy;
}

/*
 * The effects by gradients, in the run on b and, for integrated, in runs with embeddings between
 * those and `other`, the embeddings of the run whose head outputs are in p->output.
 */
static void
patch_gradients(struct head_patching *p, struct tape *t, const struct batch *b,
		const real *other, double *const *new_effect)
{
	const int steps = p->how.steps;
	const struct node *nll = run_backward(p, t, b);
	const real *away = embeddings(p, t, other);	/* from `other` to b */
	const size_t size = (size_t)b->src.layout.rows * (size_t)p->m->config.width;
	struct embed_shift shift = { .x = { ARENA_ARRAY(&p->mem, real, size) } };

	if (!p->how.method[PATCH_EXACT])
		head_patch_add_total(p, nll, b);
	keep_outputs(p, t, true);
	if (p->how.method[PATCH_GRADIENT])
		add_first_order(p, t, b, 1, new_effect[PATCH_GRADIENT]);
	if (!p->how.method[PATCH_INTEGRATED])
		return;
	add_first_order(p, t, b, 1 / (double)steps, new_effect[PATCH_INTEGRATED]);
	model_shift(p->m, &shift);
	for (int k = steps - 1; k > 0; k--) {
		for (size_t i = 0; i < size; i++)
			shift.x[0][i] = ((real)k / (real)steps - 1) * away[i];
		run_backward(p, t, b);
		add_first_order(p, t, b, 1 / (double)steps, new_effect[PATCH_INTEGRATED]);
	}
	model_shift(p->m, NULL);
}

/* --- all methods --- */

/* Room for n more pairs, with effects of 0; new_effect: where those of each method begin. */
static void
head_patch_make_room(struct head_patching *p, size_t n, double **new_effect)
{
	const size_t first = p->n * p->heads, size = n * p->heads;

	for (int k = 0; k < PATCH_METHODS; k++) {
		p->effect[k] = mem_grow(p->effect[k], &p->room[k], first + size + 1,
					sizeof(*p->effect[k]));
		new_effect[k] = p->effect[k] + first;
		memset(new_effect[k], 0, size * sizeof(**new_effect));
	}
	p->total = mem_grow(p->total, &p->total_room, p->n + n, sizeof(*p->total));
	p->masked = mem_grow(p->masked, &p->masked_room, p->n + n, sizeof(*p->masked));
	memset(p->total + p->n, 0, n * sizeof(*p->total));
}

void
head_patch_pairs(struct head_patching *p, struct tape *t, const struct batch *clean,
		 const struct batch *corrupted)
{
	const bool noise = p->how.direction == PATCH_NOISE;
	const struct batch *from = noise ? corrupted : clean, *to = noise ? clean : corrupted;
	double *new_effect[PATCH_METHODS];
	const real *other;

	head_patch_make_room(p, (size_t)clean->n, new_effect);
	head_patch_add_scores(run_whole(p, t, from), from, -sign_of_run(p),
			      p->total + p->n, 1);
	keep_outputs(p, t, false);
	other = embeddings(p, t, NULL);
	if (p->how.method[PATCH_EXACT])
		patch_heads(p, t, to, new_effect[PATCH_EXACT]);
	if (head_patch_backward(&p->how))
		patch_gradients(p, t, to, other, new_effect);
	p->n += (size_t)clean->n;
}
