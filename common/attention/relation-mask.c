/*
 * relation-mask: each head learns how strongly each tree relation reduces attention (tree masks).
 *
 * McDonald and Chiang 2021, Syntax-based attention masking for neural machine translation, section
 * 2: the score of a pair becomes
 *
 *	score - exp(s[h][m])
 *
 * where m is the relation of the key to the query among the nodes of the tree in preorder
 * (tree-linearize(1), tree2mask(1)).  All layers share one table of strengths s, as in the authors'
 * code.  The end-of-sentence token, which their source does not have, is right-other to all nodes,
 * and all nodes are left-other to it.  The source is the nodes of a tree, so a sentence without
 * src.relation is an error.
 */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "attention/attention-picture.h"
#include "base/cli.h"
#include "base/mem.h"
#include "base/near-name.h"
#include "base/num.h"
#include "data/pair-labels.h"
#include "ops/ops.h"
#include "stream/stream.h"
#include "tape/params.h"
#include "trees/tree-relations.h"

static const real LIMIT = 20;		/* of a strength, so that exp does not overflow */

enum { SHARE_ALL, SHARE_LAYER };
static const char *const shares[] = { "all", "layer", NULL };

struct state {
	int64_t first, last;
	int share;
	char *fixed;			/* as given */
	bool is_fixed[TREE_RELATIONS];
	double bias[TREE_RELATIONS];		/* where is_fixed */
	struct label_rule rule;
	struct param *strength;		/* [all_heads, TREE_RELATIONS], with rows of pruned heads,
					 * as layers may share it */
	struct bag rows;		/* the rows of the retained heads */
	struct layout row;
	int *start;
};

static const struct state defaults = { .first = 1 };

static const struct opt options[] = {
	ATTENTION_FIRST(struct state, 64), ATTENTION_LAST(struct state, 64),
	{ .kind = OPT_CHOICE, .long_name = "share", .arg = "word",
	  .help = "one table of strengths for all layers, or one per layer",
	  .at = offsetof(struct state, share), .choice = shares },
	{ .kind = OPT_STRING, .long_name = "fixed", .arg = "list",
	  .help = "constant biases, at most 0: anc:-2+desc:never (none)",
	  .at = offsetof(struct state, fixed) },
	{ .kind = OPT_END }
};

static const struct field needs[] = { { "src.relation", "i8[n,n]", 0 }, { 0 } };

/* Reads one "relation:bias"; "never" is -inf. */
static int
read_fixed(struct state *st, const char *s, size_t n, struct err *e)
{
	const char *colon = memchr(s, ':', n);
	const int r = colon ? name_index(tree_relation_names, s, (size_t)(colon - s)) : -1;
	const char *bias = colon ? colon + 1 : "";
	const size_t left = colon ? n - (size_t)(bias - s) : 0;

	if (r < 0)
		return err_set(e, EXIT_USAGE, "'%.*s', expected a relation, a colon and a bias",
			       (int)n, s);
	st->is_fixed[r] = true;
	st->bias[r] = -INFINITY;
	if (left == strlen("never") && !memcmp(bias, "never", left)) {
		if (r != TREE_SELF)
			return 0;
		return err_set(e, EXIT_USAGE,
			       "self is never, expected a bias, so that a root attends to itself");
	}
	return num_float(bias, left, -1e6, 0, &st->bias[r], e);
}

static int
read_all_fixed(struct state *st, struct err *e)
{
	for (const char *s = st->fixed; s && *s;) {
		const size_t n = strcspn(s, "+");

		if (read_fixed(st, s, n, e))
			return err_wrap(e, "fixed");
		s += n + (s[n] == '+');
	}
	return 0;
}

static int
label(const struct label_rule *rule, int value, int i, int j)
{
	const struct state *st = (const struct state *)
		((const char *)rule - offsetof(struct state, rule));

	(void)i;
	(void)j;
	if (value < 0 || value >= TREE_RELATIONS)
		return -1;
	return st->is_fixed[value] && isinf(st->bias[value]) ? LABEL_NEVER : value;
}

/* The rows of the retained heads in the table of strengths: one bag of one row per head. */
static void
choose_rows(struct state *st, const struct site *s)
{
	static const int from = 0;

	st->start = xcalloc((size_t)s->heads + 1, sizeof(*st->start));
	for (int h = 0; h <= s->heads; h++)
		st->start[h] = h;
	st->row = (struct layout){ .n = 1, .rows = s->heads, .start = &from, .len = &s->heads };
	st->rows = (struct bag){ .rows = &st->row, .start = st->start, .id = s->head };
}

static int
relation_mask_open(struct attention *a, const struct site *s, struct err *e)
{
	struct state *st = attention_state(a);
	int r;

	st->rule = (struct label_rule){
		.field = "src.relation", .n = TREE_RELATIONS, .label = label,
		.cure = "tree-linearize makes a flat tree of a sentence without one, "
			"and tree2mask --relations its relations",
		.end_row = TREE_LEFT_OTHER, .end_column = TREE_RIGHT_OTHER, .end_self = TREE_SELF,
	};
	if (read_all_fixed(st, e))
		return -1;
	r = attention_in_encoder(s, st->first, st->last, e);
	if (!r)
		choose_rows(st, s);
	return r;
}

static void
relation_mask_close(struct attention *a)
{
	free(((struct state *)attention_state(a))->start);
}

/* Strengths of 0 reduce all scores by 1, which leaves the softmax unchanged. */
static void
relation_mask_params(struct attention *a, struct params *p)
{
	struct state *st = attention_state(a);
	const struct site *s = attention_site(a);
	const int d[] = { s->all_heads, TREE_RELATIONS };
	char *name = st->share == SHARE_ALL ? xstrdup("relation.strength")
					    : xasprintf("%s.relation.strength", s->name);

	st->strength = params_find(p, name);
	if (!st->strength)
		st->strength = params_add(p, name, INIT_ZERO, 1, 2, d);
	free(name);
}

/* [H, TREE_RELATIONS]: the strengths of the retained heads. */
static struct node *
strengths(const struct attention *a, struct tape *t)
{
	const struct state *st = attention_state(a);
	const struct site *s = attention_site(a);
	struct node *all = tape_param(t, st->strength);

	return s->heads < s->all_heads ? op_bag(t, all, &st->rows) : all;
}

/* All layers share the first layer's rule, so that labels are made once. */
static const struct label_rule *
relation_mask_rule_of(const struct attention *a)
{
	return &((const struct state *)attention_state(attention_leader(a)))->rule;
}

static int
relation_mask_batch(const struct attention *a, struct batch *b, struct err *e)
{
	return labels_make(b, relation_mask_rule_of(a), e) ? 0 : -1;
}

/* The trained biases, with the fixed ones in their places. */
static struct node *
with_fixed(const struct state *st, struct tape *t, struct node *trained)
{
	const int *d = trained->d;
	real *keep = ARENA_ARRAY(tape_arena(t), real, (size_t)(d[0] * d[1]));
	real *bias = ARENA_ARRAY(tape_arena(t), real, (size_t)(d[0] * d[1]));

	for (int i = 0; i < d[0] * d[1]; i++) {
		const int r = i % TREE_RELATIONS;

		keep[i] = !st->is_fixed[r];
		bias[i] = st->is_fixed[r] && !isinf(st->bias[r]) ? (real)st->bias[r] : 0;
	}
	return op_add(t, op_multiply(t, trained, tape_leaf(t, NULL, 2, d, keep, NULL)),
		      tape_leaf(t, NULL, 2, d, bias, NULL));
}

static struct node *
relation_mask_scores(const struct attention *a, struct tape *t, const struct att_nodes *n)
{
	const struct state *st = attention_state(a);
	struct node *table = op_scale(t, op_exp(t, strengths(a, t), LIMIT), -1);

	if (st->fixed && *st->fixed)
		table = with_fixed(st, t, table);
	return op_labels(t, n->scores, table, batch_kept(n->batch, relation_mask_rule_of(a)));
}

/* --- pictures --- */

/* The state at a site, or where all sites share one table; NULL if the site has no mask. */
static const struct state *
drawn_state(const struct picture_view *v, struct err *e)
{
	const struct state *st = v->a ? attention_state(v->a) : NULL;

	if (st && (st->share == SHARE_ALL || attention_site(v->a) == v->site))
		return st;
	err_set(e, EXIT_USAGE, "%s has no relation strengths", v->site->name);
	err_hint(e, "expected a model trained with -a relation-mask");
	return NULL;
}

/* The strength of each relation in each head; NaN where the bias is constant. */
static int
draw_strengths(const struct picture_view *v, struct picture_matrix *matrix, struct err *e)
{
	const struct state *st = drawn_state(v, e);
	const int heads = v->site->all_heads;

	if (!st)
		return -1;
	*matrix = (struct picture_matrix){ .rows = AXIS_NAMES, .columns = AXIS_HEADS,
				       .n_rows = TREE_RELATIONS, .n_columns = heads };
	matrix->x = xmalloc((size_t)(TREE_RELATIONS * heads) * sizeof(*matrix->x));
	for (int r = 0; r < TREE_RELATIONS; r++)
		for (int h = 0; h < heads; h++)
			matrix->x[r * heads + h] = st->is_fixed[r] ? NAN
				: (float)st->strength->x[h * TREE_RELATIONS + r];
	return 0;
}

/* What is subtracted from the scores of the pairs of a relation; NaN where that is infinite. */
static float
mask_of(const struct state *st, int head, int relation)
{
	const real strength = st->strength->x[head * TREE_RELATIONS + relation];

	if (!st->is_fixed[relation])
		return (float)exp((double)(strength < LIMIT ? strength : LIMIT));
	return isinf(st->bias[relation]) ? NAN : (float)-st->bias[relation];
}

static int
draw_mask(const struct picture_view *v, struct picture_matrix *matrix, struct err *e)
{
	const struct state *st = drawn_state(v, e);
	const unsigned char *label;
	int n;

	if (!st)
		return -1;
	label = ((const struct labels *)batch_kept(v->batch, relation_mask_rule_of(v->a)))->of[0];
	n = v->batch->src.layout.len[0];
	*matrix = (struct picture_matrix){ .rows = AXIS_SOURCE, .columns = AXIS_SOURCE, .n_rows = n,
				       .n_columns = n };
	matrix->x = xmalloc((size_t)n * (size_t)n * sizeof(*matrix->x));
	for (int i = 0; i < n * n; i++)
		matrix->x[i] = label[i] == LABEL_NEVER ? NAN : mask_of(st, v->head - 1, label[i]);
	return 0;
}

static const struct attention_picture pictures[] = {
	{ .name = "strengths", .title = "relation mask: strengths",
	  .caption = "rows: relation of the key to the query, columns: heads", .unit = "strength",
	  .of = PICTURE_SITE, .n = 1, .names = tree_relation_names, .draw = draw_strengths },
	{ .name = "masks", .title = "relation mask",
	  .caption = "rows: queries, columns: keys; subtracted from the scores", .unit = "mask",
	  .of = PICTURE_HEAD, .n = 1, .sentence = 1, .draw = draw_mask },
	{ .name = NULL }
};

static const struct attention_case cases[] = {
	{ "relation-mask", NEUTRAL_IF_ZERO },
	{ "relation-mask:share=layer,last=1,fixed=anc:-2+desc:never", NOT_NEUTRAL },
	{ 0 }
};

const struct attention_variant attention_relation_mask = {
	.name = "relation-mask",
	.paper = "McDonald and Chiang 2021, syntax-based attention masking",
	.version = 1,
	.state_size = sizeof(struct state),
	.defaults = &defaults,
	.options = options,
	.needs = needs,
	.open = relation_mask_open,
	.close = relation_mask_close,
	.params = relation_mask_params,
	.batch = relation_mask_batch,
	.scores = relation_mask_scores,
	.pictures = pictures,
	.cases = cases,
};
