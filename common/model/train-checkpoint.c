/*
 * train-checkpoint: a training kept in one file.
 *
 * A checkpoint is a model file (heed-model(5)) with the moments of Adam, the best
 * parameters so far, the rows of the log and the state as further members.  It
 * is replaced as a whole or not at all.
 */
#include <stdlib.h>
#include <string.h>

#include "base/mem.h"
#include "model/engine.h"
#include "model/member.h"
#include "model/model-file.h"
#include "model/trainer.h"

/* Three members a parameter: adam/m, adam/v, best; and two more. */
struct members {
	struct model_extra *list;
	size_t n;
};

static void
add_member(struct members *all, char *name, const void *data, size_t n)
{
	all->list[all->n++] = (struct model_extra){ .name = name, .data = data, .n = n };
}

static void
add_block(struct members *all, const struct params *p, const char *folder, const real *block)
{
	for (size_t i = 0; block && i < p->n; i++) {
		const struct param *q = p->list[i];

		if (!q->frozen || folder[0] == 'b')
			add_member(all, xasprintf("%s/%s", folder, q->name), block + q->at,
				   q->n * sizeof(*block));
	}
}

static void
free_members(struct members *all)
{
	for (size_t i = 0; i < all->n; i++)
		free((char *)all->list[i].name);
	free(all->list);
}

/* A square of the gradient may overflow where gradient and loss do not. */
static int
check_moments(const struct trainer *t, struct err *e)
{
	const struct params *p = &t->model->params;

	return member_finite_block("adam/m", p, t->optimizer.m, false, EXIT_DIVERGED, e) ||
	       member_finite_block("adam/v", p, t->optimizer.v, false, EXIT_DIVERGED, e) ? -1 : 0;
}

int
checkpoint_save(struct trainer *t, struct err *e)
{
	const struct params *p = &t->model->params;
	const struct buf *rows = train_log_rows(t);
	struct members all = { xcalloc(3 * p->n + 2, sizeof(*all.list)), 0 };
	struct buf state = { 0 };
	int r;

	if (check_moments(t, e)) {
		free_members(&all);
		return -1;
	}
	add_block(&all, p, "adam/m", t->optimizer.m);
	add_block(&all, p, "adam/v", t->optimizer.v);
	if (t->state.validations)
		add_block(&all, p, "best", t->best);
	add_member(&all, xstrdup("log"), rows->n ? rows->data : "", rows->n);
	train_state_write(t, &state);
	add_member(&all, xstrdup("train"), state.data, state.n);
	t->model->step = t->state.update;
	r = model_save(t->model, t->set->checkpoint, all.list, all.n, e);
	free_members(&all);
	buf_release(&state);
	return r;
}

/* Members wait here until the model they belong to is whole. */
struct shelf {
	struct shelf_item { char *name; void *data; size_t n; } *item;
	size_t n, room;
};

static int
put_on_shelf(void *arg, const char *name, const void *data, size_t n, struct err *e)
{
	struct shelf *s = arg;
	void *copy = xmalloc(n + 1);

	(void)e;
	memcpy(copy, data, n);
	s->item = mem_grow(s->item, &s->room, s->n + 1, sizeof(*s->item));
	s->item[s->n++] = (struct shelf_item){ xstrdup(name), copy, n };
	return 0;
}

static struct shelf_item *
find_on_shelf(const struct shelf *s, const char *name)
{
	for (size_t i = 0; i < s->n; i++)
		if (!strcmp(s->item[i].name, name))
			return &s->item[i];
	return NULL;
}

static void
clear_shelf(struct shelf *s)
{
	for (size_t i = 0; i < s->n; i++) {
		free(s->item[i].name);
		free(s->item[i].data);
	}
	free(s->item);
}

/* Gives each member's memory back as soon as it is in its place. */
static int
take_block(struct trainer *t, struct shelf *s, const char *folder, real *block, struct err *e)
{
	const struct params *p = &t->model->params;

	for (size_t i = 0; i < p->n; i++) {
		const struct param *q = p->list[i];
		char *name = xasprintf("%s/%s", folder, q->name);
		struct shelf_item *item = find_on_shelf(s, name);

		free(name);
		if (q->frozen && folder[0] != 'b')
			continue;
		if (!item || item->n != q->n * sizeof(*block))
			return err_set(e, EXIT_INPUT, "%s: %s/%s is %s", t->set->checkpoint, folder, q->name,
				       item ? "of the wrong size" : "missing");
		memcpy(block + q->at, item->data, item->n);
		if (member_finite(folder, q, block + q->at, EXIT_INPUT, e))
			return err_wrap(e, "%s", t->set->checkpoint);
		free(item->data);
		item->data = NULL;
	}
	return 0;
}

static int
take_members(struct trainer *t, struct shelf *s, struct err *e)
{
	const struct shelf_item *state = find_on_shelf(s, "train"), *log = find_on_shelf(s, "log");

	if (!state || !log)
		return err_set(e, EXIT_INPUT, "%s: this is a model, not a checkpoint", t->set->checkpoint);
	if (train_state_read(t, state->data, state->n, e) || train_log_restore(t, log->data, log->n, e) ||
	    take_block(t, s, "adam/m", t->optimizer.m, e) || take_block(t, s, "adam/v", t->optimizer.v, e))
		return -1;
	return t->best && t->state.validations ? take_block(t, s, "best", t->best, e) : 0;
}

/* Half a training by another engine is a result of neither; an unknown engine stays unknown. */
static int
check_engine(const struct trainer *t, struct err *e)
{
	const int64_t engine = t->model->engine;

	if (!engine || engine == HEED_ENGINE)
		return 0;
	err_set(e, EXIT_INPUT, "%s: trained with engine %lld, expected %d", t->set->checkpoint,
		(long long)engine, HEED_ENGINE);
	err_hint(e, "remove it to begin anew, or finish the training with the version that began it");
	return -1;
}

int
checkpoint_load(struct trainer *t, struct err *e)
{
	struct shelf shelf = { 0 };
	int r = -1;

	t->model = model_load(t->set->checkpoint, true, put_on_shelf, &shelf, e);
	if (t->model && !check_engine(t, e) && !trainer_prepare(t, e)) {
		train_settings_describe(t);
		r = take_members(t, &shelf, e);
		t->saved = t->state.update;
	}
	clear_shelf(&shelf);
	return r;
}
