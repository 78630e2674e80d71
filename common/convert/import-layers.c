/* import-layers: the tensors of layers and sides, whose names follow a scheme; see import.h. */
#include <stdlib.h>

#include "base/mem.h"
#include "convert/import.h"

/* A layer on its two sides. */
struct place { const struct layer_names *names; bool decoder; int number; };

/* The parameter PARAM.END from the tensors rest[0..n) of a group. */
static int
import_layers_add(struct import *im, const struct place *at, const char *param, const char *end,
		  const char *group, const char *const *rest, int n, bool transposed,
		  struct err *e)
{
	const struct tensor_layout layout = { .transposed = transposed };
	char *name = xasprintf("%s.%d.%s.%s", at->decoder ? "dec" : "enc", at->number, param, end);
	char *tensor[3];
	int r;

	for (int i = 0; i < n; i++)
		tensor[i] = layer_tensor(at->names, at->decoder, at->number, group, rest[i]);
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
	return import_layers_add(im, at, param, "weight", group, weight, n, at->names->transposed,
				 e) ||
	       (*bias && import_layers_add(im, at, param, "bias", group, bias, n, false, e));
}

static int
add_norm(struct import *im, const struct place *at, const char *param, const char *group,
	 const char *const *norm, struct err *e)
{
	return import_layers_add(im, at, param, "norm.gain", group, &norm[0], 1, false, e) ||
	       (norm[1] &&
		import_layers_add(im, at, param, "norm.bias", group, &norm[1], 1, false, e));
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
	       (n->gate && import_layers_add(im, at, "ff.gate", "weight", group, &n->gate, 1,
					     n->transposed, e)) ||
	       add_dense(im, at, "ff.out", group, &n->ff[2], &n->ff[3], 1, e) ||
	       add_norm(im, at, "ff", group, n->ff_norm, e);
}

static bool
has_part(const struct model_config *c, enum side_part part)
{
	return part == SIDE_POSITIONS ? c->positions == POSITIONS_LEARNED
	       : part < SIDE_EMBED_GAIN ? c->final_norm : c->embed_norm;
}

/* A part of both sides. */
static int
add_side_part(struct import *im, const struct layer_names *names, enum side_part part,
	      struct err *e)
{
	const struct tensor_layout layout = {
		.first = part == SIDE_POSITIONS ? names->first_position : 0
	};
	int r = 0;

	for (int side = 0; !r && side < 2; side++) {
		char *name = side_tensor(names, part, side);
		const char *const list[] = { name };

		r = mapping_add(&im->map, side_param(part, side), list, 1, &layout, e);
		free(name);
	}
	return r;
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
	for (enum side_part part = 0; part < SIDE_PARTS; part++)
		if (names->of_side[part] && has_part(&im->config, part) &&
		    add_side_part(im, names, part, e))
			return -1;
	return 0;
}
