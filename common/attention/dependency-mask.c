/*
 * dependency-mask: heads attend only along dependency arcs (dependency-enhanced attention, DEA).
 *
 * Zhang, Huang, Feng and Cao 2021, Enlivening redundant heads in multi-head self-attention for
 * machine translation, equations 4 to 6.  The stream has a bit for each pair of subwords
 * (tree2mask(1)); where it is 0, the score is -inf.  The end-of-sentence token attends to all
 * tokens, and only it attends to itself.
 */
#include "attention/attention.h"
#include "base/cli.h"
#include "data/pair-labels.h"
#include "ops/ops.h"
#include "stream/stream.h"

struct state { int64_t first, last; };

static const struct state defaults = { 1, 1 };

static const struct opt options[] = {
	ATTENTION_FIRST(struct state, 64), ATTENTION_LAST(struct state, 64),
	{ .kind = OPT_END }
};

static const struct field needs[] = { { "src.dep", "bits[n,n]", 0 }, { 0 } };

static int
dependency_mask_open(struct attention *a, const struct site *s, struct err *e)
{
	const struct state *st = attention_state(a);

	return attention_in_encoder(s, st->first, st->last, e);
}

static int
dependency_mask_batch(const struct attention *a, struct batch *b, struct err *e)
{
	(void)a;
	return labels_make(b, &label_dependency, e) ? 0 : -1;
}

static struct node *
dependency_mask_scores(const struct attention *a, struct tape *t, const struct att_nodes *n)
{
	(void)a;
	return op_labels(t, n->scores, NULL, batch_kept(n->batch, &label_dependency));
}

static const struct attention_case cases[] = {
	{ "dependency-mask", NOT_NEUTRAL },
	{ "dependency-mask:last=0", NEUTRAL_IF_LINKED },
	{ 0 }
};

const struct attention_variant attention_dependency_mask = {
	.name = "dependency-mask",
	.paper = "Zhang, Huang, Feng and Cao 2021, dependency-enhanced attention (DEA)",
	.version = 1,
	.state_size = sizeof(struct state),
	.defaults = &defaults,
	.options = options,
	.needs = needs,
	.open = dependency_mask_open,
	.batch = dependency_mask_batch,
	.scores = dependency_mask_scores,
	.report = attention_report_treeless,
	.cases = cases,
};
