/* set-losses: see set-losses.h. */
#include "analysis/set-losses.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "attention/attention-heads.h"
#include "base/mem.h"
#include "base/rng.h"
#include "stream/json-out.h"

/* Sets at[] to the heads of a kind, and *chosen to the number of those in the set. */
static size_t
choices_of_kind(const struct set_losses *l, int kind, const bool *set, size_t *at, size_t *chosen)
{
	const size_t n = heads_of_kind(l->sites.site, l->sites.n, kind, at);

	*chosen = 0;
	for (size_t i = 0; i < n; i++)
		*chosen += set[at[i]];
	return n;
}

/* Does the set leave out a head of one of its kinds?  Otherwise, random sets equal it. */
static bool
has_choice(const struct set_losses *l, const bool *set)
{
	size_t *at = xcalloc(l->heads + 1, sizeof(*at)), in;
	bool any = false;

	for (int kind = 0; site_kinds[kind]; kind++) {
		const size_t n = choices_of_kind(l, kind, set, at, &in);

		any = any || (in && in < n);
	}
	free(at);
	return any;
}

/* Adds as many random heads of each kind as the set has. */
static void
draw_heads(const struct set_losses *l, struct rng *r, const bool *set, bool *masked)
{
	size_t *at = xcalloc(l->heads + 1, sizeof(*at)), in;
	uint32_t *order = xcalloc(l->heads + 1, sizeof(*order));

	for (int kind = 0; site_kinds[kind]; kind++) {
		const size_t n = choices_of_kind(l, kind, set, at, &in);

		if (in)
			rng_permutation(r, order, n);
		for (size_t i = 0; i < in; i++)
			masked[at[order[i]]] = true;
	}
	free(order);
	free(at);
}

void
set_losses_begin(struct set_losses *l, struct model *m, const bool *set, int64_t n_random,
		 uint64_t seed)
{
	struct rng r;

	*l = (struct set_losses){ .sites = sites_of_model(m),
				  .heads = heads_before(m->sites, m->n_sites) };
	for (size_t i = 0; i < l->heads; i++)
		l->size += set[i];
	l->n = 2 + (has_choice(l, set) ? (size_t)n_random : 0);
	l->masked = xcalloc(l->n, sizeof(*l->masked));
	l->loss = xcalloc(l->n, sizeof(*l->loss));
	rng_init(&r, seed, rng_purpose("head-find"), 0);
	/* The first two are drawn, too, and replaced: the others are as in earlier versions. */
	for (size_t k = 0; k < l->n; k++) {
		l->masked[k] = xcalloc(l->heads, sizeof(**l->masked));
		draw_heads(l, &r, set, l->masked[k]);
	}
	memset(l->masked[0], 0, l->heads * sizeof(**l->masked));
	memcpy(l->masked[1], set, l->heads * sizeof(**l->masked));
	gated_loss_begin(&l->gates, m);
}

void
set_losses_add(struct set_losses *l, struct tape *t, const struct batch *b)
{
	gated_loss_next(&l->gates);
	for (size_t k = 0; k < l->n; k++) {
		for (size_t i = 0; i < l->heads; i++)
			l->gates.gates[i] = l->masked[k][i] ? 0 : 1;
		l->loss[k] += gated_loss_of(&l->gates, t, b);
	}
	l->tokens += gated_loss_tokens(l->gates.m, b);
}

void
set_losses_end(struct set_losses *l)
{
	gated_loss_release(&l->gates);
	for (size_t k = 0; k < l->n; k++)
		l->loss[k] /= (double)l->tokens;
}

void
set_losses_release(struct set_losses *l)
{
	for (size_t k = 0; k < l->n; k++)
		free(l->masked[k]);
	free(l->masked);
	free(l->loss);
	*l = (struct set_losses){ .n = 0 };
}

/* --- results --- */

double
set_losses_rise(const struct set_losses *l, size_t k)
{
	return l->loss[k] - l->loss[0];
}

size_t
set_losses_below(const struct set_losses *l)
{
	size_t n = 0;

	for (size_t k = 2; k < l->n; k++)
		n += set_losses_rise(l, k) < set_losses_rise(l, 1);
	return n;
}

void
set_losses_text(const struct set_losses *l, struct buf *out)
{
	double low = INFINITY, high = -INFINITY;

	buf_printf(out, "without it  NLL %+.3f per token", set_losses_rise(l, 1));
	for (size_t k = 2; k < l->n; k++) {
		low = fmin(low, set_losses_rise(l, k));
		high = fmax(high, set_losses_rise(l, k));
	}
	if (l->n > 2)
		buf_printf(out, " (%zu random sets of %zu: %+.3f to %+.3f)", l->n - 2, l->size,
			   low, high);
	buf_add_char(out, '\n');
}

static void
set_losses_json(const struct set_losses *l, struct buf *out)
{
	buf_add_str(out, ",\"loss\":");
	json_add_fixed(out, set_losses_rise(l, 1));
	buf_add_str(out, ",\"random\":[");
	for (size_t k = 2; k < l->n; k++) {
		buf_add_str(out, k > 2 ? "," : "");
		json_add_fixed(out, set_losses_rise(l, k));
	}
	buf_add_char(out, ']');
}

void
set_losses_end_json(const struct set_losses *l, const struct buf *signature, struct buf *out)
{
	if (l)
		set_losses_json(l, out);
	buf_add_str(out, ",\"signature\":");
	json_add_text(out, signature->data);
	buf_add_str(out, "}\n");
}
