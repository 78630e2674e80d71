/*
 * head-importance: heads are weighted at each position; Goindani and Shrivastava 2021, A dynamic
 * head importance computation mechanism for neural machine translation.
 *
 * For query position i with input x_i and head outputs o_ih:
 *
 *	u_i  = dropout(U x_i)					[m]
 *	a_ih = softmax over h of u_i . W o_ih / sqrt(m)
 *	y_i  = W_s sum over h of a_ih V o_ih
 *
 * y replaces the result of the output projection.  W and V are the same for all heads, so the code
 * computes o . (W'u) instead of W o . u, and applies V after the sum.
 *
 * The divergence of a from uniform weights is subtracted from the loss, so that training rewards
 * weights on few heads.  Let K be its mean over the query positions of an update and then over the
 * modules, of which there is at most one for each kind of attention.  With T target tokens in the
 * update, their summed cross-entropy CE and lambda = `weight', the loss is
 *
 *	norm=per-position		CE / T - lambda K
 *	norm=per-token-of-update	(CE - lambda K) / T
 *
 * The paper does not say which.  In the first, lambda has the scale of a token's
 * loss.  The second is what code in fairseq, which the paper used, computes when it adds a mean to
 * the loss of a criterion: that loss is a sum over tokens, and the trainer divides its gradient by
 * sample_size, the number of target tokens (fairseq/criterions/label_smoothed_cross_entropy.py).
 * For T = 1,430 and lambda = 0.1 the coefficient of K is then 7e-5.
 *
 * Saturation: the winner at a position is the head with the largest weight, the first of equals.
 * The log has the mean weight of the winner, and the share of positions of a module's most frequent
 * winner.  If both exceed 0.95, the module uses nearly one head only, and a warning is printed.
 * The share alone is not enough: early in training one head may win everywhere by a small margin.
 *
 * keep_out=on: m is the model width, and the site's output projection is kept in place of W_s.
 */
#include <math.h>
#include <stdlib.h>

#include "attention/attention.h"
#include "base/buf.h"
#include "base/cli.h"
#include "base/mem.h"
#include "data/batch.h"
#include "data/means.h"
#include "ops/ops.h"
#include "tape/params.h"

struct importance {
	int64_t layer[3];		/* by enum site_where; -1: the last, 0: none */
	int64_t width;
	double dropout, weight;
	bool keep_out;
	int norm;
	char *name;			/* of the node of the weights */
	struct param *query, *key, *value;	/* U [m,D], W' [d,m], V [m,d] */
	struct param *out;		/* W_s [D,m], or NULL */
};

enum { PER_POSITION, PER_TOKEN_OF_UPDATE };
static const char *const norms[] = { "per-position", "per-token-of-update", NULL };
static const double SATURATED = 0.95;

static const struct importance defaults = {
	.layer = { -1, -1, -1 }, .dropout = 0.2, .weight = 0.1
};

#define LAYER(word, where, what) { .kind = OPT_INT, .long_name = word, .arg = "layer", \
	.help = "layer of " what "; -1: the last, 0: none", \
	.at = offsetof(struct importance, layer[where]), .min = -1, .max = 1024 }

static const struct opt options[] = {
	LAYER("enc", ENCODER_SELF, "encoder self-attention"),
	LAYER("dec", DECODER_SELF, "decoder self-attention"),
	LAYER("cross", DECODER_CROSS, "encoder-decoder attention"),
	{ .kind = OPT_INT, .long_name = "width", .arg = "n",
	  .help = "width of the compared vectors; 0: that of a head",
	  .at = offsetof(struct importance, width), .min = 0, .max = 65536 },
	{ .kind = OPT_FLOAT, .long_name = "dropout", .arg = "x",
	  .help = "dropout of a position's vector",
	  .at = offsetof(struct importance, dropout), .min = 0, .max = 0.999 },
	{ .kind = OPT_FLOAT, .long_name = "weight", .arg = "x",
	  .help = "coefficient of the divergence",
	  .at = offsetof(struct importance, weight), .min = 0, .max = 1e6 },
	{ .kind = OPT_CHOICE, .long_name = "norm", .arg = "word",
	  .help = "scale of the divergence",
	  .at = offsetof(struct importance, norm), .choice = norms },
	{ .kind = OPT_FLAG, .long_name = "keep_out",
	  .help = "keep the output projection; width is then the model's",
	  .at = offsetof(struct importance, keep_out) },
	{ .kind = OPT_END }
};

static int
modules(const struct importance *y)
{
	return (y->layer[0] != 0) + (y->layer[1] != 0) + (y->layer[2] != 0);
}

static int
head_importance_check(const struct importance *y, int64_t layer, const struct site *s,
		      struct err *e)
{
	if (s->layer == layer && s->heads < s->all_heads)
		return err_set(e, EXIT_USAGE,
			       "a head was pruned here, expected all heads: their weights "
			       "sum to 1");
	if (layer > s->n_layers)
		return err_set(e, EXIT_USAGE, "layer %lld, expected at most %d", (long long)layer,
			       s->n_layers);
	if (!modules(y))
		return err_set(e, EXIT_USAGE,
			       "enc, dec and cross are 0, expected a layer for one of them");
	if (y->keep_out && y->width && y->width != s->model_dim)
		return err_set(e, EXIT_USAGE,
			       "width %lld with keep_out, expected the model's width, %d",
			       (long long)y->width, s->model_dim);
	return 0;
}

static int
importance_open(struct attention *a, const struct site *s, struct err *e)
{
	struct importance *y = attention_state(a);
	const int64_t layer = y->layer[s->where] < 0 ? s->n_layers : y->layer[s->where];

	if (head_importance_check(y, layer, s, e))
		return -1;
	if (s->layer != layer)
		return 1;
	y->name = xasprintf("%s.importance", s->name);
	return 0;
}

static void
importance_close(struct attention *a)
{
	struct importance *y = attention_state(a);

	free(y->name);
}

static bool
importance_owns_output(const struct attention *a)
{
	const struct importance *y = attention_state(a);

	return !y->keep_out;
}

/* The width of the compared vectors, m. */
static int
width(const struct importance *y, const struct site *s)
{
	return y->keep_out ? s->model_dim : y->width ? (int)y->width : s->head_dim;
}

static struct param *
head_importance_add(struct params *p, const struct importance *y, const char *part, int out,
		    int width_in)
{
	const int d[2] = { out, width_in };

	return params_add_named(p, INIT_XAVIER_UNIFORM, 1, 2, d, "%s.%s", y->name, part);
}

static void
importance_params(struct attention *a, struct params *p)
{
	struct importance *y = attention_state(a);
	const struct site *s = attention_site(a);
	const int m = width(y, s);

	y->query = head_importance_add(p, y, "query", m, s->model_dim);
	y->key = head_importance_add(p, y, "key", s->head_dim, m);
	y->value = head_importance_add(p, y, "value", m, s->head_dim);
	if (!y->keep_out)
		y->out = head_importance_add(p, y, "out", s->model_dim, m);
}

/* V sum_h a_h o_h, [R,m]. */
static struct node *
weigh(const struct attention *a, struct tape *t, const struct att_nodes *n)
{
	const struct importance *y = attention_state(a);
	const real scale = (real)(1 / sqrt((double)width(y, attention_site(a))));
	struct node *u = op_linear(t, n->x, tape_param(t, y->query), NULL), *weights;

	if (y->dropout > 0)
		u = op_dropout(t, u, (real)y->dropout);
	u = op_linear(t, u, tape_param(t, y->key), NULL);
	weights = tape_name(op_softmax(t, op_head_scores(t, u, n->context, scale)), y->name);
	return op_linear(t, op_head_mix(t, weights, n->context), tape_param(t, y->value), NULL);
}

static struct node *
importance_heads(const struct attention *a, struct tape *t, const struct att_nodes *n)
{
	const struct importance *y = attention_state(a);

	return y->keep_out ? weigh(a, t, n) : n->context;
}

static struct node *
importance_output(const struct attention *a, struct tape *t, const struct att_nodes *n)
{
	const struct importance *y = attention_state(a);

	return op_linear(t, weigh(a, t, n), tape_param(t, y->out), NULL);
}

/* Query positions, counting end-of-sentence tokens. */
static double
importance_count(const struct attention *a, const struct batch *b)
{
	return attention_site(a)->where == ENCODER_SELF ? b->src.layout.rows : b->tgt.layout.rows;
}

static struct node *
importance_loss(const struct attention *a, struct tape *t, const struct batch *b, real scale)
{
	const struct importance *y = attention_state(a);
	real by = (real)-y->weight / (real)modules(y) * scale;

	if (y->weight == 0)
		return NULL;
	if (y->norm == PER_TOKEN_OF_UPDATE)
		by /= (real)batch_update_targets(b);
	return op_scale(t, op_sum(t, op_divergence(t, tape_find(t, y->name))), by);
}

static int
winner(const real *weight, int heads)
{
	int best = 0;

	for (int h = 1; h < heads; h++)
		if (weight[h] > weight[best])
			best = h;
	return best;
}

/* The mean weight of each head and its share of positions as winner; the mean divergence. */
static void
importance_report(const struct attention *a, struct tape *t, const struct batch *b,
		  struct means *means)
{
	const struct importance *y = attention_state(a);
	const char *site = attention_site(a)->name;
	const struct node *w = tape_find(t, y->name);
	const int heads = w->d[1], rows = w->d[0];
	double divergence = 0, won = 0;

	(void)b;
	for (int h = 0; h < heads; h++) {
		double sum = 0, wins = 0;

		for (int r = 0; r < rows; r++) {
			const real *row = w->x + (ptrdiff_t)r * w->ld;
			const double x = row[h];
			const bool wins_here = winner(row, heads) == h;

			sum += x;
			divergence += x > 0 ? x * log(x * heads) : 0;
			wins += wins_here;
			won += wins_here ? x : 0;
		}
		attention_mean(means, sum, rows, "dev.importance.%s.%d", site, h + 1);
		attention_mean(means, wins, rows, "dev.importance.%s.%d.wins", site, h + 1);
	}
	attention_mean(means, divergence, rows, "dev.importance.%s.divergence", site);
	attention_mean(means, won, rows, "dev.importance.%s.winner.weight", site);
}

/* The most frequent winner, from 1, and its *share of positions; NAN if nothing was counted. */
static int
frequent_winner(const struct site *s, const struct means *y, double *share)
{
	int best = 1;

	*share = NAN;
	for (int h = 1; h <= s->heads; h++) {
		char *name = xasprintf("dev.importance.%s.%d.wins", s->name, h);
		const double x = means_get(y, name);

		if (!(x <= *share)) {
			*share = x;
			best = h;
		}
		free(name);
	}
	return best;
}

static void
importance_conclude(const struct attention *a, struct means *y, struct buf *warning)
{
	const struct site *s = attention_site(a);
	char *name = xasprintf("dev.importance.%s.winner.weight", s->name);
	const double weight = means_get(y, name);
	double share;
	const int head = frequent_winner(s, y, &share);

	free(name);
	if (isnan(share))
		return;
	attention_mean(y, share, 1, "dev.importance.%s.winner.share", s->name);
	attention_mean(y, weight, 1, "dev.importance.winner.weight");
	attention_mean(y, share, 1, "dev.importance.winner.share");
	means_raise(y, "dev.importance.winner.share.max", share);
	if (s->heads > 1 && share > SATURATED && weight > SATURATED)
		buf_printf(warning,
			   "%s %s, head %d (wins at %.1f %% of positions, mean weight %.3f)",
			   warning->n ? ";" : "one head has nearly all of the weight:", s->name,
			   head, 100 * share, weight);
}

static struct node *
importance_node(const struct attention *a, const struct tape *t)
{
	const struct importance *y = attention_state(a);

	return tape_find(t, y->name);
}

static const struct attention_case cases[] = {
	{ "head-importance", NOT_NEUTRAL },
	{ "head-importance:enc=1,dec=0,cross=1,width=3,dropout=0,weight=2", NOT_NEUTRAL },
	{ "head-importance:keep_out=on,dec=1,cross=0", NOT_NEUTRAL },
	{ "head-importance:norm=per-token-of-update,weight=3", NOT_NEUTRAL },
	{ "relative:k=2 dbsa sync head-importance:dec=1", NOT_NEUTRAL },
	{ "phrase-position:last=0 redundant-heads:last=0 head-importance localness", NOT_NEUTRAL },
	{ 0 }
};

const struct attention_variant attention_head_importance = {
	.name = "head-importance",
	.paper = "Goindani and Shrivastava 2021, A dynamic head importance computation mechanism",
	.version = 1,
	.state_size = sizeof(struct importance),
	.defaults = &defaults,
	.options = options,
	.open = importance_open,
	.close = importance_close,
	.owns_output = importance_owns_output,
	.params = importance_params,
	.heads = importance_heads,
	.output = importance_output,
	.count = importance_count,
	.loss = importance_loss,
	.report = importance_report,
	.conclude = importance_conclude,
	.importance = importance_node,
	.cases = cases,
};
