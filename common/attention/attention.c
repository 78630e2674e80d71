/*
 * attention: the list of variants, and functions for them; see attention.h.  The Makefile writes
 * attention-list.inc from the names of the files in this folder.
 */
#include <stdarg.h>
#include <string.h>

#include "attention/attention-set.h"
#include "base/buf.h"
#include "data/means.h"
#include "data/word-tree.h"
#include "tape/op.h"

#define V(name) extern const struct attention_variant attention_##name;
#include "attention-list.inc"
#undef V

#define V(name) &attention_##name,
const struct attention_variant *const attention_variants[] = {
#include "attention-list.inc"
	NULL
};
#undef V

void *
attention_state(const struct attention *a)
{
	return a->state;
}

const struct site *
attention_site(const struct attention *a)
{
	return a->site;
}

struct cut
site_cut(const struct site *s, int axis, int parts)
{
	return (struct cut){ .axis = axis, .parts = parts, .of = s->all_heads, .n = s->heads,
			     .block = s->head };
}

int
attention_in_encoder(const struct site *s, int64_t first, int64_t last_layer, struct err *e)
{
	if (s->where != ENCODER_SELF)
		return 1;
	if (last_layer == 0)
		last_layer = s->n_layers;
	if (first < 1 || first > s->n_layers || last_layer < 1 || last_layer > s->n_layers)
		return err_set(e, EXIT_USAGE, "layers %lld to %lld, expected them from 1 to %d",
			       (long long)first, (long long)last_layer, s->n_layers);
	if (first > last_layer)
		return err_set(e, EXIT_USAGE, "first=%lld is above last=%lld",
			       (long long)first, (long long)last_layer);
	return s->layer < first || s->layer > last_layer;
}

/* The last spec before number *i that is active at a's site, or NULL; *i becomes its number. */
static const struct attention *
one_before(const struct attention *a, size_t *i)
{
	while ((*i)-- > 0) {
		const struct attention *b = &a->set->member[*i].at[a->at];

		if (b->here)
			return b;
	}
	return NULL;
}

const struct attention *
attention_before(const struct attention *a, const char *name)
{
	const struct attention *b;

	for (size_t i = a->member; (b = one_before(a, &i));)
		if (!strcmp(b->variant->name, name))
			return b;
	return NULL;
}

const struct attention *
attention_anywhere_before(const struct attention *a, const char *name, enum site_where where)
{
	for (size_t i = a->member; i-- > 0;) {
		const struct member *m = &a->set->member[i];

		for (size_t j = 0; j < a->set->n_sites && !strcmp(m->variant->name, name); j++)
			if (m->at[j].here && m->at[j].site->where == where)
				return &m->at[j];
	}
	return NULL;
}

const struct attention *
attention_leader(const struct attention *a)
{
	const struct attention *at = a->set->member[a->member].at;

	while (!at->here)
		at++;
	return at;
}

const struct attention *
attention_next(const struct attention *a)
{
	const struct attention *end = a->set->member[a->member].at + a->set->n_sites;

	for (a++; a < end; a++)
		if (a->here)
			return a;
	return NULL;
}

size_t
attention_n_sites(const struct attention *a)
{
	const struct attention *at = a->set->member[a->member].at;
	size_t n = 0;

	for (size_t i = 0; i < a->set->n_sites; i++)
		n += at[i].here;
	return n;
}

const struct site *
attention_sites(const struct attention *a, size_t *n)
{
	*n = a->set->n_sites;
	return a->site - a->at;
}

struct node *
attention_weights(const struct attention *a, const struct tape *t)
{
	struct node *n = tape_find(t, a->site->name);

	if (!n || !n->block)	/* fused attention gives its name to the context */
		bug("attention %s at %s: no weights of fused attention, expected .unfused = 1",
		    a->variant->name, a->site->name);
	return n;
}

extern const struct op ops_softmax;

struct node *
attention_scores(const struct attention *a, const struct tape *t)
{
	struct node *n = attention_weights(a, t);

	while (n->op != &ops_softmax)
		n = n->in[0];
	return n->in[0];
}

bool
attention_biased(const struct attention *a)
{
	const struct attention *b;

	for (size_t i = a->member; (b = one_before(a, &i));)
		if (b->variant->scores || b->variant->bias)
			return true;
	return false;
}

void
attention_report_treeless(const struct attention *a, struct tape *t, const struct batch *b,
			  struct means *y)
{
	(void)t;
	treeless_report(b, a->variant->needs[0].name, a->site->name, y);
}

void
attention_mean(struct means *y, double sum, double count, const char *fmt, ...)
{
	struct buf name = { 0 };
	va_list ap;

	va_start(ap, fmt);
	buf_vprintf(&name, fmt, ap);
	va_end(ap);
	means_add(y, name.data, sum, count);
	buf_release(&name);
}

static const struct attention_variant *
find_in(const struct attention_variant *const *list, const char *name)
{
	for (; *list; list++)
		if (!strcmp((*list)->name, name))
			return *list;
	return NULL;
}

const struct attention_variant *
attention_find(const char *name)
{
	const struct attention_variant *v = find_in(attention_variants, name);

	return v || !attention_extra ? v : find_in(attention_extra, name);
}
