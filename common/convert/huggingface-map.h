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
 * Maps all parameters of im->m to tensors, and notes with mapping_ignore() (mapping.h) that copies
 * of tied tables and tables of sinusoids are not needed.  Returns -1 with EXIT_INPUT and the name
 * of the tensor if a tensor is missing or does not fit its parameter, or if a table of positions
 * has other values than the sinusoids that the model computes.
 */
int hf_map(struct import *im, struct err *e) MUST_USE;

#endif
