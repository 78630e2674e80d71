/* huggingface-map: which tensors of models of Hugging Face become which parameters. */
#ifndef HUGGINGFACE_MAP_H
#define HUGGINGFACE_MAP_H

#include "convert/import.h"

/*
 * Looks up the names in the NULL-terminated list `name`, in order, each as it is and with "model."
 * before it.  Returns the first one that is the name of a tensor, as the file has it, or NULL if
 * none is.  The names that this and the next two functions return belong to im->weights.
 */
const char *hf_tensor(const struct import *im, const char *const *name);
/*
 * Returns the name of the tensor with the embeddings of a side: 0 is the source, 1 the target.
 * Returns NULL if there is none.  A safetensors file has only one of the names of a tied tensor, so
 * that several names are tried.
 */
const char *hf_table(const struct import *im, int side);
/*
 * Returns the name of the tensor of the output projection, or NULL if the file has no such tensor.
 */
const char *hf_output(const struct import *im);
/*
 * Reads an integer setting that transformers also reads under another name, `alias`, such as
 * num_attention_heads.  The alias wins if config.json has both.  Otherwise like conf_want_int()
 * (exchange/conf.h).
 */
int hf_want_int(const struct conf *c, const char *key, const char *alias, int64_t min, int64_t max,
		int64_t *x, struct err *e) MUST_USE;
/*
 * Reads a setting whose value is a name of transformers for an activation.  Before the call,
 * *activation is the default, a constant of tensor/kernels.h.  Returns -1 with EXIT_INPUT for an
 * unknown name.
 */
int hf_want_activation(const struct conf *c, const char *key, int *activation,
		       struct err *e) MUST_USE;
/*
 * Maps all parameters of im->m to tensors, and notes with mapping_ignore() (mapping.h) that copies
 * of tied tables and tables of sinusoids are not needed.  Returns -1 with EXIT_INPUT and the name
 * of the tensor if a tensor is missing or does not fit its parameter, if a table of positions has
 * other values than the sinusoids that the model computes, or if a copy of a tied table differs
 * from it.
 */
int hf_map(struct import *im, struct err *e) MUST_USE;

#endif
