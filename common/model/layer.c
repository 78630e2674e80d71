/*
 * layer: one layer of the encoder or decoder, from its input to its output; see layer.h.
 *
 * From the last function, layer_run(), up: sublayers, attention, gates, projections.
 */
#include "model/layer.h"

#include "attention/attention-heads.h"

struct node *
layer_dense(struct tape *t, struct node *x, const struct dense *d)
{
	return op_linear(t, x, tape_param(t, d->weight), tape_param(t, d->bias));
}

struct node *
layer_norm(const struct model *m, struct tape *t, struct node *x, const struct norm *n)
{
	return op_norm(t, x, tape_param(t, n->gain), tape_param(t, n->bias),
		       (real)m->config.norm_eps);
}

/* --- the feed-forward sublayer --- */

/*
 * The input of a sublayer.  alone: no variant can read it, so that a normalized input is only
 * multiplied.
 */
static struct node *
before(const struct model *m, struct tape *t, struct node *x, const struct norm *n, bool alone)
{
	if (!m->config.pre_norm)
		return x;
	x = layer_norm(m, t, x, n);
	if (alone)
		tape_round(t, x);
	return x;
}

/* The output of a sublayer.  alone: no variant can read y. */
static struct node *
after(const struct model *m, struct tape *t, struct node *x, struct node *y, const struct norm *n,
      bool alone)
{
	const real p = (real)m->config.dropout_residual;

	if (m->config.pre_norm) {
		x = op_residual(t, x, y, p);
		if (alone)
			tape_drop(t, y);
		return x;
	}
	return op_residual_norm(t, x, y, tape_param(t, n->gain), tape_param(t, n->bias),
				(real)m->config.norm_eps, p);
}

/* x sigmoid(1.702 x), an approximation of gelu (Hendrycks and Gimpel 2016). */
static struct node *
gelu_sigmoid(struct tape *t, struct node *x)
{
	const real factor = (real)1.702;

	return op_scale(t, op_swish(t, op_scale(t, x, factor)), 1 / factor);
}

static struct node *
activate(struct tape *t, struct node *x, int activation)
{
	switch (activation) {
	case ACTIVATION_SWISH:
		return op_swish(t, x);
	case ACTIVATION_GELU:
		return op_gelu(t, x, false);
	case ACTIVATION_GELU_TANH:
		return op_gelu(t, x, true);
	case ACTIVATION_GELU_SIGMOID:
		return gelu_sigmoid(t, x);
	default:
		return op_relu(t, x);
	}
}

/*
 * dropout(activation(x w' + b)), with ff_gate times another projection of x before dropout; that
 * of relu is one op, which keeps less for the backward pass.
 */
static struct node *
hidden_layer(const struct model *m, struct tape *t, struct node *x, const struct layer *l)
{
	const struct dense *d = &l->ff_in;
	const real p = (real)m->config.dropout_relu, p_here = m->config.ff_gate ? 0 : p;
	struct node *h;

	if (m->config.activation == ACTIVATION_RELU)
		h = op_linear_relu(t, x, tape_param(t, d->weight), tape_param(t, d->bias), p_here);
	else
		h = activate(t, layer_dense(t, x, d), m->config.activation);
	if (m->config.ff_gate)
		h = op_multiply(t, h, layer_dense(t, x, &l->ff_gate));
	else if (m->config.activation == ACTIVATION_RELU)
		return h;
	return p > 0 ? op_dropout(t, h, p) : h;
}

static struct node *
feed_forward(const struct model *m, struct tape *t, struct node *x, const struct layer *l)
{
	struct node *h = hidden_layer(m, t, before(m, t, x, &l->ff_norm, true), l);

	tape_round(t, h);
	return after(m, t, x, layer_dense(t, h, &l->ff_out), &l->ff_norm, true);
}

/* --- attention: queries, keys and values --- */

/*
 * Projects queries, keys and values: from one input, or keys and values from the memory.  all: the
 * result of the projection that has the keys, or NULL.
 */
static void
project(struct tape *t, const struct attention_layer *a, struct node *memory, struct node *all,
	struct att_nodes *n)
{
	const int first = memory ? 0 : a->width;	/* column of the keys */

	if (!all)
		all = memory ? layer_dense(t, memory, &a->kv) : layer_dense(t, n->x, &a->qkv);
	n->memory = memory ? memory : n->x;
	n->q = memory ? layer_dense(t, n->x, &a->q) : op_columns(t, all, 0, a->width);
	n->k = op_columns(t, all, first, a->width);
	n->v = op_columns(t, all, first + a->width, a->width);
}

/* --- attention: scores, weights and head outputs --- */

static struct node *
patched(const struct model *m, struct tape *t, struct node *context)
{
	const struct head_patch *p = m->patch;
	const int width = m->sites[p->site].head_dim, d[2] = { p->rows, width };

	return op_replace(t, context, tape_leaf(t, NULL, 2, d, p->x, NULL), p->head * width);
}

/* Does none of the gates of a site change anything, in any of n rows? */
static bool
gates_are_one(const struct site *s, size_t first, const real *const *gates, int n)
{
	for (int r = 0; r < n; r++)
		for (int h = 0; h < s->heads; h++)
			if (gates[r][first + (size_t)h] != 1)
				return false;
	return true;
}

/* Gates that differ between the rows. */
static struct node *
gate_each_row(const struct site *s, struct tape *t, size_t first, const real *const *gates,
	      struct node *context)
{
	const int d[2] = { context->d[0], context->d[1] };
	real *x = ARENA_ARRAY(tape_arena(t), real, (ptrdiff_t)d[0] * d[1]), *to = x;
	struct node *g = tape_leaf(t, NULL, 2, d, x, NULL);

	for (int r = 0; r < d[0]; r++)
		for (int h = 0; h < s->heads; h++)
			for (int k = 0; k < s->head_dim; k++)
				*to++ = gates[r][first + (size_t)h];
	g->rows = context->rows;
	return op_multiply(t, context, g);
}

/* Gates that are the same for all rows, and constant. */
static struct node *
gate_all_rows(const struct site *s, struct tape *t, const real *gates, struct node *context)
{
	real *x = arena_copy(tape_arena(t), gates, (size_t)s->heads * sizeof(*x));
	struct node *g = tape_leaf(t, NULL, 1, &s->heads, x, NULL);

	g->parameter = 1;
	return op_gate(t, context, g);
}

/* The gates of model_gate(). */
static struct node *
gate_by_model(const struct model *m, struct tape *t, size_t site, struct node *context)
{
	const int heads = m->sites[site].heads;
	struct node *g = tape_leaf(t, NULL, 1, &heads, m->gates + heads_before(m->sites, site),
				   m->gate_gradients
				   ? arena_zero(tape_arena(t), (size_t)heads * sizeof(*m->gates))
				   : NULL);

	g->parameter = 1;
	return tape_name(op_gate(t, context, g), m->gate_name[site]);
}

static struct node *
gate_heads(const struct model *m, struct tape *t, size_t site, const struct att_nodes *n)
{
	const struct site *s = &m->sites[site];
	const size_t first = heads_before(m->sites, site);
	struct node *context = n->context;

	if (m->patch && m->patch->site == site)
		context = patched(m, t, context);
	if (n->row_gates)
		return gates_are_one(s, first, n->row_gates, context->d[0])
			? context : gate_each_row(s, t, first, n->row_gates, context);
	if (n->gates)
		return gates_are_one(s, first, &n->gates, 1)
			? context : gate_all_rows(s, t, n->gates + first, context);
	return m->gates ? gate_by_model(m, t, site, context) : context;
}

/* Unfused attention: variants can change each intermediate result. */
static struct node *
attend_unfused(struct model *m, struct tape *t, const struct att_rows *l,
	       const struct attend *attend, struct att_nodes *n)
{
	struct node *weights;

	n->scores = op_scores(t, n->q, n->k, l->queries, l->keys, attend->heads, attend->scale,
			      attend->causal);
	n->plain_scores = n->scores;
	attention_set_scores(m->attention, l->site, t, n);
	n->weights = op_softmax(t, n->scores);
	weights = attention_set_weights(m->attention, l->site, t, n);
	tape_name(weights, m->sites[l->site].name);
	n->dropped = attend->p > 0 ? op_dropout(t, weights, attend->p) : weights;
	return op_context(t, n->dropped, n->v);
}

/* Fused attention, which adds biases by distance itself. */
static struct node *
attend_fused(struct model *m, struct tape *t, size_t site, const struct attend *attend,
	     const struct att_nodes *n)
{
	struct distance_bias rule;
	struct node *table = attention_set_bias(m->attention, site, t, &rule);
	struct node *context = op_attention_biased(t, n->q, n->k, n->v, table, attend, &rule);

	return tape_name(context, m->sites[site].name);
}

void
layer_heads(struct model *m, struct tape *t, size_t site, struct att_nodes *n)
{
	n->plain_context = n->context;
	attention_set_context(m->attention, site, t, n);
	n->context = gate_heads(m, t, site, n);
	attention_set_heads(m->attention, site, t, n);
}

void
layer_attend(struct model *m, struct tape *t, const struct att_rows *l, struct att_nodes *n)
{
	const struct site *site = &m->sites[l->site];
	const struct attend attend = {
		.queries = l->queries, .keys = l->keys, .heads = site->heads,
		.scale = (real)(1 / site->divisor),
		.p = (real)m->config.dropout_attention, .causal = l->causal,
	};

	attention_set_queries(m->attention, l->site, t, n);
	if (attention_set_fused(m->attention, l->site))
		n->context = attend_fused(m, t, l->site, &attend, n);
	else
		n->context = attend_unfused(m, t, l, &attend, n);
	layer_heads(m, t, l->site, n);
}

void
layer_attend_batch(struct model *m, struct tape *t, const struct attention_layer *a,
		   struct att_nodes *n, const void *arg)
{
	const struct layer_batch *w = arg;
	const enum site_where where = m->sites[a->site].where;
	const struct layout *src = &w->batch->src.layout, *tgt = &w->batch->tgt.layout;
	const struct att_rows rows = {
		.site = a->site, .queries = where == ENCODER_SELF ? src : tgt,
		.keys = where == DECODER_SELF ? tgt : src, .causal = where == DECODER_SELF,
	};

	n->batch = w->batch;
	n->gates = w->gates;
	project(t, a, where == DECODER_CROSS ? w->memory : NULL, w->projected, n);
	if (w->values)
		n->v = w->values(w->arg, t, a->site, n->v);
	layer_attend(m, t, &rows, n);
}

/* --- the attention sublayer, and the layer --- */

static struct node *
project_heads(struct model *m, struct tape *t, const struct attention_layer *a,
	      const struct att_nodes *n, bool alone)
{
	struct node *output = attention_set_output(m->attention, a->site, t, n);

	if (output)
		return output;
	if (alone)
		tape_round(t, n->context);
	return layer_dense(t, n->context, &a->out);
}

/*
 * What a sublayer of attention without heads adds: the bias of its output projection, or zeros,
 * which keep the residual connection where attributions expect it.
 */
static struct node *
headless(struct tape *t, struct node *x, const struct attention_layer *a)
{
	return a->out.bias ? op_constant(t, x, tape_param(t, a->out.bias)) : op_scale(t, x, 0);
}

/* A sublayer of attention. */
static struct node *
attention(struct model *m, struct tape *t, struct node *x, const struct attention_layer *a,
	  layer_attention *attend, const void *arg)
{
	const bool alone = attention_set_empty(m->attention, a->site);
	struct att_nodes n = { .x = NULL };
	struct node *y;

	if (a->width) {
		n.x = before(m, t, x, &a->norm, alone);
		attend(m, t, a, &n, arg);
		y = project_heads(m, t, a, &n, alone);
	} else {
		y = headless(t, x, a);
	}
	return after(m, t, x, y, &a->norm, alone);
}

struct node *
layer_run(struct model *m, struct tape *t, struct node *x, const struct layer *layer,
	  enum layer_part part, layer_attention *attend, const void *arg)
{
	if (part != LAYER_DECODER_REST)
		x = attention(m, t, x, &layer->self, attend, arg);
	if (part != LAYER_ENCODER)
		x = attention(m, t, x, &layer->cross, attend, arg);
	return feed_forward(m, t, x, layer);
}
