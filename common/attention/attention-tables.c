/* attention-tables: see attention-tables.h. */
#include "attention/attention-tables.h"

#include "ops/ops.h"

static struct param *
add_table(struct params *p, const struct site *s, const char *title, const char *part, int64_t k)
{
	const int d[2] = { 2 * (int)k + 1, s->head_dim };

	return params_add_named(p, INIT_XAVIER_UNIFORM, 1, 2, d, "%s.%s.%s", s->name, title, part);
}

struct attention_tables
attention_tables_add(struct params *p, const struct site *s, const char *title, int64_t k,
		     bool shared)
{
	struct attention_tables x;

	x.keys = add_table(p, s, title, shared ? "table" : "keys", k);
	x.values = shared ? x.keys : add_table(p, s, title, "values", k);
	return x;
}

struct node *
attention_tables_scores(const struct attention_tables *x, const struct site *s, struct tape *t,
			const struct att_nodes *n, const struct labels *labels)
{
	const real scale = (real)(1 / s->divisor);

	return op_relative(t, n->scores, n->q, tape_param(t, x->keys), scale, labels);
}

struct node *
attention_tables_context(const struct attention_tables *x, struct tape *t,
			 const struct att_nodes *n, const struct labels *labels)
{
	return op_relative_values(t, n->context, n->dropped, tape_param(t, x->values), labels);
}
