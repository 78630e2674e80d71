/*
 * localness: a Gaussian bias that favors keys around a predicted position; Yang, Tu, Wong, Meng,
 * Chao and Zhang 2018, Modeling localness for self-attention networks.
 *
 *	h      = tanh(W q)				hidden vector of a query
 *	P      = (n - 1) sigmoid(u_p h)			center
 *	D      = n sigmoid(u_d h) + 0.1			window
 *	bias_j = -2 ((j - P) / D)^2			added to the score of key j
 *
 * n counts all keys, including the end-of-sentence token if the model has one.
 * window=layer: D comes from a hidden vector of the mean key and is the same for all queries of a
 * sentence.  window=fixed: D = width.
 * proj=shared: W, u_p and u_d are of the width of a head and shared by the heads.  proj=full, as in
 * the authors' program: they take the queries of all heads together, and have biases.
 */

#include "attention/attention.h"
#include "base/cli.h"
#include "ops/ops.h"
#include "tape/params.h"

enum window { WINDOW_QUERY, WINDOW_LAYER, WINDOW_FIXED };
enum proj { PROJ_SHARED, PROJ_FULL };

/* For one head, or for all heads side by side; only the latter has a bias. */
struct projection { struct param *weight, *bias; };

struct localness {
	int64_t first, last;
	int window, proj;
	double width;
	struct projection hidden, key_hidden;		/* key_hidden: window=layer */
	struct projection center, wide;			/* wide: NULL with window=fixed */
};

static const struct localness defaults = { .first = 1, .last = 3, .width = 10 };

static const char *const windows[] = { "query", "layer", "fixed", NULL };
static const char *const projs[] = { "shared", "full", NULL };

static const struct opt options[] = {
	ATTENTION_FIRST(struct localness, 1024),
	{ .kind = OPT_INT, .long_name = "last", .arg = "layer",
	  .help = "last encoder layer, at most the top layer",
	  .at = offsetof(struct localness, last), .min = 1, .max = 1024 },
	{ .kind = OPT_CHOICE, .long_name = "window", .arg = "of",
	  .help = "window predicted per query, per layer, or fixed",
	  .at = offsetof(struct localness, window), .choice = windows },
	{ .kind = OPT_FLOAT, .long_name = "width", .arg = "x",
	  .help = "window of window=fixed, in keys",
	  .at = offsetof(struct localness, width), .min = 0.1, .max = 1e9 },
	{ .kind = OPT_CHOICE, .long_name = "proj", .arg = "how",
	  .help = "matrices shared by the heads, or over all heads",
	  .at = offsetof(struct localness, proj), .choice = projs },
	{ .kind = OPT_END }
};

static int
localness_open(struct attention *a, const struct site *s, struct err *e)
{
	const struct localness *l = attention_state(a);
	const int64_t last = l->last < s->n_layers ? l->last : s->n_layers;
	const int r = attention_in_encoder(s, l->first, last, e);

	if (!r && l->proj == PROJ_FULL && s->heads < s->all_heads)
		return err_set(e, EXIT_USAGE,
			       "a head was pruned, expected all heads with proj=full, which "
			       "reads their queries");
	return r;
}

static struct param *
localness_add(struct params *p, const struct site *s, const char *kind, const char *part,
	      enum init init, int out, int width_in)
{
	const int d[2] = { out, width_in };

	return params_add_named(p, init, 1, width_in ? 2 : 1, d, "%s.localness.%s.%s", s->name,
				kind, part);
}

/* From the d elements of a head to `out` elements. */
static struct projection
add_projection(struct params *p, const struct attention *a, const char *part, int out)
{
	const struct localness *l = attention_state(a);
	const struct site *s = attention_site(a);
	const int heads = l->proj == PROJ_FULL ? s->heads : 1;
	struct projection j = { NULL, NULL };

	j.weight = localness_add(p, s, part, "weight", INIT_XAVIER_UNIFORM, heads * out,
				 heads * s->head_dim);
	if (l->proj == PROJ_FULL)
		j.bias = localness_add(p, s, part, "bias", INIT_ZERO, heads * out, 0);
	return j;
}

static void
localness_params(struct attention *a, struct params *p)
{
	struct localness *l = attention_state(a);
	const int d = attention_site(a)->head_dim;

	l->hidden = add_projection(p, a, "hidden", d);
	l->center = add_projection(p, a, "centre", 1);
	if (l->window == WINDOW_LAYER)
		l->key_hidden = add_projection(p, a, "key", d);
	if (l->window != WINDOW_FIXED)
		l->wide = add_projection(p, a, "window", 1);
}

static struct node *
localness_project(struct tape *t, struct node *x, const struct projection *j)
{
	struct node *w = tape_param(t, j->weight);

	return j->bias ? op_linear(t, x, w, tape_param(t, j->bias)) : op_linear_heads(t, x, w);
}

static struct node *
localness_scores(const struct attention *a, struct tape *t, const struct att_nodes *n)
{
	const struct localness *l = attention_state(a);
	struct node *h = op_tanh(t, localness_project(t, n->q, &l->hidden)), *width = NULL;
	struct node *center = localness_project(t, h, &l->center);

	if (l->window == WINDOW_LAYER)
		h = op_tanh(t, localness_project(t, op_average(t, n->k), &l->key_hidden));
	if (l->window != WINDOW_FIXED)
		width = localness_project(t, h, &l->wide);
	return op_gaussian(t, n->scores, center, width, (real)l->width);
}

static const struct attention_case cases[] = {
	{ "localness", NOT_NEUTRAL },
	{ "localness:window=layer", NOT_NEUTRAL },
	{ "localness:proj=full,last=1", NOT_NEUTRAL },
	{ "localness:first=2,window=layer,proj=full", NOT_NEUTRAL },
	{ "localness:last=1 relative:k=3,last=1", NOT_NEUTRAL },
	{ "localness:window=fixed,last=2,width=1e9", NEUTRAL },
	{ 0 }
};

const struct attention_variant attention_localness = {
	.name = "localness",
	.paper = "Yang et al. 2018, Modeling localness for self-attention networks",
	.version = 1,
	.state_size = sizeof(struct localness),
	.defaults = &defaults,
	.options = options,
	.open = localness_open,
	.params = localness_params,
	.scores = localness_scores,
	.cases = cases,
};
