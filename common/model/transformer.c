/*
 * transformer: encoder, decoder and loss over packed batches; see model.h and layer.h.
 *
 * Vaswani et al. 2017, Attention is all you need, with the settings of struct model_config.
 */
#include <math.h>

#include "model/layer.h"
#include "tensor/kernels.h"

real
stack_embed_scale(const struct model *m)
{
	const struct model_config *c = &m->config;

	return c->embed_scale == EMBED_SCALE_ONE ? 1 : (real)sqrt((double)c->width);
}

static struct node *
shifted(const struct embed_shift *s, struct tape *t, struct node *x, bool target)
{
	struct node *by = tape_leaf(t, NULL, 2, x->d, s->x[target], s->grad[target]);

	by->rows = x->rows;
	return tape_name(op_add(t, x, by), x->name);
}

struct node *
stack_embed(const struct model *m, struct tape *t, const struct batch_side *side, bool target)
{
	const struct model_config *c = &m->config;
	const struct model_layers *l = m->layers;
	struct param *position = target ? l->tgt_position : l->src_position;
	struct node *table = tape_param(t, target ? l->tgt_embed : l->src_embed);
	struct node *bias = target ? NULL : tape_param(t, l->src_bias), *x;
	const real p = (real)c->dropout_embed;
	const struct embed e = {
		.rows = &side->layout, .id = side->id, .pos = side->pos, .positions = m->positions,
		.learned = tape_param(t, position),
		.scale = stack_embed_scale(m),
		.p = c->embed_norm ? 0 : p,
	};

	x = tape_name(op_embed(t, table, bias, &e), target ? "tgt.embed" : "src.embed");
	if (m->shift && m->shift->x[target])
		x = shifted(m->shift, t, x, target);
	if (!c->embed_norm)
		return x;
	x = layer_norm(m, t, x, target ? &l->tgt_norm : &l->src_norm);
	return p > 0 ? op_dropout(t, x, p) : x;
}

struct node *
stack_end(const struct model *m, struct tape *t, struct node *x, bool target)
{
	const struct model_layers *l = m->layers;

	if (m->config.final_norm)
		x = layer_norm(m, t, x, target ? &l->dec_norm : &l->enc_norm);
	if (target && m->config.output_scale == OUTPUT_SCALE_SQRT)
		x = op_scale(t, x, (real)(1 / sqrt((double)m->config.width)));
	return x;
}

struct node *
stack_run(struct model *m, struct tape *t, const struct batch_side *side, bool target,
	  layer_attention *attend, const void *arg)
{
	const struct model_layers *l = m->layers;
	const int64_t n = target ? m->config.dec_layers : m->config.enc_layers;
	const struct layer *layer = target ? l->dec : l->enc;
	struct node *x = stack_embed(m, t, side, target);

	for (int64_t i = 0; i < n; i++)
		x = layer_run(m, t, x, &layer[i], target ? LAYER_DECODER : LAYER_ENCODER, attend,
			      arg);
	return stack_end(m, t, x, target);
}

struct node *
model_encode(struct model *m, struct tape *t, const struct batch *b)
{
	const struct layer_batch w = { .batch = b };

	if (!attention_set_ready(m->attention, b))
		bug("model_encode() without model_batch()");
	return stack_run(m, t, &b->src, false, layer_attend_batch, &w);
}

struct node *
model_decode(struct model *m, struct tape *t, const struct batch *b, struct node *memory)
{
	const struct layer_batch w = { .batch = b, .memory = memory };

	return stack_run(m, t, &b->tgt, true, layer_attend_batch, &w);
}

struct node *
model_cross_entropy(struct model *m, struct tape *t, const struct batch *b, struct node *h)
{
	const struct model_layers *l = m->layers;
	const struct cross_entropy ce = {
		.target = b->tgt.out, .valid = m->tgt_valid,
		.variant = (enum smoothing)m->recipe.smoothing_variant,
		.smoothing = (real)m->recipe.label_smoothing, .pad = VOCAB_PAD,
	};

	return op_cross_entropy(t, h, tape_param(t, l->output), tape_param(t, l->output_bias),
				&ce);
}

struct node *
model_loss(struct model *m, struct tape *t, const struct batch *b, struct node **nll)
{
	struct node *h = model_decode(m, t, b, model_encode(m, t, b));
	struct node *loss = model_cross_entropy(m, t, b, h), *extra;

	if (nll)
		*nll = loss;
	extra = attention_set_loss(m->attention, t, b);
	return extra ? op_add(t, loss, extra) : loss;
}

int
model_finite(const struct node *h, const struct batch *b, bool target, struct err *e)
{
	const struct layout *l = target ? &b->tgt.layout : &b->src.layout;

	for (int i = 0; i < b->n; i++)
		for (int t = 0; t < l->len[i]; t++)
			if (!k_finite((size_t)h->d[1], h->x + (l->start[i] + t) * h->ld))
				return err_set(e, EXIT_INPUT, "record %lld: the output of the %s "
					       "is not finite at token %d",
					       (long long)b->number[i] + 1,
					       target ? "decoder" : "encoder", t + 1);
	return 0;
}

struct node *
model_logits(struct model *m, struct tape *t, struct node *h)
{
	const struct model_layers *l = m->layers;

	return op_linear(t, h, tape_param(t, l->output), tape_param(t, l->output_bias));
}

struct node *
model_site_node(const struct model *m, struct tape *t, size_t site)
{
	return tape_find(t, m->sites[site].name);
}

const real *
model_site_weights(const struct model *m, struct tape *t, size_t site, const ptrdiff_t **block,
		   const struct layout **queries, const struct layout **keys)
{
	const struct node *n = model_site_node(m, t, site);
	const struct attend *how;

	if (!n)
		return NULL;
	if (n->block) {
		*block = n->block;
		*queries = n->queries;
		*keys = n->keys;
		return n->x;
	}
	how = n->arg;
	*queries = how->queries;
	*keys = how->keys;
	return op_attention_weights(n, block);
}
