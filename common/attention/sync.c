/*
 * sync: a loss that makes target dependencies agree with source dependencies, which cross-attention
 * maps to the target.
 *
 * Deguchi, Tamura and Ninomiya 2021, Synchronous syntactic attention for Transformer NMT, section
 * 3.2.  The loss, op_synchrony(), is only used in training.  It reads the weights of the first
 * supervised head of dbsa on both sides, which must come before it, and the cross-attention of one
 * layer, by default the last but one.  The sum over a sentence is divided by target tokens
 * (norm=token), sentences or cells of the matrix.
 */
#include <stdlib.h>

#include "attention/attention-picture.h"
#include "base/cli.h"
#include "base/mem.h"
#include "data/batch.h"
#include "data/means.h"
#include "ops/ops.h"
#include "tape/tape.h"

enum { NORM_TOKEN, NORM_SENTENCE, NORM_CELL };
static const char *const norms[] = { "token", "sentence", "cell", NULL };
static const char *const maps[] = { "softmax", "renorm", NULL };	/* as in struct synchrony */
static const char *const stops[] = { "none", "mapped", "dec", NULL };

struct state {
	double weight, temperature;
	int64_t layer, head;
	int norm, map, stop;
};

static const struct state defaults = { .weight = 0.5, .temperature = 1 };

static const struct opt options[] = {
	{ .kind = OPT_FLOAT, .long_name = "weight", .arg = "x", .help = "weight of the loss",
	  .at = offsetof(struct state, weight), .min = 0, .max = 1000 },
	{ .kind = OPT_INT, .long_name = "layer", .arg = "layer",
	  .help = "decoder layer of the cross-attention; 0: the last but one",
	  .at = offsetof(struct state, layer), .min = 0, .max = 64 },
	{ .kind = OPT_INT, .long_name = "head", .arg = "n",
	  .help = "cross-attention head; 0: the mean of all heads",
	  .at = offsetof(struct state, head), .min = 0, .max = 256 },
	{ .kind = OPT_CHOICE, .long_name = "norm", .arg = "word",
	  .help = "what the loss is averaged over",
	  .at = offsetof(struct state, norm), .choice = norms },
	{ .kind = OPT_CHOICE, .long_name = "map", .arg = "word",
	  .help = "normalize mapped rows by a softmax or their sum",
	  .at = offsetof(struct state, map), .choice = maps },
	{ .kind = OPT_FLOAT, .long_name = "temperature", .arg = "x",
	  .help = "temperature of the softmax",
	  .at = offsetof(struct state, temperature), .min = 1e-3, .max = 1000 },
	{ .kind = OPT_CHOICE, .long_name = "stop", .arg = "word",
	  .help = "block gradients into nothing, mapped or decoder dependencies",
	  .at = offsetof(struct state, stop), .choice = stops },
	{ .kind = OPT_END }
};

static int64_t
cross_layer(const struct state *st, const struct site *s)
{
	return st->layer ? st->layer : s->n_layers > 1 ? s->n_layers - 1 : 1;
}

/* The index among the retained heads of head `number`, from 1 before pruning; -1: it was pruned. */
static int
find_head(const struct site *s, int64_t number)
{
	for (int h = 0; h < s->heads; h++)
		if (s->head[h] + 1 == number)
			return h;
	return -1;
}

/* The dependencies are those of dbsa's first head. */
static int
check_first(const struct site *s, struct err *e)
{
	if (!s->heads || s->head[0] != 0)
		return err_set(e, EXIT_USAGE,
			       "head 1 was pruned, expected it for the dependencies");
	return 0;
}

/*
 * It is active at three sites: those of dbsa, and the cross-attention, where the loss is taken.
 */
static int
sync_open(struct attention *a, const struct site *s, struct err *e)
{
	const struct state *st = attention_state(a);

	if (s->where != DECODER_CROSS)
		return attention_before(a, "dbsa") ? check_first(s, e) : 1;
	if (!attention_anywhere_before(a, "dbsa", ENCODER_SELF) ||
	    !attention_anywhere_before(a, "dbsa", DECODER_SELF))
		return err_set(e, EXIT_USAGE, "no dbsa before it, expected dbsa on both sides");
	if (cross_layer(st, s) > s->n_layers)
		return err_set(e, EXIT_USAGE, "layer %lld, expected 0 to %d", (long long)st->layer,
			       s->n_layers);
	if (st->head > s->all_heads)
		return err_set(e, EXIT_USAGE, "head %lld, expected 0 to %d", (long long)st->head,
			       s->all_heads);
	if (s->layer != cross_layer(st, s))
		return 1;
	if (!s->heads || (st->head && find_head(s, st->head) < 0))
		return err_set(e, EXIT_USAGE,
			       "the cross-attention head was pruned, expected it for the loss");
	return 0;
}

static double
sync_count(const struct attention *a, const struct batch *b)
{
	const struct state *st = attention_state(a);
	const struct layout *l = &b->tgt.layout;
	double cells = 0;

	for (int i = 0; i < l->n; i++)
		cells += l->len[i] * (l->len[i] + 1.0) / 2;
	return st->norm == NORM_TOKEN ? l->rows : st->norm == NORM_SENTENCE ? l->n : cells;
}

/* The weights at the first site of a kind with dbsa. */
static struct node *
dependencies(const struct attention *a, struct tape *t, enum site_where where)
{
	return attention_weights(attention_anywhere_before(a, "dbsa", where), t);
}

/* Without the head, whose index is that of a site. */
static struct synchrony
settings(const struct state *st)
{
	return (struct synchrony){
		.map = (unsigned)st->map, .temperature = (real)st->temperature,
		.stop = (unsigned)st->stop,
	};
}

static struct node *
synchrony(const struct attention *a, struct tape *t)
{
	const struct state *st = attention_state(a);
	struct synchrony how = settings(st);

	how.cross_head = st->head ? find_head(attention_site(a), st->head) : -1;
	return op_synchrony(t, attention_weights(a, t), dependencies(a, t, ENCODER_SELF),
			    dependencies(a, t, DECODER_SELF), &how);
}

static struct node *
sync_loss(const struct attention *a, struct tape *t, const struct batch *b, real scale)
{
	const struct state *st = attention_state(a);

	(void)b;
	if (attention_site(a)->where != DECODER_CROSS || st->weight == 0)
		return NULL;
	return op_scale(t, synchrony(a, t), (real)st->weight * scale);
}

static void
sync_report(const struct attention *a, struct tape *t, const struct batch *b, struct means *y)
{
	if (attention_site(a)->where == DECODER_CROSS)
		means_add(y, "dev.synchrony", (double)synchrony(a, t)->x[0], sync_count(a, b));
}

/* --- picture: dependencies of both sides, and those of the source projected to the target --- */

enum { SOURCE, CROSS, TARGET, PROJECTED, MAPPED, PANELS };
static const char *const titles[PANELS] = {
	[SOURCE] = "E: source to source", [CROSS] = "C: target to source",
	[TARGET] = "D: target to target", [PROJECTED] = "C E C\xe2\x80\xb2: projection",
	[MAPPED] = "D\xe2\x80\xb2: projection as weights"
};

/* The layer where dbsa is active on a side; without it, its default. */
static int64_t
dependency_layer(const struct picture_view *v, enum site_where where)
{
	for (size_t i = 0; i < v->n_sites; i++) {
		const struct attention *a = attention_set_find(v->set, "dbsa", i);

		if (a && attention_site(a)->where == where)
			return attention_site(a)->layer;
	}
	return 1;
}

static size_t
sync_cells(const struct picture_matrix *m)
{
	return (size_t)m->n_rows * (size_t)m->n_columns;
}

/* The values as the op takes them. */
static real *
sync_copy(const struct picture_matrix *m)
{
	real *x = xcalloc(sync_cells(m) + 1, sizeof(*x));

	for (size_t i = 0; i < sync_cells(m); i++)
		x[i] = (real)m->x[i];
	return x;
}

static void
sync_set_matrix(struct picture_matrix *matrix, const struct picture_matrix *like, const real *x)
{
	*matrix = *like;
	matrix->x = xcalloc(sync_cells(matrix) + 1, sizeof(*matrix->x));
	for (size_t i = 0; i < sync_cells(matrix); i++)
		matrix->x[i] = (float)x[i];
}

static void
sync_project(const struct state *st, struct picture_matrix *matrix)
{
	const struct synchrony how = settings(st);
	const int J = matrix[CROSS].n_rows, I = matrix[CROSS].n_columns;
	real *c = sync_copy(&matrix[CROSS]), *e = sync_copy(&matrix[SOURCE]);
	real *room = xcalloc(2 * (size_t)J * (size_t)(I + J) + 1, sizeof(*room));
	const struct synchrony_projection p = op_synchrony_project(&how, J, I, c, e, room);

	sync_set_matrix(&matrix[PROJECTED], &matrix[TARGET], p.m);
	sync_set_matrix(&matrix[MAPPED], &matrix[TARGET], p.mapped);
	free(c);
	free(e);
	free(room);
}

static int
sync_take_weights(const struct picture_view *v, const struct state *st,
		  struct picture_matrix *matrix, struct err *e)
{
	const struct site *cross = &v->sites[v->n_sites - 1];

	if (v->weights(v, ENCODER_SELF, dependency_layer(v, ENCODER_SELF), 1, &matrix[SOURCE], e) ||
	    v->weights(v, DECODER_SELF, dependency_layer(v, DECODER_SELF), 1, &matrix[TARGET], e))
		return -1;
	return v->weights(v, DECODER_CROSS, cross_layer(st, cross), st->head, &matrix[CROSS], e);
}

static int
draw_synchrony(const struct picture_view *v, struct picture_matrix *matrix, struct err *e)
{
	const struct state *st = v->a ? attention_state(v->a) : &defaults;

	if (sync_take_weights(v, st, matrix, e))
		return -1;
	sync_project(st, matrix);
	for (int k = 0; k < PANELS; k++)
		matrix[k].title = titles[k];
	return 0;
}

static const struct attention_picture pictures[] = {
	{ .name = "sync", .title = "synchronous attention",
	  .caption = "dependencies of both sides, and the source's projected to the target",
	  .unit = "weight", .of = PICTURE_MODEL, .n = PANELS, .sentence = 1, .words = 1,
	  .own_range = 1, .draw = draw_synchrony },
	{ .name = NULL }
};

static const struct attention_case cases[] = {
	{ "dbsa sync", NOT_NEUTRAL },
	{ "dbsa:dec=2,src_weight=0 "
	  "sync:weight=3,layer=2,head=2,norm=cell,map=renorm", NOT_NEUTRAL },
	{ "dbsa sync:norm=sentence,temperature=0.3", NOT_NEUTRAL },
	{ "dbsa:src_weight=0,tgt_weight=0 sync:weight=0", NEUTRAL_IF_IDENTITY },
	{ 0 }
};

const struct attention_variant attention_sync = {
	.name = "sync",
	.paper = "Deguchi, Tamura and Ninomiya 2021, synchronous attention, after dbsa",
	.version = 1,
	.state_size = sizeof(struct state),
	.defaults = &defaults,
	.options = options,
	.open = sync_open,
	.unfused = 1,
	.loss = sync_loss,
	.count = sync_count,
	.report = sync_report,
	.pictures = pictures,
	.cases = cases,
};
