/*
 * ensemble: the models that translate together; a single model is an ensemble of one.
 *
 * All models must have the same target vocabulary, BPE codes, SentencePiece models and first target
 * token; everything else may differ: architecture, source vocabulary, attention variants.
 */
#ifndef ENSEMBLE_H
#define ENSEMBLE_H

#include "base/cli.h"
#include "model/runtime.h"
#include "search/lookahead.h"
#include "search/shortlist.h"

struct ensemble {
	struct model *model[ENSEMBLE_MAX];
	const char *const *path;	/* [n] paths of their files */
	int n;
};

/* Values of the options of the same names; NULL or -1 if they are not given. */
struct ensemble_options {
	const char *mask, *first_src, *first_tgt, *backend;
	int precision;
	int64_t threads;
	char *digest;			/* receives model_digest() of the model file; may be NULL */
};

/*
 * Loads the models from n files, opens the runtime, and prepares the models to translate.  `path`
 * must outlive m.  If options->precision is -1, the precision is that of precision_to_translate(),
 * and run->why has the reason.  Fails with EXIT_INPUT, naming both files, if two models do not fit,
 * and with EXIT_USAGE if there are too many models.
 */
int ensemble_open(struct ensemble *m, const char *const *path, size_t n,
		  const struct ensemble_options *options, struct runtime *run,
		  struct err *e) MUST_USE;
void ensemble_close(struct ensemble *m);

/* lookahead_init() for all models.  A sentence must not be too long for any of them. */
int ensemble_lookahead(const struct ensemble *m, struct lookahead *l, struct pass *pass,
		       int too_long, struct err *e) MUST_USE;

/* shortlist_load() for the first model; the others use the same shortlist. */
int ensemble_shortlist(const struct ensemble *m, struct shortlist *s, const char *path,
		       struct runtime *run,
		  struct err *e) MUST_USE;

#endif
