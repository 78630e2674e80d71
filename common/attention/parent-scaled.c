/*
 * parent-scaled: heads that attend around the syntactic head of each token (PASCAL).
 *
 * Bugliarello and Okazaki 2020, Enhancing machine translation with dependency-aware self-attention,
 * section 2.  The score of key j for query i is multiplied by N(j; p_i, sigma^2), where p_i is the
 * position of the parent of i.  In training, each head ignores the parent of a query with
 * probability `ignore`.
 *
 * As in the authors' code, the parent of a subword is at the mean position of the subwords of the
 * head word, a root is its own parent, and so is the end-of-sentence token.  A sentence without a
 * tree has plain attention.
 */
#include "attention/attention.h"
#include "base/cli.h"
#include "data/word-tree.h"
#include "ops/ops.h"

struct state {
	int64_t first, last, heads;
	double sigma, ignore;
	int own;			/* retained ones of these heads: the first heads of the
					 * site */
};

static const struct state defaults = { .first = 1, .last = 1, .sigma = 1 };

static const struct opt options[] = {
	ATTENTION_FIRST(struct state, 1024), ATTENTION_LAST(struct state, 1024),
	{ .kind = OPT_INT, .long_name = "heads", .arg = "n",
	  .help = "scaled heads of each layer; 0: all",
	  .at = offsetof(struct state, heads), .min = 0, .max = 256 },
	{ .kind = OPT_FLOAT, .long_name = "sigma", .arg = "x",
	  .help = "standard deviation, in tokens",
	  .at = offsetof(struct state, sigma), .min = 0.01, .max = 1e6 },
	{ .kind = OPT_FLOAT, .long_name = "ignore", .arg = "x",
	  .help = "probability that a parent is ignored in training",
	  .at = offsetof(struct state, ignore), .min = 0, .max = 0.999 },
	{ .kind = OPT_END }
};

static const struct field needs[] = {
	{ "src.heads", "[int]", 0 }, { "src.word", "[int]", 0 }, { 0 }
};

static int
parent_scaled_open(struct attention *a, const struct site *s, struct err *e)
{
	struct state *st = attention_state(a);
	const int64_t heads = st->heads ? st->heads : s->all_heads;
	const int r = attention_in_encoder(s, st->first, st->last, e);

	if (r)
		return r;
	if (heads > s->all_heads)
		return err_set(e, EXIT_USAGE, "%lld heads, expected at most %d", (long long)heads,
			       s->all_heads);
	while (st->own < s->heads && s->head[st->own] < heads)
		st->own++;
	return !st->own;
}

/* The mean position of the subwords of each word. */
static real *
middles(struct batch *b, const struct word_tree *tree)
{
	real *middle = ARENA_ARRAY(b->mem, real, tree->words + 1);

	for (int r = 0, first = 0; r < tree->subwords; r++) {
		if (r && tree->word[r] != tree->word[r - 1])
			first = r;
		middle[tree->word[r]] = (real)(first + r) / 2;
	}
	return middle;
}

static void
place_parents(struct batch *b, const struct word_tree *tree, int rows, real *at)
{
	const real *middle = middles(b, tree);

	for (int r = 0; r < tree->subwords; r++) {
		const int32_t word = tree->word[r], head = tree->head[word];

		at[r] = middle[head ? head - 1 : word];
	}
	for (int r = tree->subwords; r < rows; r++)
		at[r] = (real)r;
}

/* All layers share the positions of parents, which are stored under the first one. */
static int
parent_scaled_batch(const struct attention *a, struct batch *b, struct err *e)
{
	const struct layout *l = &b->src.layout;
	real *at;

	if (batch_kept(b, attention_leader(a)))
		return 0;
	at = ARENA_ARRAY(b->mem, real, l->rows + 1);
	for (int r = 0; r < l->rows; r++)
		at[r] = -1;
	for (int i = 0; i < b->n; i++) {
		struct word_tree tree;

		if (word_tree_of(b, i, true, &tree, e))
			return -1;
		if (tree.head)
			place_parents(b, &tree, l->len[i], at + l->start[i]);
	}
	batch_keep(b, attention_leader(a), at);
	return 0;
}

static struct node *
parent_scaled_scores(const struct attention *a, struct tape *t, const struct att_nodes *n)
{
	const struct state *st = attention_state(a);
	const struct parents p = {
		.at = batch_kept(n->batch, attention_leader(a)), .sigma = (real)st->sigma,
		.ignore = (real)st->ignore, .heads = st->own,
	};

	return op_parent_scale(t, n->scores, &p);
}

static const struct attention_case cases[] = {
	{ "parent-scaled", NOT_NEUTRAL },
	{ "parent-scaled:last=0,heads=1,sigma=2.5,ignore=0.3", NOT_NEUTRAL },
	{ "dependency-mask parent-scaled:ignore=0.5", NOT_NEUTRAL },
	{ "parent-scaled:sigma=0.3989422804014327 structural-position:k=1,last=1", NOT_NEUTRAL },
	{ 0 }
};

const struct attention_variant attention_parent_scaled = {
	.name = "parent-scaled",
	.paper = "Bugliarello and Okazaki 2020, parent-scaled self-attention (PASCAL)",
	.version = 1,
	.state_size = sizeof(struct state),
	.defaults = &defaults,
	.options = options,
	.needs = needs,
	.open = parent_scaled_open,
	.batch = parent_scaled_batch,
	.scores = parent_scaled_scores,
	.report = attention_report_treeless,
	.cases = cases,
};
