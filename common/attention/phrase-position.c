/*
 * phrase-position: a bias for the relative position of two words in a local phrase (LPEA).
 *
 * Zhang, Huang, Feng and Cao 2021, Enlivening redundant heads in multi-head self-attention for
 * machine translation, section 4.1.2:
 *
 *	p(r) = -|tanh(W w_r + b) . u|
 *
 * is added to the scores of pairs with relative phrasal position r, clipped to -k ... k; scores
 * outside the phrase are -inf (phrase-rp(1)).  The bias depends only on r: a layer has 2k+1 values,
 * shared by its heads, which agrees with the paper's numbers of parameters.
 */
#include <math.h>

#include "attention/attention.h"
#include "base/cli.h"
#include "data/pair-labels.h"
#include "ops/ops.h"
#include "stream/stream.h"
#include "tape/params.h"

enum { OUTSIDE = 127 };			/* in src.phrase */

struct state {
	int64_t first, last, k;
	int label;
	struct label_rule rule;
	struct param *position, *weight;	/* w [2k+1,d], W [d,d] */
	struct param *bias, *score;		/* b [d], u [1,d] */
};

enum { LABEL_RP, LABEL_DISTANCE };
static const char *const labels_by[] = { "rp", "distance", NULL };

static const struct state defaults = { .first = 1, .last = 1, .k = 6, .label = LABEL_RP };

static const struct opt options[] = {
	ATTENTION_FIRST(struct state, 64), ATTENTION_LAST(struct state, 64),
	{ .kind = OPT_INT, .long_name = "k", .arg = "n", .help = "clip positions to -n ... n",
	  .at = offsetof(struct state, k), .min = 0, .max = 100 },
	{ .kind = OPT_CHOICE, .long_name = "label", .arg = "word",
	  .help = "r is the relative phrasal position or the distance in subwords",
	  .at = offsetof(struct state, label), .choice = labels_by },
	{ .kind = OPT_END }
};

static const struct field needs[] = { { "src.phrase", "i8[n,n]", 0 }, { 0 } };

static int
phrase_position_clip(int x, int k)
{
	return (x < -k ? -k : x > k ? k : x) + k;
}

static int
by_phrase(const struct label_rule *rule, int value, int i, int j)
{
	(void)i;
	(void)j;
	return value == OUTSIDE ? LABEL_NEVER : phrase_position_clip(value, rule->reach);
}

static int
by_distance(const struct label_rule *rule, int value, int i, int j)
{
	return value == OUTSIDE ? LABEL_NEVER : phrase_position_clip(j - i, rule->reach);
}

static int
phrase_position_open(struct attention *a, const struct site *s, struct err *e)
{
	struct state *st = attention_state(a);
	const int k = (int)st->k;

	st->rule = (struct label_rule){
		.field = "src.phrase", .optional = true, .n = 2 * k + 1, .reach = k,
		.label = st->label == LABEL_RP ? by_phrase : by_distance,
		.end_row = k, .end_column = LABEL_NEVER, .end_self = k,
	};
	return attention_in_encoder(s, st->first, st->last, e);
}

/* u is random, because a u of zeros would stay 0: the gradient of |x| at 0 is 0. */
static void
phrase_position_params(struct attention *a, struct params *p)
{
	struct state *st = attention_state(a);
	const char *site = attention_site(a)->name;
	const int d = attention_site(a)->head_dim;

	st->position = params_add_named(p, INIT_NORMAL, (real)(1 / sqrt((double)d)), 2,
					(int[]){ 2 * (int)st->k + 1, d }, "%s.phrase.position",
					site);
	st->weight = params_add_named(p, INIT_XAVIER_UNIFORM, 1, 2, (int[]){ d, d },
				      "%s.phrase.weight", site);
	st->score = params_add_named(p, INIT_XAVIER_UNIFORM, 1, 2, (int[]){ 1, d },
				     "%s.phrase.score", site);
	st->bias = params_add_named(p, INIT_ZERO, 1, 1, &d, "%s.phrase.bias", site);
}

/* All layers share the first layer's rule, so that labels are made once. */
static const struct label_rule *
rule_of(const struct attention *a)
{
	return &((const struct state *)attention_state(attention_leader(a)))->rule;
}

static int
phrase_position_batch(const struct attention *a, struct batch *b, struct err *e)
{
	return labels_make(b, rule_of(a), e) ? 0 : -1;
}

static struct node *
phrase_position_scores(const struct attention *a, struct tape *t, const struct att_nodes *n)
{
	const struct state *st = attention_state(a);
	struct node *h = op_linear(t, tape_param(t, st->position), tape_param(t, st->weight),
				   tape_param(t, st->bias));
	struct node *p = op_linear(t, op_tanh(t, h), tape_param(t, st->score), NULL);

	return op_labels(t, n->scores, op_scale(t, op_abs(t, p), -1),
			 batch_kept(n->batch, rule_of(a)));
}

static const struct attention_case cases[] = {
	{ "phrase-position:k=2", NOT_NEUTRAL },
	{ "phrase-position:first=2,last=2,k=1,label=distance", NOT_NEUTRAL },
	{ "phrase-position:k=4", NEUTRAL_IF_LINKED },
	{ 0 }
};

const struct attention_variant attention_phrase_position = {
	.name = "phrase-position",
	.paper = "Zhang, Huang, Feng and Cao 2021, local-phrase-enhanced attention (LPEA)",
	.version = 1,
	.state_size = sizeof(struct state),
	.defaults = &defaults,
	.options = options,
	.needs = needs,
	.open = phrase_position_open,
	.params = phrase_position_params,
	.batch = phrase_position_batch,
	.scores = phrase_position_scores,
	.report = attention_report_treeless,
	.cases = cases,
};
