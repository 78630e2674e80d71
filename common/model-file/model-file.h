/*
 * model-file: a model or a checkpoint in one file; see heed-model(5).
 *
 * The file is a bundle (bundle.h), whose map is called heed-model.  Its members are vocab/src,
 * vocab/tgt, bpe, mask/tgt, param/NAME as f32 or i8, spm/src, spm/tgt, and, in a checkpoint,
 * adam/m/NAME, adam/v/NAME, best/NAME, feedback/RANK/NAME, log and train
 * (train/train-checkpoint.c).
 */
#ifndef MODEL_FILE_H
#define MODEL_FILE_H

#include <stddef.h>

#include "base/err.h"
#include "model-file/bundle.h"
#include "model/model.h"

/* Names of members. */
#define MODEL_MAP     "heed-model"
#define MODEL_SRC     "vocab/src"
#define MODEL_TGT     "vocab/tgt"
#define MODEL_CODES   "bpe"
#define MODEL_MASK    "mask/tgt"
#define MODEL_SPM_SRC "spm/src"
#define MODEL_SPM_TGT "spm/tgt"
/* Keys of the map. */
#define MODEL_REMOVED "heads.removed"
#define MODEL_ROUNDED "heads.rounded"
#define MODEL_ENGINE  "engine"		/* absent in models of version 0.5 and before */
#define MODEL_TRAINING "training"	/* absent in models of version 0.6 and before */
#define MODEL_DIGEST  "digest"		/* absent in models of version 0.6 and before */
#define MODEL_LANGUAGE_SRC "language.src"	/* absent if the languages are unknown */
#define MODEL_LANGUAGE_TGT "language.tgt"
#define MODEL_FIRST_SRC "first.src"	/* absent in models without a first token */
#define MODEL_FIRST_TGT "first.tgt"

extern const struct bundle_kind model_bundle;

/* A member of a checkpoint that follows those of a model.  `data` remains the caller's. */
struct model_extra {
	const char *name;		/* "adam/m/enc.1.self.qkv.weight", "train" */
	const void *data;
	size_t n;
};

/*
 * Writes a model, followed by `n_extra` members.  If m->int8 is set, the parameters for which
 * matrices_have() (model/layer-params.h) is true are written as i8.  The file gets the name `path`
 * when it is complete.  Returns -1 with EXIT_SYSTEM if it cannot be written, and with EXIT_DIVERGED
 * if a value of a parameter is not finite.
 */
int model_save(const struct model *m, const char *path, const struct model_extra *extra,
	       size_t n_extra, struct err *e) MUST_USE;

/*
 * Writes a model whose parameters are not allocated.  `fill` supplies their values as for
 * bundle_out_param() of bundle.h, and is called with `arg`.
 */
int model_save_filled(const struct model *m, const char *path, bundle_fill *fill, void *arg,
		      struct err *e) MUST_USE;

/*
 * A function that is called, with the `arg` of model_load(), for each extra member: n bytes at
 * `data`, which are valid during the call.  It returns 0, or -1 with an error, which ends the
 * loading.
 */
typedef int model_take(void *arg, const char *name, const void *data, size_t n, struct err *e);

/*
 * Loads a model with its parameters, and allocates their gradients if `gradients` is true.  If
 * `take` is not NULL, it is called for each extra member.  The caller frees the model with
 * model_free().  Returns NULL on error, with EXIT_INPUT for errors in the file.
 */
struct model *model_load(const char *path, bool gradients, model_take *take, void *arg,
			 struct err *e) MUST_USE;

/* Loads a model from n bytes at p in place of a file.  `name` stands for the file in messages. */
struct model *model_load_memory(const char *name, const void *p, size_t n, bool gradients,
				model_take *take, void *arg, struct err *e) MUST_USE;

/*
 * Load a model without extra members, for programs that compute in int8.  The parameters that are
 * i8 in the file, and for which matrices_have() (model/layer-params.h) is true, remain 8-bit
 * integers: they are narrow (tape/params.h).
 */
struct model *model_load_narrow(const char *path, struct err *e) MUST_USE;
struct model *model_load_narrow_memory(const char *name, const void *p, size_t n,
				       struct err *e) MUST_USE;
/*
 * Loads a model without extra members, to run it in `precision`, or -1 for the precision that
 * precision_for() or precision_to_translate() (model/runtime.h) will choose.  With int8 and -1, i8
 * parameters are narrow, so model_prepare() or model_prepare_loss() (search/next-token.h) must be
 * called before the model runs.
 */
struct model *model_load_to_run(const char *path, int precision, struct err *e) MUST_USE;

/*
 * Returns -1 with EXIT_INPUT if the file of a loaded model states a digest (model_digest()) other
 * than that of its values.  Loading already compares the checksums of the file, so only programs
 * that check files call this.
 */
int model_check_digest(const struct model *m, struct err *e) MUST_USE;

/*
 * Copies to m, for nmt-train --init, the parameters of another model file that have the same name
 * and that param_copy() (tape/params.h) can copy: of the same shape, apart from pruned heads that m
 * lacks, too.  Embeddings and the output layer are copied only if the vocabulary is the same.
 * Returns the number of copied parameters, or -1 on error.
 */
int64_t model_init_from(struct model *m, const char *path, struct err *e);

#endif
