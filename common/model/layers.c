/*
 * layers: parameters by layer, with their initialization, and the parts of a layer; see layers.h.
 */
#include <math.h>
#include <stdlib.h>

#include "base/mem.h"
#include "model/layers.h"

/* Kinds of matrices that initialization styles treat differently. */
enum part { PART_PLAIN, PART_QKV, PART_Q, PART_KV };

static struct param *
add_vector(struct model *m, const char *where, const char *part, enum init init, int n)
{
	char *name = xasprintf("%s.%s", where, part);
	struct param *p = params_add(&m->params, name, init, 1, 1, &n);

	free(name);
	return p;
}

/*
 * Fans of a fused matrix.  fairseq: those of separate matrices, with gain 1/sqrt(2); OpenNMT-py:
 * those of separate matrices; Witwicky: each part as in one [3D,D] matrix; story: those of the
 * fused matrix.
 */
static void
set_fans(struct param *p, int style, enum part part)
{
	const int width = p->d[1];

	if (part == PART_PLAIN || style == INIT_STYLE_STORY)
		return;
	p->fan_in = width;
	p->fan_out = style == INIT_STYLE_WITWICKY ? 3 * width : width;
	if (style == INIT_STYLE_FAIRSEQ)
		p->scale = (real)M_SQRT1_2;
}

static struct param *
layers_add_matrix(struct model *m, const char *where, int out, int width_in, enum part part)
{
	const int d[2] = { out, width_in }, style = m->config.init;
	char *name = xasprintf("%s.weight", where);
	struct param *p = params_add(
		&m->params, name,
		style == INIT_STYLE_WITWICKY ? INIT_XAVIER_NORMAL : INIT_XAVIER_UNIFORM, 1, 2, d);

	free(name);
	set_fans(p, style, part);
	return p;
}

static struct dense
layers_add_dense(struct model *m, const char *where, const char *kind, int out, int width_in,
		 enum part part)
{
	char *name = xasprintf("%s.%s", where, kind);
	struct dense d = { .weight = layers_add_matrix(m, name, out, width_in, part) };

	d.bias = add_vector(m, name, "bias", INIT_ZERO, out);
	free(name);
	return d;
}

static struct norm
layers_add_norm(struct model *m, const char *where)
{
	const int width = (int)m->config.width;
	struct norm n = { .gain = add_vector(m, where, "norm.gain", INIT_ONE, width) };

	n.bias = add_vector(m, where, "norm.bias", INIT_ZERO, width);
	return n;
}

/* Embeddings are normal with standard deviation D^-1/2; in OpenNMT-py they are Xavier uniform. */
static struct param *
add_embedding(struct model *m, const char *name, int entries)
{
	const int d[2] = { entries, (int)m->config.width };

	if (m->config.init == INIT_STYLE_ONMT)
		return params_add(&m->params, name, INIT_XAVIER_UNIFORM, 1, 2, d);
	return params_add(&m->params, name, INIT_NORMAL, (real)(1 / sqrt((double)d[1])), 2, d);
}

static struct param *
layers_add_positions(struct model *m, const char *name)
{
	const int d[2] = { (int)m->config.max_length, (int)m->config.width };

	return params_add(&m->params, name, INIT_NORMAL, (real)(1 / sqrt((double)d[1])), 2, d);
}

static void
add_embeddings(struct model *m, struct model_layers *l)
{
	const int tie = m->config.tie;

	if (tie == TIE_ALL) {
		l->src_embed = l->tgt_embed = add_embedding(m, "embed.weight", m->src.n);
	} else {
		l->src_embed = add_embedding(m, "src.embed.weight", m->src.n);
		l->tgt_embed = add_embedding(m, "tgt.embed.weight", m->tgt.n);
	}
	if (m->config.src_bias)
		l->src_bias = add_vector(m, "src.embed", "bias", INIT_ZERO, (int)m->config.width);
	if (m->config.positions == POSITIONS_LEARNED) {
		l->src_position = layers_add_positions(m, "src.position.weight");
		l->tgt_position = layers_add_positions(m, "tgt.position.weight");
	}
	if (m->config.embed_norm) {
		l->src_norm = layers_add_norm(m, "src.embed");
		l->tgt_norm = layers_add_norm(m, "tgt.embed");
	}
	l->output = tie == TIE_NONE ? add_embedding(m, "output.weight", m->tgt.n) : l->tgt_embed;
	if (m->config.output_bias)
		l->output_bias = add_vector(m, "output", "bias", INIT_ZERO, m->tgt.n);
}

/* Projections to queries, keys or values of all heads, stacked by rows. */
static struct dense
layers_add_parts(struct model *m, const struct site *s, const char *kind, int parts, enum part part)
{
	struct dense d = layers_add_dense(m, s->name, kind, parts * s->heads * s->head_dim,
					  s->model_dim, part);

	d.weight->cut = d.bias->cut = site_cut(s, 0, parts);
	return d;
}

static struct dense
add_output(struct model *m, const struct site *s)
{
	struct dense d = layers_add_dense(m, s->name, "out", s->model_dim, s->heads * s->head_dim,
					  PART_PLAIN);

	d.weight->cut = site_cut(s, 1, 1);
	return d;
}

static struct dense
add_bias_alone(struct model *m, const struct site *s)
{
	char *name = xasprintf("%s.out", s->name);
	struct dense d = { .bias = add_vector(m, name, "bias", INIT_ZERO, s->model_dim) };

	free(name);
	return d;
}

static struct attention_layer
layers_add_attention(struct model *m, size_t site, bool cross)
{
	const struct site *s = &m->sites[site];
	struct attention_layer a = { .site = site, .width = s->heads * s->head_dim };

	if (!s->heads) {
		a.out = add_bias_alone(m, s);
	} else if (cross) {
		a.q = layers_add_parts(m, s, "q", 1, PART_Q);
		a.kv = layers_add_parts(m, s, "kv", 2, PART_KV);
	} else {
		a.qkv = layers_add_parts(m, s, "qkv", 3, PART_QKV);
	}
	if (s->heads && !attention_set_owns_output(m->attention, site))
		a.out = add_output(m, s);
	if (s->heads || !m->config.pre_norm)
		a.norm = layers_add_norm(m, s->name);
	return a;
}

static void
add_feed_forward(struct model *m, struct layer *l, bool target, int64_t number)
{
	const int width = (int)m->config.width;
	const int64_t dec_ff = m->config.dec_ff ? m->config.dec_ff : m->config.ff;
	const int ff = (int)(target ? dec_ff : m->config.ff);
	const char *side = target ? "dec" : "enc";
	char *where = xasprintf("%s.%lld.ff", side, (long long)number);

	l->ff_in = layers_add_dense(m, where, "in", ff, width, PART_PLAIN);
	l->ff_out = layers_add_dense(m, where, "out", width, ff, PART_PLAIN);
	l->ff_norm = layers_add_norm(m, where);
	free(where);
}

void
layers_new(struct model *m)
{
	const int64_t enc = m->config.enc_layers, dec = m->config.dec_layers;
	struct model_layers *l = m->layers = xcalloc(1, sizeof(*l));

	l->enc = xcalloc((size_t)enc, sizeof(*l->enc));
	l->dec = xcalloc((size_t)dec, sizeof(*l->dec));
	add_embeddings(m, l);
	for (int64_t i = 0; i < enc; i++) {
		l->enc[i].self = layers_add_attention(m, (size_t)i, false);
		add_feed_forward(m, &l->enc[i], false, i + 1);
	}
	for (int64_t i = 0; i < dec; i++) {
		l->dec[i].self = layers_add_attention(m, (size_t)(enc + i), false);
		l->dec[i].cross = layers_add_attention(m, (size_t)(enc + dec + i), true);
		add_feed_forward(m, &l->dec[i], true, i + 1);
	}
	if (m->config.final_norm) {
		l->enc_norm = layers_add_norm(m, "enc");
		l->dec_norm = layers_add_norm(m, "dec");
	}
}

void
layers_free(struct model *m)
{
	if (!m->layers)
		return;
	free(m->layers->enc);
	free(m->layers->dec);
	free(m->layers);
}

struct node *
layers_dense(struct tape *t, struct node *x, const struct dense *d)
{
	return op_linear(t, x, tape_param(t, d->weight), tape_param(t, d->bias));
}

static struct node *
layers_normalize(const struct model *m, struct tape *t, struct node *x, const struct norm *n)
{
	return op_norm(t, x, tape_param(t, n->gain), tape_param(t, n->bias),
		       (real)m->config.norm_eps);
}

struct node *
layers_embed(const struct model *m, struct tape *t, const struct batch_side *side, bool target)
{
	const struct model_config *c = &m->config;
	const struct model_layers *l = m->layers;
	struct param *position = target ? l->tgt_position : l->src_position;
	struct node *table = tape_param(t, target ? l->tgt_embed : l->src_embed);
	struct node *bias = !target && l->src_bias ? tape_param(t, l->src_bias) : NULL, *x;
	const real p = (real)c->dropout_embed;
	const struct embed e = {
		.rows = &side->layout, .id = side->id, .pos = side->pos, .positions = m->positions,
		.learned = position ? tape_param(t, position) : NULL,
		.scale = c->embed_scale == EMBED_SCALE_ONE ? 1 : (real)sqrt((double)c->width),
		.p = c->embed_norm ? 0 : p,
	};

	x = tape_name(op_embed(t, table, bias, &e), target ? "tgt.embed" : "src.embed");
	if (!c->embed_norm)
		return x;
	x = layers_normalize(m, t, x, target ? &l->tgt_norm : &l->src_norm);
	return p > 0 ? op_dropout(t, x, p) : x;
}

/*
 * The input of a sublayer.  alone: no variant can read it, so that a normalized input is only
 * multiplied.
 */
static struct node *
layers_before(const struct model *m, struct tape *t, struct node *x, const struct norm *n,
	      bool alone)
{
	if (!m->config.pre_norm)
		return x;
	x = layers_normalize(m, t, x, n);
	if (alone)
		tape_round(t, x);
	return x;
}

/* The output of a sublayer.  alone: no variant can read y. */
static struct node *
after(const struct model *m, struct tape *t, struct node *x, struct node *y,
      const struct norm *n, bool alone)
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

/* dropout(activation(x w' + b)); that of relu is one op, which keeps less for the backward pass. */
static struct node *
hidden_layer(const struct model *m, struct tape *t, struct node *x, const struct dense *d)
{
	const real p = (real)m->config.dropout_relu;
	struct node *h;

	if (m->config.activation == ACTIVATION_RELU)
		return op_linear_relu(t, x, tape_param(t, d->weight), tape_param(t, d->bias), p);
	h = activate(t, layers_dense(t, x, d), m->config.activation);
	return p > 0 ? op_dropout(t, h, p) : h;
}

static struct node *
feed_forward(const struct model *m, struct tape *t, struct node *x, const struct layer *l)
{
	struct node *h = hidden_layer(m, t, layers_before(m, t, x, &l->ff_norm, true), &l->ff_in);

	tape_round(t, h);
	return after(m, t, x, layers_dense(t, h, &l->ff_out), &l->ff_norm, true);
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

struct node *
layers_heads(struct model *m, struct tape *t, size_t site, struct att_nodes *n)
{
	n->plain_context = n->context;
	attention_set_context(m->attention, site, t, n);
	n->context = layers_gate(m, t, site, n->context);
	return attention_set_heads(m->attention, site, t, n);
}

struct node *
layers_attend(struct model *m, struct tape *t, const struct att_rows *l, struct att_nodes *n)
{
	const struct site *site = &m->sites[l->site];
	const struct attend how = {
		.queries = l->queries, .keys = l->keys, .heads = site->heads,
		.scale = (real)(1 / sqrt((double)site->head_dim)),
		.p = (real)m->config.dropout_attention, .causal = l->causal,
	};

	attention_set_queries(m->attention, l->site, t, n);
	if (attention_set_fused(m->attention, l->site))
		n->context = tape_name(op_attention(t, n->q, n->k, n->v, &how), site->name);
	else
		n->context = attend_unfused(m, t, l, &how, n);
	return layers_heads(m, t, l->site, n);
}

static struct node *
project_heads(struct model *m, struct tape *t, const struct attention_layer *a,
	      const struct att_nodes *n, bool alone)
{
	struct node *output = attention_set_output(m->attention, a->site, t, n);

	if (output)
		return output;
	if (alone)
		tape_round(t, n->context);
	return layers_dense(t, n->context, &a->out);
}

/* A sublayer of attention; without heads it adds the bias of its output projection. */
static struct node *
attention(struct model *m, struct tape *t, struct node *x, const struct attention_layer *a,
	  layers_attention *attend, const void *arg)
{
	const bool alone = attention_set_empty(m->attention, a->site);
	struct att_nodes n = { .x = NULL };
	struct node *y;

	if (a->width) {
		n.x = layers_before(m, t, x, &a->norm, alone);
		attend(m, t, a, &n, arg);
		y = project_heads(m, t, a, &n, alone);
	} else {
		y = op_constant(t, x, tape_param(t, a->out.bias));
	}
	return after(m, t, x, y, &a->norm, alone);
}

struct node *
layers_one(struct model *m, struct tape *t, struct node *x, const struct layer *layer,
	   enum layer_part part, layers_attention *attend, const void *arg)
{
	if (part != LAYER_DECODER_REST)
		x = attention(m, t, x, &layer->self, attend, arg);
	if (part != LAYER_ENCODER)
		x = attention(m, t, x, &layer->cross, attend, arg);
	return feed_forward(m, t, x, layer);
}

struct node *
layers_end(const struct model *m, struct tape *t, struct node *x, bool target)
{
	const struct model_layers *l = m->layers;

	return m->config.final_norm ? layers_normalize(m, t, x,
						       target ? &l->dec_norm : &l->enc_norm)
				    : x;
}

struct node *
layers_stack(struct model *m, struct tape *t, const struct batch_side *side, bool target,
	     layers_attention *attend, const void *arg)
{
	const struct model_layers *l = m->layers;
	const int64_t n = target ? m->config.dec_layers : m->config.enc_layers;
	const struct layer *layer = target ? l->dec : l->enc;
	struct node *x = layers_embed(m, t, side, target);

	for (int64_t i = 0; i < n; i++)
		x = layers_one(m, t, x, &layer[i], target ? LAYER_DECODER : LAYER_ENCODER, attend,
			       arg);
	return layers_end(m, t, x, target);
}
