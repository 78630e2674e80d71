/* huggingface-map: the tensors of Hugging Face's models, by parameter; see huggingface-map.h. */
#include <stdlib.h>

#include "base/mem.h"
#include "convert/huggingface-map.h"
#include "convert/huggingface-t5.h"
#include "convert/huggingface-vocab.h"

const char *
hf_tensor(const struct import *im, const char *const *name)
{
	for (; *name; name++) {
		char *long_name = xasprintf("model.%s", *name);
		const struct weight *w = weights_find(&im->weights, long_name);

		if (!w)
			w = weights_find(&im->weights, *name);
		free(long_name);
		if (w)
			return w->name;
	}
	return NULL;
}

const char *
hf_table(const struct import *im, int side)
{
	static const char *const names[2][5] = {
		{ "encoder.embed_tokens.weight", "shared.weight", NULL },
		{ "decoder.embed_tokens.weight", "shared.weight",
		  "decoder.output_projection.weight", "lm_head.weight", NULL },
	};

	return hf_tensor(im, names[side]);
}

const char *
hf_output(const struct import *im)
{
	static const char *const names[] = { "lm_head.weight", "decoder.output_projection.weight",
					     NULL };

	return hf_tensor(im, names);
}

/* The names of all tensors begin with "model." if there is a head for the output. */
static int
map_layers(struct import *im, struct err *e)
{
	struct layer_names names;

	if (weights_find(&im->weights, "model.encoder.layers.0.fc1.weight"))
		layer_names_huggingface(&names, "model.encoder", "model.decoder");
	else
		layer_names_huggingface(&names, "encoder", "decoder");
	return import_layers(im, &names, e);
}

/* Sinusoids that a file holds must be those that are computed here, as far as its type can tell. */
static int
check_sinusoids(struct import *im, const char *name, struct err *e)
{
	const struct model_config *c = &im->config;
	struct weight *w = weights_find(&im->weights, name);
	const int64_t from = c->position_first;
	bool same = true;

	if (!w || w->use.n)
		return 0;
	if (w->type == WEIGHT_OTHER || w->n_dim != 2 || w->d[1] != c->width)
		same = false;
	for (int64_t p = from; same && p < w->d[0] && p - from < c->max_length; p++)
		same = weight_near(w, (size_t)(p * c->width), (size_t)c->width,
				   im->m->positions + (p - from) * c->width, POSITION_ERROR);
	if (!same)
		return err_set(e, EXIT_INPUT,
			       "tensor %s has other positions than the sinusoids of %s", name,
			       im->kind);
	mapping_ignore(&im->map, name, "the sinusoids that positions are computed with");
	return 0;
}

/* A table that no parameter is made of is that of the target, under another name. */
static int
check_copy(struct import *im, const char *name, struct err *e)
{
	const char *table = hf_table(im, 1);

	if (weights_find(&im->weights, name)->use.n)
		return 0;
	if (!weights_same(&im->weights, name, table)) {
		err_set(e, EXIT_INPUT, "tensor %s differs from %s, expected the same, because "
			"config.json ties them", name, table);
		err_hint(e, "if the model has both, set tie_word_embeddings in config.json to "
			 "false; otherwise, remove the tensor that it does not use");
		return -1;
	}
	mapping_ignore(&im->map, name, "a copy of a table that is tied");
	return 0;
}

/* Tensors that a file may have twice, or that are computed. */
static int
map_rest(struct import *im, struct err *e)
{
	static const char *const positions[] = {
		"encoder.embed_positions.weight", "decoder.embed_positions.weight",
		"encoder.embed_positions.weights", "decoder.embed_positions.weights",
	};
	static const char *const copies[] = {
		"encoder.embed_tokens.weight", "decoder.embed_tokens.weight", "shared.weight",
		"lm_head.weight", "decoder.output_projection.weight",
	};

	for (size_t i = 0; im->m->positions && i < sizeof(positions) / sizeof(*positions); i++) {
		const char *const list[] = { positions[i], NULL };
		const char *name = hf_tensor(im, list);

		if (name && check_sinusoids(im, name, e))
			return -1;
	}
	for (size_t i = 0; i < sizeof(copies) / sizeof(*copies); i++) {
		const char *const list[] = { copies[i], NULL };
		const char *name = hf_tensor(im, list);

		if (name && check_copy(im, name, e))
			return -1;
	}
	return 0;
}

int
hf_map(struct import *im, struct err *e)
{
	if (import_tables(im, hf_table(im, 0), hf_table(im, 1), hf_output(im), false, e) ||
	    (im->hf->t5 ? hf_t5_map(im, e) : map_layers(im, e)) ||
	    (im->config.output_bias &&
	     import_table(im, "output.bias", "final_logits_bias", 1, false, e)))
		return -1;
	return map_rest(im, e);
}
