/* ranks: the functions that need no MPI library; see ranks.h. */
#include "train/ranks.h"

#include <stdlib.h>

#include "base/num.h"

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
