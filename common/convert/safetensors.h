/*
 * safetensors: tensors in a file of Hugging Face's format.
 *
 * Eight bytes, little-endian: the size of a JSON object; the object, {"name": {"dtype": "F32",
 * "shape": [2, 3], "data_offsets": [0, 24]}, ...}, optionally with "__metadata__"; and the bytes of
 * the tensors, row after row, little-endian, without gaps between them.
 */
#ifndef SAFETENSORS_H
#define SAFETENSORS_H

#include "convert/weights.h"

/*
 * Maps the file and adds its tensors to w, which must be initialized and keeps the file mapped.
 * Returns -1 if the file cannot be read, and with EXIT_INPUT if it is malformed.
 */
int safetensors_open(struct weights *w, const char *path, struct err *e) MUST_USE;

/*
 * Opens the files that an index, NAME.safetensors.index.json, names: {"weight_map": {"tensor":
 * "file"}}, in the index's folder.  Every tensor must be in its file, and in no other.
 */
int safetensors_open_index(struct weights *w, const char *path, struct err *e) MUST_USE;

/*
 * The same as safetensors_open() for bytes in memory, which remain the caller's and must outlive w.
 */
int safetensors_memory(struct weights *w, const char *name, const void *p, size_t n,
		       struct err *e) MUST_USE;

#endif
