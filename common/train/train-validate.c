/* train-validate: scores of the model on the development set. */
#include <math.h>

#include "data/audit.h"
#include "train/trainer.h"

/* Masked tokens have an infinite loss, so they are excluded and reported once. */
static void
warn_masked(const struct trainer *t, const struct batch_sums *sums)
{
	static bool warned;

	if (!warned)
		audit_warn_targets(&(struct audit){ .masked = sums->masked,
						     .targets = sums->target }, t->set->dev,
				   "they do not count in its scores");
	warned = warned || sums->masked;
}

static void
warn_variant(void *arg, const char *variant, const char *warning)
{
	const struct trainer *t = arg;

	warn("update %lld: %s: %s", (long long)t->state.update, variant, warning);
}

/* The batches are distributed over the ranks in turn. */
static int
negative_log_likelihood(struct trainer *t, struct dev_result *r, struct err *e)
{
	const size_t first = (size_t)t->ranks->me, step = (size_t)t->ranks->n;
	struct batch_sums sums = { 0 };

	for (size_t i = first; i < t->dev_order.n_batches; i += step) {
		const uint32_t *record;
		size_t n = corpus_order_batch(&t->dev_order, i, &record);

		if (trainer_batch(t, &t->dev, record, n, &sums, &r->means, e)) {
			err_wrap(e, "%s", t->set->dev);
			return ranks_fail(t->ranks, e);
		}
	}
	trainer_sum(t, &sums);
	trainer_sum_means(t, &r->means);
	attention_set_conclude(t->model->attention, &r->means, warn_variant, t);
	warn_masked(t, &sums);
	r->nll = sums.nll / (double)(sums.target - sums.masked);
	if (!(sums.target > sums.masked))
		return err_set(e, EXIT_INPUT, "%s: all target tokens are masked", t->set->dev);
	r->perplexity = exp(r->nll);
	return 0;
}

/* A training that is resumed after its last update has not set the step of the pass yet. */
int
trainer_validate(struct trainer *t, struct dev_result *r, struct err *e)
{
	unsigned training = t->run.pass.training;
	int status;

	t->run.pass.step = (uint32_t)t->state.update;
	*r = (struct dev_result){ .has_bleu = t->set->dev_bleu || t->set->stop_on == STOP_ON_BLEU };
	t->run.pass.training = 0;
	status = negative_log_likelihood(t, r, e);
	if (!status && r->has_bleu)
		status = trainer_bleu(t, &r->bleu, e);
	t->run.pass.training = training & 1;
	r->score = t->set->stop_on == STOP_ON_BLEU ? -r->bleu : r->nll;
	return status;
}
