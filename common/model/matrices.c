/* matrices: see matrices.h. */
#include "model/matrices.h"

#include "model/layer-params.h"

static void
visit_layers(const struct layer *l, int64_t n, matrix_visit *visit, void *arg)
{
	for (int64_t i = 0; i < n; i++) {
		const struct dense *all[] = {
			&l[i].self.qkv, &l[i].self.out, &l[i].cross.q, &l[i].cross.kv,
			&l[i].cross.out, &l[i].ff_in, &l[i].ff_out,
		};

		for (size_t k = 0; k < sizeof(all) / sizeof(*all); k++)
			if (all[k]->weight)
				visit(arg, all[k]->weight);
	}
}

void
matrices_visit(const struct model *m, matrix_visit *visit, void *arg)
{
	visit_layers(m->layers->enc, m->config.enc_layers, visit, arg);
	visit_layers(m->layers->dec, m->config.dec_layers, visit, arg);
}

static void
visit_all(const struct model *m, matrix_visit *visit, void *arg)
{
	const struct model_layers *l = m->layers;

	matrices_visit(m, visit, arg);
	visit(arg, l->src_embed);
	if (l->tgt_embed != l->src_embed)
		visit(arg, l->tgt_embed);
	if (l->output != l->tgt_embed && l->output != l->src_embed)
		visit(arg, l->output);
}

struct search_for { const struct param *p; bool found; };

static void
matrices_compare(void *arg, struct param *weight)
{
	struct search_for *s = arg;

	s->found |= weight == s->p;
}

bool
matrices_have(const struct model *m, const struct param *p)
{
	struct search_for s = { p, false };

	visit_all(m, matrices_compare, &s);
	return s.found;
}

static void
round_rows(void *arg, struct param *weight)
{
	const int n = weight->d[1];

	(void)arg;
	for (int i = 0; i < weight->d[0]; i++)
		k_round_int8(n, weight->x + (ptrdiff_t)i * n, weight->x + (ptrdiff_t)i * n);
}

void
matrices_round_int8(struct model *m)
{
	visit_all(m, round_rows, NULL);
}
