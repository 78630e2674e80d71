/* network: parameters, encoder and scorers; see network.h. */
#include "parser/network.h"

#include <math.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/mem.h"
#include "tensor/product.h"

#define AT(field) .at = offsetof(struct network_config, field)
#define INT(name, lo, hi, words) \
	{ .kind = OPT_INT, .long_name = #name, .arg = "n", .help = words, AT(name), \
	  .min = lo, .max = hi }
#define SHARE(name, words) \
	{ .kind = OPT_FLOAT, .long_name = #name, .arg = "x", .help = words, AT(name), \
	  .min = 0, .max = 0.999 }

const struct opt network_options[] = {
	INT(word_width, 2, 4096, "width of word embeddings"),
	INT(feature_width, 1, 4096, "width of feature embeddings"),
	INT(feature_rows, 1, 16777216, "rows of the feature table"),
	INT(convolutions, 0, 16, "convolution layers"),
	INT(layers, 0, 64, "self-attention layers"),
	INT(relative, 0, 1000, "maximum distance of relative position embeddings"),
	INT(width, 1, 16384, "width of the encoder"),
	INT(ff, 1, 65536, "width of the feed-forward layers"),
	INT(heads, 1, 256, "attention heads per layer"),
	INT(arc, 1, 16384, "width of the arc scorer"),
	INT(span, 1, 16384, "width of the span scorer"),
	INT(distance, 0, 1000, "maximum distance of distance embeddings in scores"),
	INT(hidden, 1, 16384, "width of the hidden layer of labels and tags"),
	SHARE(dropout, "dropout of embeddings, sublayers and hidden layers"),
	SHARE(word_dropout, "fraction of words whose word embedding is hidden in training"),
	{ .kind = OPT_END }
};

const struct network_config network_defaults = {
	.word_width = 96, .feature_width = 96, .feature_rows = 16384,
	.convolutions = 1, .layers = 4, .relative = 8, .width = 256, .ff = 512, .heads = 8,
	.arc = 256, .span = 192, .distance = 16, .hidden = 128,
	.dropout = 0.25, .word_dropout = 0.25,
};

#define NORM_EPS ((real)1e-6)

static struct affine
add_affine(struct network *n, const char *where, int width)
{
	return (struct affine){
		params_add_named(&n->params, INIT_ONE, 1, 1, &width, "%s.gain", where),
		params_add_named(&n->params, INIT_ZERO, 1, 1, &width, "%s.bias", where),
	};
}

static struct linear
add_linear(struct network *n, const char *where, int out, int width_in)
{
	return (struct linear){
		params_add_named(&n->params, INIT_XAVIER_UNIFORM, 1, 2, (int[]){ out, width_in },
				 "%s.weight", where),
		params_add_named(&n->params, INIT_ZERO, 1, 1, &out, "%s.bias", where),
	};
}

/* Formats a parameter name with the number of a layer, from 1. */
static const char *
numbered(char *out, size_t n, const char *fmt, int i)
{
	snprintf(out, n, fmt, i + 1);
	return out;
}

/* A row for each distance from -reach to reach. */
static struct param *
add_distances(struct network *n, const char *name, int reach, int width)
{
	return params_add(&n->params, name, INIT_NORMAL, (real)(1 / sqrt((double)width)), 2,
			  (int[]){ 2 * reach + 1, width });
}

static void
network_add_layer(struct network *n, int i)
{
	const struct network_config *c = &n->config;
	struct encoder_layer *l = &n->layer[i];
	int D = (int)c->width, F = (int)c->ff;
	char s[64];

	l->self_norm = add_affine(n, numbered(s, sizeof(s), "enc.%d.self.norm", i), D);
	l->qkv = add_linear(n, numbered(s, sizeof(s), "enc.%d.self.qkv", i), 3 * D, D);
	if (c->relative)
		l->relative = add_distances(n, numbered(s, sizeof(s), "enc.%d.self.relative", i),
					    (int)c->relative, D / (int)c->heads);
	l->out = add_linear(n, numbered(s, sizeof(s), "enc.%d.self.out", i), D, D);
	l->ff_norm = add_affine(n, numbered(s, sizeof(s), "enc.%d.ff.norm", i), D);
	l->ff_in = add_linear(n, numbered(s, sizeof(s), "enc.%d.ff.in", i), F, D);
	l->ff_out = add_linear(n, numbered(s, sizeof(s), "enc.%d.ff.out", i), D, F);
}

static void
add_encoder(struct network *n)
{
	const struct network_config *c = &n->config;
	int D = (int)c->width;
	char s[64];

	n->word = params_add(&n->params, "word", INIT_NORMAL,
			     (real)(1 / sqrt((double)c->word_width)), 2,
			     (int[]){ n->words.n, (int)c->word_width });
	n->feature = params_add(&n->params, "feature", INIT_NORMAL, (real)0.2, 2,
				(int[]){ (int)c->feature_rows, (int)c->feature_width });
	n->word_in = add_linear(n, "in.word", D, (int)c->word_width);
	n->feature_in = add_linear(n, "in.feature", D, (int)c->feature_width);
	n->norm_in = add_affine(n, "in.norm", D);
	n->convolution = xcalloc((size_t)c->convolutions + 1, sizeof(*n->convolution));
	for (int i = 0; i < c->convolutions; i++) {
		struct convolution *l = &n->convolution[i];

		l->norm = add_affine(n, numbered(s, sizeof(s), "conv.%d.norm", i), D);
		l->in = add_linear(n, numbered(s, sizeof(s), "conv.%d", i), D, 3 * D);
	}
	n->layer = xcalloc((size_t)c->layers + 1, sizeof(*n->layer));
	for (int i = 0; i < c->layers; i++)
		network_add_layer(n, i);
	n->norm_out = add_affine(n, "out.norm", D);
}

bool
network_has_arcs(const struct network *n)
{
	return n->labels[LABEL_REL].n > 0;
}

bool
network_has_spans(const struct network *n)
{
	return n->labels[LABEL_SPAN].n > 0;
}

static void
network_add_labels(struct network *n, int set, const char *name, int width_in)
{
	char *where = xasprintf("%s.first", name), *other = xasprintf("%s.second", name);
	int hidden = (int)n->config.hidden;

	if (width_in) {
		n->first[set] = add_linear(n, where, hidden, width_in);
		n->second[set] = add_linear(n, other, hidden, width_in);
	}
	n->label[set] = add_linear(n, name, (int)n->labels[set].n, hidden);
	free(where);
	free(other);
}

static void
network_add_scores(struct network *n)
{
	const struct network_config *c = &n->config;
	int D = (int)c->width, A = (int)c->arc, S = (int)c->span;

	n->tag = add_linear(n, "tag.hidden", (int)c->hidden, D);
	if (n->labels[LABEL_UPOS].n)
		network_add_labels(n, LABEL_UPOS, "tag.upos", 0);
	if (n->labels[LABEL_XPOS].n)
		network_add_labels(n, LABEL_XPOS, "tag.xpos", 0);
	if (network_has_arcs(n)) {
		n->arc_dep = add_linear(n, "arc.dep", A, D);
		n->arc_head = add_linear(n, "arc.head", A, D);
		n->arc = add_linear(n, "arc", A, A);
		n->arc_distance = add_distances(n, "arc.distance", (int)c->distance, A);
		network_add_labels(n, LABEL_REL, "rel", D);
	}
	if (network_has_spans(n)) {
		n->span_left = add_linear(n, "span.left", S, 2 * D);
		n->span_right = add_linear(n, "span.right", S, 2 * D);
		n->span = add_linear(n, "span", S, S);
		n->span_distance = add_distances(n, "span.distance", (int)c->distance, S);
		network_add_labels(n, LABEL_SPAN, "label", 2 * D);
	}
}

int
network_config_check(const struct network_config *c, struct err *e)
{
	if (c->width % c->heads)
		return err_set(e, EXIT_USAGE, "width is %lld, expected a multiple of heads=%lld",
			       (long long)c->width, (long long)c->heads);
	if (c->word_width % 2)
		return err_set(e, EXIT_USAGE, "word_width is %lld, expected an even number",
			       (long long)c->word_width);
	return 0;
}

struct network *
network_new(const struct network_config *c, struct vocab *words, struct strmap *labels,
	    struct err *e)
{
	struct network *n = xcalloc(1, sizeof(*n));

	n->config = *c;
	n->words = *words;
	vocab_init(words);
	for (int i = 0; i < LABEL_SETS; i++) {
		n->labels[i] = labels[i];
		labels[i] = (struct strmap){ .text = NULL };
	}
	params_init(&n->params);
	arena_init(&n->prepared, 0);
	if (network_config_check(c, e)) {
		network_free(n);
		return NULL;
	}
	add_encoder(n);
	network_add_scores(n);
	return n;
}

void
network_free(struct network *n)
{
	if (!n)
		return;
	vocab_release(&n->words);
	for (int i = 0; i < LABEL_SETS; i++)
		strmap_release(&n->labels[i]);
	params_release(&n->params);
	arena_release(&n->prepared);
	free(n->convolution);
	free(n->layer);
	free(n);
}

/* Only weights are prepared: embedding tables are not factors of matrix products. */
static bool
is_weight(const struct param *w)
{
	static const char end[] = ".weight";
	size_t n = strlen(w->name);

	return n >= sizeof(end) && !strcmp(w->name + n - sizeof(end) + 1, end);
}

void
network_prepare(struct network *n, struct pass *p)
{
	for (size_t i = 0; i < n->params.n; i++) {
		struct param *w = n->params.list[i];
		const struct gemm g = {
			.n = w->d[0], .k = w->d[1], .trans_b = true, .b = w->x, .ldb = w->d[1]
		};

		if (is_weight(w))
			w->prepared = product_prepare(p->backend, p->pool, &n->prepared, &g);
	}
}

static struct node *
dense(struct tape *t, struct node *x, const struct linear *l)
{
	return op_linear(t, x, tape_param(t, l->weight), tape_param(t, l->bias));
}

static struct node *
rectified(struct tape *t, struct node *x, const struct linear *l, real dropout)
{
	return op_linear_relu(t, x, tape_param(t, l->weight), tape_param(t, l->bias), dropout);
}

static struct node *
network_norm(struct tape *t, struct node *x, const struct affine *a)
{
	return op_norm(t, x, tape_param(t, a->gain), tape_param(t, a->bias), NORM_EPS);
}

static real
dropout(const struct network *n)
{
	return (real)n->config.dropout;
}

static struct node *
network_embed(struct network *n, struct tape *t, const struct pack *p)
{
	const struct bag looks = { &p->rows, p->bag_start, p->bag };
	struct node *word, *look;

	word = op_embed(t, tape_param(t, n->word), NULL, &(struct embed){
		.rows = &p->rows, .id = p->word, .pos = p->place, .positions = p->positions,
		.scale = (real)sqrt((double)n->config.word_width), .p = dropout(n),
	});
	look = op_bag(t, tape_param(t, n->feature), &looks);
	look = op_dropout(t, look, dropout(n));
	word = dense(t, word, &n->word_in);
	return network_norm(t, op_add(t, word, dense(t, look, &n->feature_in)), &n->norm_in);
}

static struct node *
network_attend(struct network *n, struct tape *t, struct node *qkv, const struct pack *p,
	       const struct encoder_layer *l)
{
	int D = (int)n->config.width, H = (int)n->config.heads;
	real scale = (real)(1 / sqrt((double)D / H));
	struct node *q = op_columns(t, qkv, 0, D), *k = op_columns(t, qkv, D, D);
	struct node *v = op_columns(t, qkv, 2 * D, D), *s;
	const struct attend a = {
		.queries = &p->rows, .keys = &p->rows, .heads = H, .scale = scale, .p = dropout(n)
	};

	if (!l->relative)
		return op_attention(t, q, k, v, &a);
	s = op_scores(t, q, k, &p->rows, &p->rows, H, scale, false);
	s = op_softmax(t, op_relative(t, s, q, tape_param(t, l->relative), scale, NULL));
	return op_context(t, tape_pass(t)->training ? op_dropout(t, s, dropout(n)) : s, v);
}

static struct node *
self_attention(struct network *n, struct tape *t, struct node *x, const struct pack *p,
	       const struct encoder_layer *l)
{
	struct node *qkv = dense(t, network_norm(t, x, &l->self_norm), &l->qkv);

	return op_residual(t, x, dense(t, network_attend(n, t, qkv, p, l), &l->out), dropout(n));
}

struct node *
network_encode(struct network *n, struct tape *t, const struct pack *p)
{
	struct node *x = network_embed(n, t, p), *y;

	for (int i = 0; i < n->config.convolutions; i++) {
		y = op_neighbours(t, network_norm(t, x, &n->convolution[i].norm), 1, 1);
		x = op_add(t, x, rectified(t, y, &n->convolution[i].in, dropout(n)));
	}
	for (int i = 0; i < n->config.layers; i++) {
		const struct encoder_layer *l = &n->layer[i];

		x = self_attention(n, t, x, p, l);
		y = rectified(t, network_norm(t, x, &l->ff_norm), &l->ff_in, dropout(n));
		x = op_residual(t, x, dense(t, y, &l->ff_out), dropout(n));
	}
	return network_norm(t, x, &n->norm_out);
}

/*
 * (W b_i + c)' (a_j / sqrt(d) + r_{j-i}), where b_i and a_j are projections of rows i and j to
 * width d, and r is the embedding of their distance.  The bias c scores column and distance alone.
 */
static struct node *
biaffine(struct network *n, struct tape *t, struct node *x, const struct pack *p,
	 const struct linear *row, const struct linear *column, const struct linear *middle,
	 struct param *distance)
{
	real scale = (real)(1 / sqrt((double)middle->weight->d[0]));
	struct node *i = dense(t, rectified(t, x, row, dropout(n)), middle);
	struct node *j = rectified(t, x, column, dropout(n));
	struct node *s = op_scores(t, i, j, &p->rows, &p->rows, 1, scale, false);

	return op_relative(t, s, i, tape_param(t, distance), 1, NULL);
}

struct node *
network_arcs(struct network *n, struct tape *t, struct node *h, const struct pack *p)
{
	return biaffine(n, t, h, p, &n->arc_dep, &n->arc_head, &n->arc, n->arc_distance);
}

struct node *
network_fences(struct tape *t, struct node *h)
{
	return op_neighbours(t, h, 0, 1);
}

struct node *
network_spans(struct network *n, struct tape *t, struct node *fences, const struct pack *p)
{
	return biaffine(n, t, fences, p, &n->span_left, &n->span_right, &n->span, n->span_distance);
}

struct node *
network_tags(struct network *n, struct tape *t, struct node *h)
{
	return rectified(t, h, &n->tag, dropout(n));
}

/* The part of the hidden layer that depends on one row of a pair is computed for all rows. */
struct node *
network_pairs(struct network *n, struct tape *t, struct node *x, int set,
	      const struct layout *pairs, const int *first, const int *second)
{
	const struct embed a = { .rows = pairs, .id = first, .scale = 1 };
	const struct embed b = { .rows = pairs, .id = second, .scale = 1 };
	struct node *y = dense(t, x, &n->first[set]), *z = dense(t, x, &n->second[set]);

	y = op_embed(t, y, NULL, &a);
	z = op_embed(t, z, NULL, &b);
	return op_dropout(t, op_relu(t, op_add(t, y, z)), dropout(n));
}

struct layout *
network_list(int rows, const uint32_t *key, struct arena *mem)
{
	struct layout *l = arena_zero(mem, sizeof(*l));
	int *start = ARENA_ARRAY(mem, int, 2);

	start[0] = 0;
	start[1] = rows;
	*l = (struct layout){ .n = 1, .rows = rows, .start = start, .len = start + 1, .key = key };
	return l;
}

struct node *
network_logits(struct network *n, struct tape *t, struct node *hidden, int set)
{
	return dense(t, hidden, &n->label[set]);
}
