/* train-output: writes the models of a training. */
#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/hash.h"
#include "base/mem.h"
#include "base/output.h"
#include "model-file/model-file.h"
#include "train/trainer.h"

/* The length of a path without its extension. */
static size_t
stem_of(const char *path)
{
	const char *dot = strrchr(path, '.');

	return dot && dot > path_name(path) ? (size_t)(dot - path) : strlen(path);
}

/* "model.tar" at update 200: "model.200.tar". */
static char *
snapshot_name(const struct train_settings *s, int64_t update)
{
	const char *path = s->output;
	size_t stem = stem_of(path);

	return xasprintf("%.*s.%lld%s", (int)stem, path, (long long)update, path + stem);
}

bool
train_is_snapshot(const struct train_settings *s, const char *path)
{
	const char *name = path_name(path), *output = path_name(s->output);
	size_t stem = stem_of(output);
	long long update;
	char *made;
	bool same;

	if (!s->save_every || strncmp(name, output, stem) || name[stem] != '.')
		return false;
	update = strtoll(name + stem + 1, NULL, 10);
	if (update <= 0 || update % s->save_every || (s->updates && update > s->updates))
		return false;
	made = snapshot_name(s, update);
	same = output_same(made, path);
	free(made);
	return same;
}

/*
 * The models to average must be of this training: of the same --save-every and output.  Otherwise,
 * the models of earlier updates do not count.  To remove a model, its whole path must be that of
 * this training, since another folder can have models of another training.
 */
void
trainer_renew_saves(struct trainer *t)
{
	const int64_t path = crc32_add(0, t->set->output, strlen(t->set->output));
	const char *name = path_name(t->set->output);
	const int64_t output = t->set->average ? crc32_add(0, name, strlen(name)) : 0;
	struct train_state *s = &t->state;

	/* The name is known of trainings with --average only. */
	if (s->saves != t->set->save_every ||
	    (s->output ? s->output != output : s->path != path))
		s->since = t->began;
	if (s->saves != t->set->save_every || s->path != path)
		s->own = t->began;
	s->path = path;
	s->saves = t->set->save_every;
	s->output = output;
}

/* Whether --keep-every keeps the model of this update. */
static bool
is_permanent(const struct train_settings *s, int64_t update)
{
	return s->keep_every && update % s->keep_every == 0;
}

static int
remove_snapshot(const struct trainer *t, int64_t update, struct err *e)
{
	char *name;
	int r;

	if (update <= t->state.own || is_permanent(t->set, update))
		return 0;
	name = snapshot_name(t->set, update);
	r = unlink(name);
	if (r && errno != ENOENT)
		err_system(e, "%s", name);
	else
		r = 0;
	free(name);
	return r;
}

int
trainer_save_snapshot(struct trainer *t, struct err *e)
{
	const struct train_settings *s = t->set;
	const int64_t saved = t->state.update / s->save_every;
	char *name = snapshot_name(s, t->state.update);
	int r;

	t->model->step = t->state.update;
	r = model_save(t->model, name, NULL, 0, e);
	free(name);
	if (r || !s->keep_last || s->keep_last >= saved)
		return r;
	return remove_snapshot(t, (saved - s->keep_last) * s->save_every, e);
}

/* The number of the last models of this training, at most max, up to the first missing one. */
static int64_t
count_snapshots(const struct trainer *t, int64_t max)
{
	const int64_t every = t->set->save_every, last = t->state.update / every;
	bool found = true;
	int64_t n = 0;

	while (found && n < max && (last - n) * every > t->state.since) {
		char *name = snapshot_name(t->set, (last - n) * every);

		found = !access(name, F_OK);
		n += found;
		free(name);
	}
	return n;
}

int
trainer_remove_snapshots(struct trainer *t, struct err *e)
{
	const struct train_settings *s = t->set;
	int64_t last, from;
	int r = 0;

	if (!s->save_every || !s->keep_last)
		return 0;
	last = t->state.update / s->save_every;
	from = last - count_snapshots(t, last) + 1;
	for (int64_t i = from; !r && i <= last - s->keep_last; i++)
		r = remove_snapshot(t, i * s->save_every, e);
	return r;
}

static bool
same_shapes(const struct params *a, const struct params *b)
{
	bool same = a->n == b->n && a->total == b->total;

	for (size_t i = 0; same && i < a->n; i++)
		same = a->list[i]->n == b->list[i]->n &&
		       !strcmp(a->list[i]->name, b->list[i]->name);
	return same;
}

static int
add_snapshot(const struct trainer *t, int64_t update, double *sum, struct err *e)
{
	const struct params *p = &t->model->params;
	char *name = snapshot_name(t->set, update);
	struct model *m = model_load(name, false, NULL, NULL, e);
	int r = 0;

	if (m && !same_shapes(&m->params, p))
		r = err_set(e, EXIT_INPUT, "%s: other parameters than those of the training", name);
	free(name);
	if (!m || r) {
		model_free(m);
		return -1;
	}
	for (size_t i = 0; i < p->total; i++)
		sum[i] += (double)m->params.x[i];
	model_free(m);
	return 0;
}

/*
 * The mean of the last saved models, in double precision, added from the oldest to the newest.
 * Without saved models, the parameters stay those of the last update.
 */
static int
average(struct trainer *t, struct err *e)
{
	const struct params *p = &t->model->params;
	int64_t every = t->set->save_every, last = t->state.update / every;
	int64_t n = count_snapshots(t, t->set->average);
	double *sum = xcalloc(p->total + 1, sizeof(*sum));
	int r = 0;

	if (n < t->set->average)
		warn("%lld of %lld models to average at the end, update %lld%s",
		     (long long)n, (long long)t->set->average, (long long)t->state.update,
		     n ? "" : ", whose parameters are written");
	for (int64_t i = last - n + 1; !r && i <= last; i++)
		r = add_snapshot(t, i * every, sum, e);
	for (size_t i = 0; !r && n && i < p->total; i++)
		p->x[i] = (real)(sum[i] / (double)n);
	free(sum);
	return r;
}

int
trainer_save_output(struct trainer *t, struct err *e)
{
	struct model *m = t->model;

	m->step = t->state.update;
	if (t->set->average && average(t, e))
		return -1;
	if (t->best && t->state.validations) {
		memcpy(m->params.x, t->best, m->params.total * sizeof(*t->best));
		m->step = t->state.best_update;
	}
	return model_save(m, t->set->output, NULL, 0, e);
}
