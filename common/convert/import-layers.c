/* import-layers: the tensors of layers and sides, whose names follow a scheme; see import.h. */
#include <stdlib.h>

#include "base/mem.h"
#include "convert/import.h"

/* A layer on its two sides. */
struct place { const struct layer_names *names; bool decoder; int number; };

static char *
import_layers_tensor_name(const struct place *at, const char *group, const char *rest)
{
	return layer_tensor(at->names, at->decoder, at->number, group, rest);
}

static char *
param_name(const struct place *at, const char *rest)
{
	return xasprintf("%s.%d.%s", at->decoder ? "dec" : "enc", at->number, rest);
}

/* A parameter from the tensors rest[0..n) of a group. */
static int
import_layers_add(struct import *im, const struct place *at, const char *param, const char *group,
		  const char *const *rest, int n, bool transposed, struct err *e)
{
	const struct tensor_layout layout = { .transposed = transposed };
	char *name = param_name(at, param), *tensor[3];
	int r;

	for (int i = 0; i < n; i++)
		tensor[i] = import_layers_tensor_name(at, group, rest[i]);
	r = mapping_add(&im->map, name, (const char *const *)tensor, n, &layout, e);
	for (int i = 0; i < n; i++)
		free(tensor[i]);
	free(name);
	return r;
}

/* Weight and bias, if there are biases, of a projection, which is made of n of theirs. */
static int
add_dense(struct import *im, const struct place *at, const char *param, const char *group,
	  const char *const *weight, const char *const *bias, int n, struct err *e)
{
	char *w = xasprintf("%s.weight", param), *b = xasprintf("%s.bias", param);
	const int r = import_layers_add(im, at, w, group, weight, n, at->names->transposed, e) ||
		      (*bias && import_layers_add(im, at, b, group, bias, n, false, e));

	free(w);
	free(b);
	return r ? -1 : 0;
}

static int
add_norm(struct import *im, const struct place *at, const char *param, const char *group,
	 const char *const *norm, struct err *e)
{
	char *gain = xasprintf("%s.norm.gain", param), *bias = xasprintf("%s.norm.bias", param);
	const int r = import_layers_add(im, at, gain, group, &norm[0], 1, false, e) ||
		      (norm[1] &&
		       import_layers_add(im, at, bias, group, &norm[1], 1, false, e));

	free(gain);
	free(bias);
	return r ? -1 : 0;
}

static int
import_layers_add_attention(struct import *im, const struct place *at, bool cross, struct err *e)
{
	const struct layer_names *n = at->names;
	const char *group = n->attention[cross];
	const int qkv = n->fused ? 1 : 3, kv = n->fused ? 1 : 2, out = cross ? 1 + kv : qkv;

	if (cross)
		return add_dense(im, at, "cross.q", group, n->weight, n->bias, 1, e) ||
		       add_dense(im, at, "cross.kv", group, n->weight + 1, n->bias + 1, kv, e) ||
		       add_dense(im, at, "cross.out", group, n->weight + out, n->bias + out, 1,
				 e) ||
		       add_norm(im, at, "cross", "", n->attention_norm[1], e);
	return add_dense(im, at, "self.qkv", group, n->weight, n->bias, qkv, e) ||
	       add_dense(im, at, "self.out", group, n->weight + out, n->bias + out, 1, e) ||
	       add_norm(im, at, "self", "", n->attention_norm[0], e);
}

static int
add_layer(struct import *im, const struct place *at, struct err *e)
{
	const struct layer_names *n = at->names;
	const char *group = n->ff_group[at->decoder];

	return import_layers_add_attention(im, at, false, e) ||
	       (at->decoder && import_layers_add_attention(im, at, true, e)) ||
	       add_dense(im, at, "ff.in", group, &n->ff[0], &n->ff[1], 1, e) ||
	       (n->gate && import_layers_add(im, at, "ff.gate.weight", group, &n->gate, 1,
					     n->transposed, e)) ||
	       add_dense(im, at, "ff.out", group, &n->ff[2], &n->ff[3], 1, e) ||
	       add_norm(im, at, "ff", group, n->ff_norm, e);
}

int
import_layers(struct import *im, const struct layer_names *names, struct err *e)
{
	const int64_t layers[2] = { im->config.enc_layers, im->config.dec_layers };

	for (int side = 0; side < 2; side++)
		for (int i = 1; i <= layers[side]; i++) {
			const struct place at = { names, side, i };

			if (add_layer(im, &at, e))
				return -1;
		}
	return 0;
}

/* --- sides --- */

static int
add_both(struct import *im, const char *const param[2], const char *const side[2],
	 const char *tensor, int first, struct err *e)
{
	const struct tensor_layout layout = { .first = first };
	int r = 0;

	for (int i = 0; !r && i < 2; i++) {
		char *name = xasprintf("%s%s", side[i], tensor);
		const char *const list[] = { name };

		r = mapping_add(&im->map, param[i], list, 1, &layout, e);
		free(name);
	}
	return r;
}

int
import_sides(struct import *im, const char *const side[2], const struct side_tensors *t,
	     struct err *e)
{
	static const char *const gain[2] = { "enc.norm.gain", "dec.norm.gain" };
	static const char *const bias[2] = { "enc.norm.bias", "dec.norm.bias" };
	static const char *const embed_gain[2] = { "src.embed.norm.gain", "tgt.embed.norm.gain" };
	static const char *const embed_bias[2] = { "src.embed.norm.bias", "tgt.embed.norm.bias" };
	static const char *const positions[2] = { "src.position.weight", "tgt.position.weight" };
	const struct model_config *c = &im->config;

	if (c->final_norm && (add_both(im, gain, side, t->gain, 0, e) ||
			      (t->bias && add_both(im, bias, side, t->bias, 0, e))))
		return -1;
	if (c->embed_norm && (add_both(im, embed_gain, side, t->embed_gain, 0, e) ||
			      add_both(im, embed_bias, side, t->embed_bias, 0, e)))
		return -1;
	return c->positions == POSITIONS_LEARNED
		       ? add_both(im, positions, side, t->positions, t->first, e)
		       : 0;
}
