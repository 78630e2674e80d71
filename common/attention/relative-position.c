/*
 * relative-position: keys and values have embeddings of their distance from the query; Shaw,
 * Uszkoreit and Vaswani 2018, Self-attention with relative position representations.
 *
 * A site's tables have a row for each distance from -k to k, shared by its heads.  OpenNMT-py has
 * one table for keys and values, the paper one for each.  With tables of zeros this is plain
 * attention.
 */
#include "attention/attention-tables.h"
#include "base/cli.h"

struct relative {
	int64_t k, first, last;
	bool share_kv, decoder;
	struct attention_tables tables;
};

static const struct relative defaults = { .k = 20, .first = 1, .share_kv = true, .decoder = true };

static const struct opt options[] = {
	{ .kind = OPT_INT, .long_name = "k", .arg = "n",
	  .help = "clip distances to -n ... n",
	  .at = offsetof(struct relative, k), .min = 1, .max = 4096 },
	{ .kind = OPT_FLAG, .long_name = "share_kv", .help = "one table for keys and values",
	  .at = offsetof(struct relative, share_kv) },
	ATTENTION_FIRST(struct relative, 1024), ATTENTION_LAST(struct relative, 1024),
	{ .kind = OPT_FLAG, .long_name = "decoder", .help = "also in all decoder layers",
	  .at = offsetof(struct relative, decoder) },
	{ .kind = OPT_END }
};

static int
relative_open(struct attention *a, const struct site *s, struct err *e)
{
	const struct relative *r = attention_state(a);

	if (s->where == ENCODER_SELF)
		return attention_in_encoder(s, r->first, r->last, e);
	return s->where == DECODER_CROSS || !r->decoder;
}

static void
relative_params(struct attention *a, struct params *p)
{
	struct relative *r = attention_state(a);

	r->tables = attention_tables_add(p, attention_site(a), "relative", r->k, r->share_kv);
}

static struct node *
relative_scores(const struct attention *a, struct tape *t, const struct att_nodes *n)
{
	const struct relative *r = attention_state(a);

	return attention_tables_scores(&r->tables, attention_site(a), t, n, NULL);
}

static struct node *
relative_context(const struct attention *a, struct tape *t, const struct att_nodes *n)
{
	const struct relative *r = attention_state(a);

	return attention_tables_context(&r->tables, t, n, NULL);
}

static const struct attention_case cases[] = {
	{ "relative:k=2", NEUTRAL_IF_ZERO },
	{ "relative:k=1,share_kv=off,first=2,decoder=off", NOT_NEUTRAL },
	{ "relative:k=3,share_kv=off,decoder=off,first=2", NEUTRAL_IF_ZERO },
	{ 0 }
};

const struct attention_variant attention_relative_position = {
	.name = "relative",
	.paper = "Shaw, Uszkoreit and Vaswani 2018, relative position representations",
	.version = 1,
	.state_size = sizeof(struct relative),
	.defaults = &defaults,
	.options = options,
	.open = relative_open,
	.params = relative_params,
	.scores = relative_scores,
	.context = relative_context,
	.cases = cases,
};
