/*
 * model-file: a model or a checkpoint in one file; see heed-model(5).
 *
 * A pax tar: heed-model (msgpack map), vocab/src, vocab/tgt, bpe, param/NAME
 * raw little-endian fp32, extra members (a checkpoint's adam/m/NAME, adam/v/NAME,
 * train), and last `end`.  Every member's size and crc stand in the map's table; `end`
 * has the crc of everything.  A name of a member has no blanks or tabs.
 */
#ifndef MODEL_FILE_H
#define MODEL_FILE_H

#include <stddef.h>

#include "base/err.h"
#include "model/model.h"

/* More members of a checkpoint, written after the parameters; data stays the caller's. */
struct model_extra {
	const char *name;		/* "adam/m/enc.1.self.qkv.weight", "train" */
	const void *data;
	size_t n;
};

int model_save(const struct model *m, const char *path, const struct model_extra *extra,
	       size_t n_extra, struct err *e) MUST_USE;

/*
 * Loads; parameters are allocated, with gradients if asked.  take, if given, is called for
 * every extra member (data is only lent); a -1 from it ends the loading.
 */
typedef int model_take(void *arg, const char *name, const void *data, size_t n, struct err *e);
struct model *model_load(const char *path, bool gradients, model_take *take, void *arg,
			 struct err *e) MUST_USE;

/* The same from bytes in memory; name is for messages. */
struct model *model_load_memory(const char *name, const void *p, size_t n, bool gradients,
				model_take *take, void *arg, struct err *e) MUST_USE;

/* Copies parameters of equal name and shape from another file (--init), tables only if the
 * vocabularies are the same; returns how many, -1 on error. */
int64_t model_init_from(struct model *m, const char *path, struct err *e);

#endif
