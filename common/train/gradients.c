/*
 * gradients: the gradients of a batch, in parts.
 *
 * A batch is divided into parts, so that memory does not grow with its size.  The division depends
 * on the batch alone.  As many parts as there are threads run at once, each in a lane with a share
 * of the threads: the values of a lane stay in its processor's caches, lanes wait for each other
 * once per part instead of once per op, and each makes the batch of its part itself.  Gradients are
 * added to those of the parameters part by part, so the number of lanes does not affect the result:
 * the first lane adds each gradient once it is complete (in the first part of an update, it stores
 * them), and the other lanes have gradients of their own, which are added after their parts.
 *
 * With a back end that is not thread-safe, and with several ranks, whose sums begin during the last
 * backward pass, parts run one at a time with all threads, as in the first lane.
 */
#include <stdlib.h>

#include "base/mem.h"
#include "base/pool.h"
#include "model/model-input.h"
#include "stream/store.h"
#include "tensor/kernels.h"
#include "train/trainer.h"

enum { CHUNK = 1 << 15 };	/* elements of a gradient that are added at a time */

/* --- the sentences of a batch --- */

static void
need_records(struct records *r, size_t n)
{
	if (n <= r->room)
		return;
	r->record = xreallocarray(r->record, n, sizeof(struct record *));
	r->number = xreallocarray(r->number, n, sizeof(*r->number));
	for (; r->room < n; r->room++)
		r->record[r->room] = record_new();
}

int
records_load(struct records *r, const struct model *m, const struct corpus *c,
	     const uint32_t *record, size_t n, struct err *e)
{
	need_records(r, n);
	for (size_t i = 0; i < n; i++) {
		r->number[i] = record[i];
		if (store_record(c->store, record[i], r->record[i], e))
			return -1;
		if (model_put_first_tokens(m, r->record[i], true, e))
			return err_wrap(e, "record %lld", (long long)record[i] + 1);
	}
	return 0;
}

void
records_release(struct records *r)
{
	for (size_t i = 0; i < r->room; i++)
		record_free(r->record[i]);
	free(r->record);
	free(r->number);
}

int
trainer_make_batch(struct trainer *t, struct records *x, const struct corpus *c,
		   const uint32_t *record, size_t n, struct arena *mem, struct batch *b,
		   struct err *e)
{
	enum profile_part before = profile_part(t->profile, PROFILE_DATA);
	struct batch_rules rules;
	int r;

	model_batch_rules(t->model, &rules);
	rules.with_target = true;
	rules.seed = t->run.pass.seed;
	rules.step = t->run.pass.step;
	if (!t->run.pass.training)
		rules.word_dropout = 0;
	r = records_load(x, t->model, c, record, n, e) ||
	    model_batch(t->model, b, mem, (const struct record *const *)x->record, x->number,
			(int)n, &rules, e);
	if (t->run.pass.training) {
		b->counts = t->counts;
		b->target = t->target;
	}
	profile_part(t->profile, before);
	return r ? -1 : 0;
}

/* --- lanes --- */

struct lane {
	/* The first lane uses those of the runtime, which validation needs at other times. */
	struct arena *step, *scratch;
	struct arena own_step, own_scratch, grads;
	struct pass pass;
	struct tape *tape;
	/* Its share of the threads in whole rounds, and in the last one; NULL: one thread. */
	struct pool *pool[2];
	real *own;			/* gradients, laid out as params.grad; NULL in the first
					 * lane, and before their first use */
	int part;			/* which it runs */
	struct records records;
	struct batch_sums sums;
	int failed;			/* -1: e says why */
	struct err e;
};

struct lanes {
	struct lane **lane;		/* [n] */
	int n;
	bool blank;			/* params.grad has nothing of this update yet */
	struct batch_parts parts;	/* of the current batch */
};

static struct lane *
lane_new(struct trainer *t, int number)
{
	struct lane *l = xcalloc(1, sizeof(*l));

	arena_init(&l->own_step, ARENA_LARGE);
	arena_init(&l->own_scratch, ARENA_LARGE);
	arena_init(&l->grads, 0);
	l->step = number ? &l->own_step : &t->run.step;
	l->scratch = number ? &l->own_scratch : &t->run.scratch;
	l->tape = tape_new(l->step, &l->pass);
	profile_watch(t->profile, l->tape);
	return l;
}

static void
lane_free(struct lane *l)
{
	if (!l)
		return;
	tape_free(l->tape);
	pool_free(l->pool[0]);
	pool_free(l->pool[1]);
	records_release(&l->records);
	arena_release(&l->own_step);
	arena_release(&l->own_scratch);
	arena_release(&l->grads);
	free(l);
}

static struct lanes *
trainer_lanes(struct trainer *t)
{
	if (!t->lanes)
		t->lanes = xcalloc(1, sizeof(*t->lanes));
	return t->lanes;
}

void
trainer_lanes_free(struct trainer *t)
{
	if (!t->lanes)
		return;
	for (int i = 0; i < t->lanes->n; i++)
		lane_free(t->lanes->lane[i]);
	free(t->lanes->lane);
	batch_parts_release(&t->lanes->parts);
	free(t->lanes);
}

static bool
may_use_lanes(const struct trainer *t)
{
	return t->ranks->n == 1 && t->run.backend.caps & BACKEND_THREAD_SAFE;
}

/*
 * The number of these parts that run at once.  Lanes of several threads and a last round of fewer
 * lanes can use threads that a lane for each part would leave idle: 12 parts on 16 threads take
 * three quarters of the time in rounds of 8 and 4.  A profile measures each op, so it has one lane.
 */
static int
choose_lanes(const struct trainer *t, int parts)
{
	const int threads = pool_threads(t->run.pool);
	double least = 0;
	int best = 1;

	for (int n = 1; !t->profile && n <= parts && n <= threads; n++) {
		const int last = parts % n;
		double time = parts / n / (double)(threads / n);	/* of a part on a thread */

		if (last)
			time += 1 / (double)(threads / last);
		if (n == 1 || time <= least) {
			least = time;
			best = n;
		}
	}
	return best;
}

static int
number_of_parts(const struct trainer *t, const uint32_t *record, size_t n)
{
	int64_t src, tgt;

	corpus_tokens(&t->corpus, record, n, &src, &tgt);
	return (int)(((src > tgt ? src : tgt) + t->part_tokens - 1) / t->part_tokens);
}

/* The gradients of one batch. */
struct task {
	struct trainer *t;
	int parts;
	double scale;
};

static int
make_part(const struct task *k, int part, struct records *r, struct arena *mem, struct batch *b,
	  struct err *e)
{
	const uint32_t *record;
	const size_t n = batch_parts_get(&k->t->lanes->parts, part, &record);

	*b = (struct batch){ 0 };
	return n ? trainer_make_batch(k->t, r, &k->t->corpus, record, n, mem, b, e) : 0;
}

/* The threads of a lane: all of them, one, or a pool of its own, *pool. */
static struct pool *
share_of_threads(struct pool **pool, struct pool *all, int lanes)
{
	const int share = pool_threads(all) / lanes;

	if (lanes == 1)
		return all;
	if (share == 1)
		return NULL;
	if (pool_threads(*pool) != share) {
		pool_free(*pool);
		*pool = pool_new(share);
	}
	return *pool;
}

/* For a part that runs while no other adds to the gradients of the parameters. */
static void
gradients_of_first(struct trainer *t, struct tape *tape)
{
	if (t->lanes->blank)
		tape_gradients_to(tape, t->model->params.grad);
	else
		tape_gradients_add(tape, t->model->params.grad);
	t->lanes->blank = false;
}

/*
 * Called by the thread that runs the lane, which touches all memory of the lane first: with several
 * memory nodes, it is near.
 */
static void
choose_gradients(struct trainer *t, struct lane *l)
{
	const struct params *p = &t->model->params;

	if (l == t->lanes->lane[0]) {
		gradients_of_first(t, l->tape);
		return;
	}
	if (!l->own)
		l->own = arena_zero(&l->grads, p->total * sizeof(*l->own));
	tape_gradients_to(l->tape, l->own);
}

static void
begin_lane(const struct task *k, struct lane *l, int part, int lanes, bool is_whole)
{
	l->pass = k->t->run.pass;
	l->pass.scratch = l->scratch;
	l->pass.pool = share_of_threads(&l->pool[!is_whole], k->t->run.pool, lanes);
	l->part = part;
	l->sums = (struct batch_sums){ 0 };
}

static void
run_lane(void *arg, int i, int thread)
{
	const struct task *k = arg;
	struct lane *l = k->t->lanes->lane[i];
	struct batch b;

	(void)thread;
	choose_gradients(k->t, l);
	l->failed = make_part(k, l->part, &l->records, l->step, &b, &l->e);
	if (l->failed)
		tape_rewind(l->tape);
	else
		trainer_run_batch(k->t, l->tape, &b, k->scale, &l->sums);
}

struct adding { struct trainer *t; int lanes; };

static void
add_chunk(void *arg, int chunk, int thread)
{
	const struct adding *a = arg;
	const struct params *p = &a->t->model->params;
	const size_t at = (size_t)chunk * CHUNK, n = p->total - at < CHUNK ? p->total - at : CHUNK;

	(void)thread;
	for (int i = 1; i < a->lanes; i++)
		k_add(n, p->grad + at, a->t->lanes->lane[i]->own + at, p->grad + at);
}

static void
add_lanes(struct trainer *t, int lanes, struct batch_sums *sums)
{
	struct adding a = { t, lanes };

	if (lanes > 1)
		pool_run(t->run.pool, (int)((t->model->params.total + CHUNK - 1) / CHUNK),
			 add_chunk, &a);
	for (int i = 0; i < lanes; i++) {
		const struct batch_sums *s = &t->lanes->lane[i]->sums;

		sums->loss += s->loss;
		sums->nll += s->nll;
		sums->target += s->target;
		sums->tokens += s->tokens;
		sums->masked += s->masked;
	}
}

static void
need_lanes(struct trainer *t, int n)
{
	struct lanes *x = t->lanes;

	if (n <= x->n)
		return;
	x->lane = xreallocarray(x->lane, (size_t)n, sizeof(*x->lane));
	for (; x->n < n; x->n++)
		x->lane[x->n] = lane_new(t, x->n);
}

/* The error of the first lane that failed, so that it is the same for any number of threads. */
static int
lanes_failed(const struct lanes *x, int n, struct err *e)
{
	for (int i = 0; i < n; i++) {
		if (x->lane[i]->failed) {
			*e = x->lane[i]->e;
			return -1;
		}
	}
	return 0;
}

static int
in_lanes(struct task *k, struct batch_sums *sums, struct err *e)
{
	const int lanes = choose_lanes(k->t, k->parts);

	need_lanes(k->t, lanes);
	for (int from = 0, n; from < k->parts; from += n) {
		n = k->parts - from < lanes ? k->parts - from : lanes;
		for (int i = 0; i < n; i++)
			begin_lane(k, k->t->lanes->lane[i], from + i, n, n == lanes);
		pool_run(n > 1 ? k->t->run.pool : NULL, n, run_lane, k);
		if (lanes_failed(k->t->lanes, n, e))
			return -1;
		add_lanes(k->t, n, sums);
	}
	return 0;
}

static int
one_by_one(struct task *k, bool is_last, struct batch_sums *sums, struct err *e)
{
	struct tape *tape = k->t->run.tape;

	for (int i = 0; i < k->parts; i++) {
		struct batch b;

		gradients_of_first(k->t, tape);
		if (is_last && i == k->parts - 1)
			gradient_sum_begin(&k->t->sum, tape);
		if (make_part(k, i, &k->t->records, tape_arena(tape), &b, e)) {
			tape_rewind(tape);
			return -1;
		}
		trainer_run_batch(k->t, tape, &b, k->scale, sums);
	}
	return 0;
}

void
trainer_begin_gradients(struct trainer *t)
{
	trainer_lanes(t)->blank = true;
}

int
trainer_gradients(struct trainer *t, const uint32_t *record, size_t n, double scale, bool is_last,
		  struct batch_sums *sums, struct err *e)
{
	struct task k = { t, n ? number_of_parts(t, record, n) : 1, scale };

	batch_parts_divide(&trainer_lanes(t)->parts, &t->corpus, record, n, k.parts);
	return may_use_lanes(t) ? in_lanes(&k, sums, e) : one_by_one(&k, is_last, sums, e);
}
