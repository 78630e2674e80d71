/*
 * look-relations: strengths and masks of the variant relation-mask (methods 5.3); see look.h.
 */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/mem.h"
#include "draw/look-parts.h"
#include "trees/tree-relations.h"

/* The parameter that all layers share, or the site's own. */
static const struct param *
strengths_of(const struct model *m, size_t site, struct err *e)
{
	char *own = xasprintf("%s.relation.strength", m->sites[site].name);
	const struct param *p = params_find(&m->params, "relation.strength");

	if (!p)
		p = params_find(&m->params, own);
	free(own);
	if (!p) {
		err_set(e, EXIT_USAGE, "%s has no relation strengths", m->sites[site].name);
		err_hint(e, "expected a model trained with -a relation-mask");
	} else if (p->n_dim != 2 || p->d[0] != m->sites[site].all_heads ||
		   p->d[1] != TREE_RELATIONS) {
		bug("strengths of %s are not [heads, relations]", m->sites[site].name);
	}
	return p;
}

/* The constant bias of a relation in fixed=anc:-2+desc:never; NaN if it is trained. */
static double
fixed_bias(const char *fixed, const char *relation)
{
	const size_t n = strlen(relation);

	while (fixed && *fixed) {
		if (!strncmp(fixed, relation, n) && fixed[n] == ':')
			return !strncmp(fixed + n + 1, "never", 5) ? (double)-INFINITY
								   : strtod(fixed + n + 1, NULL);
		fixed += strcspn(fixed, "+");
		fixed += *fixed == '+';
	}
	return NAN;
}

int
look_strengths(const struct model *m, size_t site, const struct axis *relations,
	       const struct axis *heads, struct panel *to, struct err *e)
{
	const struct param *p = strengths_of(m, site, e);
	char *fixed;

	if (!p)
		return -1;
	fixed = look_setting(m, "relation-mask", "fixed");
	panel_init(to, relations, heads);
	for (int r = 0; r < relations->n; r++)
		for (int h = 0; h < heads->n; h++)
			panel_row(to, r)[h] = isnan(fixed_bias(fixed, relations->label[r]))
						      ? (float)p->x[h * TREE_RELATIONS + r] : NAN;
	free(fixed);
	return 0;
}

void
look_relations(struct axis *relations)
{
	for (int r = 0; r < TREE_RELATIONS; r++)
		axis_add(relations, tree_relation_names[r], strlen(tree_relation_names[r]));
}

/* The mask of each relation, which is subtracted from the scores of a head. */
static void
fill_masks(const struct model *m, const struct param *p, int head, float mask[TREE_RELATIONS])
{
	char *fixed = look_setting(m, "relation-mask", "fixed");

	for (int r = 0; r < TREE_RELATIONS; r++) {
		const double bias = fixed_bias(fixed, tree_relation_names[r]);
		const double s = (double)p->x[(head - 1) * TREE_RELATIONS + r];

		mask[r] = isnan(bias) ? (float)exp(s) : isinf(bias) ? NAN : (float)-bias;
	}
	free(fixed);
}

/*
 * The relation of two of n nodes.  The end-of-sentence token is treated as a node after the tree.
 */
static int
relation_at(const int8_t *relation, int n, int i, int j)
{
	if (i < n && j < n)
		return relation[(ptrdiff_t)i * n + j];
	return i == j ? TREE_SELF : i < j ? TREE_RIGHT_OTHER : TREE_LEFT_OTHER;
}

static int
take_relations(const struct look *l, const int8_t **relation, int *n, struct err *e)
{
	struct tensor t;

	if (record_tensor(l->rec, "src.relation", &t) || t.type != TENSOR_I8 || t.n_dim != 2)
		return err_set(e, EXIT_INPUT, "no src.relation, expected one for masks");
	*n = l->src.pieces.n - l->m->config.src_eos;
	if (t.d[0] != *n || t.d[1] != *n)
		return err_set(e, EXIT_INPUT, "src.relation is %lld x %lld, expected %d x %d",
			       (long long)t.d[0], (long long)t.d[1], *n, *n);
	*relation = t.data;
	for (int64_t i = 0; i < t.d[0] * t.d[1]; i++)
		if ((*relation)[i] < 0 || (*relation)[i] >= TREE_RELATIONS)
			return err_set(e, EXIT_INPUT, "%d in src.relation, expected 0 to %d",
				       (*relation)[i], TREE_RELATIONS - 1);
	return 0;
}

int
look_mask(struct look *l, size_t site, int head, struct panel *to, struct err *e)
{
	const struct param *p = strengths_of(l->m, site, e);
	float mask[TREE_RELATIONS];
	const int8_t *relation = NULL;
	int n = 0;

	if (!p || take_relations(l, &relation, &n, e))
		return -1;
	fill_masks(l->m, p, head, mask);
	panel_init(to, &l->src.pieces, &l->src.pieces);
	for (int i = 0; i < to->rows->n; i++)
		for (int j = 0; j < to->columns->n; j++)
			panel_row(to, i)[j] = mask[relation_at(relation, n, i, j)];
	to->title = xasprintf("head %d", head);
	return 0;
}
