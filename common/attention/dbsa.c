/*
 * dbsa: some heads of an encoder layer and of a decoder layer attend to the syntactic head.
 *
 * Deguchi, Tamura and Ninomiya 2019, Dependency-based self-attention for Transformer NMT; and 2021,
 * Synchronous syntactic attention for Transformer NMT, section 3.1.
 *
 *	score = (W q / sqrt(d)) . k + b . k
 *	loss  = mean over dependencies of -log(weight of the head), on each side
 *
 * The bias b is from the authors' code.  The head of a subword is the next subword of its word;
 * that of the last subword is the first subword of the word's head.  On the target side,
 * dependencies on a later subword are ignored, and the row of a subword is the one that predicts it
 * or, with align=input, the one that reads it.  Translation needs no parse.  heed-papers(7) lists
 * such choices.
 */
#include <math.h>
#include <string.h>

#include "attention/attention.h"
#include "base/cli.h"
#include "data/batch.h"
#include "data/word-tree.h"
#include "ops/ops.h"
#include "stream/stream.h"
#include "tape/params.h"
#include "trees/piece-heads.h"

enum { MAX_HEADS = 16 };
enum { ALIGN_OUTPUT, ALIGN_INPUT };
static const char *const aligns[] = { "output", "input", NULL };

struct state {
	int64_t enc, dec, heads;
	bool bias;
	double src_weight, tgt_weight;
	int align;
	int own;			/* retained ones of these heads: the first heads of the
					 * site */
	struct param *w[MAX_HEADS], *b[MAX_HEADS];	/* [d,d], [d] */
};

static const struct state defaults = {
	.enc = 1, .dec = 1, .heads = 1, .bias = true, .src_weight = 0.5, .tgt_weight = 0.5,
};

static const struct opt options[] = {
	{ .kind = OPT_INT, .long_name = "enc", .arg = "layer",
	  .help = "supervised encoder layer; 0: none",
	  .at = offsetof(struct state, enc), .min = 0, .max = 64 },
	{ .kind = OPT_INT, .long_name = "dec", .arg = "layer",
	  .help = "supervised decoder layer; 0: none",
	  .at = offsetof(struct state, dec), .min = 0, .max = 64 },
	{ .kind = OPT_INT, .long_name = "heads", .arg = "n",
	  .help = "supervised heads of each layer",
	  .at = offsetof(struct state, heads), .min = 1, .max = MAX_HEADS },
	{ .kind = OPT_FLAG, .long_name = "bias", .help = "add a bias to the bilinear scores",
	  .at = offsetof(struct state, bias) },
	{ .kind = OPT_FLOAT, .long_name = "src_weight", .arg = "x",
	  .help = "weight of the loss on source dependencies",
	  .at = offsetof(struct state, src_weight), .min = 0, .max = 1000 },
	{ .kind = OPT_FLOAT, .long_name = "tgt_weight", .arg = "x",
	  .help = "weight of the loss on target dependencies",
	  .at = offsetof(struct state, tgt_weight), .min = 0, .max = 1000 },
	{ .kind = OPT_CHOICE, .long_name = "align", .arg = "word",
	  .help = "decoder position of a subword: output predicts it, input reads it",
	  .at = offsetof(struct state, align), .choice = aligns },
	{ .kind = OPT_END }
};

static const struct field training_needs[] = {
	{ "src.heads", "[int]", 0 }, { "src.word", "[int]", 0 }, { "tgt.heads", "[int]", 0 },
	{ "tgt.word", "[int]", 0 }, { 0 }
};

/* The supervised key of each row, or -1, and the number of supervised rows; kept with the batch. */
struct supervision { int *target, pairs; };

static bool
is_source(const struct attention *a)
{
	return attention_site(a)->where == ENCODER_SELF;
}

static double
dbsa_weight(const struct attention *a)
{
	const struct state *st = attention_state(a);

	return is_source(a) ? st->src_weight : st->tgt_weight;
}

static bool
dbsa_reads(const struct attention *a, const char *field)
{
	const struct state *st = attention_state(a);

	return !strncmp(field, "src.", 4) ? st->enc > 0 && st->src_weight > 0
					  : st->dec > 0 && st->tgt_weight > 0;
}

static int
dbsa_open(struct attention *a, const struct site *s, struct err *e)
{
	struct state *st = attention_state(a);
	const int64_t layer = s->where == ENCODER_SELF ? st->enc
			      : s->where == DECODER_SELF ? st->dec : 0;

	if (layer > s->n_layers)
		return err_set(e, EXIT_USAGE, "layer %lld, expected 0 to %d", (long long)layer,
			       s->n_layers);
	if (st->heads > s->all_heads)
		return err_set(e, EXIT_USAGE, "%lld heads, expected at most %d",
			       (long long)st->heads, s->all_heads);
	while (st->own < s->heads && s->head[st->own] < st->heads)
		st->own++;
	return s->layer != layer || !st->own;
}

/* The gain of 1/sqrt(2) is fairseq's for query, key and value matrices. */
static void
dbsa_params(struct attention *a, struct params *p)
{
	struct state *st = attention_state(a);
	const struct site *s = attention_site(a);
	const int d[] = { s->head_dim, s->head_dim };

	for (int h = 0; h < st->own; h++) {
		st->w[h] = params_add_named(p, INIT_XAVIER_UNIFORM, (real)M_SQRT1_2, 2, d,
					    "%s.dbsa.%d.weight", s->name, s->head[h] + 1);
		if (st->bias)
			st->b[h] = params_add_named(p, INIT_ZERO, 1, 1, d, "%s.dbsa.%d.bias",
						    s->name, s->head[h] + 1);
	}
}

/* Supervises the rows of a sentence of n subwords; row r of a subword is side + r + shift. */
static void
supervise(struct supervision *s, int side, int shift, bool causal, const int32_t *head, int n)
{
	for (int r = 0; r < n; r++)
		if (!causal || head[r] <= r) {
			s->target[side + r + shift] = head[r] + shift;
			s->pairs++;
		}
}

static int
dbsa_batch(const struct attention *a, struct batch *b, struct err *e)
{
	const struct state *st = attention_state(a);
	const bool source = is_source(a);
	const struct layout *l = source ? &b->src.layout : &b->tgt.layout;
	struct supervision *s = arena_zero(b->mem, sizeof(*s));
	const int shift = !source && st->align == ALIGN_INPUT;

	if (!l->n || dbsa_weight(a) == 0)
		return 0;
	s->target = ARENA_ARRAY(b->mem, int, l->rows);
	for (int r = 0; r < l->rows; r++)
		s->target[r] = -1;
	for (int i = 0; i < b->n; i++) {
		struct word_tree tree;
		int32_t *head;

		if (word_tree_of(b, i, source, &tree, e))
			return -1;
		if (!tree.head)
			continue;
		head = ARENA_ARRAY(b->mem, int32_t, tree.subwords);
		piece_heads(PIECES_DEGUCHI, tree.word, tree.subwords, tree.head, head);
		supervise(s, l->start[i], shift, !source, head, tree.subwords);
	}
	batch_keep(b, a, s);
	return 0;
}

/* q' = W q + sqrt(d) b; the scores q' . k are divided by sqrt(d), or both without it. */
static struct node *
dbsa_queries(const struct attention *a, struct tape *t, const struct att_nodes *n)
{
	const struct state *st = attention_state(a);
	const int d = attention_site(a)->head_dim;
	struct node *q = n->q;

	for (int h = 0; h < st->own; h++) {
		struct node *b = st->bias
			? op_scale(t, tape_param(t, st->b[h]), (real)attention_site(a)->divisor)
			: NULL;
		struct node *own = op_linear(t, op_columns(t, n->q, h * d, d),
					     tape_param(t, st->w[h]), b);

		q = op_replace(t, q, own, h * d);
	}
	return q;
}

static struct node *
dbsa_loss(const struct attention *a, struct tape *t, const struct batch *b, real scale)
{
	const struct state *st = attention_state(a);
	const struct supervision *s = batch_kept(b, a);
	struct node *scores = attention_scores(a, t), *sum = NULL;

	for (int h = 0; h < st->own && s && s->pairs; h++) {
		struct node *l = op_pointers(t, scores, &(struct pointers){ h, s->target, NULL });

		sum = sum ? op_add(t, sum, l) : l;
	}
	return sum ? op_scale(t, sum, (real)(dbsa_weight(a) / (double)st->own) * scale) : NULL;
}

static double
dbsa_count(const struct attention *a, const struct batch *b)
{
	const struct supervision *s = batch_kept(b, a);

	return s ? s->pairs : 0;
}

static void
dbsa_report(const struct attention *a, struct tape *t, const struct batch *b, struct means *y)
{
	const struct supervision *s = batch_kept(b, a);
	const struct node *scores = attention_scores(a, t);
	int right = 0;

	for (int i = 0; s && i < b->n; i++)
		for (int r = 0; r < scores->queries->len[i]; r++)
			right += op_pointers_right(scores, &(struct pointers){ 0, s->target, NULL },
						   i, r);
	if (s)
		attention_mean(y, right, s->pairs, "dev.dependencies.%s", attention_site(a)->name);
}

static const struct attention_case cases[] = {
	{ "dbsa", NOT_NEUTRAL },
	{ "dbsa:heads=2,enc=2,dec=2,bias=off,align=input,src_weight=1.5", NOT_NEUTRAL },
	{ "dbsa:enc=0,tgt_weight=2", NOT_NEUTRAL },
	{ "dbsa:src_weight=0,tgt_weight=0,heads=2", NEUTRAL_IF_IDENTITY },
	{ 0 }
};

const struct attention_variant attention_dbsa = {
	.name = "dbsa",
	.paper = "Deguchi, Tamura and Ninomiya 2019, dependency-based self-attention",
	.version = 1,
	.state_size = sizeof(struct state),
	.defaults = &defaults,
	.options = options,
	.training_needs = training_needs,
	.reads = dbsa_reads,
	.open = dbsa_open,
	.params = dbsa_params,
	.batch = dbsa_batch,
	.queries = dbsa_queries,
	.unfused = 1,
	.loss = dbsa_loss,
	.count = dbsa_count,
	.report = dbsa_report,
	.cases = cases,
};
