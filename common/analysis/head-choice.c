/* head-choice: which heads of a model to remove; see head-choice.h. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "analysis/head-choice.h"
#include "base/mem.h"
#include "base/ranked.h"
#include "base/rng.h"

void
head_choice_init(struct head_choice *c, const struct model *m, int kind)
{
	struct head_candidate *h;

	memset(c, 0, sizeof(*c));
	c->m = m;
	c->kind = kind;
	c->n = heads_before(m->sites, m->n_sites);
	c->remove = xcalloc(c->n + 1, sizeof(*c->remove));
	h = c->head = xcalloc(c->n + 1, sizeof(*c->head));
	for (size_t i = 0; i < m->n_sites; i++) {
		const struct site *s = &m->sites[i];

		for (int k = 0; k < s->heads; k++)
			*h++ = (struct head_candidate){
				.site = s, .number = s->head[k] + 1,
				.gated = attention_set_gated(m->attention, i)
			};
	}
	c->gate = xmalloc((c->n + 1) * sizeof(*c->gate));
	c->unrounded = xmalloc((c->n + 1) * sizeof(*c->unrounded));
	for (size_t i = 0; i < c->n; i++)
		c->gate[i] = c->unrounded[i] = 1;
	c->gated = attention_set_gates(m->attention, c->gate);
	attention_set_unrounded(m->attention, c->unrounded);
}

void
head_choice_release(struct head_choice *c)
{
	free(c->remove);
	free(c->gate);
	free(c->unrounded);
	free(c->head);
}

static bool
is_eligible(const struct head_choice *c, size_t i)
{
	return c->kind < 0 || (int)c->head[i].site->where == c->kind;
}

static void
count_gate(struct rounding *r, double gate)
{
	r->heads++;
	if (gate <= 0 || gate >= 1)
		return;
	r->lowest = r->fractional ? fmin(r->lowest, gate) : gate;
	r->highest = fmax(r->highest, gate);
	r->fractional++;
}

void
head_choice_by_gates(struct head_choice *c)
{
	for (size_t i = 0; i < c->n; i++) {
		if (!is_eligible(c, i))
			continue;
		if (c->head[i].gated)
			count_gate(&c->rounding, c->unrounded[i]);
		c->remove[i] = c->gate[i] < 0.5;
		c->gate[i] = 1;
	}
}

struct rounding
head_choice_folded(const struct head_choice *c)
{
	struct rounding folded = { .heads = 0 };

	for (size_t i = 0; i < c->n; i++)
		if (!c->remove[i] && c->gate[i] != 1)
			count_gate(&folded, c->gate[i]);
	return folded;
}

/* The measure "layer" is the number of the layer, which a table has as a key. */
static int
set_ranks(struct head_choice *c, struct head_table *t, const char *measure, bool lowest,
	  const char *name, struct err *e)
{
	const bool layer = !strcmp(measure, "layer");
	const struct head_column *column = layer ? NULL : head_table_measure(t, measure, name, e);

	if (!layer && !column)
		return -1;
	for (size_t i = 0; i < c->n; i++) {
		struct head_candidate *h = &c->head[i];
		const struct site *s = h->site;
		double value;

		if (!is_eligible(c, i))
			continue;
		value = layer ? s->layer
			: head_table_get(column, head_table_row(t, s->where, s->layer, h->number));
		if (isnan(value))
			return err_set(e, EXIT_INPUT, "%s: head %d of %s has no %s, expected one "
				       "for every head that may be removed", name, h->number,
				       s->name, measure);
		h->rank = lowest ? value : -value;
	}
	return 0;
}

/* Removes all eligible heads but the first n_kept by rank; of equal ones, earlier ones remain. */
static int
remove_others(struct head_choice *c, int64_t n_kept, struct err *e)
{
	struct ranked *order = xcalloc(c->n + 1, sizeof(*order));
	size_t n = 0;

	for (size_t i = 0; i < c->n; i++)
		if (is_eligible(c, i))
			order[n++] = (struct ranked){ -c->head[i].rank, i };
	ranked_sort(order, n);
	for (size_t i = (size_t)n_kept; i < n; i++)
		c->remove[order[i].at] = true;
	free(order);
	if ((size_t)n_kept > n)
		return err_set(e, EXIT_USAGE, "%lld heads to keep, expected at most %zu, the "
			       "number of heads that may be removed", (long long)n_kept, n);
	return 0;
}

int
head_choice_by(struct head_choice *c, struct head_table *t, const char *measure, bool lowest,
	       int64_t n_kept, const char *name, struct err *e)
{
	return set_ranks(c, t, measure, lowest, name, e) || remove_others(c, n_kept, e) ? -1 : 0;
}

int
head_choice_at_random(struct head_choice *c, uint64_t seed, int64_t n_kept, struct err *e)
{
	struct rng r;

	rng_init(&r, seed, rng_purpose("head choice"), 0);
	for (size_t i = 0; i < c->n; i++)
		c->head[i].rank = rng_uniform(&r);
	return remove_others(c, n_kept, e);
}
