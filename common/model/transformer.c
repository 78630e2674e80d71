/*
 * transformer: encoder, decoder and loss over packed batches; see model.h.
 *
 * Vaswani et al. 2017, Attention is all you need, with the settings of struct model_config.
 */
#include "model/layers.h"
#include "tensor/kernels.h"

static struct node *
self_attention(struct model *m, struct tape *t, struct node *x, const struct batch *b,
	       const struct attention_layer *a, bool causal)
{
	const struct layout *rows = causal ? &b->tgt.layout : &b->src.layout;
	const struct att_rows l = {
		.site = a->site, .queries = rows, .keys = rows, .causal = causal
	};
	struct att_nodes n = { .batch = b };
	struct node *qkv;

	if (!a->width)
		return layers_headless(m, t, x, a);
	n.x = n.memory = layers_before(m, t, x, &a->norm);
	qkv = layers_dense(t, n.x, &a->qkv);
	n.q = op_columns(t, qkv, 0, a->width);
	n.k = op_columns(t, qkv, a->width, a->width);
	n.v = op_columns(t, qkv, 2 * a->width, a->width);
	layers_attend(m, t, &l, &n);
	return layers_after(m, t, x, layers_output(m, t, a, &n), &a->norm);
}

static struct node *
cross_attention(struct model *m, struct tape *t, struct node *x, const struct batch *b,
		struct node *memory, const struct attention_layer *a)
{
	const struct att_rows l = { .site = a->site,
				   .queries = &b->tgt.layout,
				   .keys = &b->src.layout };
	struct att_nodes n = { .batch = b, .memory = memory };
	struct node *kv;

	if (!a->width)
		return layers_headless(m, t, x, a);
	n.x = layers_before(m, t, x, &a->norm);
	kv = layers_dense(t, memory, &a->kv);
	n.q = layers_dense(t, n.x, &a->q);
	n.k = op_columns(t, kv, 0, a->width);
	n.v = op_columns(t, kv, a->width, a->width);
	layers_attend(m, t, &l, &n);
	return layers_after(m, t, x, layers_output(m, t, a, &n), &a->norm);
}

struct node *
model_encode(struct model *m, struct tape *t, const struct batch *b)
{
	const struct model_layers *l = m->layers;
	struct node *x;

	if (!attention_set_ready(m->attention, b))
		bug("model_encode() without model_batch()");
	x = layers_embed(m, t, &b->src, false);
	for (int64_t i = 0; i < m->config.enc_layers; i++) {
		x = self_attention(m, t, x, b, &l->enc[i].self, false);
		x = layers_feed_forward(m, t, x, &l->enc[i]);
	}
	return m->config.final_norm ? layers_norm(m, t, x, &l->enc_norm) : x;
}

struct node *
model_decode(struct model *m, struct tape *t, const struct batch *b, struct node *memory)
{
	const struct model_layers *l = m->layers;
	struct node *x = layers_embed(m, t, &b->tgt, true);

	for (int64_t i = 0; i < m->config.dec_layers; i++) {
		x = self_attention(m, t, x, b, &l->dec[i].self, true);
		x = cross_attention(m, t, x, b, memory, &l->dec[i].cross);
		x = layers_feed_forward(m, t, x, &l->dec[i]);
	}
	return m->config.final_norm ? layers_norm(m, t, x, &l->dec_norm) : x;
}

static enum smoothing
smoothing(const struct model *m)
{
	switch (m->recipe.smoothing_variant) {
	case SMOOTHING_FAIRSEQ_NEW: return SMOOTHING_FAIRSEQ_NEW;
	case SMOOTHING_ONMT: return SMOOTHING_ONMT;
	case SMOOTHING_T2T: return SMOOTHING_T2T;
	default: return SMOOTHING_FAIRSEQ_OLD;
	}
}

struct node *
model_cross_entropy(struct model *m, struct tape *t, const struct batch *b, struct node *h)
{
	const struct model_layers *l = m->layers;
	const struct cross_entropy ce = {
		.target = b->tgt.out, .valid = m->tgt_valid, .variant = smoothing(m),
		.smoothing = (real)m->recipe.label_smoothing, .pad = VOCAB_PAD,
	};

	return op_cross_entropy(t, h, tape_param(t, l->output),
				l->output_bias ? tape_param(t, l->output_bias) : NULL, &ce);
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

	return op_linear(t, h, tape_param(t, l->output),
			 l->output_bias ? tape_param(t, l->output_bias) : NULL);
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
