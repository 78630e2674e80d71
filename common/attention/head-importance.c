/*
 * head-importance: heads that are weighed anew at every position; Goindani and Shrivastava 2021,
 * A dynamic head importance computation mechanism for neural machine translation.
 *
 * For query position i with input x_i and heads o_ih: u_i = dropout(U x_i), a_i = softmax over h of
 * u_i . W o_ih / sqrt(m), and W_s sum_h a_ih V o_ih takes the place of the output projection; m is
 * how wide u is.  W and V are the same for all heads, so W goes to u's side and V behind the sum:
 * W o . u = o . W'u.
 *
 * The divergence of a from uniform weights is subtracted from the loss, so that training rewards
 * weights on few heads.  With K its mean over the query positions of an update and then over the
 * modules, of which there is at most one for each kind of attention, T target tokens in the update,
 * CE their summed cross-entropy and lambda = `weight', the loss is
 *
 *	norm=per-position		CE / T - lambda K
 *	norm=per-token-of-update	(CE - lambda K) / T
 *
 * The paper does not say which (methods A-D6).  The first has lambda on the scale of a token's
 * loss.  The second is what code in fairseq, which the paper used, computes when it adds a mean to
 * the loss of a criterion: that loss is a sum over tokens, and the trainer divides its gradient by
 * sample_size, the number of target tokens (fairseq/criterions/label_smoothed_cross_entropy.py).
 * For T of 1,430 and lambda of 0.1 the term then has the coefficient 7e-5.
 *
 * Saturation: at each position the head of the greatest weight wins, the first of equals.
 * Reported are the mean weight of the winner, and the share of positions at which the most
 * frequent winner of a module wins.  Where both are above 0.95 the module is one head: a warning.
 * The share alone says little, because in a young model one head may win everywhere by a little.
 *
 * keep_out=on: m is the model's width, and the site's own output projection is what W_s would be.
 */
#include <math.h>
#include <stdarg.h>
#include <stdio.h>
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
	int64_t layer[3];		/* by enum site_where: -1 the last, 0 none */
	int64_t width;
	double dropout, weight;
	bool keep_out;
	int norm;
	char *name;			/* of the weights on the tape */
	struct param *query, *key, *value;	/* U [m,D], W' [d,m], V [m,d] */
	struct param *out;		/* W_s [D,m], or NULL */
};

enum { PER_POSITION, PER_TOKEN_OF_UPDATE };
static const char *const norms[] = { "per-position", "per-token-of-update", NULL };
static const double SATURATED = 0.95;

static const struct importance defaults = {
	.layer = { -1, -1, -1 }, .dropout = 0.2, .weight = 0.1
};

#define LAYER(word, where, what) { .kind = OPT_INT, .long_name = word, .arg = "n", \
	.help = "layer of " what "; -1 the last, 0 none", \
	.at = offsetof(struct importance, layer[where]), .min = -1, .max = 1024 }

static const struct opt options[] = {
	LAYER("enc", ENCODER_SELF, "the encoder's self-attention"),
	LAYER("dec", DECODER_SELF, "the decoder's self-attention"),
	LAYER("cross", DECODER_CROSS, "attention over the source"),
	{ .kind = OPT_INT, .long_name = "width", .arg = "n",
	  .help = "of the vectors that are compared; 0: of a head",
	  .at = offsetof(struct importance, width), .min = 0, .max = 65536 },
	{ .kind = OPT_FLOAT, .long_name = "dropout", .arg = "x", .help = "of a position's vector",
	  .at = offsetof(struct importance, dropout), .min = 0, .max = 0.999 },
	{ .kind = OPT_FLOAT, .long_name = "weight", .arg = "x",
	  .help = "of the divergence from equal heads",
	  .at = offsetof(struct importance, weight), .min = 0, .max = 1e6 },
	{ .kind = OPT_CHOICE, .long_name = "norm", .arg = "word",
	  .help = "the divergence counts for each target token, or once an update",
	  .at = offsetof(struct importance, norm), .choice = norms },
	{ .kind = OPT_FLAG, .long_name = "keep_out",
	  .help = "keep the output projection; width is the model's",
	  .at = offsetof(struct importance, keep_out) },
	{ .kind = OPT_END }
};

static int
modules(const struct importance *y)
{
	return (y->layer[0] != 0) + (y->layer[1] != 0) + (y->layer[2] != 0);
}

static int
check(const struct importance *y, int64_t layer, const struct site *s, struct err *e)
{
	if (s->layer == layer && s->heads < s->all_heads)
		return err_set(e, EXIT_USAGE,
			       "a head was removed, and the others would have its weight");
	if (layer > s->n_layers)
		return err_set(e, EXIT_USAGE, "layer %lld, there are %d", (long long)layer,
			       s->n_layers);
	if (!modules(y))
		return err_set(e, EXIT_USAGE,
			       "no layer is given: one of enc, dec, cross must not be 0");
	if (y->keep_out && y->width && y->width != s->model_dim)
		return err_set(e, EXIT_USAGE,
			       "width %lld with keep_out, which needs the model's, %d",
			       (long long)y->width, s->model_dim);
	return 0;
}

static int
importance_open(struct attention *a, const struct site *s, struct err *e)
{
	struct importance *y = attention_state(a);
	const int64_t layer = y->layer[s->where] < 0 ? s->n_layers : y->layer[s->where];

	if (check(y, layer, s, e))
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

/* How wide the vectors are that are compared. */
static int
width(const struct importance *y, const struct site *s)
{
	return y->keep_out ? s->model_dim : y->width ? (int)y->width : s->head_dim;
}

static struct param *
add(struct params *p, const struct importance *y, const char *what, int out, int in)
{
	char *name = xasprintf("%s.%s", y->name, what);
	const int d[2] = { out, in };
	struct param *x = params_add(p, name, INIT_XAVIER_UNIFORM, 1, 2, d);

	free(name);
	return x;
}

static void
importance_params(struct attention *a, struct params *p)
{
	struct importance *y = attention_state(a);
	const struct site *s = attention_site(a);
	const int m = width(y, s);

	y->query = add(p, y, "query", m, s->model_dim);
	y->key = add(p, y, "key", s->head_dim, m);
	y->value = add(p, y, "value", m, s->head_dim);
	if (!y->keep_out)
		y->out = add(p, y, "out", s->model_dim, m);
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

/* Query positions, end symbols among them. */
static double
importance_count(const struct attention *a, const struct batch *b)
{
	return attention_site(a)->where == ENCODER_SELF ? b->src.layout.rows : b->tgt.layout.rows;
}

static struct node *
importance_loss(const struct attention *a, struct tape *t, const struct batch *b, real each)
{
	const struct importance *y = attention_state(a);
	real by = (real)-y->weight / (real)modules(y) * each;

	if (y->weight == 0)
		return NULL;
	if (y->norm == PER_TOKEN_OF_UPDATE)
		by /= (real)batch_update_targets(b);
	return op_scale(t, op_sum(t, op_divergence(t, tape_find(t, y->name))), by);
}

static PRINTF_LIKE(4, 5) void
mean(struct means *y, double sum, double count, const char *name, ...)
{
	char full[128];
	va_list ap;
	size_t n = (size_t)snprintf(full, sizeof(full), "dev.importance.");

	va_start(ap, name);
	vsnprintf(full + n, sizeof(full) - n, name, ap);
	va_end(ap);
	means_add(y, full, sum, count);
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

/* Of each head the mean weight and the share of positions it wins; of all the mean divergence. */
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
		mean(means, sum, rows, "%s.%d", site, h + 1);
		mean(means, wins, rows, "%s.%d.wins", site, h + 1);
	}
	mean(means, divergence, rows, "%s.divergence", site);
	mean(means, won, rows, "%s.winner.weight", site);
}

/* The head that wins most often, from 1; *share of positions, NAN if nothing was counted. */
static int
most_frequent(const struct site *s, const struct means *y, double *share)
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
	const int head = most_frequent(s, y, &share);

	free(name);
	if (isnan(share))
		return;
	mean(y, share, 1, "%s.winner.share", s->name);
	mean(y, weight, 1, "winner.weight");
	mean(y, share, 1, "winner.share");
	means_raise(y, "dev.importance.winner.share.max", share);
	if (s->heads > 1 && share > SATURATED && weight > SATURATED)
		buf_printf(warning,
			   "%s %s, head %d (wins at %.1f %% of positions, mean weight %.3f)",
			   warning->n ? ";" : "one head has nearly all of the weight:", s->name,
			   head, 100 * share, weight);
}

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
};
