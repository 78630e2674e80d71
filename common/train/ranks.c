/* ranks: the functions that need no MPI library, and gradients in bf16; see ranks.h. */
#include "train/ranks.h"

#include <stdlib.h>

#include "tensor/kernels.h"

#define BLOCK 2048			/* elements: they stay in the processor's first cache */

int
ranks_launched(void)
{
	/* Open MPI's mpirun; mpirun of MPICH and its derivatives; a job step of Slurm. */
	static const char *const name[] = {
		"OMPI_COMM_WORLD_SIZE", "PMI_SIZE", "SLURM_STEP_NUM_TASKS"
	};

	for (size_t i = 0; i < sizeof(name) / sizeof(*name); i++) {
		const char *text = getenv(name[i]);

		if (text && atoi(text) > 0)
			return atoi(text);
	}
	return 1;
}

bool
ranks_alike(const struct ranks *r, uint32_t digest)
{
	uint32_t first = digest;

	ranks_broadcast(r, 0, &first, sizeof(first));
	return !ranks_max(r, first != digest);
}

int
ranks_agree(const struct ranks *r, int status, struct err *e)
{
	int failed;

	if (r->n == 1)
		return status;
	failed = r->n - ranks_max(r, status ? r->n - r->me : 0);
	if (failed == r->n)
		return 0;
	ranks_broadcast(r, failed, e, sizeof(*e));
	return failed ? err_wrap(e, "rank %d", failed) : -1;
}

int
ranks_fail(const struct ranks *r, struct err *e)
{
	if (r->n == 1)
		return -1;
	err_silence(false);
	return err_wrap(e, "rank %d", r->me);
}

/* --- error feedback --- */

static void
round_block(size_t n, const real *x, real *rest, bf16 *y)
{
	real sent[BLOCK];

	k_add(n, x, rest, rest);
	k_to_bf16(n, rest, y);
	k_from_bf16(n, y, sent);
	for (size_t i = 0; i < n; i++)
		rest[i] -= sent[i];
}

void
error_feedback_round(size_t n, const real *x, real *rest, bf16 *y)
{
	for (size_t at = 0; at < n; at += BLOCK)
		round_block(n - at < BLOCK ? n - at : BLOCK, x + at, rest + at, y + at);
}

static void
add_message(size_t n, const bf16 *y, real *x)
{
	real received[BLOCK];

	k_from_bf16(n, y, received);
	k_add(n, x, received, x);
}

void
error_feedback_sum(size_t n, real *x, real *rest, bf16 *all, int ranks, int root)
{
	for (size_t at = 0; at < n; at += BLOCK)
		for (int i = 0; i < ranks; i++)
			if (i != root)
				add_message(n - at < BLOCK ? n - at : BLOCK,
					    all + (size_t)i * n + at, x + at);
	error_feedback_round(n, x, rest, all + (size_t)root * n);
}
