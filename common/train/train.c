/*
 * train: the loop over updates; see train.h and nmt-train(1).
 */
#include "train/train.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/mem.h"
#include "base/signals.h"
#include "train/trainer.h"

#define FIRST_UPDATES 3		/* not timed: they touch all memory for the first time */
#define GUARD_AFTER 100		/* updates after which a growing loss can end a training */
#define GUARD_WEIGHT 0.02	/* weight of an update in the running mean of the loss */

static bool
finished(const struct trainer *t)
{
	const struct train_settings *s = t->set;

	return (s->updates && t->state.update >= s->updates) ||
	       (s->epochs && t->state.epoch >= s->epochs) ||
	       (s->patience && t->state.bad >= s->patience);
}

static void
need_order(struct trainer *t)
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
batch(struct trainer *t, size_t i, const uint32_t **record)
{
	int64_t done = t->state.update;

	if (in_curriculum(t))
		return curriculum_batch(&t->curriculum, done,
					(uint32_t)(done * t->set->accumulate + (int64_t)i), record);
	return corpus_order_batch(&t->order, (size_t)t->state.batch + i, record);
}

static int64_t
target_tokens(struct trainer *t, size_t n)
{
	int64_t all = 0;

	for (size_t i = 0; i < n; i++) {
		const uint32_t *record;
		size_t k = batch(t, i, &record);
		int64_t src, tgt;

		corpus_tokens(&t->corpus, record, k, &src, &tgt);
		all += tgt;
	}
	return all;
}

/* Counts the items over which losses of variants are means, in all batches of this update. */
static int
train_count(struct trainer *t, size_t n, struct err *e)
{
	const size_t n_counts = attention_set_n_counts(t->model->attention);

	if (!n_counts)
		return 0;
	if (!t->counts)
		t->counts = xmalloc(n_counts * sizeof(*t->counts));
	memset(t->counts, 0, n_counts * sizeof(*t->counts));
	for (size_t i = 0; i < n; i++) {
		const uint32_t *record;
		size_t k = batch(t, i, &record);

		k = trainer_part(t, &record, k);
		if (trainer_count(t, record, k, t->counts, e)) {
			err_wrap(e, "%s", t->set->input ? t->set->input : "standard input");
			return ranks_fail(t->ranks, e);
		}
	}
	ranks_sum(t->ranks, t->counts, n_counts);
	return 0;
}

/* Computes the gradient of the loss per target token, over all batches of this update. */
static int
gradients(struct trainer *t, size_t n, struct batch_sums *sums, struct err *e)
{
	const double start = seconds(), waited = ranks_waited(t->ranks);
	double scale;

	t->target = (double)target_tokens(t, n);
	scale = 1 / t->target;
	trainer_begin_gradients(t);
	if (train_count(t, n, e))
		return -1;
	for (size_t i = 0; i < n; i++) {
		const uint32_t *record;
		size_t k = batch(t, i, &record);

		k = trainer_part(t, &record, k);
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

static int
train_diverged(const struct trainer *t, int64_t number, const char *why, double loss, struct err *e)
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
train_guard(struct trainer *t, double loss, double norm, struct err *e)
{
	struct train_state *s = &t->state;

	if (!isfinite(loss))
		return train_diverged(t, s->update + 1, "the loss is not finite", loss, e);
	if (!isfinite(norm))
		return train_diverged(t, s->update + 1, "the norm of the gradient is not finite",
				      norm, e);
	s->mean = s->update ? s->mean + GUARD_WEIGHT * (loss - s->mean) : loss;
	if (!s->update || s->mean < s->lowest)
		s->lowest = s->mean;
	if (t->set->explode > 0 && s->update >= GUARD_AFTER &&
	    s->mean > t->set->explode * fabs(s->lowest) + 1)
		return train_diverged(t, s->update + 1,
				      "the mean loss exceeds the limit of --explode", s->mean, e);
	return 0;
}

static double
clip_scale(const struct trainer *t, double norm)
{
	double limit = t->recipe.clip;

	return limit > 0 && norm > limit ? limit / norm : 1;
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
train_add_time(struct trainer *t, const struct batch_sums *sums, double time)
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

static double
rate(const struct trainer *t, int64_t update)
{
	return schedule_rate(&t->schedule, update) * t->state.lr_scale;
}

static int
train_update(struct trainer *t, struct err *e)
{
	struct batch_sums sums = { 0 };
	double start = seconds(), norm;
	int64_t number = t->state.update + 1;
	size_t n;

	if (t->state.update - t->began >= FIRST_UPDATES)
		profile_start(t->profile);
	need_order(t);
	n = batches_now(t);
	t->run.pass.step = (uint32_t)number;
	if (gradients(t, n, &sums, e))
		return -1;
	profile_part(t->profile, PROFILE_OPTIMIZER);
	if (t->set->clamp > 0)
		optimizer_clamp(&t->optimizer, t->run.pool, t->set->clamp);
	norm = optimizer_norm(&t->optimizer, t->run.pool);
	if (train_guard(t, sums.loss / (double)sums.target, norm, e))
		return -1;
	optimizer_step(&t->optimizer, t->run.pool, number, rate(t, number), clip_scale(t, norm));
	profile_part(t->profile, PROFILE_STEP);
	profile_step(t->profile);
	count_update(t, n, &sums, norm);
	train_add_time(t, &sums, seconds() - start);
	return 0;
}

/*
 * With patience p a training ends when the score of p validations ago is the best of the last
 * p + 1, that is, after p consecutive validations without a new best.
 */
static void
train_judge(struct trainer *t, double score)
{
	struct train_state *s = &t->state;
	bool better = !s->validations++ || score < s->best;

	s->bad = better ? 0 : s->bad + 1;
	s->lr_bad = better ? 0 : s->lr_bad + 1;
	if (better) {
		s->best = score;
		s->best_update = s->update;
		if (t->best)
			memcpy(t->best, t->model->params.x,
			       t->model->params.total * sizeof(*t->best));
	}
	if (t->recipe.schedule == SCHEDULE_PLATEAU && s->lr_bad >= t->set->lr_patience) {
		s->lr_scale *= t->set->lr_shrink;
		s->lr_bad = 0;
	}
}

static int
check_scores(const struct trainer *t, const struct dev_result *r, struct err *e)
{
	if (!isfinite(r->nll))
		return train_diverged(t, t->state.update,
				      "the loss on the development set is not finite", r->nll, e);
	for (size_t i = 0; i < r->means.n; i++) {
		const struct mean *y = &r->means.entry[i];

		if (isnan(y->sum))
			return train_diverged(t, t->state.update, y->name, y->sum, e);
	}
	return 0;
}

/* A rank without batches of the development set has no means of the variants. */
static int
train_validate(struct trainer *t, struct err *e)
{
	double lr = rate(t, t->state.update);
	struct dev_result r;
	int status;

	profile_part(t->profile, PROFILE_VALIDATION);
	status = trainer_validate(t, &r, e);
	profile_part(t->profile, PROFILE_STEP);
	if (!status)
		status = ranks_agree(t->ranks, check_scores(t, &r, e), e);
	if (!status) {
		train_judge(t, r.score);
		train_log_row(t, lr, &r);
	}
	means_release(&r.means);
	return status;
}

static bool
every(int64_t n, int64_t update)
{
	return n && update % n == 0;
}

static int
save(struct trainer *t, trainer_write *write, struct err *e)
{
	return trainer_check_params(t, e) ? -1 : trainer_on_first_rank(t, write, e);
}

static int
train_keep(struct trainer *t, struct err *e)
{
	gradient_sum_gather(&t->sum);
	if (save(t, checkpoint_save, e))
		return -1;
	t->saved = t->state.update;
	return 0;
}

/* After every validate_every updates, or after each epoch; the curriculum counts as one epoch. */
static bool
time_to_validate(const struct trainer *t)
{
	int64_t now = t->state.update, curriculum = t->set->curriculum;

	if (t->set->validate_every)
		return every(t->set->validate_every, now);
	return now == curriculum || (now > curriculum && !t->state.batch);
}

/* What happens at certain updates; the checkpoint comes last, so that it includes the rest. */
static int
train_after_update(struct trainer *t, struct err *e)
{
	const struct train_settings *s = t->set;
	int64_t now = t->state.update;

	if (s->dev && time_to_validate(t)) {
		if (train_validate(t, e))
			return -1;
	} else if (every(s->log_every, now))
		train_log_row(t, rate(t, now), NULL);
	profile_part(t->profile, PROFILE_FILES);
	if (every(s->save_every, now) && save(t, trainer_save_snapshot, e))
		return -1;
	if (s->checkpoint && every(s->checkpoint_every, now) && train_keep(t, e))
		return -1;
	profile_part(t->profile, PROFILE_STEP);
	return 0;
}

static void
show_progress(struct trainer *t)
{
	const struct train_state *s = &t->state;

	t->progress.done = s->update - t->began;
	train_log_first(t);
	if (s->row_updates)
		progress_at(&t->progress, s->update - t->began, "epoch %lld, nll %.3f",
			    (long long)s->epoch, s->row_nll / (double)s->row_target);
}

static void
start_progress(struct trainer *t)
{
	const struct train_settings *s = t->set;
	int64_t total = s->updates;

	if (s->epochs) {
		int64_t batches = (int64_t)t->order.n_batches;
		int64_t per_epoch = (batches + s->accumulate - 1) / s->accumulate;
		int64_t most = (INT64_MAX - s->curriculum) / per_epoch;
		int64_t all = s->epochs < most ? s->curriculum + s->epochs * per_epoch : INT64_MAX;

		total = total && total < all ? total : all;
	}
	progress_start(&t->progress, "updates", total > t->began ? total - t->began : 0);
	if (s->quiet)
		t->progress.visible = 0;
}

/*
 * Also validates the last update; the checkpoint is saved before, because a training that resumes
 * from it and continues longer would not validate there.
 */
static int
train_finish(struct trainer *t, struct err *e)
{
	const struct train_settings *s = t->set;

	if (s->checkpoint && t->saved != t->state.update && train_keep(t, e))
		return -1;
	if (s->dev && t->state.update > 0 && !time_to_validate(t) && train_validate(t, e))
		return -1;
	if (!s->dev && t->state.row_updates)
		train_log_row(t, rate(t, t->state.update), NULL);
	profile_part(t->profile, PROFILE_FILES);
	return save(t, trainer_save_output, e);
}

static int
train_interrupted(struct trainer *t, int number, struct err *e)
{
	if (t->set->checkpoint && t->saved != t->state.update && train_keep(t, e))
		return -1;
	progress_end(&t->progress);
	signals_warn(number, t->state.update, t->set->checkpoint);
	return number;
}

static int
train_loop(struct trainer *t, struct err *e)
{
	int number = 0;

	need_order(t);
	if ((size_t)t->state.batch >= t->order.n_batches)
		return err_set(e, EXIT_INPUT, "%s: batch %lld, expected less than %zu",
			       t->set->checkpoint, (long long)t->state.batch, t->order.n_batches);
	if (t->resumed && save(t, trainer_remove_snapshots, e))
		return -1;
	start_progress(t);
	while (!finished(t) && !(number = ranks_max(t->ranks, signals_caught()))) {
		if (train_update(t, e) || train_after_update(t, e))
			return -1;
		show_progress(t);
	}
	if (number)
		return train_interrupted(t, number, e);
	return train_finish(t, e);
}

/* Also writes the log of a diverged training; its error then remains that it diverged. */
static int
write_log(struct trainer *t, int r, struct err *e)
{
	struct err other;

	if (r < 0 && e->status != EXIT_DIVERGED)
		return r;
	t->diverged = r < 0;
	return trainer_on_first_rank(t, train_log_write, r < 0 ? &other : e) ? -1 : r;
}

int
train(const struct train_settings *s, struct ranks *ranks, struct err *e)
{
	struct trainer t;
	int r;

	ranks_limit(ranks, (double)s->rank_timeout);
	if (ranks_agree(ranks, train_settings_check(s, ranks, e), e))
		return -1;
	signals_catch();
	r = ranks_agree(ranks, trainer_open(&t, s, ranks, e), e);
	if (!r)
		r = trainer_check_alike(&t, e);
	if (!r && !s->quiet)
		runtime_print(&t.run);
	if (!r) {
		r = train_loop(&t, e);
		progress_end(&t.progress);
		r = write_log(&t, r, e);
		if (r >= 0)
			train_log_summary(&t);
		if (r >= 0 && s->profile)
			profile_print(t.profile, stderr);
	}
	trainer_close(&t);
	return r;
}
