/*
 * redundant-heads: the bias of earlier variants applies only to heads that are redundant in a
 * sentence (redundant heads enlivened, RHE).
 *
 * Zhang, Huang, Feng and Cao 2021, Enlivening redundant heads in multi-head self-attention for
 * machine translation, section 4.2; op_redundant() tests the heads.  Without this variant the bias
 * applies to all heads.  With mode=prune the outputs of redundant heads are 0 instead.  A sentence
 * without a tree has no redundant heads.
 */
#include <stdlib.h>

#include "attention/attention.h"
#include "base/cli.h"
#include "base/mem.h"
#include "data/pair-labels.h"
#include "ops/ops.h"
#include "stream/stream.h"
#include "tape/tape.h"

enum { ENLIVEN, PRUNE };
static const char *const modes[] = { "enliven", "prune", NULL };
static const char *const gates[] = { "sigmoid", "conf", "fixed", NULL };	/* as enum gate */

struct state {
	int64_t first, last;
	int gate, mode;
	double value;
	bool diagonal;
	char *name;			/* of the node with the tests */
};

static const struct state defaults = { .first = 1, .last = 1, .value = 0.3, .diagonal = true };

static const struct opt options[] = {
	ATTENTION_FIRST(struct state, 64), ATTENTION_LAST(struct state, 64),
	{ .kind = OPT_CHOICE, .long_name = "gate", .arg = "word",
	  .help = "threshold: sigmoid of the confidence, the confidence, or a constant",
	  .at = offsetof(struct state, gate), .choice = gates },
	{ .kind = OPT_FLOAT, .long_name = "value", .arg = "x", .help = "threshold of gate=fixed",
	  .at = offsetof(struct state, value), .min = 0, .max = 1 },
	{ .kind = OPT_CHOICE, .long_name = "mode", .arg = "word",
	  .help = "bias redundant heads, or set their outputs to 0",
	  .at = offsetof(struct state, mode), .choice = modes },
	{ .kind = OPT_FLAG, .long_name = "diagonal",
	  .help = "count attention of a word to itself as syntax",
	  .at = offsetof(struct state, diagonal) },
	{ .kind = OPT_END }
};

static const struct field needs[] = { { "src.dep", "bits[n,n]", 0 }, { 0 } };

static int
redundant_heads_open(struct attention *a, const struct site *s, struct err *e)
{
	struct state *st = attention_state(a);
	const int r = attention_in_encoder(s, st->first, st->last, e);

	if (r)
		return r;
	if (st->mode == ENLIVEN && s->heads && !attention_biased(a))
		return err_set(e, EXIT_USAGE,
			       "needs a biasing variant, such as dependency-mask or "
			       "phrase-position, before it");
	st->name = xasprintf("%s.redundant", s->name);
	return 0;
}

static void
redundant_heads_close(struct attention *a)
{
	free(((struct state *)attention_state(a))->name);
}

static int
redundant_heads_batch(const struct attention *a, struct batch *b, struct err *e)
{
	(void)a;
	return labels_make(b, &label_dependency, e) ? 0 : -1;
}

static struct node *
redundant_heads_scores(const struct attention *a, struct tape *t, const struct att_nodes *n)
{
	const struct state *st = attention_state(a);
	const struct batch *b = n->batch;
	const struct redundancy how = {
		.labels = batch_kept(b, &label_dependency), .gate = (enum gate)st->gate,
		.fixed = (real)st->value, .diagonal = st->diagonal, .ends = b->src_end,
	};
	struct node *biased = st->mode == ENLIVEN ? n->scores : NULL;

	return tape_name(op_redundant(t, biased ? n->plain_scores : n->scores, biased, &how),
			 st->name);
}

/* If earlier variants changed the head outputs, too, only redundant heads keep that change. */
static struct node *
redundant_heads_context(const struct attention *a, struct tape *t, const struct att_nodes *n)
{
	const struct state *st = attention_state(a);
	struct node *tests = tape_find(t, st->name);

	if (st->mode == PRUNE)
		return op_choose(t, n->context, NULL, tests);
	if (n->context == n->plain_context)
		return n->context;
	return op_choose(t, n->plain_context, n->context, tests);
}

/*
 * For each head, over the sentences with a tree: the share in which it is redundant, and its mean
 * confidence and syntactic attention.
 */
static void
redundant_heads_report(const struct attention *a, struct tape *t, const struct batch *b,
		       struct means *y)
{
	const struct state *st = attention_state(a);
	const struct site *s = attention_site(a);
	const struct head_test *test = op_redundant_tests(tape_find(t, st->name));
	const struct labels *labels = batch_kept(b, &label_dependency);

	for (int i = 0; i < b->n; i++) {
		const int judged = labels->of[i] != NULL;

		for (int h = 0; h < s->heads; h++, test++) {
			const int head = s->head[h] + 1;

			attention_mean(y, !test->important, judged, "dev.redundant.%s.%d", s->name,
				       head);
			attention_mean(y, (double)test->confidence, judged, "dev.confidence.%s.%d",
				       s->name, head);
			attention_mean(y, (double)test->syntax, judged, "dev.syntax.%s.%d",
				       s->name, head);
		}
	}
}

static const struct attention_case cases[] = {
	{ "dependency-mask redundant-heads", NOT_NEUTRAL },
	{ "phrase-position:last=2 redundant-heads:last=2,gate=conf,diagonal=off", NOT_NEUTRAL },
	{ "phrase-position:k=3 redundant-heads:gate=fixed,value=0.6,diagonal=off", NOT_NEUTRAL },
	{ "redundant-heads:mode=prune,gate=fixed,value=0.5", NOT_NEUTRAL },
	{ "relation-mask phrase-position redundant-heads dbsa", NOT_NEUTRAL },
	{ "relative:k=2 redundant-heads:gate=fixed,value=0.6", NOT_NEUTRAL },
	{ "localness:last=2,window=fixed,width=3 redundant-heads:last=2,gate=conf dbsa "
	  "sync", NOT_NEUTRAL },
	{ "dependency-mask redundant-heads:gate=fixed,value=0", NEUTRAL },
	{ "redundant-heads:gate=fixed,value=0,mode=prune", NEUTRAL },
	{ 0 }
};

const struct attention_variant attention_redundant_heads = {
	.name = "redundant-heads",
	.paper = "Zhang, Huang, Feng and Cao 2021, redundant heads enlivened (RHE)",
	.version = 1,
	.state_size = sizeof(struct state),
	.defaults = &defaults,
	.options = options,
	.needs = needs,
	.open = redundant_heads_open,
	.close = redundant_heads_close,
	.batch = redundant_heads_batch,
	.scores = redundant_heads_scores,
	.context = redundant_heads_context,
	.report = redundant_heads_report,
	.cases = cases,
};
