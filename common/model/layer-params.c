/*
 * layer-params: the parameters of a model by layer, with their initialization; see layer-params.h.
 */
#include "model/layer-params.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/mem.h"
#include "tensor/int8.h"
#include "tensor/kernels.h"

/* Kinds of matrices that initialization styles treat differently. */
enum part { PART_PLAIN, PART_QKV, PART_Q, PART_KV };

static struct param *
add_vector(struct model *m, const char *where, const char *part, enum init init, int n)
{
	return params_add_named(&m->params, init, 1, 1, &n, "%s.%s", where, part);
}

/*
 * T5: normal with deviation in^-1/2; model_randomize() divides queries by the divisor of scores.
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
add_matrix(struct model *m, const char *where, const char *kind, int out, int width_in,
	   enum part part)
{
	const int d[2] = { out, width_in }, style = m->config.init;
	const enum init init = style == INIT_STYLE_T5 ? INIT_NORMAL
			       : style == INIT_STYLE_WITWICKY ? INIT_XAVIER_NORMAL
							      : INIT_XAVIER_UNIFORM;
	const double scale = style == INIT_STYLE_T5 ? 1 / sqrt((double)width_in) : 1;
	struct param *p = params_add_named(&m->params, init, (real)scale, 2, d, "%s.%s.weight",
					   where, kind);

	set_fans(p, style, part);
	return p;
}

static struct dense
add_dense_params(struct model *m, const char *where, const char *kind, int out, int width_in,
		 enum part part)
{
	struct dense d = { .weight = add_matrix(m, where, kind, out, width_in, part) };

	if (!m->config.no_bias)
		d.bias = params_add_named(&m->params, INIT_ZERO, 1, 1, &out, "%s.%s.bias", where,
					  kind);
	return d;
}

static struct norm
add_norm_params(struct model *m, const char *where)
{
	const int width = (int)m->config.width;
	struct norm n = { .gain = add_vector(m, where, "norm.gain", INIT_ONE, width) };

	if (m->config.norm == NORM_LAYER)
		n.bias = add_vector(m, where, "norm.bias", INIT_ZERO, width);
	return n;
}

/*
 * Embeddings are normal with standard deviation D^-1/2, and 1 in T5; in OpenNMT-py they are Xavier
 * uniform.
 */
static struct param *
add_embedding(struct model *m, const char *name, int entries)
{
	const int d[2] = { entries, (int)m->config.width };
	const bool unit = m->config.init == INIT_STYLE_T5 && strcmp(name, "output.weight");

	if (m->config.init == INIT_STYLE_ONMT)
		return params_add(&m->params, name, INIT_XAVIER_UNIFORM, 1, 2, d);
	return params_add(&m->params, name, INIT_NORMAL,
			  unit ? 1 : (real)(1 / sqrt((double)d[1])), 2, d);
}

static struct param *
add_positions(struct model *m, const char *name)
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
		l->src_position = add_positions(m, "src.position.weight");
		l->tgt_position = add_positions(m, "tgt.position.weight");
	}
	if (m->config.embed_norm) {
		l->src_norm = add_norm_params(m, "src.embed");
		l->tgt_norm = add_norm_params(m, "tgt.embed");
	}
	l->output = tie == TIE_NONE ? add_embedding(m, "output.weight", m->tgt.n) : l->tgt_embed;
	if (m->config.output_bias)
		l->output_bias = add_vector(m, "output", "bias", INIT_ZERO, m->tgt.n);
}

/* Projections to queries, keys or values of all heads, stacked by rows. */
static struct dense
add_parts(struct model *m, const struct site *s, const char *kind, int parts, enum part part)
{
	struct dense d = add_dense_params(m, s->name, kind, parts * s->heads * s->head_dim,
					  s->model_dim, part);

	/*
	 * Dimension 0 has `parts` parts of head_dim rows for each head; a pruned model has only the
	 * rows of the heads in s->head, which param_copy() copies.
	 */
	d.weight->cut = site_cut(s, 0, parts);
	if (d.bias)
		d.bias->cut = d.weight->cut;
	return d;
}

static struct attention_layer
add_attention(struct model *m, size_t site, bool cross)
{
	const struct site *s = &m->sites[site];
	struct attention_layer a = { .site = site, .width = s->heads * s->head_dim };

	if (!s->heads) {
		if (!m->config.no_bias)
			a.out.bias = add_vector(m, s->name, "out.bias", INIT_ZERO, s->model_dim);
	} else if (cross) {
		a.q = add_parts(m, s, "q", 1, PART_Q);
		a.kv = add_parts(m, s, "kv", 2, PART_KV);
	} else {
		a.qkv = add_parts(m, s, "qkv", 3, PART_QKV);
	}
	if (s->heads && !attention_set_owns_output(m->attention, site)) {
		a.out = add_dense_params(m, s->name, "out", s->model_dim, a.width, PART_PLAIN);
		a.out.weight->cut = site_cut(s, 1, 1);	/* head_dim columns for each head */
	}
	if (s->heads || !m->config.pre_norm)
		a.norm = add_norm_params(m, s->name);
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

	l->ff_in = add_dense_params(m, where, "in", ff, width, PART_PLAIN);
	if (m->config.ff_gate)
		l->ff_gate = add_dense_params(m, where, "gate", ff, width, PART_PLAIN);
	l->ff_out = add_dense_params(m, where, "out", width, ff, PART_PLAIN);
	l->ff_norm = add_norm_params(m, where);
	free(where);
}

void
layer_params_new(struct model *m)
{
	const int64_t enc = m->config.enc_layers, dec = m->config.dec_layers;
	struct model_layers *l = m->layers = xcalloc(1, sizeof(*l));

	l->enc = xcalloc((size_t)enc, sizeof(*l->enc));
	l->dec = xcalloc((size_t)dec, sizeof(*l->dec));
	add_embeddings(m, l);
	for (int64_t i = 0; i < enc; i++) {
		l->enc[i].self = add_attention(m, (size_t)i, false);
		add_feed_forward(m, &l->enc[i], false, i + 1);
	}
	for (int64_t i = 0; i < dec; i++) {
		l->dec[i].self = add_attention(m, (size_t)(enc + i), false);
		l->dec[i].cross = add_attention(m, (size_t)(enc + dec + i), true);
		add_feed_forward(m, &l->dec[i], true, i + 1);
	}
	if (m->config.final_norm) {
		l->enc_norm = add_norm_params(m, "enc");
		l->dec_norm = add_norm_params(m, "dec");
	}
}

void
layer_params_free(struct model *m)
{
	if (!m->layers)
		return;
	free(m->layers->enc);
	free(m->layers->dec);
	free(m->layers);
}

/* --- matrices --- */

static void
visit_layers(const struct layer *l, int64_t n, matrix_visit *visit, void *arg)
{
	for (int64_t i = 0; i < n; i++) {
		const struct dense *all[] = {
			&l[i].self.qkv, &l[i].self.out, &l[i].cross.q, &l[i].cross.kv,
			&l[i].cross.out, &l[i].ff_in, &l[i].ff_gate, &l[i].ff_out,
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

/* Rounds row r of n integers unless they are as int8.h rounds them; x has room for a row. */
static void
round_narrow(struct param *p, int r, real *x)
{
	const int n = p->d[1];
	int8_t *q = p->q + (ptrdiff_t)r * n;
	const int largest = k_largest_int8(n, q);

	if (largest <= (int)int8_largest(n) &&
	    (real)int8_unit(n, (double)p->unit[r] * largest) == p->unit[r])
		return;
	param_row(p, r, x);
	p->unit[r] = k_unit_int8(n, x);
	k_to_int8(n, x, p->unit[r], 0, q);
}

static void
round_rows(void *arg, struct param *weight)
{
	const int n = weight->d[1];
	real *room = weight->q ? xcalloc((size_t)n, sizeof(*room)) : NULL;

	(void)arg;
	for (int i = 0; weight->q && i < weight->d[0]; i++)
		round_narrow(weight, i, room);
	free(room);
	if (weight->q)
		return;
	for (int i = 0; i < weight->d[0]; i++)
		k_round_int8(n, weight->x + (ptrdiff_t)i * n, weight->x + (ptrdiff_t)i * n);
}

void
matrices_round_int8(struct model *m)
{
	visit_all(m, round_rows, NULL);
}
