/* export-layers: the tensors of layers, whose names follow a scheme; see export.h. */
#include <stdlib.h>

#include "base/mem.h"
#include "export/export.h"

/* A layer of a side, and the shape of its biases. */
struct place { const struct layer_names *names; bool decoder; int number; enum view_shape shape; };

static char *
tensor_name(const struct place *at, const char *group, const char *rest)
{
	return layer_tensor(at->names, at->decoder, at->number, group, rest);
}

static const struct param *
param_of(const struct export *x, const struct place *at, const char *name, const char *rest)
{
	char *full = xasprintf("%s.%d.%s.%s", at->decoder ? "dec" : "enc", at->number, name, rest);
	const struct param *p = params_find(&x->m->params, full);

	free(full);
	return p;
}

/*
 * Part number `part` of a projection, from `columns` inputs to `rows` outputs, with its bias if
 * that has a name.
 */
static void
put_dense(struct export *x, const struct place *at, const char *param, const char *group,
	  const char *weight, const char *bias, int part, int rows, int columns)
{
	const struct tensor_view_layout layout = {
		.first = part * rows, .transposed = at->names->transposed
	};
	char *name = tensor_name(at, group, weight);

	tensor_views_add(&x->views, name, param_of(x, at, param, "weight"), VIEW_MATRIX, rows,
			 columns, &layout);
	free(name);
	if (!bias)
		return;
	name = tensor_name(at, group, bias);
	tensor_views_add(&x->views, name, param_of(x, at, param, "bias"), at->shape, rows, 1,
			 &layout);
	free(name);
}

static void
put_norm(struct export *x, const struct place *at, const char *param, const char *group,
	 const char *const *norm)
{
	static const char *const part[2] = { "norm.gain", "norm.bias" };

	for (int i = 0; i < 2 && norm[i]; i++) {
		char *name = tensor_name(at, group, norm[i]);

		tensor_views_add(&x->views, name, param_of(x, at, param, part[i]), at->shape,
				 (int)x->m->config.width, 1, NULL);
		free(name);
	}
}

static void
put_attention(struct export *x, const struct place *at, bool cross)
{
	const struct layer_names *n = at->names;
	const char *group = n->attention[cross];
	const int width = (int)x->m->config.width;
	const int heads = x->m->sites[0].all_heads * x->m->sites[0].head_dim;

	for (int i = 0; i < 3; i++) {
		const char *param = !cross ? "self.qkv" : i ? "cross.kv" : "cross.q";

		put_dense(x, at, param, group, n->weight[i], n->bias[i], cross && i ? i - 1 : i,
			  heads, width);
	}
	put_dense(x, at, cross ? "cross.out" : "self.out", group, n->weight[3], n->bias[3], 0,
		  width, heads);
	put_norm(x, at, cross ? "cross" : "self", "", n->attention_norm[cross]);
}

static void
put_layer(struct export *x, const struct place *at)
{
	const struct model_config *c = &x->m->config;
	const struct layer_names *n = at->names;
	const char *group = n->ff_group[at->decoder];
	const int width = (int)c->width;
	const int ff = (int)(at->decoder && c->dec_ff ? c->dec_ff : c->ff);

	put_attention(x, at, false);
	if (at->decoder)
		put_attention(x, at, true);
	put_dense(x, at, "ff.in", group, n->ff[0], n->ff[1], 0, ff, width);
	if (n->gate)
		put_dense(x, at, "ff.gate", group, n->gate, NULL, 0, ff, width);
	put_dense(x, at, "ff.out", group, n->ff[2], n->ff[3], 0, width, ff);
	put_norm(x, at, "ff", group, n->ff_norm);
}

void
export_layers(struct export *x, const struct layer_names *names, enum view_shape shape)
{
	const int64_t layers[2] = { x->m->config.enc_layers, x->m->config.dec_layers };

	for (int side = 0; side < 2; side++)
		for (int i = 1; i <= layers[side]; i++)
			put_layer(x, &(struct place){ names, side, i, shape });
}

void
export_side(struct export *x, const struct layer_names *names, enum side_part part, int side,
	    enum view_shape shape)
{
	char *name = side_tensor(names, part, side);

	tensor_views_add(&x->views, name, params_find(&x->m->params, side_param(part, side)), shape,
			 (int)x->m->config.width, 1, NULL);
	free(name);
}
