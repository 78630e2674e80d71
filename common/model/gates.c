/* gates: gates and masks of heads, and what replaces or shifts values of a model; see model.h. */
#include <stdlib.h>

#include "attention/attention-heads.h"
#include "base/mem.h"
#include "model/layer-params.h"

static void
name_nodes(struct model *m)
{
	m->gate_name = xcalloc(m->n_sites, sizeof(*m->gate_name));
	for (size_t i = 0; i < m->n_sites; i++)
		m->gate_name[i] = xasprintf("%s.heads", m->sites[i].name);
}

void
gates_free(struct model *m)
{
	for (size_t i = 0; m->gate_name && i < m->n_sites; i++)
		free(m->gate_name[i]);
	free(m->gate_name);
	free(m->mask);
}

void
model_gate(struct model *m, real *gates)
{
	if (!m->gate_name)
		name_nodes(m);
	m->gates = gates;
}

void
model_gate_gradients(struct model *m)
{
	m->gate_gradients = true;
}

void
model_patch(struct model *m, const struct head_patch *p)
{
	m->patch = p;
}

void
model_shift(struct model *m, const struct embed_shift *s)
{
	m->shift = s;
}

bool
gates_scale_output(struct model *m, const struct site *s, const real *gate)
{
	char *name = xasprintf("%s.out.weight", s->name);
	struct param *w = params_find(&m->params, name);

	free(name);
	if (!w || !attention_set_projects_heads(m->attention, (size_t)(s - m->sites)))
		return false;
	param_widen(w);
	for (int r = 0; r < w->d[0]; r++)
		for (int c = 0; c < w->d[1]; c++)
			w->x[(ptrdiff_t)r * w->d[1] + c] *= gate[c / s->head_dim];
	return true;
}

/*
 * Gates of 0 mask the heads.  Their columns in the output projection are also set to 0, so that in
 * int16 they do not affect the scale of the other columns, and the bits are those of the pruned
 * model.
 */
int
model_mask(struct model *m, const char *list, struct err *e)
{
	const size_t heads = heads_before(m->sites, m->n_sites);
	bool *masked = xcalloc(heads, sizeof(*masked));
	const int r = head_set_add(masked, list, m->sites, m->n_sites, e);

	free(m->mask);
	m->mask = xmalloc(heads * sizeof(*m->mask));
	for (size_t i = 0; i < heads; i++)
		m->mask[i] = masked[i] ? 0 : 1;
	model_gate(m, m->mask);
	for (size_t i = 0; i < m->n_sites; i++)
		gates_scale_output(m, &m->sites[i], m->mask + heads_before(m->sites, i));
	free(masked);
	return r;
}
