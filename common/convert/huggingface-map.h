/* huggingface-map: the tensors of Hugging Face's models, by parameter. */
#ifndef HUGGINGFACE_MAP_H
#define HUGGINGFACE_MAP_H

#include "convert/import.h"

/*
 * Finds the first name in the NULL-terminated list that is the name of a tensor, with "model."
 * before it or without.  Returns the name as in the file, with "model." if it has that; NULL if
 * there is no such tensor.  All names that these functions return belong to im->weights.
 */
const char *hf_tensor(const struct import *im, const char *const *name);
/*
 * The name of the tensor of the embeddings of a side, 0 for source and 1 for target; NULL if there
 * is none.  A file of safetensors has only one of the names of a tied tensor, so several are tried.
 */
const char *hf_table(const struct import *im, int side);
/* The name of the tensor of the output projection, or NULL if the file has no such tensor. */
const char *hf_output(const struct import *im);
/*
 * Maps all parameters to tensors, and ignores (mapping.h) copies of tied tables and tables of
 * sinusoids.  Returns -1 with EXIT_INPUT, naming the tensor, if one is missing or does not fit its
 * parameter, or if a table has other values than the sinusoids that the model computes.
 */
int hf_map(struct import *im, struct err *e) MUST_USE;

#endif
