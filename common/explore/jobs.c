/* jobs: see jobs.h. */
#include "explore/jobs.h"

#include <pthread.h>
#include <stdlib.h>
#include <string.h>

#include "base/mem.h"
#include "tensor/backend/backend.h"

struct jobs {
	struct explorer_worker worker[JOBS_WORKERS];
	struct job *running[JOBS_WORKERS];	/* by worker, or NULL */
	pthread_t thread[JOBS_WORKERS];
	int n, started;
	pthread_mutex_t lock;		/* of all that follows, and of running */
	pthread_cond_t more;
	struct job *first;		/* of the waiting jobs */
	int waiting;
	bool stop;
};

struct worker_arg { struct jobs *q; int number; };

/* Takes the first waiting job; NULL if the workers are to stop. */
static struct job *
take_job(struct jobs *q, int number)
{
	struct job *j = NULL;

	pthread_mutex_lock(&q->lock);
	while (!q->first && !q->stop)
		pthread_cond_wait(&q->more, &q->lock);
	if (!q->stop) {
		j = q->first;
		q->first = j->next;
		q->waiting--;
		q->running[number] = j;
		atomic_store(&j->state, JOB_RUNNING);
	}
	pthread_mutex_unlock(&q->lock);
	return j;
}

static void
run_job(struct jobs *q, int number, struct job *j)
{
	const int bad = explorer_answer(&q->worker[number], &j->request, &j->overtaken, &j->answer,
					&j->e);

	pthread_mutex_lock(&q->lock);
	q->running[number] = NULL;	/* from now on, nobody overtakes it */
	pthread_mutex_unlock(&q->lock);
	atomic_store(&j->state, atomic_load(&j->overtaken) ? JOB_OVERTAKEN
				: bad ? JOB_FAILED : JOB_DONE);
	j->done(j);
}

static void *
work(void *arg)
{
	struct worker_arg a = *(struct worker_arg *)arg;

	free(arg);
	for (struct job *j; (j = take_job(a.q, a.number));)
		run_job(a.q, a.number, j);
	return NULL;
}

/* --- the queue --- */

static bool
same_page(const struct job *a, const struct job *b)
{
	const struct str x = a->request.view, y = b->request.view;

	return x.n == y.n && !memcmp(x.s, y.s, x.n);
}

/* Removes waiting jobs of the page of j (NULL: all), and returns them; their order is reversed. */
static struct job *
remove_waiting(struct jobs *q, const struct job *j)
{
	struct job *removed = NULL, **at = &q->first;

	while (*at) {
		struct job *other = *at;

		if (j && !same_page(other, j)) {
			at = &other->next;
			continue;
		}
		*at = other->next;
		other->next = removed;
		removed = other;
		q->waiting--;
	}
	for (int i = 0; i < q->n; i++)
		if (q->running[i] && (!j || same_page(q->running[i], j)))
			atomic_store(&q->running[i]->overtaken, true);
	return removed;
}

static void
end_overtaken(struct job *list)
{
	for (struct job *next; list; list = next) {
		next = list->next;
		atomic_store(&list->state, JOB_OVERTAKEN);
		list->done(list);
	}
}

int
jobs_add(struct jobs *q, struct job *j)
{
	struct job *overtaken, **last = &q->first;
	bool full;

	pthread_mutex_lock(&q->lock);
	overtaken = remove_waiting(q, j);
	full = q->stop || q->waiting >= JOBS_WAITING;
	if (!full) {
		while (*last)
			last = &(*last)->next;
		j->next = NULL;
		*last = j;
		q->waiting++;
		atomic_store(&j->state, JOB_WAITING);
		pthread_cond_signal(&q->more);
	}
	pthread_mutex_unlock(&q->lock);
	end_overtaken(overtaken);
	return full ? -1 : 0;
}

/* --- workers --- */

static int
start_worker(struct jobs *q, struct err *e)
{
	struct worker_arg *a = xmalloc(sizeof(*a));

	*a = (struct worker_arg){ q, q->started };
	if (explorer_worker_open(&q->worker[q->started], q->worker[0].x, e)) {
		free(a);
		return -1;
	}
	if (pthread_create(&q->thread[q->started], NULL, work, a)) {
		explorer_worker_close(&q->worker[q->started]);
		free(a);
		return err_set(e, EXIT_SYSTEM, "cannot start a thread");
	}
	q->started++;
	return 0;
}

struct jobs *
jobs_start(struct explorer *x, int n, struct err *e)
{
	struct jobs *q = xcalloc(1, sizeof(*q));
	const bool one = !(x->run.pass.backend->caps & BACKEND_THREAD_SAFE);

	pthread_mutex_init(&q->lock, NULL);
	pthread_cond_init(&q->more, NULL);
	q->n = one || n < 1 ? 1 : n < JOBS_WORKERS ? n : JOBS_WORKERS;
	q->worker[0].x = x;
	while (q->started < q->n)
		if (start_worker(q, e)) {
			jobs_end(q);
			jobs_free(q);
			return NULL;
		}
	return q;
}

int
jobs_models(const struct jobs *q)
{
	return q->worker[0].x->n;
}

void
jobs_end(struct jobs *q)
{
	struct job *waiting;

	pthread_mutex_lock(&q->lock);
	q->stop = true;
	waiting = remove_waiting(q, NULL);
	pthread_cond_broadcast(&q->more);
	pthread_mutex_unlock(&q->lock);
	end_overtaken(waiting);
	for (int i = 0; i < q->started; i++) {
		pthread_join(q->thread[i], NULL);
		explorer_worker_close(&q->worker[i]);
	}
	q->started = 0;
}

void
jobs_free(struct jobs *q)
{
	pthread_mutex_destroy(&q->lock);
	pthread_cond_destroy(&q->more);
	free(q);
}
