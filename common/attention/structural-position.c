/*
 * structural-position: keys and values have embeddings of their position in the tree, relative to
 * the query.
 *
 *	by=distance	the number of arcs between the words, negative if the key is before the
 *			query; after Wang, Tu, Wang and Shi 2019, Self-attention with structural
 *			position representations, who add the depths of two words that no arc joins
 *	by=depth	depth of the key minus depth of the query; Omote, Tamura and Ninomiya 2019,
 *			Dependency-based relative positional encoding for Transformer NMT
 *
 * The tables are those of relative, with these positions in place of distances in the sentence.
 * Both variants together are the model of Omote et al.  Subwords have the position of their word.
 * The end-of-sentence token is above the roots.  A sentence without a tree has plain attention.
 */
#include "attention/attention-tables.h"
#include "base/cli.h"
#include "data/word-tree.h"
#include "ops/ops.h"
#include "trees/tree-distance.h"

enum { BY_DISTANCE, BY_DEPTH };
static const char *const bys[] = { "distance", "depth", NULL };

struct state {
	int64_t k, first, last;
	int by;
	bool share_kv;
	struct attention_tables tables;
};

static const struct state defaults = { .k = 16, .first = 1 };

static const struct opt options[] = {
	{ .kind = OPT_CHOICE, .long_name = "by", .arg = "word",
	  .help = "positions are distances in the tree or differences of depth",
	  .at = offsetof(struct state, by), .choice = bys },
	{ .kind = OPT_INT, .long_name = "k", .arg = "n", .help = "clip positions to -n ... n",
	  .at = offsetof(struct state, k), .min = 1, .max = 127 },
	{ .kind = OPT_FLAG, .long_name = "share_kv", .help = "one table for keys and values",
	  .at = offsetof(struct state, share_kv) },
	ATTENTION_FIRST(struct state, 1024), ATTENTION_LAST(struct state, 1024),
	{ .kind = OPT_END }
};

static const struct field needs[] = {
	{ "src.heads", "[int]", 0 }, { "src.word", "[int]", 0 }, { 0 }
};

static int
structural_position_open(struct attention *a, const struct site *s, struct err *e)
{
	const struct state *st = attention_state(a);

	return attention_in_encoder(s, st->first, st->last, e);
}

static void
structural_position_params(struct attention *a, struct params *p)
{
	struct state *st = attention_state(a);

	st->tables = attention_tables_add(p, attention_site(a), "structural", st->k, st->share_kv);
}

/* The node of each row: words from 1, and 0 for the end token; see tree-distance.h. */
struct nodes { const int32_t *head; const int *of, *depth; int rows; };

static struct nodes
nodes_of(struct batch *b, int i, const struct word_tree *tree)
{
	const int rows = b->src.layout.len[i];
	int *of = ARENA_ARRAY(b->mem, int, rows);
	int *depth = ARENA_ARRAY(b->mem, int, tree->words + 1);

	for (int r = 0; r < rows; r++)
		of[r] = r < tree->subwords ? tree->word[r] + 1 : 0;
	tree_depths(tree->head, tree->words, depth);
	return (struct nodes){ tree->head, of, depth, rows };
}

static int
structural_label(const struct state *st, const struct nodes *x, int i, int j)
{
	const int a = x->of[i], b = x->of[j], k = (int)st->k;
	const int far = st->by == BY_DEPTH ? x->depth[b] - x->depth[a]
		: (j < i ? -1 : 1) * tree_distance(x->head, x->depth, a, b, k);

	return (far < -k ? -k : far > k ? k : far) + k;
}

static const unsigned char *
label_sentence(struct batch *b, int i, const struct state *st, const struct word_tree *tree)
{
	const struct nodes x = nodes_of(b, i, tree);
	const size_t n = (size_t)x.rows;
	unsigned char *label = ARENA_ARRAY(b->mem, unsigned char, n * n + 1);

	for (int q = 0; q < x.rows; q++)
		for (int k = 0; k < x.rows; k++)
			label[(size_t)q * n + (size_t)k] =
				(unsigned char)structural_label(st, &x, q, k);
	return label;
}

/* All layers share the labels, which are stored under the first one. */
static int
structural_position_batch(const struct attention *a, struct batch *b, struct err *e)
{
	const struct state *st = attention_state(a);
	struct labels *l;
	const unsigned char **of;

	if (batch_kept(b, attention_leader(a)))
		return 0;
	of = ARENA_ARRAY(b->mem, const unsigned char *, b->n);
	for (int i = 0; i < b->n; i++) {
		struct word_tree tree;

		if (word_tree_of(b, i, true, &tree, e))
			return -1;
		of[i] = tree.head ? label_sentence(b, i, st, &tree) : NULL;
	}
	l = ARENA_ARRAY(b->mem, struct labels, 1);
	*l = (struct labels){ of, 2 * (int)st->k + 1 };
	batch_keep(b, attention_leader(a), l);
	return 0;
}

static struct node *
structural_position_scores(const struct attention *a, struct tape *t, const struct att_nodes *n)
{
	const struct state *st = attention_state(a);

	return attention_tables_scores(&st->tables, attention_site(a), t, n,
				       batch_kept(n->batch, attention_leader(a)));
}

static struct node *
structural_position_context(const struct attention *a, struct tape *t, const struct att_nodes *n)
{
	const struct state *st = attention_state(a);

	return attention_tables_context(&st->tables, t, n,
					batch_kept(n->batch, attention_leader(a)));
}

static const struct attention_case cases[] = {
	{ "structural-position:k=2", NEUTRAL_IF_ZERO },
	{ "structural-position:by=depth,k=3,share_kv=on,first=2", NEUTRAL_IF_ZERO },
	{ "relative:k=2 structural-position:by=depth,k=1,last=1", NOT_NEUTRAL },
	{ 0 }
};

const struct attention_variant attention_structural_position = {
	.name = "structural-position",
	.paper = "Wang et al. 2019, Omote et al. 2019, relative positions in dependency trees",
	.version = 1,
	.state_size = sizeof(struct state),
	.defaults = &defaults,
	.options = options,
	.needs = needs,
	.open = structural_position_open,
	.params = structural_position_params,
	.batch = structural_position_batch,
	.scores = structural_position_scores,
	.context = structural_position_context,
	.report = attention_report_treeless,
	.cases = cases,
};
