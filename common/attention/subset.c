/*
 * subset: exactly K heads, by differentiable subset pruning; Li, Cotterell and Sachan 2021,
 * Differentiable subset pruning of Transformer heads, section 4.
 *
 * Each head has one parameter, its importance.  In training, head outputs are multiplied by the
 * soft gates of ops/top-k.c, with the importances of all sites as x and k = K.  From update 0 to
 * update `anneal`, the temperature falls geometrically,
 *
 *	start (end / start)^(update / anneal)
 *
 * and then remains `end`.  From update `anneal` on, the gates of an update are exactly 1 for K
 * heads and 0 for all others, and have the gradient of the soft gates (straight-through).  At test
 * time the gates of the K heads with the highest importance are 1, and all others 0.
 */
#include <math.h>
#include <stdlib.h>

#include "attention/attention-heads.h"
#include "attention/attention-top.h"
#include "attention/attention.h"
#include "base/cli.h"
#include "base/mem.h"
#include "base/rng.h"
#include "data/means.h"
#include "ops/ops.h"
#include "tape/params.h"

struct state {
	char *at;			/* as given */
	int64_t heads, anneal;
	double start, end, rate;
	/* At the leader, for all sites: */
	struct param *importance;	/* of the heads of all sites, site by site */
	int *block;			/* of its cut */
};

static const struct state defaults = { .anneal = 1000, .start = 10, .end = 0.1, .rate = 1 };

static const struct opt options[] = {
	{ .kind = OPT_STRING, .long_name = "at", .arg = "where",
	  .help = "attention with gates: enc, all, or enc-self+dec-self+cross (enc)",
	  .at = offsetof(struct state, at) },
	{ .kind = OPT_INT, .long_name = "heads", .arg = "n",
	  .help = "number of heads to retain (required)",
	  .at = offsetof(struct state, heads), .max = 1000000 },
	{ .kind = OPT_INT, .long_name = "anneal", .arg = "n",
	  .help = "updates in which the temperature falls from start to end",
	  .at = offsetof(struct state, anneal), .max = 1e9 },
	{ .kind = OPT_FLOAT, .long_name = "start", .arg = "x", .help = "initial temperature",
	  .at = offsetof(struct state, start), .min = 1e-8, .max = 1e8 },
	{ .kind = OPT_FLOAT, .long_name = "end", .arg = "x", .help = "final temperature",
	  .at = offsetof(struct state, end), .min = 1e-8, .max = 1e8 },
	{ .kind = OPT_FLOAT, .long_name = "rate", .arg = "x",
	  .help = "learning rate of importances relative to that of other parameters",
	  .at = offsetof(struct state, rate), .min = 0.001, .max = 100000 },
	{ .kind = OPT_END }
};

static int
subset_check_heads(const struct attention *a, struct err *e)
{
	const struct state *st = attention_state(a);
	size_t n;
	const struct site *site = attention_sites(a, &n);
	const int all = site_kind_heads(site, n, st->at);

	if (st->heads >= 1 && st->heads <= all)
		return 0;
	return err_set(e, EXIT_USAGE, "heads is %lld, expected 1 to %d, the number of heads that "
		       "may be retained", (long long)st->heads, all);
}

static int
subset_open(struct attention *a, const struct site *s, struct err *e)
{
	struct state *st = attention_state(a);
	const int here = site_kind_in(s->where, st->at, e);

	if (here < 0 || subset_check_heads(a, e))
		return -1;
	for (int k = ENCODER_SELF; k <= DECODER_CROSS; k++)
		if (attention_anywhere_before(a, "subset", (enum site_where)k))
			return err_set(e, EXIT_USAGE,
				       "variant given twice, expected one for all its heads");
	if (attention_before(a, "head-importance"))
		return err_set(e, EXIT_USAGE,
			       "head-importance before it joins the heads, expected it after "
			       "subset");
	return !here;
}

static void
subset_close(struct attention *a)
{
	struct state *st = attention_state(a);

	free(st->block);
}

/* The retained heads among the heads before pruning, of all sites with gates. */
static struct cut
cut_of(const struct attention *a)
{
	struct state *st = attention_state(a);
	struct cut cut = { .axis = 0, .parts = 1 };
	struct err e;
	size_t n;
	const struct site *site = attention_sites(a, &n);

	st->block = xcalloc((size_t)attention_heads_before(a, NULL), sizeof(*st->block));
	for (size_t i = 0; i < n; i++) {
		if (site_kind_in(site[i].where, st->at, &e) <= 0)
			continue;
		for (int h = 0; h < site[i].heads; h++)
			st->block[cut.n++] = cut.of + site[i].head[h];
		cut.of += site[i].all_heads;
	}
	cut.block = st->block;
	return cut;
}

static void
subset_params(struct attention *a, struct params *p)
{
	struct state *st = attention_state(a);
	const int n = attention_heads_before(a, NULL);

	if (attention_leader(a) != a)
		return;
	st->importance = params_add(p, "subset.importance", INIT_XAVIER_UNIFORM, 1, 1, &n);
	st->importance->rate = (real)st->rate;
	st->importance->cut = cut_of(a);
}

static const struct state *
leader_state(const struct attention *a)
{
	return attention_state(attention_leader(a));
}

static const real *
importances(const struct attention *a)
{
	return leader_state(a)->importance->x + attention_heads_before(a, a);
}

static double
temperature_at(const struct state *st, uint32_t step)
{
	if (step >= st->anneal)
		return st->end;
	return st->start * pow(st->end / st->start, step / (double)st->anneal);
}

static struct node *
subset_gates(const struct attention *a, struct tape *t)
{
	const struct state *st = leader_state(a);
	const struct pass *p = tape_pass(t);
	const struct top_k how = {
		.place = rng_purpose("subset"), .k = (int)st->heads,
		.from = attention_heads_before(a, a), .n = attention_site(a)->heads,
		.temperature = temperature_at(st, p->step), .hard = p->step >= st->anneal
	};

	if (!p->training)
		return attention_top_gates(a, t, importances, st->heads);
	return op_top_k(t, tape_param(t, st->importance), &how);
}

static struct node *
subset_heads(const struct attention *a, struct tape *t, const struct att_nodes *n)
{
	return op_gate(t, n->context, subset_gates(a, t));
}

static double
subset_gate(const struct attention *a, int head)
{
	return attention_is_top(a, head, importances, leader_state(a)->heads);
}

static void
subset_report(const struct attention *a, struct tape *t, const struct batch *b, struct means *y)
{
	const struct site *s = attention_site(a);

	(void)b;
	for (int h = 0; h < s->heads; h++)
		attention_mean(y, (double)importances(a)[h], 1, "dev.subset.%s.%d", s->name,
			       s->head[h] + 1);
	means_add(y, "dev.subset.temperature", temperature_at(leader_state(a), tape_pass(t)->step),
		  1);
}

static const struct attention_case cases[] = {
	{ "subset:heads=3", NOT_NEUTRAL },
	{ "subset:at=all,heads=5,anneal=20,start=2,end=0.5", NOT_NEUTRAL },
	{ "dbsa sync subset:at=cross+dec-self,heads=2 head-importance", NOT_NEUTRAL },
	{ "relative:k=2 l0-gate:at=cross subset:heads=1", NOT_NEUTRAL },
	{ 0 }
};

const struct attention_variant attention_subset = {
	.name = "subset",
	.paper = "Li et al. 2021, differentiable subset pruning",
	.version = 1,
	.state_size = sizeof(struct state),
	.defaults = &defaults,
	.options = options,
	.open = subset_open,
	.close = subset_close,
	.params = subset_params,
	.heads = subset_heads,
	.gate = subset_gate,
	.report = subset_report,
	.cases = cases,
};
