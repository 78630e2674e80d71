/* huggingface-map: the tensors of Hugging Face's models, by parameter. */
#ifndef HUGGINGFACE_MAP_H
#define HUGGINGFACE_MAP_H

#include "convert/import.h"

/*
 * The tensor of the first of these names that is there, with "model." before it or without; or
 * NULL.
 */
const char *hf_tensor(const struct import *im, const char *const *name);
/* The embeddings of a side.  safetensors keeps one name of a tensor that has several. */
const char *hf_table(const struct import *im, int side);
/* The table of the output, if there is one under a name of its own. */
const char *hf_output(const struct import *im);
/* Maps all parameters to tensors; -1 with EXIT_INPUT, naming the tensor, if one is missing. */
int hf_map(struct import *im, struct err *e) MUST_USE;

#endif
