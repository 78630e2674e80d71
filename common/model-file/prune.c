/* prune: see prune.h. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/mem.h"
#include "model-file/prune.h"
#include "model/layer-params.h"

/* Specs of the variants without gates, NULL at the end; the caller frees them and the array. */
static char **
specs_of(const struct model *m, size_t *n)
{
	char **spec = xcalloc(attention_set_n(m->attention) + 1, sizeof(*spec));
	int version;

	*n = 0;
	for (size_t i = 0; i < attention_set_n(m->attention); i++) {
		struct buf text = { 0 };

		if (attention_set_variant(m->attention, i)->gate)
			continue;
		attention_set_describe(m->attention, i, &text, &version);
		spec[(*n)++] = text.data;
	}
	return spec;
}

/*
 * The new model gets the removed heads as a list, which sites_new() reads as the option --heads is
 * read.
 */
static struct model *
new_without(const struct model *m, const bool *remove, struct err *e)
{
	struct buf removed = { 0 };
	struct vocab src, tgt;
	struct model *new;
	size_t n;
	char **spec = specs_of(m, &n);

	vocab_copy(&src, &m->src);
	vocab_copy(&tgt, &m->tgt);
	model_removed_heads(m, remove, &removed);
	new = model_new_pruned(&m->config, removed.data, &src, &tgt, (const char *const *)spec, n,
			       e);
	vocab_release(&src);
	vocab_release(&tgt);
	buf_release(&removed);
	for (size_t i = 0; i < n; i++)
		free(spec[i]);
	free(spec);
	return new;
}

static void
copy_facts(struct model *copy, const struct model *original)
{
	copy->int8 = original->int8;
	copy->recipe = original->recipe;
	copy->rounding = original->rounding;
	copy->step = original->step;
	copy->engine = original->engine;
	memcpy(copy->preset, original->preset, sizeof(copy->preset));
	memcpy(copy->training, original->training, sizeof(copy->training));
	if (original->tgt_valid)
		memcpy(copy->tgt_valid, original->tgt_valid, (size_t)original->tgt.n);
	copy->languages = original->languages;
	model_copy_segmentation(copy, original);
	copy->pg = original->pg ? xstrdup(original->pg) : NULL;
}

static void
copy_params(struct model *copy, const struct model *original)
{
	params_allocate(&copy->params, false);
	for (size_t i = 0; i < copy->params.n; i++) {
		struct param *p = copy->params.list[i];
		const struct param *q = params_find(&original->params, p->name);

		if (!q || !param_copy(p, q))
			bug("parameter %s of the pruned model does not match; a variant must set "
			    "the cut of a parameter whose shape depends on the heads: site_cut()",
			    p->name);
	}
}

/* Folds gate[heads of s] into the output projection of site s. */
static int
take_gates(struct model *m, const struct site *s, const real *gate, struct err *e)
{
	bool needed = false;

	for (int h = 0; h < s->heads; h++)
		needed |= gate[h] != 1;
	if (!needed || gates_scale_output(m, s, gate))
		return 0;
	return err_set(e, EXIT_USAGE, "%s has gates other than 0 and 1, expected none where a "
		       "variant joins the heads before the output projection", s->name);
}

static int
take_all_gates(struct model *new, const struct model *m, const bool *remove, const double *gate,
	       struct err *e)
{
	real *retained = xcalloc((size_t)m->config.heads, sizeof(*retained));
	int r = 0;

	for (size_t i = 0; !r && i < m->n_sites; i++) {
		int n = 0;

		for (int h = 0; h < m->sites[i].heads; h++, remove++, gate++)
			if (!*remove)
				retained[n++] = (real)*gate;
		r = take_gates(new, &new->sites[i], retained, e);
	}
	free(retained);
	return r;
}

struct model *
model_prune(const struct model *m, const bool *remove, const double *gate, struct err *e)
{
	struct model *new = new_without(m, remove, e);

	if (!new)
		return NULL;
	copy_facts(new, m);
	copy_params(new, m);
	if (!take_all_gates(new, m, remove, gate, e))
		return new;
	model_free(new);
	return NULL;
}
