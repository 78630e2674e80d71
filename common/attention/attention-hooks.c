/* attention-hooks: runs the hooks of a model's variants; see attention.h. */
#include "attention/attention-set.h"
#include "base/buf.h"
#include "data/batch.h"
#include "ops/ops.h"
#include "tape/params.h"

/* The active variants of all sites, in the order of the specs: the one after a, or NULL. */
static struct attention *
next_active(const struct attention_set *s, const struct attention *a)
{
	for (size_t i = a ? a->member * s->n_sites + a->at + 1 : 0; i < s->n * s->n_sites; i++) {
		struct attention *b = &s->member[i / s->n_sites].at[i % s->n_sites];

		if (b->here)
			return b;
	}
	return NULL;
}

/* The same at one site, from spec number *i, which becomes the following one. */
static const struct attention *
next_at(const struct attention_set *s, size_t site, size_t *i)
{
	while (*i < s->n) {
		const struct attention *a = &s->member[(*i)++].at[site];

		if (a->here)
			return a;
	}
	return NULL;
}

void
attention_set_params(struct attention_set *s, struct params *p)
{
	for (struct attention *a = NULL; (a = next_active(s, a));)
		if (a->variant->params)
			a->variant->params(a, p);
}

int
attention_set_batch(struct attention_set *s, struct batch *b, struct err *e)
{
	for (const struct attention *a = NULL; (a = next_active(s, a));)
		if (a->variant->batch && a->variant->batch(a, b, e))
			return err_wrap(e, "attention %s", a->variant->name);
	b->ready = s;
	return 0;
}

bool
attention_set_ready(const struct attention_set *s, const struct batch *b)
{
	for (size_t i = 0; i < s->n; i++)
		if (s->member[i].variant->batch)
			return b->ready == s;
	return true;
}

bool
attention_set_empty(const struct attention_set *s, size_t site)
{
	size_t i = 0;

	return !next_at(s, site, &i);
}

bool
attention_set_fused(const struct attention_set *s, size_t site)
{
	const struct attention *a;
	int biases = 0;

	for (size_t i = 0; (a = next_at(s, site, &i));) {
		if (a->variant->scores || a->variant->weights || a->variant->unfused)
			return false;
		biases += a->variant->bias != NULL;
	}
	return biases < 2;
}

struct node *
attention_set_bias(const struct attention_set *s, size_t site, struct tape *t,
		   struct distance_bias *rule)
{
	const struct attention *a;

	for (size_t i = 0; (a = next_at(s, site, &i));)
		if (a->variant->bias)
			return a->variant->bias(a, t, rule);
	return NULL;
}

bool
attention_set_owns_output(const struct attention_set *s, size_t site)
{
	return s->output[site] != NULL;
}

bool
attention_set_projects_heads(const struct attention_set *s, size_t site)
{
	const struct attention *a;

	for (size_t i = 0; (a = next_at(s, site, &i));)
		if (a->variant->heads && !a->variant->gate)
			return false;
	return !s->output[site];
}

/* Runs a hook of one variant, if it has it; the result replaces *node. */
static void
apply(att_hook *hook, const struct attention *a, struct tape *t, const struct att_nodes *n,
      struct node **node)
{
	if (hook)
		*node = hook(a, t, n);
}

struct node *
attention_set_queries(const struct attention_set *s, size_t site, struct tape *t,
		      struct att_nodes *n)
{
	const struct attention *a;

	for (size_t i = 0; (a = next_at(s, site, &i));)
		apply(a->variant->queries, a, t, n, &n->q);
	return n->q;
}

/* The bias of a variant, in unfused attention. */
static void
apply_bias(const struct attention *a, struct tape *t, struct att_nodes *n)
{
	struct distance_bias rule;
	struct node *table = a->variant->bias ? a->variant->bias(a, t, &rule) : NULL;

	if (table)
		n->scores = op_distance_bias(t, n->scores, table, &rule);
}

struct node *
attention_set_scores(const struct attention_set *s, size_t site, struct tape *t,
		     struct att_nodes *n)
{
	const struct attention *a;

	for (size_t i = 0; (a = next_at(s, site, &i));) {
		apply_bias(a, t, n);
		apply(a->variant->scores, a, t, n, &n->scores);
	}
	return n->scores;
}

struct node *
attention_set_weights(const struct attention_set *s, size_t site, struct tape *t,
		      struct att_nodes *n)
{
	const struct attention *a;

	for (size_t i = 0; (a = next_at(s, site, &i));)
		apply(a->variant->weights, a, t, n, &n->weights);
	return n->weights;
}

struct node *
attention_set_context(const struct attention_set *s, size_t site, struct tape *t,
		      struct att_nodes *n)
{
	const struct attention *a;

	for (size_t i = 0; (a = next_at(s, site, &i));)
		apply(a->variant->context, a, t, n, &n->context);
	return n->context;
}

struct node *
attention_set_heads(const struct attention_set *s, size_t site, struct tape *t,
		    struct att_nodes *n)
{
	const struct attention *a;

	for (size_t i = 0; (a = next_at(s, site, &i));)
		apply(a->variant->heads, a, t, n, &n->context);
	return n->context;
}

struct node *
attention_set_output(const struct attention_set *s, size_t site, struct tape *t,
		     const struct att_nodes *n)
{
	const struct attention *a = s->output[site];

	return a ? a->variant->output(a, t, n) : NULL;
}

struct node *
attention_set_importance(const struct attention_set *s, size_t site, const struct tape *t)
{
	const struct attention *a;
	struct node *weights = NULL;

	for (size_t i = 0; (a = next_at(s, site, &i));)
		if (a->variant->importance)
			weights = a->variant->importance(a, t);
	return weights;
}

/* Multiplies the gates of all sites by the factors of the variants, as they are or unrounded. */
static bool
multiply_gates(const struct attention_set *s, bool unrounded, double *gate)
{
	bool any = false;

	for (size_t i = 0; i < s->n; i++) {
		const struct attention_variant *v = s->member[i].variant;
		double (*factor)(const struct attention *a, int head) =
			unrounded && v->unrounded ? v->unrounded : v->gate;
		const struct attention *a = s->member[i].at;
		double *g = gate;

		any |= factor != NULL;
		for (size_t j = 0; factor && j < s->n_sites; g += a[j++].site->heads)
			for (int h = 0; a[j].here && h < a[j].site->heads; h++)
				g[h] *= factor(&a[j], h);
	}
	return any;
}

bool
attention_set_gates(const struct attention_set *s, double *gate)
{
	return multiply_gates(s, false, gate);
}

void
attention_set_unrounded(const struct attention_set *s, double *gate)
{
	multiply_gates(s, true, gate);
}

bool
attention_set_gated(const struct attention_set *s, size_t site)
{
	const struct attention *a;

	for (size_t i = 0; (a = next_at(s, site, &i));)
		if (a->variant->gate)
			return true;
	return false;
}

size_t
attention_set_n_counts(const struct attention_set *s)
{
	for (size_t i = 0; i < s->n; i++)
		if (s->member[i].variant->count)
			return s->n * s->n_sites;
	return 0;
}

void
attention_set_count(const struct attention_set *s, const struct batch *b, double *counts)
{
	for (const struct attention *a = NULL; (a = next_active(s, a));)
		if (a->variant->count)
			counts[a->member * s->n_sites + a->at] += a->variant->count(a, b);
}

/* Target tokens per counted item, in the update or, without its counts, in b alone. */
static double
targets_per_item(const struct attention *a, const struct batch *b)
{
	double count;

	if (!a->variant->count)
		return 1;
	count = b->counts ? b->counts[a->member * a->set->n_sites + a->at]
			  : a->variant->count(a, b);
	return count > 0 ? batch_update_targets(b) / count : 0;
}

struct node *
attention_set_loss(const struct attention_set *s, struct tape *t, const struct batch *b)
{
	struct node *sum = NULL;

	for (const struct attention *a = NULL; (a = next_active(s, a));) {
		struct node *l = a->variant->loss
			? a->variant->loss(a, t, b, (real)targets_per_item(a, b)) : NULL;

		sum = sum && l ? op_add(t, sum, l) : l ? l : sum;
	}
	return sum;
}

void
attention_set_report(const struct attention_set *s, struct tape *t, const struct batch *b,
		     struct means *y)
{
	for (const struct attention *a = NULL; (a = next_active(s, a));)
		if (a->variant->report)
			a->variant->report(a, t, b, y);
}

/* Runs the conclude hook of one variant at all sites. */
static void
conclude(const struct member *m, size_t n_sites, struct means *y, attention_warn *warn_fn,
	 void *arg)
{
	struct buf warning = { 0 };

	for (size_t j = 0; j < n_sites && m->variant->conclude; j++)
		if (m->at[j].here)
			m->variant->conclude(&m->at[j], y, &warning);
	if (warning.n)
		warn_fn(arg, m->variant->name, warning.data);
	buf_release(&warning);
}

void
attention_set_conclude(const struct attention_set *s, struct means *y, attention_warn *warn_fn,
		       void *arg)
{
	for (size_t i = 0; i < s->n; i++)
		conclude(&s->member[i], s->n_sites, y, warn_fn, arg);
}
