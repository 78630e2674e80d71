/* pool: a thread pool for parallel loops; see pool.h. */
#include "base/pool.h"

#include <pthread.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdlib.h>

#include "base/err.h"
#include "base/machine.h"
#include "base/mem.h"

/*
 * Polls before a waiting thread sleeps.  Ops follow each other within microseconds, but a
 * spinning thread takes processor time from other processes.
 */
#define SPINS 4000

#define OPEN (1u << 31)

struct pool {
	int n;
	pthread_t *thread;
	pthread_mutex_t lock;
	pthread_cond_t wake, idle;
	atomic_uint round;		/* incremented for every loop */
	atomic_uint gate;		/* OPEN while workers may join, plus the workers inside */
	atomic_int stop;
	pool_work *work;
	void *arg;
	double (*clock)(void);		/* or NULL */
	struct share {
		atomic_int next;
		int end;
		double worked;
		struct pool *pool;
		char apart[40];		/* pads to a cache line */
	} *share;			/* [n] */
	long loops;
	double seconds;
};

static void
relax(void)
{
#if defined(__x86_64__) || defined(__i386__)
	__builtin_ia32_pause();
#endif
}

static void
pool_deal(struct pool *p, int64_t items)
{
	for (int k = 0; k < p->n; k++) {
		atomic_store_explicit(&p->share[k].next, (int)(items * k / p->n),
				      memory_order_relaxed);
		p->share[k].end = (int)(items * (k + 1) / p->n);
	}
}

/* Does the thread's own items first, then the remaining items of the others. */
static void
work_share(struct pool *p, int k)
{
	for (int i = 0; i < p->n; i++) {
		struct share *s = &p->share[(k + i) % p->n];
		int item;

		while ((item = atomic_fetch_add_explicit(&s->next, 1, memory_order_relaxed)) <
		       s->end)
			p->work(p->arg, item, k);
	}
}

static void
work_timed(struct pool *p, int k)
{
	double start = p->clock ? p->clock() : 0;

	work_share(p, k);
	if (p->clock)
		p->share[k].worked += p->clock() - start;
}

static void
wait_for_round(struct pool *p, unsigned seen)
{
	for (int i = 0; i < SPINS; i++) {
		if (atomic_load_explicit(&p->round, memory_order_acquire) != seen)
			return;
		relax();
	}
	pthread_mutex_lock(&p->lock);
	while (atomic_load(&p->round) == seen)
		pthread_cond_wait(&p->wake, &p->lock);
	pthread_mutex_unlock(&p->lock);
}

/* A worker that wakes up after the loop cannot join: the caller never waits for it. */
static bool
pool_join(struct pool *p)
{
	unsigned gate = atomic_load(&p->gate);

	while (gate & OPEN)
		if (atomic_compare_exchange_weak(&p->gate, &gate, gate + 1))
			return true;
	return false;
}

static void
pool_leave(struct pool *p)
{
	if (atomic_fetch_sub(&p->gate, 1) != 1)
		return;
	pthread_mutex_lock(&p->lock);
	pthread_cond_signal(&p->idle);
	pthread_mutex_unlock(&p->lock);
}

static void *
worker_main(void *arg)
{
	struct share *s = arg;
	struct pool *p = s->pool;
	const int k = (int)(s - p->share);

	for (unsigned seen = 0;; ) {
		wait_for_round(p, seen);
		seen = atomic_load(&p->round);
		if (atomic_load(&p->stop))
			return NULL;
		if (pool_join(p)) {
			work_timed(p, k);
			pool_leave(p);
		}
	}
}

static void
next_round(struct pool *p)
{
	pthread_mutex_lock(&p->lock);
	atomic_fetch_add_explicit(&p->round, 1, memory_order_release);
	pthread_cond_broadcast(&p->wake);
	pthread_mutex_unlock(&p->lock);
}

static void
wait_for_workers(struct pool *p)
{
	atomic_fetch_and(&p->gate, ~OPEN);
	for (int i = 0; i < SPINS; i++) {
		if (!atomic_load(&p->gate))
			return;
		relax();
	}
	pthread_mutex_lock(&p->lock);
	while (atomic_load(&p->gate))
		pthread_cond_wait(&p->idle, &p->lock);
	pthread_mutex_unlock(&p->lock);
}

static void
start_worker(struct pool *p, int k)
{
	p->share[k].pool = p;
	if (pthread_create(&p->thread[k], NULL, worker_main, &p->share[k])) {
		struct err e;

		err_set(&e, EXIT_SYSTEM, "cannot start thread %d", k + 1);
		die(&e);
	}
}

struct pool *
pool_new(int n_threads)
{
	struct pool *p = xcalloc(1, sizeof(*p));

	p->n = n_threads > 0 ? n_threads : machine_usable();
	p->thread = xcalloc((size_t)p->n, sizeof(*p->thread));
	p->share = xcalloc((size_t)p->n, sizeof(*p->share));
	pthread_mutex_init(&p->lock, NULL);
	pthread_cond_init(&p->wake, NULL);
	pthread_cond_init(&p->idle, NULL);
	for (int k = 1; k < p->n; k++)
		start_worker(p, k);
	return p;
}

void
pool_free(struct pool *p)
{
	if (!p)
		return;
	atomic_store(&p->stop, 1);
	next_round(p);
	for (int k = 1; k < p->n; k++)
		pthread_join(p->thread[k], NULL);
	pthread_cond_destroy(&p->wake);
	pthread_cond_destroy(&p->idle);
	pthread_mutex_destroy(&p->lock);
	free(p->thread);
	free(p->share);
	free(p);
}

int
pool_threads(const struct pool *p)
{
	return p ? p->n : 1;
}

void
pool_run(struct pool *p, int items, pool_work *work, void *arg)
{
	double start;

	if (pool_threads(p) == 1 || items < 2) {
		for (int i = 0; i < items; i++)
			work(arg, i, 0);
		return;
	}
	start = p->clock ? p->clock() : 0;
	pool_deal(p, items);
	p->work = work;
	p->arg = arg;
	atomic_store(&p->gate, OPEN);
	next_round(p);
	work_timed(p, 0);
	wait_for_workers(p);
	p->loops++;
	p->seconds += p->clock ? p->clock() - start : 0;
}

void
pool_measure(struct pool *p, double (*clock)(void))
{
	if (p)
		p->clock = clock;
}

struct pool_times
pool_times(const struct pool *p)
{
	struct pool_times t = { 0 };

	if (!p)
		return t;
	t.loops = p->loops;
	t.seconds = p->seconds;
	for (int k = 0; k < p->n; k++)
		t.worked += p->share[k].worked;
	return t;
}
