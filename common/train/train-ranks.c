/*
 * train-ranks: training with several processes.
 *
 * All ranks read the same data and make the same batches.  Each processes its part of every batch,
 * and gradients and losses are summed over the ranks.  Everything else is the same on all ranks, so
 * that parameters, state and decisions stay the same without further communication.
 */
#include <stdlib.h>
#include <string.h>

#include "base/hash.h"
#include "base/mem.h"
#include "train/trainer.h"

static bool
is_stdin(const char *path)
{
	return !path || !strcmp(path, "-");
}

int
train_ranks_check(const struct train_settings *s, const struct ranks *r, struct err *e)
{
	if (r->n == 1)
		return 0;
	if (is_stdin(s->input) || (s->dev && is_stdin(s->dev)))
		return err_set(e, EXIT_USAGE, "standard input, expected a file that all %d ranks "
			       "can read", r->n);
	return 0;
}

/* Compares the state as text, which has the settings and digests of the data. */
int
trainer_check_alike(struct trainer *t, struct err *e)
{
	struct buf state = { 0 };
	uint32_t digest;

	train_state_write(t, &state);
	digest = crc32_add(0, state.data, state.n);
	buf_release(&state);
	if (ranks_alike(t->ranks, digest))
		return 0;
	err_set(e, EXIT_INPUT, "data, settings or checkpoint differ between the ranks");
	err_hint(e, "check that all machines see the same files; if their processors differ, "
		 "set --precision");
	return -1;
}

size_t
trainer_part(struct trainer *t, const uint32_t **record, size_t n)
{
	if (t->ranks->n == 1)
		return n;
	batch_parts_divide(&t->shares, &t->corpus, *record, n, t->ranks->n);
	return batch_parts_get(&t->shares, t->ranks->me, record);
}

/* Counts are exact as doubles. */
void
trainer_sum(const struct trainer *t, struct batch_sums *s)
{
	double x[] = { s->loss, s->nll, (double)s->target, (double)s->tokens, (double)s->masked,
		       s->seconds, s->waited };

	if (t->ranks->n == 1)
		return;
	ranks_sum(t->ranks, x, sizeof(x) / sizeof(*x));
	*s = (struct batch_sums){ .loss = x[0], .nll = x[1], .target = (int64_t)x[2],
				  .tokens = (int64_t)x[3], .masked = (int64_t)x[4],
				  .seconds = x[5], .waited = x[6] };
}

void
trainer_sum_means(const struct trainer *t, struct means *y)
{
	const size_t n = (size_t)ranks_max(t->ranks, (int)y->n);
	double *x;

	if (t->ranks->n == 1 || !n)
		return;
	x = xcalloc(2 * n, sizeof(*x));
	for (size_t i = 0; i < y->n; i++) {
		x[2 * i] = y->entry[i].sum;
		x[2 * i + 1] = y->entry[i].count;
	}
	ranks_sum(t->ranks, x, 2 * n);
	for (size_t i = 0; i < y->n; i++) {
		y->entry[i].sum = x[2 * i];
		y->entry[i].count = x[2 * i + 1];
	}
	free(x);
}

/* Detects differences between processors, or faults, before they are saved in a file. */
int
trainer_check_params(const struct trainer *t, struct err *e)
{
	const struct params *p = &t->model->params;

	if (t->ranks->n == 1 ||
	    ranks_alike(t->ranks, crc32_add(0, p->x, p->total * sizeof(*p->x))))
		return 0;
	err_set(e, EXIT_SYSTEM, "update %lld: the ranks have different parameters",
		(long long)t->state.update);
	err_hint(e, "processors of different kinds may round differently; see heed-cluster(7)");
	return -1;
}

int
trainer_on_first_rank(struct trainer *t, trainer_write *write, struct err *e)
{
	return ranks_agree(t->ranks, t->ranks->me ? 0 : write(t, e), e);
}
