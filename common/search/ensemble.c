/* ensemble: see ensemble.h. */
#include "search/ensemble.h"

#include <string.h>

#include "model-file/model-file.h"
#include "model/layer-params.h"
#include "model/model-input.h"
#include "search/next-token.h"

/* What differs between two models that must be the same, or NULL. */
static const char *
ensemble_difference(const struct model *a, const struct model *b)
{
	const char *segmentation = model_other_segmentation(a, b);

	if (vocab_digest(&a->tgt) != vocab_digest(&b->tgt))
		return "target vocabularies";
	if (segmentation)
		return segmentation;
	return model_same_first_token(a, b, true) ? NULL : "first target tokens";
}

/* Loads one more model. */
static int
ensemble_load(struct ensemble *m, const struct ensemble_options *options, struct err *e)
{
	struct model *one = model_load_to_run(m->path[m->n], options->precision, e);
	const char *other;

	if (!one)
		return -1;
	m->model[m->n++] = one;
	if (options->digest)
		model_digest(one, options->digest);
	if ((options->mask && model_mask(one, options->mask, e)) ||
	    model_set_first_token(one, false, options->first_src, e) ||
	    model_set_first_token(one, true, options->first_tgt, e))
		return m->n > 1 ? err_wrap(e, "%s", m->path[m->n - 1]) : -1;
	other = ensemble_difference(m->model[0], one);
	if (other)
		return err_set(e, EXIT_INPUT, "%s and %s have different %s, expected the same in "
			       "all models of an ensemble", m->path[0], m->path[m->n - 1], other);
	return 0;
}

/* All models have the same precision. */
static int
ensemble_runtime(const struct ensemble *m, const struct ensemble_options *options,
		 struct runtime *run, struct err *e)
{
	char why[RUNTIME_WHY];
	const int precision = options->precision >= 0 ? options->precision
		: precision_to_translate(m->model, m->n, options->backend, why);

	if (runtime_open(run, options->backend, precision, options->threads, e))
		return -1;
	if (options->precision < 0)
		memcpy(run->why, why, sizeof(why));
	return 0;
}

int
ensemble_open(struct ensemble *m, const char *const *path, size_t n,
	      const struct ensemble_options *options, struct runtime *run, struct err *e)
{
	*m = (struct ensemble){ .path = path };
	if (n > ENSEMBLE_MAX)
		return err_set(e, EXIT_USAGE, "%zu models, expected at most %d", n, ENSEMBLE_MAX);
	for (size_t k = 0; k < n; k++)
		if (ensemble_load(m, options, e))
			return -1;
	if (ensemble_runtime(m, options, run, e))
		return -1;
	for (int k = 0; k < m->n; k++) {
		if (run->precision == PRECISION_INT8)
			matrices_round_int8(m->model[k]);
		model_prepare(m->model[k], &run->backend, run->pool);
	}
	return 0;
}

void
ensemble_close(struct ensemble *m)
{
	for (int k = 0; k < m->n; k++)
		model_free(m->model[k]);
}

int
ensemble_lookahead(const struct ensemble *m, struct lookahead *l, struct pass *pass, int too_long,
		   struct err *e)
{
	int shortest = 0, room;

	if (lookahead_init(l, m->model[0], pass, too_long, m->path[0], e))
		return -1;
	room = batch_room(&l->audit.rules, false);
	l->translator.others = m->model + 1;
	l->translator.n_others = m->n - 1;
	for (int k = 1; k < m->n; k++) {
		if (model_audit(m->model[k], false, &l->audit, e))
			return err_wrap(e, "%s", m->path[k]);
		if (batch_room(&l->audit.rules, false) >= room)
			continue;
		room = batch_room(&l->audit.rules, false);
		shortest = k;
	}
	/* All models read the same source. */
	l->translator.room = room;
	return model_audit(m->model[shortest], false, &l->audit, e);
}

int
ensemble_shortlist(const struct ensemble *m, struct shortlist *s, const char *path,
		   struct runtime *run, struct err *e)
{
	if (shortlist_load(s, path, m->model[0], &run->backend, run->pool, e))
		return -1;
	for (int k = 1; k < m->n; k++)
		model_prepare_candidates(m->model[k], &run->backend, run->pool);
	return 0;
}
