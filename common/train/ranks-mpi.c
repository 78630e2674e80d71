/*
 * ranks-mpi: ranks over an MPI library; see ranks.h.
 *
 * MPI does not guarantee that MPI_Allreduce returns the same bits on all ranks.  Therefore one rank
 * gathers the gradients, adds them and copies the sum to the others: MPI_Igather, then MPI_Ibcast.
 * Ranks must call the collectives of a communicator in the same order, but the order of finished
 * sums and started copies differs between ranks; therefore sums and copies have separate
 * communicators.
 *
 * All waiting is in watch_wait(), so that a rank never waits forever for one that has died.
 *
 * Without a launcher the library is not initialized, so that a single process has no overhead.
 */
#define _GNU_SOURCE			/* sched_getaffinity */
#include <sched.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>
#ifdef __GLIBC__
#include <malloc.h>
#endif

#include <mpi.h>

#include "base/machine.h"
#include "base/mem.h"
#include "tensor/kernels.h"
#include "train/ranks.h"
#include "train/watch-mpi.h"

#define REAL (sizeof(real) == sizeof(float) ? MPI_FLOAT : MPI_DOUBLE)
#define PATIENCE 1.0			/* seconds that an exiting rank waits for the others */

struct sum {
	real *x, *rest;
	void *message;			/* at the root, [ranks][n]; at the others, [n] in bf16 or
					 * NULL in fp32, which needs no copy of x */
	int n, root;
	MPI_Request gather, copy;
};

struct ranks_link {
	MPI_Comm talk, sums, copies, notes;
	struct watch watch;
	struct sum *sum;		/* [n] */
	size_t n, room;
	size_t gathered, copied;	/* number of sums gathered and copied, from the first */
};

/*
 * At exit(): if all ranks exit, for example after a wrong option, the library is finalized.  If one
 * exits alone, it is not, and the launcher ends the other ranks.
 */
static MPI_Comm leaving = MPI_COMM_NULL;

static void
ranks_mpi_leave(void)
{
	MPI_Request all;
	double until;
	int done = 0;

	if (leaving == MPI_COMM_NULL)
		return;
	until = MPI_Wtime() + PATIENCE;
	MPI_Ibarrier(leaving, &all);
	while (MPI_Test(&all, &done, MPI_STATUS_IGNORE), !done && MPI_Wtime() < until)
		usleep(1000);
	if (done)
		MPI_Finalize();
}

/*
 * An even share of the processors that the ranks on this machine may use; of all, if the machine
 * has more than a cpu_set_t can hold.
 */
static int
fair_share(void)
{
	MPI_Comm here;
	cpu_set_t set;
	int n, all;

	CPU_ZERO(&set);
	if (sched_getaffinity(0, sizeof(set), &set))
		CPU_ZERO(&set);
	MPI_Comm_split_type(MPI_COMM_WORLD, MPI_COMM_TYPE_SHARED, 0, MPI_INFO_NULL, &here);
	MPI_Comm_size(here, &n);
	MPI_Allreduce(MPI_IN_PLACE, &set, sizeof(set), MPI_BYTE, MPI_BOR, here);
	MPI_Comm_free(&here);
	all = CPU_COUNT(&set) ? CPU_COUNT(&set) : (int)sysconf(_SC_NPROCESSORS_ONLN);
	all = machine_limit(all, MACHINE_GROUPS);
	return all > n ? all / n : 1;
}

static int
ranks_mpi_check_size(const struct ranks *r, int launched, struct err *e)
{
	if (r->n == launched)
		return 0;
	err_set(e, EXIT_USAGE, "%d processes known to the MPI library, expected the %d of the "
		"launcher", r->n, launched);
	err_hint(e, "use the mpirun of that library, or srun --mpi=pmix");
	return -1;
}

static MPI_Comm
new_comm(void)
{
	MPI_Comm c;

	MPI_Comm_dup(MPI_COMM_WORLD, &c);
	MPI_Comm_set_errhandler(c, MPI_ERRORS_RETURN);
	return c;
}

/* Messages are a few MiB large: lets free() keep them, so that not every sum touches new pages. */
static void
keep_memory(void)
{
#ifdef __GLIBC__
	mallopt(M_MMAP_THRESHOLD, 1 << 25);	/* the maximum */
	mallopt(M_TRIM_THRESHOLD, 1 << 30);
#endif
}

static void
make_link(struct ranks *r)
{
	struct ranks_link *l = r->link = xcalloc(1, sizeof(*l));

	l->talk = new_comm();
	l->sums = new_comm();
	l->copies = new_comm();
	l->notes = new_comm();
	watch_init(&l->watch, l->notes);
	leaving = new_comm();
	atexit(ranks_mpi_leave);
}

int
ranks_open(struct ranks *r, struct err *e)
{
	int launched = ranks_launched(), level;

	*r = (struct ranks){ .me = 0, .n = 1 };
	if (launched == 1)
		return 0;
	MPI_Init_thread(NULL, NULL, MPI_THREAD_FUNNELED, &level);
	MPI_Comm_rank(MPI_COMM_WORLD, &r->me);
	MPI_Comm_size(MPI_COMM_WORLD, &r->n);
	if (ranks_mpi_check_size(r, launched, e))
		return -1;
	keep_memory();
	make_link(r);
	r->processors = fair_share();
	err_silence(r->me > 0);
	return 0;
}

void
ranks_limit(struct ranks *r, double seconds)
{
	if (r->link)
		r->link->watch.limit = seconds;
}

double
ranks_waited(const struct ranks *r)
{
	return r->link ? r->link->watch.waited : 0;
}

/* Waits for a request that a function of MPI started with this result. */
static void
ranks_mpi_complete(struct ranks_link *l, int code, MPI_Request *request)
{
	watch_check(&l->watch, code);
	watch_wait(&l->watch, request);
}

void
ranks_close(struct ranks *r)
{
	struct ranks_link *l = r->link;
	MPI_Request all;

	if (!l)
		return;
	ranks_mpi_complete(l, MPI_Ibarrier(l->talk, &all), &all);
	watch_release(&l->watch);
	MPI_Comm_free(&l->talk);
	MPI_Comm_free(&l->sums);
	MPI_Comm_free(&l->copies);
	MPI_Comm_free(&l->notes);
	MPI_Comm_free(&leaving);
	MPI_Finalize();
	free(l->sum);
	free(l);
	r->link = NULL;
}

void
ranks_broadcast(const struct ranks *r, int root, void *p, size_t n)
{
	struct ranks_link *l = r->link;
	MPI_Request copy;

	if (l)
		ranks_mpi_complete(l, MPI_Ibcast(p, (int)n, MPI_BYTE, root, l->talk, &copy), &copy);
}

void
ranks_sum(const struct ranks *r, double *x, size_t n)
{
	struct ranks_link *l = r->link;
	MPI_Request gather;
	double *all;

	if (!l || !n)
		return;
	all = r->me ? NULL : xmalloc((size_t)r->n * n * sizeof(*all));
	ranks_mpi_complete(l,
			   MPI_Igather(x, (int)n, MPI_DOUBLE, all, (int)n, MPI_DOUBLE, 0, l->talk,
				       &gather), &gather);
	for (size_t i = n; !r->me && i < (size_t)r->n * n; i++)
		all[i % n] += all[i];
	if (!r->me)
		memcpy(x, all, n * sizeof(*x));
	free(all);
	ranks_broadcast(r, 0, x, n * sizeof(*x));
}

int
ranks_max(const struct ranks *r, int x)
{
	struct ranks_link *l = r->link;
	MPI_Request max;
	int y = x;

	if (l)
		ranks_mpi_complete(l, MPI_Iallreduce(&x, &y, 1, MPI_INT, MPI_MAX, l->talk, &max),
				   &max);
	return y;
}

void
ranks_gather(const struct ranks *r, const real *x, size_t n, real *all)
{
	struct ranks_link *l = r->link;
	MPI_Request gather;

	if (l)
		ranks_mpi_complete(l,
				   MPI_Igather(x, (int)n, REAL, all, (int)n, REAL, 0, l->talk,
					       &gather),
				   &gather);
}

/* The bytes of an element in messages. */
static size_t
ranks_mpi_width_of(const struct sum *s)
{
	return s->rest ? sizeof(bf16) : sizeof(real);
}

/* Sends the gradient to the root, in bf16 if it has a rest, or receives those of the others. */
static int
begin_gather(const struct ranks *r, struct sum *s)
{
	const MPI_Datatype type = s->rest ? MPI_UINT16_T : REAL;
	const size_t n = (size_t)s->n;
	const bool root = r->me == s->root;

	if (root || s->rest)
		s->message = xmalloc((root ? (size_t)r->n : 1) * n * ranks_mpi_width_of(s));
	if (!root && s->rest)
		error_feedback_round(n, s->x, s->rest, s->message);
	return MPI_Igather(root ? MPI_IN_PLACE : s->rest ? s->message : (void *)s->x, s->n, type,
			   s->message, s->n, type, s->root, r->link->sums, &s->gather);
}

void
ranks_add(struct ranks *r, real *x, real *rest, size_t n, int root)
{
	struct ranks_link *l = r->link;
	struct sum *s;

	if (!l)
		return;
	l->sum = mem_grow(l->sum, &l->room, l->n + 1, sizeof(*l->sum));
	s = &l->sum[l->n++];
	*s = (struct sum){ .x = x, .rest = rest, .n = (int)n, .root = root };
	watch_check(&l->watch, begin_gather(r, s));
}

/* The rounded sum, which the root sends to the others. */
static bf16 *
rounded_sum(const struct ranks *r, const struct sum *s)
{
	return (bf16 *)s->message + (r->me == s->root ? (size_t)s->root * (size_t)s->n : 0);
}

/* At the root, with the messages of the others: x becomes the sum. */
static void
add_messages(const struct ranks *r, const struct sum *s)
{
	const size_t n = (size_t)s->n;

	if (s->rest) {
		error_feedback_sum(n, s->x, s->rest, s->message, r->n, s->root);
		return;
	}
	for (int i = 0; i < r->n; i++)
		if (i != s->root)
			k_add(n, s->x, (real *)s->message + (size_t)i * n, s->x);
}

static void
copy_next(const struct ranks *r)
{
	struct ranks_link *l = r->link;
	struct sum *s = &l->sum[l->gathered++];

	if (r->me == s->root)
		add_messages(r, s);
	watch_check(&l->watch, s->rest ?
		    MPI_Ibcast(rounded_sum(r, s), s->n, MPI_UINT16_T, s->root, l->copies,
			       &s->copy) :
		    MPI_Ibcast(s->x, s->n, REAL, s->root, l->copies, &s->copy));
}

static void
end_next(const struct ranks *r)
{
	struct ranks_link *l = r->link;
	struct sum *s = &l->sum[l->copied++];

	if (s->rest)
		k_from_bf16((size_t)s->n, rounded_sum(r, s), s->x);
	free(s->message);
}

void
ranks_progress(struct ranks *r)
{
	struct ranks_link *l = r->link;
	int done = 1;

	if (!l)
		return;
	while (l->gathered < l->n &&
	       (MPI_Test(&l->sum[l->gathered].gather, &done, MPI_STATUS_IGNORE), done))
		copy_next(r);
	while (l->copied < l->gathered &&
	       (MPI_Test(&l->sum[l->copied].copy, &done, MPI_STATUS_IGNORE), done))
		end_next(r);
}

void
ranks_finish(struct ranks *r)
{
	struct ranks_link *l = r->link;

	if (!l)
		return;
	while (l->gathered < l->n) {
		watch_wait(&l->watch, &l->sum[l->gathered].gather);
		copy_next(r);
	}
	while (l->copied < l->n) {
		watch_wait(&l->watch, &l->sum[l->copied].copy);
		end_next(r);
	}
	l->n = l->gathered = l->copied = 0;
}
