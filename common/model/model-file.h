/*
 * model-file: a model or a checkpoint in one file; see heed-model(5).
 *
 * A bundle (bundle.h) whose map is heed-model: vocab/src, vocab/tgt, bpe, mask/tgt,
 * param/NAME as f32, and extra members (a checkpoint's adam/m/NAME, adam/v/NAME, train).
 */
#ifndef MODEL_FILE_H
#define MODEL_FILE_H

#include <stddef.h>

#include "base/err.h"
#include "model/bundle.h"
#include "model/model.h"

#define MODEL_MAP    "heed-model"
#define MODEL_REMOVED "heads.removed"	/* keys of the map */
#define MODEL_ROUNDED "heads.rounded"
#define MODEL_ENGINE "engine"		/* models of 0.5 and before do not have it */
#define MODEL_SRC    "vocab/src"
#define MODEL_TGT    "vocab/tgt"
#define MODEL_CODES  "bpe"
#define MODEL_MASK   "mask/tgt"

extern const struct bundle_kind model_bundle;

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
