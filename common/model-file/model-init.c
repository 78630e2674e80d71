/* model-init: copies the parameters of another model (--init); see model-file.h. */
#include "model-file/model-file.h"
#include "model/layer-params.h"

/* Whether p's vocabulary is the same in both models; rows of tables belong to its entries. */
static bool
same_vocab(const struct model *m, const struct model *other, const struct param *p)
{
	const struct model_layers *l = m->layers;
	const bool src = p == l->src_embed;
	const bool tgt = p == l->tgt_embed || p == l->output || p == l->output_bias;

	return (!src || vocab_digest(&m->src) == vocab_digest(&other->src)) &&
	       (!tgt || vocab_digest(&m->tgt) == vocab_digest(&other->tgt));
}

int64_t
model_init_from(struct model *m, const char *path, struct err *e)
{
	struct model *other = model_load(path, false, NULL, NULL, e);
	int64_t n = 0;

	if (!other)
		return -1;
	for (size_t i = 0; i < m->params.n; i++) {
		struct param *p = m->params.list[i];
		const struct param *from = params_find(&other->params, p->name);

		if (from && same_vocab(m, other, p) && param_copy(p, from))
			n++;
	}
	model_free(other);
	return n;
}
