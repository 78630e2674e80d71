/* params: the parameters of a model; see params.h. */
#include "tape/params.h"

#include <fnmatch.h>
#include <math.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

#include "base/buf.h"
#include "base/hash.h"
#include "base/mem.h"
#include "base/rng.h"

#define ALIGN ((size_t)64)

void
params_init(struct params *p)
{
	memset(p, 0, sizeof(*p));
}

/*
 * Cleared and aligned.  The padding between parameters stays 0, so that one loop can update all.
 * Memory of calloc() takes no place until it is used, as most gradients of head-stat never are.
 * The address to free is before the block.
 */
static real *
params_block(size_t n)
{
	char *all = xcalloc(1, n * sizeof(real) + 2 * ALIGN);
	char *x = all + ALIGN - (uintptr_t)all % ALIGN;

	((void **)(void *)x)[-1] = all;
	return (real *)(void *)x;
}

static void
params_free_block(real *x)
{
	if (x)
		free(((void **)(void *)x)[-1]);
}

void
params_release(struct params *p)
{
	for (size_t i = 0; i < p->n; i++) {
		arena_release(&p->list[i]->rows);
		free((char *)(uintptr_t)p->list[i]->name);
		free(p->list[i]);
	}
	free(p->list);
	params_free_block(p->x);
	params_free_block(p->grad);
	params_init(p);
}

struct param *
params_find(const struct params *p, const char *name)
{
	for (size_t i = 0; i < p->n; i++)
		if (!strcmp(p->list[i]->name, name))
			return p->list[i];
	return NULL;
}

struct param *
params_add(struct params *p, const char *name, enum init init, real scale, int n_dim, const int *d)
{
	struct param *q;

	if (p->x)
		bug("parameter %s is added after params_allocate()", name);
	if (params_find(p, name))
		bug("parameter %s is added twice", name);
	q = xcalloc(1, sizeof(*q));
	q->name = xstrdup(name);
	q->init = init;
	q->scale = scale;
	q->n_dim = n_dim;
	q->n = 1;
	for (int i = 0; i < n_dim; i++) {
		q->d[i] = d[i];
		q->n *= (size_t)d[i];
	}
	q->rate = 1;
	q->fan_out = n_dim ? d[0] : 1;
	q->fan_in = n_dim > 1 ? d[1] : q->fan_out;
	p->list = mem_grow(p->list, &p->room, p->n + 1, sizeof(struct param *));
	p->list[p->n++] = q;
	return q;
}

struct param *
params_add_named(struct params *p, enum init init, real scale, int n_dim, const int *d,
		 const char *fmt, ...)
{
	struct buf name = { 0 };
	struct param *q;
	va_list ap;

	va_start(ap, fmt);
	buf_vprintf(&name, fmt, ap);
	va_end(ap);
	q = params_add(p, name.data, init, scale, n_dim, d);
	buf_release(&name);
	return q;
}

static void
params_place(struct params *p)
{
	const size_t step = ALIGN / sizeof(real);

	p->total = 0;
	for (size_t i = 0; i < p->n; i++) {
		struct param *q = p->list[i];

		q->at = p->total;
		if (!q->narrow)
			p->total += (q->n + step - 1) / step * step;
	}
}

/* An arena for each, so that its memory can be freed before that of others. */
static void
param_allocate_narrow(struct param *q)
{
	arena_init(&q->rows, q->n);
	q->q = ARENA_ARRAY(&q->rows, int8_t, q->n);
	q->unit = ARENA_ARRAY(&q->rows, real, q->d[0]);
}

void
params_allocate(struct params *p, bool gradients)
{
	if (p->x)
		bug("parameters are allocated twice");
	params_place(p);
	p->x = params_block(p->total);
	if (gradients)
		p->grad = params_block(p->total);
	for (size_t i = 0; i < p->n; i++) {
		struct param *q = p->list[i];

		if (q->narrow) {
			param_allocate_narrow(q);
			continue;
		}
		q->x = p->x + q->at;
		q->grad = gradients ? p->grad + q->at : NULL;
	}
}

void
param_row(const struct param *p, int r, real *out)
{
	const ptrdiff_t n = p->d[1], at = r * n;

	if (!p->q)
		memcpy(out, p->x + at, (size_t)n * sizeof(*out));
	for (ptrdiff_t i = 0; p->q && i < n; i++)
		out[i] = p->unit[r] * (real)p->q[at + i];
}

void
param_widen(struct param *p)
{
	struct arena wide;
	real *x;

	if (!p->q)
		return;
	arena_init(&wide, p->n * sizeof(*x));
	x = ARENA_ARRAY(&wide, real, p->n);
	for (int r = 0; r < p->d[0]; r++)
		param_row(p, r, x + (ptrdiff_t)r * p->d[1]);
	param_drop(p);
	p->rows = wide;
	p->x = x;
}

void
param_drop(struct param *p)
{
	p->narrow = false;
	p->q = NULL;
	p->unit = NULL;
	arena_release(&p->rows);
}

/* Glorot and Bengio 2010 for the Xavier rules. */
static double
init_scale(const struct param *q)
{
	const double fans = (double)q->fan_in + q->fan_out;

	if (q->init == INIT_XAVIER_UNIFORM)
		return (double)q->scale * sqrt(6 / fans);
	if (q->init == INIT_XAVIER_NORMAL)
		return (double)q->scale * sqrt(2 / fans);
	return q->init == INIT_ONE ? 1 : (double)q->scale;
}

static void
randomize(struct param *q, uint64_t seed)
{
	const double scale = init_scale(q);
	struct rng r;

	rng_init(&r, seed, rng_purpose(q->name), 0);
	for (size_t i = 0; i < q->n; i++)
		switch (q->init) {
		case INIT_ZERO:
			q->x[i] = 0;
			break;
		case INIT_ONE:
		case INIT_CONSTANT:
			q->x[i] = (real)scale;
			break;
		case INIT_NORMAL:
		case INIT_XAVIER_NORMAL:
			q->x[i] = (real)(scale * rng_normal(&r));
			break;
		case INIT_UNIFORM:
		case INIT_XAVIER_UNIFORM:
			q->x[i] = (real)(scale * (2 * rng_uniform(&r) - 1));
			break;
		}
}

void
params_randomize(struct params *p, uint64_t seed)
{
	for (size_t i = 0; i < p->n; i++)
		randomize(p->list[i], seed);
}

static bool
same_shape(const struct param *a, const struct param *b, int but)
{
	if (a->n_dim != b->n_dim)
		return false;
	for (int i = 0; i < a->n_dim; i++)
		if (a->d[i] != b->d[i] && i != but)
			return false;
	return true;
}

/* Sets at[] to the index in stored of each block of wanted; false if one is missing. */
static bool
find_blocks(const struct cut *wanted, const struct cut *stored, int *at)
{
	for (int i = 0, j = 0; i < wanted->n; i++) {
		while (j < stored->n && stored->block[j] < wanted->block[i])
			j++;
		if (j == stored->n || stored->block[j] != wanted->block[i])
			return false;
		at[i] = j;
	}
	return true;
}

/* The number of contiguous elements of one block. */
static size_t
block_size(const struct param *p)
{
	size_t n = (size_t)(p->d[p->cut.axis] / (p->cut.parts * p->cut.n));

	for (int i = p->cut.axis + 1; i < p->n_dim; i++)
		n *= (size_t)p->d[i];
	return n;
}

static bool
copy_blocks(struct param *copy, const struct param *original)
{
	const size_t size = copy->cut.n ? block_size(copy) : 0;
	const size_t runs = size ? copy->n / (size * (size_t)copy->cut.n) : 0;
	int *at = xcalloc((size_t)copy->cut.n + 1, sizeof(*at));
	const bool found = find_blocks(&copy->cut, &original->cut, at) &&
		(!size || block_size(original) == size);

	for (size_t run = 0; found && run < runs; run++)
		for (int i = 0; i < copy->cut.n; i++)
			memcpy(copy->x + (run * (size_t)copy->cut.n + (size_t)i) * size,
			       original->x + (run * (size_t)original->cut.n + (size_t)at[i]) * size,
			       size * sizeof(*copy->x));
	free(at);
	return found;
}

bool
param_copy(struct param *copy, const struct param *original)
{
	const struct cut *a = &copy->cut, *b = &original->cut;

	if (a->parts && a->parts == b->parts && a->axis == b->axis && a->of == b->of)
		return same_shape(copy, original, a->axis) && copy_blocks(copy, original);
	if (!same_shape(copy, original, -1))
		return false;
	memcpy(copy->x, original->x, copy->n * sizeof(*copy->x));
	return true;
}

size_t
params_freeze(struct params *p, const char *pattern)
{
	size_t n = 0;

	for (size_t i = 0; i < p->n; i++) {
		if (!fnmatch(pattern, p->list[i]->name, 0)) {
			p->list[i]->frozen = true;
			n++;
		}
	}
	return n;
}

/* The name with its terminating null, so that the names "a", "bc" are not "ab", "c". */
uint64_t
param_digest(uint64_t h, const struct param *p)
{
	h = hash_fnv1a(h, p->name, strlen(p->name) + 1);
	return hash_fnv1a(h, p->d, (size_t)p->n_dim * sizeof(*p->d));
}
