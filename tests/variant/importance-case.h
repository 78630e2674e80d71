/* importance-case: a model with the variant head-importance, for its tests. */
#ifndef IMPORTANCE_CASE_H
#define IMPORTANCE_CASE_H

#include "setup.h"
#include "base/buf.h"
#include "data/means.h"
#include "ops/ops.h"

enum { WIDTH = 8, HEADS = 2, D = WIDTH / HEADS, LAYERS = 2 };

/* spy: a variant after head-importance at a site, which keeps its output for the test. */
struct seen { struct att_nodes n; const struct attention *a; struct node *out; };
static struct seen seen[3];

static inline struct node *
ask(const struct attention *a, struct tape *t, const struct att_nodes *n)
{
	return attention_find("head-importance")->output(a, t, n);
}

static inline struct node *
spy_heads(const struct attention *a, struct tape *t, const struct att_nodes *n)
{
	struct seen *s = &seen[attention_site(a)->where];

	s->a = attention_before(a, "head-importance");
	if (s->a) {
		s->n = *n;
		s->out = ask(s->a, t, n);
	}
	return n->context;
}

static const struct attention_variant spy = {
	.name = "spy", .paper = "nobody", .version = 1, .heads = spy_heads
};
const struct attention_variant *const attention_extra[] = { &spy, NULL };

static inline struct model *
with(const char *spec, uint64_t seed)
{
	const char *const specs[] = { spec, "spy" };
	const struct model_config c = setup_config("onmt");
	struct model *m = setup_model_of(&c, "onmt", specs, 2, seed);

	setup_stir(m);
	return m;
}

static const char *const sites[] = { "enc.2.self", "dec.2.self", "dec.2.cross" };

static inline const struct node *
weights_at(struct tape *t, int site)
{
	char name[64];

	snprintf(name, sizeof(name), "%s.importance", sites[site]);
	assert_non_null(tape_find(t, name));
	return tape_find(t, name);
}

/* Multiplies all queries by a factor; 0: equal weights; a large factor: one head has weight 1. */
static inline void
sharpen(struct model *m, real by)
{
	for (size_t i = 0; i < m->params.n; i++)
		if (strstr(m->params.list[i]->name, ".importance.query"))
			for (size_t j = 0; j < m->params.list[i]->n; j++)
				m->params.list[i]->x[j] *= by;
}

#endif
