/*
 * l0-gate: a gate for each head, with a penalty on the expected number of open gates; Voita,
 * Talbot, Moiseev, Sennrich and Titov 2019, Analyzing multi-head self-attention: specialized heads
 * do the heavy lifting, the rest can be pruned, section 6.
 *
 * The output of head h is multiplied by a Hard Concrete gate (ops/kit/concrete-gate.h), one sample
 * per head and update.  The loss per target token adds
 *
 *	coef sum over h of P(gate_h > 0)
 *
 * which norm=layers divides by the number of gated sites, as the authors' program does.  Their
 * initial gates, by Glorot's rule, are about half open; init=2.5 leaves a trained model unchanged.
 *
 * target=N: instead, the loss per target token adds the Lagrangian of Xia, Zhong and Chen 2022,
 * Structured pruning learns compact and accurate models, section 3.2,
 *
 *	lambda_1 (s - t) + lambda_2 (s - t)^2,	s = 1 - mean over all h of P(gate_h > 0)
 *
 * whose multipliers are trained by gradient ascent.  The target sparsity t grows linearly from 0,
 * at update 0, to that of N heads, at update `warmup`.  At test time the N gates with the highest
 * log alpha are 1, and all others 0.
 *
 * fixed: the gates of these heads are 0 and all others 1, to train a pruned architecture from
 * scratch.
 */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "attention/attention-heads.h"
#include "attention/attention-top.h"
#include "attention/attention.h"
#include "base/buf.h"
#include "base/cli.h"
#include "base/mem.h"
#include "base/num.h"
#include "base/rng.h"
#include "data/batch.h"
#include "data/means.h"
#include "ops/kit/concrete-gate.h"
#include "ops/ops.h"
#include "tape/params.h"

enum { NORM_LAYERS, NORM_SUM };
static const char *const norms[] = { "layers", "sum", NULL };
enum { TEST_SOFT, TEST_ROUND };
static const char *const tests[] = { "soft", "round", NULL };

struct state {
	char *at, *init, *fixed;	/* as given */
	double coef, rate;
	int64_t target, warmup;		/* target 0: a penalty with a coefficient */
	double log_alpha;		/* initial value, if not by Glorot's rule */
	int norm, test;
	bool glorot;
	struct param *gate;		/* [H] log alpha, or NULL with ... */
	real *fixed_gate;		/* ... [H] constant gates, 0 or 1 */
	struct param *multiplier[2];	/* [1] each, lambda_1 and lambda_2; at the leader of a
					 * variant with a target */
	char *name;			/* of the node of the gates, and the address of their
					 * random samples */
};

static const struct state defaults = { .coef = 0.1, .rate = 1 };

static const struct opt options[] = {
	{ .kind = OPT_STRING, .long_name = "at", .arg = "where",
	  .help = "gated attention: enc, all, or enc-self+dec-self+cross (enc)",
	  .at = offsetof(struct state, at) },
	{ .kind = OPT_FLOAT, .long_name = "coef", .arg = "x", .help = "penalty coefficient, lambda",
	  .at = offsetof(struct state, coef), .min = 0, .max = 1000 },
	{ .kind = OPT_CHOICE, .long_name = "norm", .arg = "word",
	  .help = "average the penalty over layers, or sum it",
	  .at = offsetof(struct state, norm), .choice = norms },
	{ .kind = OPT_STRING, .long_name = "init", .arg = "x",
	  .help = "initial log alpha, or glorot: random, half open (glorot)",
	  .at = offsetof(struct state, init) },
	{ .kind = OPT_FLOAT, .long_name = "rate", .arg = "x",
	  .help = "learning rate of gates relative to that of other parameters",
	  .at = offsetof(struct state, rate), .min = 0.001, .max = 1000 },
	{ .kind = OPT_CHOICE, .long_name = "test", .arg = "word",
	  .help = "at test time, use the gates as they are or round them",
	  .at = offsetof(struct state, test), .choice = tests },
	{ .kind = OPT_STRING, .long_name = "fixed", .arg = "heads",
	  .help = "train no gates, but mask enc.1.self:1+3/cross.2:2-4 (none)",
	  .at = offsetof(struct state, fixed) },
	{ .kind = OPT_INT, .long_name = "target", .arg = "n", .omit = true,
	  .help = "instead of the penalty, retain n heads by a trained Lagrangian",
	  .at = offsetof(struct state, target), .max = 1000000 },
	{ .kind = OPT_INT, .long_name = "warmup", .arg = "n", .omit = true,
	  .help = "updates over which the target falls from all heads to n",
	  .at = offsetof(struct state, warmup), .max = 1e9 },
	{ .kind = OPT_END }
};

static int
read_init(struct state *st, struct err *e)
{
	st->glorot = !st->init || !*st->init || !strcmp(st->init, "glorot");
	if (st->glorot)
		return 0;
	if (num_float(st->init, strlen(st->init), -100, 100, &st->log_alpha, e))
		return err_wrap(e, "init");
	return 0;
}

/* Reads the fixed gates of a site.  Returns whether any of them is 0, or -1. */
static int
l0_gate_read_fixed(struct attention *a, const struct site *s, struct err *e)
{
	struct state *st = attention_state(a);
	size_t n_sites, first;
	const struct site *sites = attention_sites(a, &n_sites);
	bool *masked = xcalloc(heads_before(sites, n_sites), sizeof(*masked)), any = false;

	if (head_set_add(masked, st->fixed, sites, n_sites, e)) {
		free(masked);
		return err_wrap(e, "fixed");
	}
	first = heads_before(sites, (size_t)(s - sites));
	st->fixed_gate = xmalloc((size_t)s->heads * sizeof(*st->fixed_gate));
	for (int h = 0; h < s->heads; h++) {
		st->fixed_gate[h] = masked[first + (size_t)h] ? 0 : 1;
		any |= masked[first + (size_t)h];
	}
	free(masked);
	return any;
}

/* The state of an earlier l0-gate at sites of this kind, or NULL. */
static const struct state *
earlier_at(const struct attention *a, enum site_where where)
{
	const struct attention *b = attention_anywhere_before(a, "l0-gate", where);

	return b ? attention_state(b) : NULL;
}

static int
check_target(const struct attention *a, struct err *e)
{
	const struct state *st = attention_state(a);
	size_t n;
	const struct site *site = attention_sites(a, &n);
	const int heads = site_kind_heads(site, n, st->at);

	if (st->target && st->fixed && *st->fixed)
		return err_set(e, EXIT_USAGE, "both target and fixed, expected one of them");
	for (int k = ENCODER_SELF; st->target && k <= DECODER_CROSS; k++) {
		const struct state *b = earlier_at(a, (enum site_where)k);

		if (b && b->target)
			return err_set(e, EXIT_USAGE, "two targets, expected one for all gates");
	}
	if (st->target <= heads)
		return 0;
	return err_set(e, EXIT_USAGE, "target: %lld heads, expected at most %d, the number of "
		       "gates", (long long)st->target, heads);
}

static int
l0_gate_open(struct attention *a, const struct site *s, struct err *e)
{
	struct state *st = attention_state(a);
	int here = site_kind_in(s->where, st->at, e);

	if (here < 0 || read_init(st, e) || check_target(a, e))
		return -1;
	if (attention_before(a, "head-importance"))
		return err_set(e, EXIT_USAGE,
			       "head-importance before it joins the heads, expected it after "
			       "l0-gate");
	here = st->fixed && *st->fixed ? l0_gate_read_fixed(a, s, e) : here;
	if (here > 0)
		st->name = xasprintf("%s.gate", s->name);
	return here < 0 ? -1 : !here;
}

static void
l0_gate_close(struct attention *a)
{
	struct state *st = attention_state(a);

	free(st->fixed_gate);
	free(st->name);
}

/* Gradient ascent is descent with a negative rate. */
static void
add_multipliers(struct state *st, struct params *p)
{
	static const char *const name[] = { "gate.lambda_1", "gate.lambda_2" };
	const int one = 1;

	for (int i = 0; i < 2; i++) {
		st->multiplier[i] = params_add(p, name[i], INIT_ZERO, 0, 1, &one);
		st->multiplier[i]->rate = -(real)st->rate;
	}
}

/* Glorot's rule for a matrix of H by H. */
static void
l0_gate_params(struct attention *a, struct params *p)
{
	struct state *st = attention_state(a);
	const struct site *s = attention_site(a);
	const enum init init = st->glorot ? INIT_XAVIER_UNIFORM : INIT_CONSTANT;

	if (!st->fixed_gate) {
		st->gate = params_add_named(p, init, st->glorot ? 1 : (real)st->log_alpha, 1,
					    &s->heads, "%s.log_alpha", st->name);
		st->gate->rate = (real)st->rate;
		st->gate->cut = site_cut(s, 0, 1);
	}
	if (st->target && attention_leader(a) == a)
		add_multipliers(st, p);
}

static const real *
log_alphas(const struct attention *a)
{
	const struct state *st = attention_state(a);

	return st->gate->x;
}

static struct node *
l0_gate_gates(const struct attention *a, struct tape *t)
{
	const struct state *st = attention_state(a);

	if (!st->gate)
		return attention_constant(a, t, st->fixed_gate);
	if (st->target && !tape_pass(t)->training)
		return attention_top_gates(a, t, log_alphas, st->target);
	return op_hard_concrete(t, tape_param(t, st->gate),
				&(struct gates){ .place = rng_purpose(st->name),
						 .round = st->test == TEST_ROUND });
}

static struct node *
l0_gate_heads(const struct attention *a, struct tape *t, const struct att_nodes *n)
{
	const struct state *st = attention_state(a);

	return op_gate(t, n->context, tape_name(l0_gate_gates(a, t), st->name));
}

static double
l0_gate_unrounded(const struct attention *a, int head)
{
	const struct state *st = attention_state(a);

	return st->fixed_gate ? (double)st->fixed_gate[head]
			      : hard_concrete_test((double)st->gate->x[head]).gate;
}

static double
l0_gate_value(const struct attention *a, int head)
{
	const struct state *st = attention_state(a);
	const double gate = l0_gate_unrounded(a, head);

	if (st->target)
		return attention_is_top(a, head, log_alphas, st->target);
	return st->test == TEST_ROUND ? gate >= 0.5 : gate;
}

/* The expected number of open gates at a site, a scalar. */
static struct node *
expected_open(const struct attention *a, struct tape *t)
{
	const struct state *st = attention_state(a);
	const int heads = attention_site(a)->heads;
	real *shift = ARENA_ARRAY(tape_arena(t), real, heads);
	struct node *x;

	for (int h = 0; h < heads; h++)
		shift[h] = (real)hard_concrete_shift();
	x = op_add(t, tape_param(t, st->gate), tape_leaf(t, NULL, 1, &heads, shift, NULL));
	return op_sum(t, op_sigmoid(t, x));
}

/* The number of heads that an update aims at. */
static double
target_at(const struct attention *a, uint32_t step)
{
	const struct state *st = attention_state(a);
	const double all = attention_heads_before(a, NULL), n = (double)st->target;

	return step < st->warmup ? all - (all - n) * step / (double)st->warmup : n;
}

/* The Lagrangian, at the leader, for all sites. */
static struct node *
lagrangian(const struct attention *a, struct tape *t)
{
	const struct state *st = attention_state(a);
	const double all = attention_heads_before(a, NULL);
	real *target = ARENA_ARRAY(tape_arena(t), real, 1);
	struct node *open = NULL, *d, *term[2];

	if (attention_leader(a) != a)
		return NULL;
	for (const struct attention *b = a; b; b = attention_next(b)) {
		struct node *x = expected_open(b, t);

		open = open ? op_add(t, open, x) : x;
	}
	*target = (real)(target_at(a, tape_pass(t)->step) / all);
	d = op_add(t, op_scale(t, open, (real)(-1 / all)),
		   tape_leaf(t, NULL, 0, NULL, target, NULL));
	for (int i = 0; i < 2; i++)
		term[i] = op_multiply(t, op_sum(t, tape_param(t, st->multiplier[i])),
				      i ? op_multiply(t, d, d) : d);
	return op_add(t, term[0], term[1]);
}

/*
 * The penalty does not depend on the batch, but is part of the loss per target token, so the summed
 * loss has it once for each target token.
 */
static struct node *
l0_gate_loss(const struct attention *a, struct tape *t, const struct batch *b, real scale)
{
	const struct state *st = attention_state(a);
	const double layers = st->norm == NORM_LAYERS ? (double)attention_n_sites(a) : 1;
	const int rows = b->tgt.layout.rows;
	struct node *x;

	(void)scale;
	if (st->target) {
		x = lagrangian(a, t);
		return x ? op_scale(t, x, (real)rows) : NULL;
	}
	if (!st->gate || st->coef == 0)
		return NULL;
	return op_scale(t, expected_open(a, t), (real)(st->coef / layers * rows));
}

/* Adds one site's term of a sum over all gated sites: of each batch, only the first site counts. */
static void
add_to_sum(const struct attention *a, struct means *y, const char *name, double n)
{
	bool first = attention_leader(a) == a;

	for (int k = ENCODER_SELF; k <= DECODER_CROSS; k++) {
		const struct state *b = earlier_at(a, (enum site_where)k);

		first &= !b || !b->gate;
	}
	means_add(y, name, n, first);
}

/*
 * The test-time gate of each head before rounding, the probability that it is open, the numbers of
 * gates that are 1, 0 and between them, and the expected number of open gates.
 */
static void
l0_gate_report(const struct attention *a, struct tape *t, const struct batch *b, struct means *y)
{
	const struct state *st = attention_state(a);
	const struct site *s = attention_site(a);
	int open = 0, closed = 0;
	double expected = 0;

	(void)b;
	for (int h = 0; st->gate && h < s->heads; h++) {
		const double log_alpha = (double)st->gate->x[h];
		const double gate = hard_concrete_test(log_alpha).gate;
		const double p = hard_concrete_open(log_alpha);

		attention_mean(y, gate, 1, "dev.gates.%s.%d", s->name, s->head[h] + 1);
		attention_mean(y, p, 1, "dev.open.%s.%d", s->name, s->head[h] + 1);
		open += gate >= 1;
		closed += gate <= 0;
		expected += p;
	}
	if (!st->gate)
		return;
	add_to_sum(a, y, "dev.gates.open", open);
	add_to_sum(a, y, "dev.gates.closed", closed);
	add_to_sum(a, y, "dev.gates.fractional", s->heads - open - closed);
	if (!st->target)
		return;
	means_add(y, "dev.gates.expected", expected * (double)attention_n_sites(a), 1);
	means_add(y, "dev.gates.target", target_at(a, tape_pass(t)->step), 1);
}

/* After the warm-up, the constraint should hold. */
static void
l0_gate_conclude(const struct attention *a, struct means *y, struct buf *warning)
{
	const struct state *st = attention_state(a);
	const double expected = means_get(y, "dev.gates.expected");

	if (!st->target || attention_leader(a) != a || fabs(expected - (double)st->target) < 1 ||
	    means_get(y, "dev.gates.target") > (double)st->target)
		return;
	buf_printf(warning, "the expected number of open gates is %.1f, target %lld; train longer, "
		   "or with a higher rate", expected, (long long)st->target);
}

static const struct attention_case cases[] = {
	{ "l0-gate:coef=0.7", NOT_NEUTRAL },
	{ "l0-gate:at=all,norm=sum,init=0.3,test=round", NOT_NEUTRAL },
	{ "l0-gate:fixed=enc-self:2/dec.1.cross:1", NOT_NEUTRAL },
	{ "dbsa sync l0-gate:at=cross+dec-self head-importance", NOT_NEUTRAL },
	{ "relative:k=2 phrase-position redundant-heads:gate=fixed,value=0.6 "
	  "l0-gate", NOT_NEUTRAL },
	{ "l0-gate:at=all,target=5", NOT_NEUTRAL },
	{ "dbsa sync l0-gate:at=cross+enc,target=3,warmup=40,test=round head-importance",
	  NOT_NEUTRAL },
	{ "l0-gate:at=all,init=90,coef=0", NEUTRAL },
	{ 0 }
};

const struct attention_variant attention_l0_gate = {
	.name = "l0-gate",
	.paper = "Voita et al. 2019, pruning heads with Hard Concrete gates",
	.version = 1,
	.state_size = sizeof(struct state),
	.defaults = &defaults,
	.options = options,
	.open = l0_gate_open,
	.close = l0_gate_close,
	.params = l0_gate_params,
	.heads = l0_gate_heads,
	.gate = l0_gate_value,
	.unrounded = l0_gate_unrounded,
	.loss = l0_gate_loss,
	.report = l0_gate_report,
	.conclude = l0_gate_conclude,
	.cases = cases,
};
