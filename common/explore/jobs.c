/* jobs: see jobs.h. */
#include "explore/jobs.h"

#include <pthread.h>
#include <stdlib.h>
#include <string.h>

#include "base/mem.h"
#include "tensor/backend/backend.h"

struct jobs {
	struct explorer *x;
	struct job_worker {
		struct jobs *q;
		struct explorer_worker worker;
		bool open;		/* since its first job; only the worker uses it */
		struct job *running;	/* or NULL */
		pthread_t thread;
	} worker[JOBS_WORKERS];
	int n, started;
	pthread_mutex_t lock;		/* of all that follows, and of running */
	pthread_cond_t more;
	struct job *first;		/* of the waiting jobs */
	int waiting;
	bool stop;
};

/* The first idle worker takes the next job, so that the others need no memory. */
static bool
is_first_idle(const struct job_worker *w)
{
	for (const struct job_worker *before = w->q->worker; before < w; before++)
		if (!before->running)
			return false;
	return true;
}

/* Takes the first waiting job; NULL if the workers are to stop. */
static struct job *
take_job(struct job_worker *w)
{
	struct jobs *q = w->q;
	struct job *j = NULL;

	pthread_mutex_lock(&q->lock);
	while (!q->stop && !(q->first && is_first_idle(w)))
		pthread_cond_wait(&q->more, &q->lock);
	if (!q->stop) {
		j = q->first;
		q->first = j->next;
		q->waiting--;
		w->running = j;
	}
	pthread_cond_broadcast(&q->more);	/* the next worker may be first now */
	pthread_mutex_unlock(&q->lock);
	return j;
}

static int
answer_job(struct job_worker *w, struct job *j)
{
	if (!w->open && explorer_worker_open(&w->worker, w->q->x, &j->e))
		return -1;
	w->open = true;
	return explorer_answer(&w->worker, &j->request, &j->overtaken, &j->answer, &j->e);
}

static void
run_job(struct job_worker *w, struct job *j)
{
	const int bad = answer_job(w, j);

	pthread_mutex_lock(&w->q->lock);
	w->running = NULL;		/* from now on, nobody overtakes it */
	pthread_mutex_unlock(&w->q->lock);
	atomic_store(&j->state, atomic_load(&j->overtaken) ? JOB_OVERTAKEN
				: bad ? JOB_FAILED : JOB_DONE);
	j->done(j);
}

static void *
work(void *arg)
{
	for (struct job *j; (j = take_job(arg));)
		run_job(arg, j);
	return NULL;
}

/* --- the queue --- */

/* Is a an earlier request of the page of b?  b NULL: any is. */
static bool
is_earlier_request(const struct job *a, const struct job *b)
{
	const struct str x = a->request.view, y = b ? b->request.view : x;

	return !b || (x.n == y.n && !memcmp(x.s, y.s, x.n) &&
		      a->request.number <= b->request.number);
}

/* Has a later request of its page arrived before j? */
static bool
is_late(const struct jobs *q, const struct job *j)
{
	for (const struct job *other = q->first; other; other = other->next)
		if (is_earlier_request(j, other) && j->request.number < other->request.number)
			return true;
	for (int i = 0; i < q->n; i++) {
		const struct job *other = q->worker[i].running;

		if (other && is_earlier_request(j, other) &&
		    j->request.number < other->request.number)
			return true;
	}
	return false;
}

/* Removes waiting jobs that j overtakes (NULL: all), and returns them in reverse order. */
static struct job *
remove_waiting(struct jobs *q, const struct job *j)
{
	struct job *removed = NULL, **at = &q->first;

	while (*at) {
		struct job *other = *at;

		if (!is_earlier_request(other, j)) {
			at = &other->next;
			continue;
		}
		*at = other->next;
		other->next = removed;
		removed = other;
		q->waiting--;
	}
	for (int i = 0; i < q->n; i++) {
		struct job *other = q->worker[i].running;

		if (other && is_earlier_request(other, j))
			atomic_store(&other->overtaken, true);
	}
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

static void
append(struct jobs *q, struct job *j)
{
	struct job **last = &q->first;

	while (*last)
		last = &(*last)->next;
	j->next = NULL;
	*last = j;
	q->waiting++;
	pthread_cond_broadcast(&q->more);
}

int
jobs_add(struct jobs *q, struct job *j)
{
	struct job *overtaken;
	bool full, late;

	pthread_mutex_lock(&q->lock);
	overtaken = remove_waiting(q, j);
	late = is_late(q, j);
	full = q->stop || q->waiting >= JOBS_WAITING;
	if (late) {
		j->next = overtaken;
		overtaken = j;
	} else if (!full) {
		append(q, j);
	}
	pthread_mutex_unlock(&q->lock);
	end_overtaken(overtaken);
	if (late || !full)
		return 0;
	atomic_store(&j->state, JOB_REFUSED);
	return -1;
}

/* --- workers --- */

static int
start_job_worker(struct jobs *q, struct err *e)
{
	struct job_worker *w = &q->worker[q->started];

	w->q = q;
	if (pthread_create(&w->thread, NULL, work, w))
		return err_set(e, EXIT_SYSTEM, "cannot start a thread");
	q->started++;
	return 0;
}

/* What workers open later must not fail for the first time then. */
static int
try_worker(struct explorer *x, struct err *e)
{
	struct explorer_worker *w = xcalloc(1, sizeof(*w));
	const int bad = explorer_worker_open(w, x, e);

	if (!bad)
		explorer_worker_close(w);
	free(w);
	return bad;
}

struct jobs *
jobs_start(struct explorer *x, int n, struct err *e)
{
	struct jobs *q = xcalloc(1, sizeof(*q));
	const bool one = !(x->run.pass.backend->caps & BACKEND_THREAD_SAFE);

	pthread_mutex_init(&q->lock, NULL);
	pthread_cond_init(&q->more, NULL);
	q->n = one || n < 1 ? 1 : n < JOBS_WORKERS ? n : JOBS_WORKERS;
	q->x = x;
	if (!try_worker(x, e))
		while (q->started < q->n && !start_job_worker(q, e))
			;
	if (q->started == q->n)
		return q;
	jobs_end(q);
	jobs_free(q);
	return NULL;
}

int
jobs_models(const struct jobs *q)
{
	return q->x->n;
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
	for (struct job_worker *w = q->worker; w < q->worker + q->started; w++) {
		pthread_join(w->thread, NULL);
		if (w->open)
			explorer_worker_close(&w->worker);
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
