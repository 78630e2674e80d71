/*
 * engine: a training step of a Transformer made of ops alone, on made-up sentences: tokens a
 * second, memory, and where the time goes.  engine [small|base [threads [back end [steps]]]]
 *
 * Tokens are those of source and target, as tests/perf/README.md counts them.
 */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>

#include "base/arena.h"
#include "base/mem.h"
#include "base/pool.h"
#include "base/rng.h"
#include "clock.h"
#include "ops/kit/op-list.h"
#include "ops/ops.h"
#include "tape/op.h"
#include "tape/params.h"
#include "tape/profile.h"
#include "tensor/backend/backend.h"
#include "tensor/kernels.h"
#include "train/optimizer.h"

enum { BATCH = 4096 };

struct size { const char *name; int layers, width, ff, heads, types, length; };

static const struct size sizes[] = {
	{ "small", 3, 256, 1024, 4, 8000, 14 }, { "base", 6, 512, 2048, 8, 8000, 14 }
};

struct side { struct layout l; int *id, *pos; };

struct bench {
	struct size size;
	struct params params;
	struct tape *tape;
	struct side src, tgt;
	int *out;
	real *positions;
};

/* Half to one and a half times the length; 14 is that of Multi30k's sentences. */
static void
make_side(struct side *s, const struct size *size, uint32_t purpose)
{
	struct rng r;
	int sentences = BATCH / size->length, shortest = (size->length + 1) / 2;
	int *start = xcalloc((size_t)sentences, sizeof(int)),
		*len = xcalloc((size_t)sentences, sizeof(int));
	uint32_t *key;

	rng_init(&r, 1, purpose, 0);
	s->l = (struct layout){ .n = sentences, .start = start, .len = len };
	for (int i = 0; i < sentences; i++) {
		start[i] = s->l.rows;
		len[i] = shortest + (int)rng_below(&r, (uint32_t)size->length);
		s->l.rows += len[i];
	}
	key = xcalloc((size_t)s->l.rows, sizeof(*key));
	s->id = xcalloc((size_t)s->l.rows, sizeof(int));
	s->pos = xcalloc((size_t)s->l.rows, sizeof(int));
	for (int i = 0; i < sentences; i++) {
		for (int t = 0; t < len[i]; t++) {
			key[start[i] + t] = (uint32_t)(start[i] + t);
			s->id[start[i] + t] = (int)rng_below(&r, (uint32_t)size->types);
			s->pos[start[i] + t] = t;
		}
	}
	s->l.key = key;
}

static struct node *
param(struct bench *b, const char *name, int layer, const char *side, int n_dim, int d0, int d1)
{
	char full[64];
	struct param *p;
	int d[2] = { d0, d1 };

	snprintf(full, sizeof(full), "%s.%d.%s", side, layer, name);
	p = params_find(&b->params, full);
	if (!p)
		p = params_add(&b->params, full, n_dim == 2 ? INIT_XAVIER_UNIFORM
			       : strstr(name, "gain") ? INIT_ONE : INIT_ZERO, 1, n_dim, d);
	return b->tape ? tape_param(b->tape, p) : NULL;
}

#define DROP ((real)0.1)

static struct node *
linear(struct bench *b, struct node *x, const char *name, int layer, const char *side, int out,
       int in)
{
	char bias[32];
	struct node *w = param(b, name, layer, side, 2, out, in), *c;

	snprintf(bias, sizeof(bias), "%s.bias", name);
	c = param(b, bias, layer, side, 1, out, 0);
	return b->tape ? op_linear(b->tape, x, w, c) : NULL;
}

static struct node *
close_sublayer(struct bench *b, struct node *x, struct node *y, const char *name, int layer,
	       const char *side)
{
	char gain[32], bias[32];
	int D = b->size.width;
	struct node *g, *c;

	snprintf(gain, sizeof(gain), "%s.gain", name);
	snprintf(bias, sizeof(bias), "%s.bias", name);
	g = param(b, gain, layer, side, 1, D, 0);
	c = param(b, bias, layer, side, 1, D, 0);
	return b->tape ? op_residual_norm(b->tape, x, y, g, c, (real)1e-5, DROP) : NULL;
}

static struct node *
self_attention(struct bench *b, struct node *x, const struct side *s, int layer, const char *side,
	       bool causal)
{
	int D = b->size.width;
	struct node *qkv = linear(b, x, "self.qkv", layer, side, 3 * D, D), *c = NULL;
	struct attend a = { &s->l, &s->l, b->size.heads, (real)(1 / sqrt(D / b->size.heads)), DROP,
			    causal };

	if (b->tape)
		c = op_attention(b->tape, op_columns(b->tape, qkv, 0, D),
				 op_columns(b->tape, qkv, D, D),
				 op_columns(b->tape, qkv, 2 * D, D), &a);
	return close_sublayer(b, x, linear(b, c, "self.out", layer, side, D, D), "self.norm", layer,
			      side);
}

static struct node *
cross_attention(struct bench *b, struct node *x, struct node *memory, int layer)
{
	int D = b->size.width;
	struct node *q = linear(b, x, "cross.q", layer, "dec", D, D), *c = NULL;
	struct node *kv = linear(b, memory, "cross.kv", layer, "dec", 2 * D, D);
	struct attend a = { &b->tgt.l, &b->src.l, b->size.heads,
			    (real)(1 / sqrt(D / b->size.heads)), DROP, false };

	if (b->tape)
		c = op_attention(b->tape, q, op_columns(b->tape, kv, 0, D),
				 op_columns(b->tape, kv, D, D), &a);
	return close_sublayer(b, x, linear(b, c, "cross.out", layer, "dec", D, D), "cross.norm",
			      layer, "dec");
}

static struct node *
feed_forward(struct bench *b, struct node *x, int layer, const char *side)
{
	int D = b->size.width, F = b->size.ff;
	struct node *w = param(b, "ff.in", layer, side, 2, F, D),
		*c = param(b, "ff.in.bias", layer, side, 1, F, 0);
	struct node *h = b->tape ? op_linear_relu(b->tape, x, w, c, DROP) : NULL;

	return close_sublayer(b, x, linear(b, h, "ff.out", layer, side, D, F), "ff.norm", layer,
			      side);
}

static struct node *
embed(struct bench *b, const struct side *s, struct node *table)
{
	struct embed e = { .rows = &s->l, .id = s->id, .pos = s->pos, .positions = b->positions,
			   .scale = (real)sqrt(b->size.width), .p = DROP };

	return b->tape ? op_embed(b->tape, table, NULL, &e) : NULL;
}

/* Without a tape only the parameters are named. */
static struct node *
step(struct bench *b)
{
	struct node *table = param(b, "table", 0, "all", 2, b->size.types, b->size.width);
	struct node *x = embed(b, &b->src, table), *y = embed(b, &b->tgt, table);
	struct cross_entropy c = { .target = b->out, .variant = SMOOTHING_FAIRSEQ_OLD,
				   .smoothing = (real)0.1 };

	for (int i = 1; i <= b->size.layers; i++)
		x = feed_forward(b, self_attention(b, x, &b->src, i, "enc", false), i, "enc");
	for (int i = 1; i <= b->size.layers; i++) {
		y = self_attention(b, y, &b->tgt, i, "dec", true);
		y = feed_forward(b, cross_attention(b, y, x, i), i, "dec");
	}
	return b->tape ? op_cross_entropy(b->tape, y, table, NULL, &c) : NULL;
}

static int
by_size(const void *a, const void *b)
{
	double x = *(const double *)a, y = *(const double *)b;

	return (x > y) - (x < y);
}

/* Feed-forward and heads grow with the width. */
static void
change(struct size *s, const char *setting)
{
	int n;

	if (sscanf(setting, "length=%d", &n) == 1)
		s->length = n;
	else if (sscanf(setting, "types=%d", &n) == 1)
		s->types = n;
	else if (sscanf(setting, "width=%d", &n) == 1)
		s->width = n, s->ff = 4 * n, s->heads = n / 64;
}

static void
setup(struct bench *b, const char *size, const char *setting)
{
	b->size = sizes[!strcmp(size, "base")];
	change(&b->size, setting);
	make_side(&b->src, &b->size, 1);
	make_side(&b->tgt, &b->size, 2);
	b->out = xcalloc((size_t)b->tgt.l.rows, sizeof(int));
	for (int r = 0; r < b->tgt.l.rows; r++)
		b->out[r] = b->tgt.id[(r + 1) % b->tgt.l.rows];
	b->positions = xcalloc((size_t)(2 * b->size.length) * (size_t)b->size.width, sizeof(real));
	params_init(&b->params);
	step(b);
	params_allocate(&b->params, true);
	params_randomize(&b->params, 1);
}

/* t: seconds of each step, which this sorts. */
static void
print_speed(const struct bench *b, const struct backend *back, int threads, int steps, double *t)
{
	const int tokens = b->src.l.rows + b->tgt.l.rows;
	struct rusage usage;

	qsort(t, (size_t)steps, sizeof(*t), by_size);
	getrusage(RUSAGE_SELF, &usage);
	printf("%s, %s, %d threads: median %.0f tokens/s, best %.0f; peak %ld MiB, ",
	       b->size.name, back->version(back), threads, tokens / t[steps / 2], tokens / t[0],
	       usage.ru_maxrss / 1024);
}

static void
run(struct bench *b, const char *backend, int threads, int steps)
{
	struct arena mem, scratch;
	struct backend back;
	struct err e;
	struct optimizer adam;
	double *t = xcalloc((size_t)steps + 1, sizeof(*t));
	struct profile *profile;

	arena_init(&mem, ARENA_LARGE);
	arena_init(&scratch, ARENA_LARGE);
	if (backend_open(&back, backend, &e))
		die(&e);
	struct pass pass = { .scratch = &scratch, .backend = &back, .pool = pool_new(threads),
			     .seed = 1, .training = 1 };

	b->tape = tape_new(&mem, &pass);
	profile = profile_new(b->tape, &back, ops, now);
	optimizer_init(&adam, &b->params, 0.9, 0.98, 1e-9, 0);
	for (int i = -1; i < steps; i++) {
		double start = now();
		struct node *loss;

		if (i == 0)
			profile_start(profile);
		tape_rewind(b->tape);
		pass.step = (uint32_t)(i + 1);
		loss = step(b);
		tape_gradient(b->tape, loss, 1 / (real)b->tgt.l.rows);
		profile_part(profile, PROFILE_OPTIMIZER);
		optimizer_step(&adam, pass.pool, i + 2, 1e-4, 1);
		k_zero(b->params.total, b->params.grad);
		if (i >= 0) {
			t[i] = now() - start;
			profile_step(profile);
		}
		profile_part(profile, PROFILE_STEP);
		if (i <= 0 || i == steps - 1)
			printf("step %d: loss %.6f\n", i + 1, (double)*loss->x / b->tgt.l.rows);
	}
	profile_print(profile, stdout);
	profile_free(profile);
	print_speed(b, &back, threads, steps, t);
	printf("tape %zu MiB, scratch %zu MiB\n", mem.peak >> 20, scratch.peak >> 20);
}

int
main(int argc, char **argv)
{
	static struct bench b;

	if (argc > 2 && atoi(argv[2]) == 1)
		measure = CLOCK_PROCESS_CPUTIME_ID;
	setup(&b, argc > 1 ? argv[1] : "small", argc > 5 ? argv[5] : "");
	run(&b, argc > 3 ? argv[3] : "native", argc > 2 ? atoi(argv[2]) : 2,
	    argc > 4 ? atoi(argv[4]) : 5);
	return 0;
}
