/*
 * ensemble: the models that translate together; a single model is an ensemble of one.
 *
 * All models must have the same target vocabulary, BPE codes, SentencePiece models and first target
 * token (model/model-input.h).  Everything else may differ, such as architecture, source vocabulary
 * and attention variants.
 */
#ifndef ENSEMBLE_H
#define ENSEMBLE_H

#include "base/cli.h"
#include "model/runtime.h"
#include "search/lookahead.h"
#include "search/shortlist.h"

struct ensemble {
	struct model *model[ENSEMBLE_MAX];
	const char *const *path;	/* [n] paths of the model files; the caller's */
	int n;
};

/*
 * Values of command-line options: --mask-heads, --first-src, --first-tgt, --backend, --precision
 * and --threads.  NULL, or -1 for `precision`, means that the option is not given.
 */
struct ensemble_options {
	const char *mask, *first_src, *first_tgt, *backend;
	int precision;
	int64_t threads;
	char *digest;			/* receives model_digest() of the last model, as its file
					 * states it; or NULL */
};

/*
 * Loads the models from n files, opens the runtime, and prepares the models to translate
 * (model_prepare()).  `path` must outlive m.  If options->precision is -1, the precision is that of
 * precision_to_translate() (model/runtime.h), and run->why has the reason.  Fails with EXIT_INPUT
 * if two models differ in what must be the same, and names both files; fails with EXIT_USAGE if
 * there are more than ENSEMBLE_MAX models.  Call ensemble_close() also after an error.
 */
int ensemble_open(struct ensemble *m, const char *const *path, size_t n,
		  const struct ensemble_options *options, struct runtime *run,
		  struct err *e) MUST_USE;
/* Frees the models, but not the runtime. */
void ensemble_close(struct ensemble *m);

/*
 * Calls lookahead_init() (lookahead.h) for the first model, and adds the others.  A sentence is too
 * long if it is too long for one of the models.
 */
int ensemble_lookahead(const struct ensemble *m, struct lookahead *l, struct pass *pass,
		       int too_long, struct err *e) MUST_USE;

/*
 * Calls shortlist_load() (shortlist.h) for the first model.  The other models use the same
 * shortlist.
 */
int ensemble_shortlist(const struct ensemble *m, struct shortlist *s, const char *path,
		       struct runtime *run,
		  struct err *e) MUST_USE;

#endif
