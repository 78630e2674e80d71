/* huggingface-map: the tensors of Hugging Face's models, by parameter. */
#ifndef HUGGINGFACE_MAP_H
#define HUGGINGFACE_MAP_H

#include "convert/import.h"

/*
 * The first name in the NULL-terminated list that is the name of a tensor, possibly with "model."
 * before it; NULL if none is.
 */
const char *hf_tensor(const struct import *im, const char *const *name);
/*
 * The tensor of the embeddings of a side.  A file of safetensors has only one of the names of a
 * tied tensor, so several are tried.
 */
const char *hf_table(const struct import *im, int side);
/* The tensor of the output projection, or NULL if it is tied to embeddings. */
const char *hf_output(const struct import *im);
/* Maps all parameters to tensors; -1 with EXIT_INPUT, naming the tensor, if one is missing. */
int hf_map(struct import *im, struct err *e) MUST_USE;

#endif
