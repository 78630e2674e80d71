/*
 * bucket-bias: self-attention adds a bias to each score by the distance of the key from the query;
 * Raffel et al. 2020, Exploring the limits of transfer learning with a unified text-to-text
 * transformer, section 2.1 (T5).
 *
 * Distances fall into buckets, which grow with the distance (op_distance_bias()).  A table has a
 * bias for each head and bucket: one for all layers of the encoder and one for those of the
 * decoder, or one for each layer.  A table of several layers has rows for all heads, also pruned
 * ones.  With tables of zeros this is plain attention.
 */
#include <math.h>
#include <stdlib.h>

#include "attention/attention.h"
#include "base/cli.h"
#include "base/mem.h"
#include "ops/ops.h"

struct bucketed {
	int64_t buckets, max;
	bool per_layer;
	struct param *table;		/* [heads, buckets] */
};

static const struct bucketed defaults = { .buckets = 32, .max = 128 };

static const struct opt options[] = {
	{ .kind = OPT_INT, .long_name = "buckets", .arg = "n",
	  .help = "buckets of distances, a multiple of 4",
	  .at = offsetof(struct bucketed, buckets), .min = 4, .max = 4096 },
	{ .kind = OPT_INT, .long_name = "max", .arg = "n",
	  .help = "distances from n on have the last bucket",
	  .at = offsetof(struct bucketed, max), .min = 3, .max = 1000000 },
	{ .kind = OPT_FLAG, .long_name = "per_layer",
	  .help = "a table for each layer, not for all of a side",
	  .at = offsetof(struct bucketed, per_layer) },
	{ .kind = OPT_END }
};

static int
bucketed_open(struct attention *a, const struct site *s, struct err *e)
{
	const struct bucketed *b = attention_state(a);

	if (b->buckets % 4)
		return err_set(e, EXIT_USAGE, "buckets=%lld, expected a multiple of 4",
			       (long long)b->buckets);
	if (b->max <= b->buckets / 2)
		return err_set(e, EXIT_USAGE, "max=%lld, expected more than half of the %lld "
			       "buckets", (long long)b->max, (long long)b->buckets);
	return s->where == DECODER_CROSS;
}

/* The name of a table that layers share has no layer. */
static void
bucketed_params(struct attention *a, struct params *p)
{
	struct bucketed *b = attention_state(a);
	const struct site *s = attention_site(a);
	const int d[2] = { b->per_layer ? s->heads : s->all_heads, (int)b->buckets };
	char *name = b->per_layer ? xasprintf("%s.bucket.weight", s->name)
		     : xstrdup(s->where == ENCODER_SELF ? "enc.bucket.weight"
							: "dec.bucket.weight");

	b->table = params_find(p, name);
	if (!b->table)
		b->table = params_add(p, name, INIT_NORMAL,
				      (real)(1 / sqrt((double)s->model_dim)), 2, d);
	if (b->per_layer)
		b->table->cut = site_cut(s, 0, 1);
	free(name);
}

static struct node *
bucketed_bias(const struct attention *a, struct tape *t, struct distance_bias *rule)
{
	const struct bucketed *b = attention_state(a);
	const struct site *s = attention_site(a);

	*rule = (struct distance_bias){
		.most = (int)b->max, .both = s->where == ENCODER_SELF,
		.head = b->per_layer ? NULL : s->head,
	};
	return tape_param(t, b->table);
}

static const struct attention_case cases[] = {
	{ "bucket-bias", NEUTRAL_IF_ZERO },
	{ "bucket-bias:buckets=4,max=3", NOT_NEUTRAL },
	{ "bucket-bias:buckets=8,max=6,per_layer=on", NEUTRAL_IF_ZERO },
	{ "bucket-bias:buckets=8,max=5 relative:k=2", NOT_NEUTRAL },
	{ 0 }
};

const struct attention_variant attention_bucket_bias = {
	.name = "bucket-bias",
	.paper = "Raffel et al. 2020, T5: exploring the limits of transfer learning",
	.version = 1,
	.state_size = sizeof(struct bucketed),
	.defaults = &defaults,
	.options = options,
	.open = bucketed_open,
	.params = bucketed_params,
	.bias = bucketed_bias,
	.cases = cases,
};
