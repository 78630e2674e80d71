/*
 * transformer: encoder, decoder and loss over packed batches; see model.h.
 *
 * Vaswani et al. 2017, Attention is all you need, with the settings of struct model_config.
 */
#include "model/layers.h"
#include "tensor/kernels.h"

/*
 * Projects queries, keys and values: from one input, or keys and values from the memory.  all: the
 * result of the projection that has the keys, or NULL.
 */
static void
transformer_project(struct tape *t, const struct attention_layer *a, struct node *memory,
		    struct node *all, struct att_nodes *n)
{
	const int first = memory ? 0 : a->width;	/* column of the keys */

	if (!all)
		all = memory ? layers_dense(t, memory, &a->kv) : layers_dense(t, n->x, &a->qkv);
	n->memory = memory ? memory : n->x;
	n->q = memory ? layers_dense(t, n->x, &a->q) : op_columns(t, all, 0, a->width);
	n->k = op_columns(t, all, first, a->width);
	n->v = op_columns(t, all, first + a->width, a->width);
}

void
layers_attend_batch(struct model *m, struct tape *t, const struct attention_layer *a,
		    struct att_nodes *n, const void *arg)
{
	const struct layers_batch *w = arg;
	const enum site_where where = m->sites[a->site].where;
	const struct layout *src = &w->batch->src.layout, *tgt = &w->batch->tgt.layout;
	const struct att_rows rows = {
		.site = a->site, .queries = where == ENCODER_SELF ? src : tgt,
		.keys = where == DECODER_SELF ? tgt : src, .causal = where == DECODER_SELF,
	};

	n->batch = w->batch;
	transformer_project(t, a, where == DECODER_CROSS ? w->memory : NULL, w->projected, n);
	if (w->values)
		n->v = w->values(w->arg, t, a->site, n->v);
	layers_attend(m, t, &rows, n);
}

struct node *
model_encode(struct model *m, struct tape *t, const struct batch *b)
{
	const struct layers_batch w = { .batch = b };

	if (!attention_set_ready(m->attention, b))
		bug("model_encode() without model_batch()");
	return layers_stack(m, t, &b->src, false, layers_attend_batch, &w);
}

struct node *
model_decode(struct model *m, struct tape *t, const struct batch *b, struct node *memory)
{
	const struct layers_batch w = { .batch = b, .memory = memory };

	return layers_stack(m, t, &b->tgt, true, layers_attend_batch, &w);
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
