/* sites: the attention layers of a model, their retained heads, and masks and gates of these. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "attention/attention-heads.h"
#include "base/mem.h"
#include "model/layer-params.h"

static void
set_site(struct model *m, enum site_where where, int64_t layer, int64_t n_layers)
{
	struct site *s = &m->sites[m->n_sites++];
	int *head = xcalloc((size_t)m->config.heads, sizeof(*head));

	s->where = where;
	s->layer = (int)layer;
	s->n_layers = (int)n_layers;
	s->heads = s->all_heads = (int)m->config.heads;
	s->model_dim = (int)m->config.width;
	s->head_dim = m->config.head_width ? (int)m->config.head_width : s->model_dim / s->heads;
	s->divisor = m->config.score_scale == SCORE_SCALE_ONE ? 1 : sqrt((double)s->head_dim);
	s->name = site_name(where, s->layer);
	for (int h = 0; h < s->all_heads; h++)
		head[h] = h;
	s->head = head;
}

static void
make_sites(struct model *m)
{
	const int64_t enc = m->config.enc_layers, dec = m->config.dec_layers;

	m->sites = xcalloc((size_t)(enc + 2 * dec), sizeof(*m->sites));
	for (int64_t i = 1; i <= enc; i++)
		set_site(m, ENCODER_SELF, i, enc);
	for (int64_t i = 1; i <= dec; i++)
		set_site(m, DECODER_SELF, i, dec);
	for (int64_t i = 1; i <= dec; i++)
		set_site(m, DECODER_CROSS, i, dec);
}

/* Removes heads from the sites, after the list was read: it counts the heads before pruning. */
static void
remove_heads(struct model *m, const bool *removed)
{
	for (size_t i = 0; i < m->n_sites; removed += m->sites[i++].all_heads) {
		struct site *s = &m->sites[i];
		int *head = (int *)s->head;

		s->heads = 0;
		for (int h = 0; h < s->all_heads; h++)
			if (!removed[h])
				head[s->heads++] = h;
	}
}

int
sites_new(struct model *m, const char *removed, struct err *e)
{
	bool *set;
	int r;

	make_sites(m);
	if (!removed || !*removed)
		return 0;
	set = xcalloc(heads_before(m->sites, m->n_sites), sizeof(*set));
	r = head_set_add(set, removed, m->sites, m->n_sites, e);
	if (!r)
		remove_heads(m, set);
	free(set);
	return r ? err_wrap(e, "pruned heads") : 0;
}

void
sites_free(struct model *m)
{
	for (size_t i = 0; i < m->n_sites; i++) {
		free((char *)m->sites[i].name);
		free((int *)m->sites[i].head);
	}
	free(m->sites);
}

void
model_removed_heads(const struct model *m, const bool *more, struct buf *out)
{
	struct site *whole = xcalloc(m->n_sites, sizeof(*whole));
	int *head = xcalloc((size_t)m->config.heads, sizeof(*head));
	bool *removed, *set;

	for (int h = 0; h < m->config.heads; h++)
		head[h] = h;
	for (size_t i = 0; i < m->n_sites; i++) {
		whole[i] = m->sites[i];
		whole[i].heads = whole[i].all_heads;
		whole[i].head = head;
	}
	removed = set = xmalloc(heads_before(whole, m->n_sites) * sizeof(*set));
	memset(set, 1, heads_before(whole, m->n_sites) * sizeof(*set));
	for (size_t i = 0; i < m->n_sites; set += m->sites[i++].all_heads)
		for (int h = 0; h < m->sites[i].heads; h++)
			set[m->sites[i].head[h]] = more && *more++;
	head_set_describe(removed, whole, m->n_sites, out);
	free(removed);
	free(head);
	free(whole);
}

/* --- gates --- */

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
