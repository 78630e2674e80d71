/*
 * guided-alignment: one head of cross-attention is supervised by word alignments.
 *
 * Garg, Peitz, Nallasamy and Paulik 2019, Jointly learning to align and translate with Transformer
 * models.  The loss adds `weight` times
 *
 *	-1/I sum over t of sum over j of G_tj log A_tj
 *
 * where I is the number of target tokens, A the weights of the head at the step that predicts
 * token t, and G_tj = 1/n if t is linked to n source tokens and j is one of them.  All subwords of
 * linked words are linked.  Target tokens without a link, and possible links, are left out.  A is
 * that of the causal decoder; nmt-train(1) tells what else the paper describes.
 */
#include <string.h>

#include "attention/attention.h"
#include "base/cli.h"
#include "data/batch.h"
#include "data/links.h"
#include "ops/ops.h"

struct state {
	int64_t layer, head;
	double weight;
	int own;			/* the head among the retained ones */
};

static const struct state defaults = { .head = 1, .weight = 0.05 };

static const struct opt options[] = {
	{ .kind = OPT_INT, .long_name = "layer", .arg = "layer",
	  .help = "decoder layer of the head; 0: the last but one",
	  .at = offsetof(struct state, layer), .min = 0, .max = 1024 },
	{ .kind = OPT_INT, .long_name = "head", .arg = "n", .help = "supervised head",
	  .at = offsetof(struct state, head), .min = 1, .max = 256 },
	{ .kind = OPT_FLOAT, .long_name = "weight", .arg = "x", .help = "weight of the loss",
	  .at = offsetof(struct state, weight), .min = 0, .max = 1000 },
	{ .kind = OPT_END }
};

static const struct field training_needs[] = { { "alignment", "str", 0 }, { 0 } };

static bool
guided_alignment_reads(const struct attention *a, const char *field)
{
	const struct state *st = attention_state(a);

	(void)field;
	return st->weight > 0;
}

/* Without its head, a pruned model has no loss. */
static int
guided_alignment_open(struct attention *a, const struct site *s, struct err *e)
{
	struct state *st = attention_state(a);
	const int64_t layer = st->layer ? st->layer : s->n_layers > 1 ? s->n_layers - 1 : 1;

	if (s->where != DECODER_CROSS)
		return 1;
	if (layer > s->n_layers)
		return err_set(e, EXIT_USAGE, "layer %lld, expected 0 to %d", (long long)layer,
			       s->n_layers);
	if (st->head > s->all_heads)
		return err_set(e, EXIT_USAGE, "head %lld, expected 1 to %d", (long long)st->head,
			       s->all_heads);
	while (st->own < s->heads && s->head[st->own] + 1 != st->head)
		st->own++;
	return s->layer != layer || st->own == s->heads;
}

/* The sure links of a sentence: linked[v * source words + u] for source word u, target word v. */
struct sentence {
	struct link_side src, tgt;
	unsigned char *linked;
};

static int
read_links(struct batch *b, int i, struct sentence *s, struct err *e)
{
	struct str text;
	const char *at;
	char *copy;			/* of the text, with a NUL */
	struct link_words words;
	struct link link;
	int more;

	*s = (struct sentence){ .linked = NULL };
	if (!record_has(b->record[i], "alignment"))
		return 0;
	if (record_str(b->record[i], "alignment", &text))
		return err_set(e, EXIT_INPUT, "alignment is no text, expected links such as 0-0");
	if (link_side_read(&s->src, b->record[i], "src.word", b->src.layout.len[i] - b->src_end,
			   e) ||
	    link_side_read(&s->tgt, b->record[i], "tgt.word", b->tgt.layout.len[i] - 1, e))
		return -1;
	words = (struct link_words){ .source = s->src.words, .target = s->tgt.words };
	s->linked = arena_zero(b->mem, (size_t)s->src.words * (size_t)s->tgt.words + 1);
	at = copy = arena_zero(b->mem, text.n + 1);
	memcpy(copy, text.s, text.n);
	while ((more = link_next(&at, &words, &link, e)) > 0)
		if (link.sure)
			s->linked[link.target * s->src.words + link.source] = 1;
	return more ? err_wrap(e, "alignment") : 0;
}

/* The source tokens of target token t, added to key if it is not NULL; returns their number. */
static int
guided_alignment_keys_of(const struct sentence *s, int t, int *key)
{
	int n = 0;

	for (int j = 0; s->linked && t < s->tgt.tokens && j < s->src.tokens; j++)
		if (s->linked[link_side_word(&s->tgt, t) * s->src.words +
			      link_side_word(&s->src, j)]) {
			if (key)
				key[n] = j;
			n++;
		}
	return n;
}

/* What is kept with the batch: the keys of each row, and the number of rows that have some. */
struct guide { struct pointers keys; int rows; };

static struct guide *
guide_of(struct batch *b, const struct sentence *s, int head)
{
	const struct layout *l = &b->tgt.layout;
	int *first = ARENA_ARRAY(b->mem, int, l->rows + 1), *target, n = 0;
	struct guide *g = arena_zero(b->mem, sizeof(*g));

	for (int i = 0; i < l->n; i++)
		for (int t = 0; t < l->len[i]; t++) {
			const int keys = guided_alignment_keys_of(&s[i], t, NULL);

			first[l->start[i] + t] = n;
			g->rows += keys > 0;
			n += keys;
		}
	first[l->rows] = n;
	target = ARENA_ARRAY(b->mem, int, n + 1);
	for (int i = 0; i < l->n; i++)
		for (int t = 0; t < l->len[i]; t++)
			guided_alignment_keys_of(&s[i], t, target + first[l->start[i] + t]);
	g->keys = (struct pointers){ head, target, first };
	return g;
}

static int
guided_alignment_batch(const struct attention *a, struct batch *b, struct err *e)
{
	const struct state *st = attention_state(a);
	struct sentence *s = ARENA_ARRAY(b->mem, struct sentence, b->n + 1);

	if (!b->tgt.layout.n || st->weight == 0)
		return 0;
	for (int i = 0; i < b->n; i++)
		if (read_links(b, i, &s[i], e))
			return err_wrap(e, "record %lld", (long long)b->number[i] + 1);
	batch_keep(b, a, guide_of(b, s, st->own));
	return 0;
}

static struct node *
guided_alignment_loss(const struct attention *a, struct tape *t, const struct batch *b, real scale)
{
	const struct state *st = attention_state(a);
	const struct guide *g = batch_kept(b, a);

	if (!g || !g->rows)
		return NULL;
	return op_scale(t, op_pointers(t, attention_scores(a, t), &g->keys),
			(real)st->weight * scale);
}

static void
guided_alignment_report(const struct attention *a, struct tape *t, const struct batch *b,
			struct means *y)
{
	const struct guide *g = batch_kept(b, a);
	const struct node *scores = attention_scores(a, t);
	int right = 0;

	for (int i = 0; g && i < b->n; i++)
		for (int r = 0; r < scores->queries->len[i]; r++)
			right += op_pointers_right(scores, &g->keys, i, r);
	if (g)
		attention_mean(y, right, g->rows, "dev.alignment.%s", attention_site(a)->name);
}

static const struct attention_case cases[] = {
	{ "guided-alignment", NOT_NEUTRAL },
	{ "guided-alignment:layer=2,head=2,weight=1.5", NOT_NEUTRAL },
	{ "guided-alignment:weight=0", NEUTRAL },
	{ 0 }
};

const struct attention_variant attention_guided_alignment = {
	.name = "guided-alignment",
	.paper = "Garg, Peitz, Nallasamy and Paulik 2019, jointly learning to align and translate",
	.version = 1,
	.state_size = sizeof(struct state),
	.defaults = &defaults,
	.options = options,
	.training_needs = training_needs,
	.reads = guided_alignment_reads,
	.open = guided_alignment_open,
	.batch = guided_alignment_batch,
	.unfused = 1,
	.loss = guided_alignment_loss,
	.report = guided_alignment_report,
	.cases = cases,
};
