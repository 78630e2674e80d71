/*
 * train: the loop over updates; see train.h and nmt-train(1).
 */
#include "train/train.h"

#include <math.h>
#include <string.h>

#include "base/signals.h"
#include "train/trainer.h"

static bool
finished(const struct trainer *t)
{
	const struct train_settings *s = t->set;

	return (s->updates && t->state.update >= s->updates) ||
	       (s->epochs && t->state.epoch >= s->epochs) ||
	       (s->patience && t->state.bad >= s->patience);
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
		return trainer_diverged(t, t->state.update,
				      "the loss on the development set is not finite", r->nll, e);
	for (size_t i = 0; i < r->means.n; i++) {
		const struct mean *y = &r->means.entry[i];

		if (isnan(y->sum))
			return trainer_diverged(t, t->state.update, y->name, y->sum, e);
	}
	return 0;
}

/* A rank without batches of the development set has no means of the variants. */
static int
train_validate(struct trainer *t, struct err *e)
{
	double lr = trainer_rate(t, t->state.update);
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
		train_log_row(t, trainer_rate(t, now), NULL);
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
		train_log_row(t, trainer_rate(t, t->state.update), NULL);
	profile_part(t->profile, PROFILE_FILES);
	return trainer_check_params(t, e);
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

	trainer_begin_epoch(t);
	if ((size_t)t->state.batch >= t->order.n_batches)
		return err_set(e, EXIT_INPUT, "%s: batch %lld, expected less than %zu",
			       t->set->checkpoint, (long long)t->state.batch, t->order.n_batches);
	if (t->resumed && save(t, trainer_remove_snapshots, e))
		return -1;
	start_progress(t);
	while (!finished(t) && !(number = ranks_max(t->ranks, signals_caught()))) {
		if (trainer_update(t, e) || train_after_update(t, e))
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

/* The model comes last: it is a sign that the training is complete, such as for make. */
static int
write_outputs(struct trainer *t, int r, struct err *e)
{
	r = write_log(t, r, e);
	return r ? r : trainer_on_first_rank(t, trainer_save_output, e);
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
		r = write_outputs(&t, r, e);
		if (r >= 0)
			train_log_summary(&t);
		if (r >= 0 && s->profile)
			profile_print(t.profile, stderr);
	}
	trainer_close(&t);
	return r;
}
