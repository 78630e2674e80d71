/* train-output: writes the models of a training. */
#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/mem.h"
#include "model-file/model-file.h"
#include "train/trainer.h"

/* "model.tar" at update 200: "model.200.tar". */
static char *
snapshot_name(const struct trainer *t, int64_t update)
{
	const char *path = t->set->output, *slash = strrchr(path, '/'), *dot = strrchr(path, '.');
	size_t stem = dot && dot > (slash ? slash + 1 : path) ? (size_t)(dot - path) : strlen(path);

	return xasprintf("%.*s.%lld%s", (int)stem, path, (long long)update, path + stem);
}

static int
remove_snapshot(const struct trainer *t, int64_t update, struct err *e)
{
	char *name = snapshot_name(t, update);
	int r = unlink(name);

	if (r && errno != ENOENT)
		err_system(e, "%s", name);
	else
		r = 0;
	free(name);
	return r;
}

/* Whether --keep-every keeps the model of this update. */
static bool
is_permanent(const struct train_settings *s, int64_t update)
{
	return s->keep_every && update % s->keep_every == 0;
}

int
trainer_save_snapshot(struct trainer *t, struct err *e)
{
	const struct train_settings *s = t->set;
	int64_t old = t->state.update - s->keep_last * s->save_every;
	char *name = snapshot_name(t, t->state.update);
	int r;

	t->model->step = t->state.update;
	r = model_save(t->model, name, NULL, 0, e);
	free(name);
	if (r || !s->keep_last || old <= 0 || is_permanent(s, old))
		return r;
	return remove_snapshot(t, old, e);
}

static int
add_snapshot(const struct trainer *t, int64_t update, double *sum, struct err *e)
{
	const struct params *p = &t->model->params;
	char *name = snapshot_name(t, update);
	struct model *m = model_load(name, false, NULL, NULL, e);
	int r = 0;

	if (m && m->params.total != p->total)
		r = err_set(e, EXIT_INPUT, "%s: parameters of other shapes", name);
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

/* The mean of the last saved models, in double precision, added from the oldest to the newest. */
static int
average(struct trainer *t, struct err *e)
{
	const struct params *p = &t->model->params;
	int64_t every = t->set->save_every, last = t->state.update / every;
	int64_t n = last < t->set->average ? last : t->set->average;
	double *sum = xcalloc(p->total + 1, sizeof(*sum));
	int r = 0;

	if (!n)
		r = err_set(e, EXIT_USAGE, "no model to average: the training ended after %lld "
			    "updates, expected at least --save-every %lld",
			    (long long)t->state.update, (long long)every);
	for (int64_t i = last - n + 1; !r && i <= last; i++)
		r = add_snapshot(t, i * every, sum, e);
	for (size_t i = 0; !r && i < p->total; i++)
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
