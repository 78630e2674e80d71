/* train-validate: loss and BLEU of the model on the development set. */
#include <math.h>

#include "data/audit.h"
#include "model/model-input.h"
#include "search/piece-bleu.h"
#include "stream/stream.h"
#include "train/trainer.h"

/* --- loss --- */

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

/* Runs the forward pass of a batch; the variants add their reports to y. */
static int
validate_batch(struct trainer *t, const uint32_t *record, size_t n, struct batch_sums *sums,
	       struct means *y, struct err *e)
{
	struct tape *tape = t->run.tape;
	struct batch b;
	int r = trainer_make_batch(t, &t->records, &t->dev, record, n, tape_arena(tape), &b, e);

	if (!r) {
		trainer_forward(t, tape, &b, sums);
		attention_set_report(t->model->attention, tape, &b, y);
	}
	tape_rewind(tape);
	return r;
}

/* The batches are distributed over the ranks in turn. */
static int
negative_log_likelihood(struct trainer *t, struct dev_result *r, struct err *e)
{
	const size_t first = (size_t)t->ranks->me, step = (size_t)t->ranks->n;
	struct batch_sums sums = { 0 };

	for (size_t i = first; i < t->dev_order.n_batches; i += step) {
		const uint32_t *record;
		size_t n = corpus_order_records(&t->dev_order, i, &record);

		if (validate_batch(t, record, n, &sums, &r->means, e)) {
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

/* --- BLEU --- */

static int
bleu_batch(struct trainer *t, struct searcher *searcher, struct piece_bleu *s,
	   const uint32_t *record, size_t n, struct err *e)
{
	struct arena mem;
	struct translation *out;
	struct batch b;
	int r;

	arena_init(&mem, 0);
	out = ARENA_ARRAY(&mem, struct translation, n);
	r = records_load(&t->records, t->model, &t->dev, record, n, e) ||
	    model_batch(t->model, &b, &mem, (const struct record *const *)t->records.record,
			t->records.number, (int)n, NULL, e) ||
	    search_batch(searcher, &b, NULL, NULL, &mem, out, e);
	for (size_t i = 0; !r && i < n; i++)
		piece_bleu_add(s, t->model, t->records.record[i], &out[i].best[0]);
	arena_release(&mem);
	return r ? -1 : 0;
}

/* Counts are exact as doubles, in any order of addition. */
static void
sum_over_ranks(const struct trainer *t, int64_t *count)
{
	double sum[BLEU_WIDTH];

	for (int i = 0; i < BLEU_WIDTH; i++)
		sum[i] = (double)count[i];
	ranks_sum(t->ranks, sum, BLEU_WIDTH);
	for (int i = 0; i < BLEU_WIDTH; i++)
		count[i] = (int64_t)sum[i];
}

/* Translates the development set; BLEU of words, as joined from subwords. */
static int
bleu_of_dev(struct trainer *t, double *bleu, struct err *e)
{
	const struct search_settings search = piece_bleu_search(&t->recipe, (int)t->set->dev_beam);
	struct searcher *by = searcher_new(t->model, &t->run.pass, &search);
	struct piece_bleu s;
	int r = 0;

	piece_bleu_open(&s);
	for (size_t i = (size_t)t->ranks->me; !r && i < t->dev_order.n_batches;
	     i += (size_t)t->ranks->n) {
		const uint32_t *record;
		size_t n = corpus_order_records(&t->dev_order, i, &record);

		r = bleu_batch(t, by, &s, record, n, e);
	}
	if (!r)
		sum_over_ranks(t, s.sums);
	*bleu = piece_bleu_score(&s);
	piece_bleu_close(&s);
	searcher_free(by);
	if (!r)
		return 0;
	err_wrap(e, "%s", t->set->dev);
	return ranks_fail(t->ranks, e);
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
	/* A training that has diverged ends by its loss: it may have no translations. */
	if (!status && r->has_bleu && isfinite(r->nll))
		status = bleu_of_dev(t, &r->bleu, e);
	t->run.pass.training = training & 1;
	r->score = t->set->stop_on == STOP_ON_BLEU ? -r->bleu : r->nll;
	return status;
}
