/* optimizer: see optimizer.h. */
#include "train/optimizer.h"

#include <math.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>

#include "base/compiler.h"
#include "base/err.h"
#include "base/mem.h"
#include "base/pool.h"
#include "model/model.h"
#include "tensor/kernels.h"

#define CHUNK 16384	/* elements: 64 KiB of each block */

static void
add_chunks(struct optimizer *o, size_t *room, const struct param *p)
{
	for (size_t done = 0; done < p->n; done += CHUNK) {
		const size_t k = p->n - done < CHUNK ? p->n - done : CHUNK;

		o->chunk = mem_grow(o->chunk, room, o->n_chunks + 1, sizeof(*o->chunk));
		o->chunk[o->n_chunks++] = (struct chunk){ p->at + done, k, p->rate };
	}
}

void
optimizer_init(struct optimizer *o, struct params *p, double beta1, double beta2, double eps,
	       double decay)
{
	size_t room = 0;

	memset(o, 0, sizeof(*o));
	o->params = p;
	o->beta1 = beta1;
	o->beta2 = beta2;
	o->eps = eps;
	o->decay = decay;
	o->m = xcalloc(p->total + 1, sizeof(*o->m));
	o->v = xcalloc(p->total + 1, sizeof(*o->v));
	for (size_t i = 0; i < p->n; i++)
		if (!p->list[i]->frozen)
			add_chunks(o, &room, p->list[i]);
	o->sum = xcalloc(o->n_chunks + 1, sizeof(*o->sum));
}

void
optimizer_release(struct optimizer *o)
{
	free(o->m);
	free(o->v);
	free(o->chunk);
	free(o->sum);
	memset(o, 0, sizeof(*o));
}

static void
chunk_norm(void *arg, int chunk, int thread)
{
	struct optimizer *o = arg;
	const struct chunk *s = &o->chunk[chunk];

	(void)thread;
	o->sum[chunk] = k_sum_squares(s->n, o->params->grad + s->at);
}

double
optimizer_norm(struct optimizer *o, struct pool *pool)
{
	double sum = 0;

	pool_run(pool, (int)o->n_chunks, chunk_norm, o);
	for (size_t i = 0; i < o->n_chunks; i++)
		sum += o->sum[i];
	return sqrt(sum);
}

struct clamp { struct optimizer *o; real limit; };

static void
chunk_clamp(void *arg, int chunk, int thread)
{
	const struct clamp *c = arg;
	const struct chunk *s = &c->o->chunk[chunk];
	real *g = c->o->params->grad + s->at;

	(void)thread;
	for (size_t i = 0; i < s->n; i++) {
		if (g[i] > c->limit)
			g[i] = c->limit;
		if (g[i] < -c->limit)
			g[i] = -c->limit;
	}
}

void
optimizer_clamp(struct optimizer *o, struct pool *pool, double limit)
{
	struct clamp c = { o, (real)limit };

	pool_run(pool, (int)o->n_chunks, chunk_clamp, &c);
}

/* --- Adam --- */

struct adam {
	real lr, beta1, beta2, eps, decay;
	real scale;			/* of the gradients: clipping, number of tokens */
	real correct1, correct2;	/* 1 / (1 - beta^t) of beta1, beta2 in update t */
};

#ifdef REAL_DOUBLE
#define SQRT sqrt
#else
#define SQRT sqrtf
#endif

/* The formulas of optimizer.h for n elements: this writes the new values of the parameters, x. */
CLONES static void
adam_step(size_t n, const struct adam *a, const real *grad, real *x, real *m, real *v)
{
	const struct adam s = *a;

	for (size_t i = 0; i < n; i++) {
		real g = grad[i] * s.scale;

		m[i] = s.beta1 * m[i] + (1 - s.beta1) * g;
		v[i] = s.beta2 * v[i] + (1 - s.beta2) * g * g;
		x[i] -= s.lr *
			(s.decay * x[i] + m[i] * s.correct1 / (SQRT(v[i] * s.correct2) + s.eps));
	}
}

struct update { struct optimizer *o; struct adam adam; };

static void
chunk_step(void *arg, int chunk, int thread)
{
	const struct update *u = arg;
	const struct optimizer *o = u->o;
	const struct chunk *s = &o->chunk[chunk];
	struct adam adam = u->adam;

	(void)thread;
	adam.lr *= s->rate;
	if (s->rate < 0)
		adam.decay = 0;
	/* Element i of params->grad is the gradient of element i of params->x (params.h). */
	adam_step(s->n, &adam, o->params->grad + s->at, o->params->x + s->at, o->m + s->at,
		  o->v + s->at);
}

void
optimizer_step(struct optimizer *o, struct pool *pool, int64_t t, double lr, double scale)
{
	struct update u = { .o = o, .adam = {
		.lr = (real)lr, .beta1 = (real)o->beta1, .beta2 = (real)o->beta2,
		.eps = (real)o->eps,
		.decay = (real)o->decay, .scale = (real)scale,
		.correct1 = (real)(1 / (1 - pow(o->beta1, (double)t))),
		.correct2 = (real)(1 / (1 - pow(o->beta2, (double)t))),
	} };

	pool_run(pool, (int)o->n_chunks, chunk_step, &u);
}

/* --- learning rate --- */

const char *const schedule_names[] = {
	[SCHEDULE_CONSTANT] = "constant", [SCHEDULE_INVERSE_SQRT] = "inverse_sqrt",
	[SCHEDULE_NOAM] = "noam", [SCHEDULE_LINEAR] = "linear", [SCHEDULE_PLATEAU] = "plateau",
	NULL
};

static double
noam(const struct schedule *s, double update)
{
	double warmup = s->warmup > 0 ? (double)s->warmup : 1;

	return s->factor / sqrt((double)s->width) *
	       fmin(1 / sqrt(update), update / (warmup * sqrt(warmup)));
}

static double
inverse_sqrt(const struct schedule *s, double update)
{
	return s->lr * sqrt((s->warmup > 0 ? (double)s->warmup : 1) / update);
}

static double
linear(const struct schedule *s, int64_t update)
{
	if (update > s->total)
		return 0;
	return s->lr * (double)(s->total - update + 1) / (double)(s->total - s->warmup + 1);
}

double
schedule_rate(const struct schedule *s, int64_t update)
{
	if (s->kind == SCHEDULE_NOAM)
		return noam(s, (double)update);
	if (update <= s->warmup)
		return s->lr_init + (s->lr - s->lr_init) * (double)update / (double)s->warmup;
	switch (s->kind) {
	case SCHEDULE_INVERSE_SQRT:
		return inverse_sqrt(s, (double)update);
	case SCHEDULE_LINEAR:
		return linear(s, update);
	case SCHEDULE_CONSTANT:
	case SCHEDULE_PLATEAU:
		return s->lr;
	default:
		bug("schedule %d", s->kind);
	}
}
