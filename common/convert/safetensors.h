/*
 * safetensors: reads the tensors in files of Hugging Face's format safetensors.
 *
 * A file consists of the size of a JSON object, in eight bytes, little-endian; the object; and the
 * bytes of the tensors.  The object is {"name": {"dtype": "F32", "shape": [2, 3], "data_offsets":
 * [0, 24]}, ...}, optionally with the key "__metadata__".  The bytes of a tensor are row after row,
 * little-endian; there are no gaps between tensors.
 */
#ifndef SAFETENSORS_H
#define SAFETENSORS_H

#include "convert/weights.h"

/*
 * Maps the file at `path` into memory and adds its tensors to w, which must be initialized.  The
 * file remains mapped until weights_release().  Returns -1 with EXIT_SYSTEM if the file cannot be
 * read, and with EXIT_INPUT if it is malformed.
 */
int safetensors_open(struct weights *w, const char *path, struct err *e) MUST_USE;

/*
 * Does the same with several files, which are listed in the index NAME.safetensors.index.json at
 * `path`: {"weight_map": {"tensor": "file"}}.  The files must be in the folder of the index.  Every
 * tensor must be in the file that the index gives, and in no other one.
 */
int safetensors_open_index(struct weights *w, const char *path, struct err *e) MUST_USE;

/*
 * The same as safetensors_open() for the n bytes at p, which are not copied and must outlive w.
 * `name` is the name of the file for messages.
 */
int safetensors_memory(struct weights *w, const char *name, const void *p, size_t n,
		       struct err *e) MUST_USE;

#endif
