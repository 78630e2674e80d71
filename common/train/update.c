/*
 * update: one update of a training, from its batches to changed parameters.
 *
 *	forward		computes the loss of some sentences, as nodes on a tape (model_loss())
 *	backward	computes its gradient with respect to the parameters (tape_gradient())
 *	sum		of the gradients, over all sentences of the update: gradients.c divides a
 *			batch into parts, runs both passes above on each, and adds their gradients;
 *			gradient-sum.c adds those of the ranks
 *	step		clips the gradient and changes the parameters (optimizer.c)
 */
#include <math.h>
#include <string.h>

#include "base/mem.h"
#include "model/model.h"
#include "ops/ops.h"
#include "train/trainer.h"

#define FIRST_UPDATES 3		/* not timed: they touch all memory for the first time */
#define GUARD_AFTER 100		/* updates after which a growing loss can end a training */
#define GUARD_WEIGHT 0.02	/* weight of an update in the running mean of the loss */

/* --- forward and backward --- */

/* Adds sentence by sentence, so that the sum does not depend on the batches. */
static void
add_rows(const struct layout *l, const real *row, struct batch_sums *sums)
{
	for (int i = 0; i < l->n; i++) {
		double sum = 0;

		for (int j = l->start[i]; j < l->start[i] + l->len[i]; j++) {
			if (row[j] > (real)1e30)	/* -log 0: masked, or diverged */
				sums->masked++;
			else
				sum += (double)row[j];
		}
		sums->nll += sum;
	}
}

struct node *
trainer_forward(const struct trainer *t, struct tape *tape, const struct batch *b,
		struct batch_sums *sums)
{
	struct node *nll, *loss = model_loss(t->model, tape, b, &nll);

	sums->loss += (double)loss->x[0];
	sums->target += b->tgt.layout.rows;
	sums->tokens += b->src.layout.rows + b->tgt.layout.rows;
	add_rows(&b->tgt.layout, op_cross_entropy_rows(nll), sums);
	return loss;
}

void
trainer_run_batch(const struct trainer *t, struct tape *tape, const struct batch *b, double scale,
		  struct batch_sums *sums)
{
	if (b->n)
		tape_gradient(tape, trainer_forward(t, tape, b, sums), (real)scale);
	tape_zero_missing_gradients(tape, &t->model->params);
	tape_rewind(tape);
}

/* --- the batches of an update --- */

void
trainer_begin_epoch(struct trainer *t)
{
	const struct corpus_rules rules = { (uint64_t)t->set->seed, t->set->batch_tokens,
					    t->set->pool };

	if (t->order_epoch == t->state.epoch)
		return;
	corpus_epoch(&t->corpus, &t->order, &rules, (uint32_t)t->state.epoch);
	t->order_epoch = t->state.epoch;
}

static bool
in_curriculum(const struct trainer *t)
{
	return t->state.update < t->set->curriculum;
}

/* The number of batches of the next update; the last update of an epoch may have fewer. */
static size_t
batches_now(const struct trainer *t)
{
	size_t left = in_curriculum(t) ? SIZE_MAX : t->order.n_batches - (size_t)t->state.batch;

	return left < (size_t)t->set->accumulate ? left : (size_t)t->set->accumulate;
}

/* The i-th batch of the next update; valid until the next call. */
static size_t
update_batch(struct trainer *t, size_t i, const uint32_t **record)
{
	int64_t done = t->state.update;

	if (in_curriculum(t))
		return curriculum_batch(&t->curriculum, done,
					(uint32_t)(done * t->set->accumulate + (int64_t)i), record);
	return corpus_order_records(&t->order, (size_t)t->state.batch + i, record);
}

static int64_t
target_tokens(struct trainer *t, size_t n)
{
	int64_t all = 0;

	for (size_t i = 0; i < n; i++) {
		const uint32_t *record;
		size_t k = update_batch(t, i, &record);
		int64_t src, tgt;

		corpus_tokens(&t->corpus, record, k, &src, &tgt);
		all += tgt;
	}
	return all;
}

/* --- the sum of the gradients --- */

static int
count_batch(struct trainer *t, const uint32_t *record, size_t n, double *counts, struct err *e)
{
	struct batch b;
	int r;

	if (!n)
		return 0;
	r = trainer_make_batch(t, &t->records, &t->corpus, record, n, tape_arena(t->run.tape), &b,
			       e);
	if (!r)
		attention_set_count(t->model->attention, &b, counts);
	tape_rewind(t->run.tape);
	return r;
}

/* Counts the items over which losses of variants are means, in all batches of this update. */
static int
count_items(struct trainer *t, size_t n, struct err *e)
{
	const size_t n_counts = attention_set_n_counts(t->model->attention);

	if (!n_counts)
		return 0;
	if (!t->counts)
		t->counts = xmalloc(n_counts * sizeof(*t->counts));
	memset(t->counts, 0, n_counts * sizeof(*t->counts));
	for (size_t i = 0; i < n; i++) {
		const uint32_t *record;
		size_t k = update_batch(t, i, &record);

		k = trainer_part(t, &record, k);
		if (count_batch(t, record, k, t->counts, e)) {
			err_wrap(e, "%s", t->set->input ? t->set->input : "standard input");
			return ranks_fail(t->ranks, e);
		}
	}
	ranks_sum(t->ranks, t->counts, n_counts);
	return 0;
}

/* Computes the gradient of the loss per target token, over all batches of this update. */
static int
sum_gradients(struct trainer *t, size_t n, struct batch_sums *sums, struct err *e)
{
	const double start = seconds(), waited = ranks_waited(t->ranks);
	double scale;

	t->target = (double)target_tokens(t, n);
	scale = 1 / t->target;
	trainer_begin_gradients(t);
	if (count_items(t, n, e))
		return -1;
	for (size_t i = 0; i < n; i++) {
		const uint32_t *record;
		size_t k = update_batch(t, i, &record);

		k = trainer_part(t, &record, k);	/* of this process; of one process, all */
		if (trainer_gradients(t, record, k, scale, i == n - 1, sums, e)) {
			err_wrap(e, "%s", t->set->input ? t->set->input : "standard input");
			return ranks_fail(t->ranks, e);
		}
	}
	profile_part(t->profile, PROFILE_RANKS);
	gradient_sum_end(&t->sum, t->run.tape);
	sums->seconds = seconds() - start;
	sums->waited = ranks_waited(t->ranks) - waited;
	trainer_sum(t, sums);
	profile_part(t->profile, PROFILE_STEP);
	return 0;
}

/* --- the step --- */

int
trainer_diverged(const struct trainer *t, int64_t number, const char *why, double loss,
		 struct err *e)
{
	err_set(e, EXIT_DIVERGED, "update %lld: %s: %.6g", (long long)number, why, loss);
	if (t->set->checkpoint && t->saved >= 0)
		err_hint(e, "a lower --lr, a longer --warmup or --clip 1 may help; %s has update "
			 "%lld", t->set->checkpoint, (long long)t->saved);
	else
		err_hint(e, "a lower --lr, a longer --warmup or --clip 1 may help");
	return -1;
}

/*
 * Ends a training whose running mean of the loss exceeds a multiple of its minimum plus one nat: a
 * Transformer that has fallen back to a unigram model does not recover.
 */
static int
guard(struct trainer *t, double loss, double norm, struct err *e)
{
	struct train_state *s = &t->state;

	if (!isfinite(loss))
		return trainer_diverged(t, s->update + 1, "the loss is not finite", loss, e);
	if (!isfinite(norm))
		return trainer_diverged(t, s->update + 1, "the norm of the gradient is not finite",
				      norm, e);
	s->mean = s->update ? s->mean + GUARD_WEIGHT * (loss - s->mean) : loss;
	if (!s->update || s->mean < s->lowest)
		s->lowest = s->mean;
	if (t->set->explode > 0 && s->update >= GUARD_AFTER &&
	    s->mean > t->set->explode * fabs(s->lowest) + 1)
		return trainer_diverged(t, s->update + 1,
				      "the mean loss exceeds the limit of --explode", s->mean, e);
	return 0;
}

static double
clip_scale(const struct trainer *t, double norm)
{
	double limit = t->recipe.clip;

	return limit > 0 && norm > limit ? limit / norm : 1;
}

double
trainer_rate(const struct trainer *t, int64_t update)
{
	return schedule_rate(&t->schedule, update) * t->state.lr_scale;
}

static void
count_update(struct trainer *t, size_t n, const struct batch_sums *sums, double norm)
{
	struct train_state *s = &t->state;

	s->batch += in_curriculum(t) ? 0 : (int64_t)n;
	s->update++;
	if ((size_t)s->batch == t->order.n_batches) {
		s->epoch++;
		s->batch = 0;
	}
	s->tokens += sums->tokens;
	s->row_updates++;
	s->row_target += sums->target;
	s->row_tokens += sums->tokens;
	s->row_loss += sums->loss;
	s->row_nll += sums->nll;
	s->row_norm += norm;
}

static void
count_time(struct trainer *t, const struct batch_sums *sums, double time)
{
	const int64_t tokens = sums->tokens;

	t->row_timed += tokens;
	t->row_seconds += time;
	t->row_waited += sums->waited;
	t->row_all_seconds += sums->seconds;
	if (t->state.update - t->began <= FIRST_UPDATES)
		return;
	t->timed_tokens += tokens;
	t->train_seconds += time;
}

int
trainer_update(struct trainer *t, struct err *e)
{
	struct batch_sums sums = { 0 };
	double start = seconds(), norm;
	int64_t number = t->state.update + 1;
	size_t n;

	if (t->state.update - t->began >= FIRST_UPDATES)
		profile_start(t->profile);
	trainer_begin_epoch(t);
	n = batches_now(t);
	t->run.pass.step = (uint32_t)number;
	if (sum_gradients(t, n, &sums, e))
		return -1;
	profile_part(t->profile, PROFILE_OPTIMIZER);
	if (t->set->clamp > 0)
		optimizer_clamp(&t->optimizer, t->run.pool, t->set->clamp);
	norm = optimizer_norm(&t->optimizer, t->run.pool);
	if (guard(t, sums.loss / (double)sums.target, norm, e))
		return -1;
	optimizer_step(&t->optimizer, t->run.pool, number, trainer_rate(t, number),
		       clip_scale(t, norm));
	profile_part(t->profile, PROFILE_STEP);
	profile_step(t->profile);
	count_update(t, n, &sums, norm);
	count_time(t, &sums, seconds() - start);
	return 0;
}
