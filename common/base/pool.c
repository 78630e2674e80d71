/* pool: threads that share a loop; see pool.h. */
#define _GNU_SOURCE			/* sched_getaffinity */
#include "base/pool.h"

#include <pthread.h>
#include <sched.h>
#include <stdatomic.h>
#include <stdint.h>
#include <stdlib.h>
#include <unistd.h>

#include "base/err.h"
#include "base/mem.h"

/*
 * A waiting thread looks this often before it sleeps: ops follow each other
 * within microseconds, but a machine is shared and a spinning thread is not free.
 */
#define SPINS 4000

struct pool {
	int n;
	pthread_t *thread;
	pthread_mutex_t lock;
	pthread_cond_t wake, idle;
	atomic_uint round;		/* raised for every loop */
	atomic_int left;		/* threads that still work on this round */
	atomic_int stop;
	int pieces;
	pool_work *work;
	void *arg;
	double (*clock)(void);		/* or NULL */
	struct share { double worked; char apart[56]; } *share;	/* [n], a cache line each */
	long loops;
	double seconds;
};

struct worker { struct pool *pool; int k; };

static void
relax(void)
{
#if defined(__x86_64__) || defined(__i386__)
	__builtin_ia32_pause();
#endif
}

static void
work_share(struct pool *p, int k)
{
	int64_t n = p->pieces;
	int from = (int)(n * k / p->n), to = (int)(n * (k + 1) / p->n);

	for (int i = from; i < to; i++)
		p->work(p->arg, i, k);
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

static void *
worker_main(void *arg)
{
	struct worker *w = arg;
	struct pool *p = w->pool;
	int k = w->k;

	free(w);
	for (unsigned seen = 0;; ) {
		wait_for_round(p, seen);
		seen = atomic_load(&p->round);
		if (atomic_load(&p->stop))
			return NULL;
		work_timed(p, k);
		if (atomic_fetch_sub_explicit(&p->left, 1, memory_order_acq_rel) == 1) {
			pthread_mutex_lock(&p->lock);
			pthread_cond_signal(&p->idle);
			pthread_mutex_unlock(&p->lock);
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
	for (int i = 0; i < SPINS; i++) {
		if (!atomic_load_explicit(&p->left, memory_order_acquire))
			return;
		relax();
	}
	pthread_mutex_lock(&p->lock);
	while (atomic_load(&p->left))
		pthread_cond_wait(&p->idle, &p->lock);
	pthread_mutex_unlock(&p->lock);
}

static void
start_worker(struct pool *p, int k)
{
	struct worker *w = xmalloc(sizeof(*w));

	w->pool = p;
	w->k = k;
	if (pthread_create(&p->thread[k], NULL, worker_main, w)) {
		struct err e;

		err_set(&e, EXIT_SYSTEM, "cannot start thread %d", k + 1);
		die(&e);
	}
}

/* A launcher, or taskset(1), may have bound this process to a few. */
static long
processors(void)
{
	cpu_set_t set;

	return sched_getaffinity(0, sizeof(set), &set) ? sysconf(_SC_NPROCESSORS_ONLN) : CPU_COUNT(&set);
}

struct pool *
pool_new(int n_threads)
{
	struct pool *p = xcalloc(1, sizeof(*p));
	long n = n_threads > 0 ? n_threads : processors();

	p->n = n > 0 ? (int)n : 1;
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
pool_run(struct pool *p, int pieces, pool_work *work, void *arg)
{
	double start;

	if (pool_threads(p) == 1 || pieces < 2) {
		for (int i = 0; i < pieces; i++)
			work(arg, i, 0);
		return;
	}
	start = p->clock ? p->clock() : 0;
	p->pieces = pieces;
	p->work = work;
	p->arg = arg;
	atomic_store(&p->left, p->n - 1);
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

	for (int k = 0; p && k < p->n; k++)
		t.worked += p->share[k].worked;
	if (p) {
		t.loops = p->loops;
		t.seconds = p->seconds;
	}
	return t;
}
