/* ranks-one: a training in one process, for builds without MPI; see ranks.h. */
#include "train/ranks.h"

int
ranks_open(struct ranks *r, struct err *e)
{
	int n = ranks_launched();

	*r = (struct ranks){ .me = 0, .n = 1 };
	if (n == 1)
		return 0;
	err_set(e, EXIT_USAGE, "started as one of %d processes, expected one: built without "
		"MPI", n);
	err_hint(e, "build with 'make WITH_MPI=1', or start one process");
	return -1;
}

void
ranks_close(struct ranks *r)
{
	(void)r;
}

void
ranks_limit(struct ranks *r, double seconds)
{
	(void)r;
	(void)seconds;
}

double
ranks_waited(const struct ranks *r)
{
	(void)r;
	return 0;
}

void
ranks_sum(const struct ranks *r, double *x, size_t n)
{
	(void)r;
	(void)x;
	(void)n;
}

int
ranks_max(const struct ranks *r, int x)
{
	(void)r;
	return x;
}

void
ranks_broadcast(const struct ranks *r, int root, void *p, size_t n)
{
	(void)r;
	(void)root;
	(void)p;
	(void)n;
}

void
ranks_gather(const struct ranks *r, const real *x, size_t n, real *all)
{
	(void)r;
	(void)x;
	(void)n;
	(void)all;
}

void
ranks_add(struct ranks *r, real *x, real *rest, size_t n, int root)
{
	(void)r;
	(void)x;
	(void)rest;
	(void)n;
	(void)root;
}

void
ranks_progress(struct ranks *r)
{
	(void)r;
}

void
ranks_finish(struct ranks *r)
{
	(void)r;
}
