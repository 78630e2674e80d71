/*
 * train-checkpoint: saves and restores a training.
 *
 * A checkpoint is a model file (heed-model(5)) with further members: the moments of Adam, the best
 * parameters so far, the error feedback of each rank, the rows of the log, and the state.  It is
 * replaced atomically.
 */
#include <stdlib.h>
#include <string.h>

#include "base/mem.h"
#include "model-file/member.h"
#include "model-file/model-file.h"
#include "model/engine.h"
#include "tensor/kernels.h"
#include "train/trainer.h"

#define FEEDBACK "feedback/"

/* Members for each parameter, adam/m, adam/v, best and feedback; and the members log and train. */
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
train_checkpoint_add_block(struct members *all, const struct params *p, const char *folder,
			   const real *block)
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

/* The error feedback of rank i is in the folder feedback/i. */
static void
add_feedback(struct members *all, const struct trainer *t)
{
	const struct params *p = &t->model->params;

	for (int i = 0; t->sum.rests && i < t->ranks->n; i++) {
		char *folder = xasprintf(FEEDBACK "%d", i);

		train_checkpoint_add_block(all, p, folder, t->sum.rests + (size_t)i * p->total);
		free(folder);
	}
}

/* The squared gradient may overflow although gradient and loss are finite. */
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
	const size_t folders = 3 + (t->sum.rests ? (size_t)t->ranks->n : 0);
	struct members all = { .n = 0 };
	struct buf state = { 0 };
	int r;

	if (check_moments(t, e))
		return -1;
	all.list = xcalloc(folders * p->n + 2, sizeof(*all.list));
	train_checkpoint_add_block(&all, p, "adam/m", t->optimizer.m);
	train_checkpoint_add_block(&all, p, "adam/v", t->optimizer.v);
	if (t->state.validations)
		train_checkpoint_add_block(&all, p, "best", t->best);
	add_feedback(&all, t);
	add_member(&all, xstrdup("log"), rows->n ? rows->data : "", rows->n);
	train_state_write(t, &state);
	add_member(&all, xstrdup("train"), state.data, state.n);
	t->model->step = t->state.update;
	r = model_save(t->model, t->set->checkpoint, all.list, all.n, e);
	free_members(&all);
	buf_release(&state);
	return r;
}

/* The further members of a file, kept until its model is read completely. */
struct pending {
	const struct ranks *ranks;
	struct pending_member { char *name; void *data; size_t n; } *member;
	size_t n, room;
};

/*
 * Whether this rank uses a member.  If the number of ranks changes, the error feedback of rank i
 * is taken over by rank i modulo their number.
 */
static bool
is_member_used(const struct pending *s, const char *name)
{
	const size_t n = sizeof(FEEDBACK) - 1;

	return strncmp(name, FEEDBACK, n) || atoi(name + n) % s->ranks->n == s->ranks->me;
}

static int
keep_member(void *arg, const char *name, const void *data, size_t n, struct err *e)
{
	struct pending *s = arg;
	void *copy;

	(void)e;
	if (!is_member_used(s, name))
		return 0;
	copy = xmalloc(n + 1);
	memcpy(copy, data, n);
	s->member = mem_grow(s->member, &s->room, s->n + 1, sizeof(*s->member));
	s->member[s->n++] = (struct pending_member){ xstrdup(name), copy, n };
	return 0;
}

static struct pending_member *
find_member(const struct pending *s, const char *name)
{
	for (size_t i = 0; i < s->n; i++)
		if (!strcmp(s->member[i].name, name))
			return &s->member[i];
	return NULL;
}

static void
free_pending(struct pending *s)
{
	for (size_t i = 0; i < s->n; i++) {
		free(s->member[i].name);
		free(s->member[i].data);
	}
	free(s->member);
}

/* Copies the members of a folder into block, and frees each after its copy. */
static int
take_block(struct trainer *t, struct pending *s, const char *folder, real *block, struct err *e)
{
	const struct params *p = &t->model->params;

	for (size_t i = 0; i < p->n; i++) {
		const struct param *q = p->list[i];
		char *name = xasprintf("%s/%s", folder, q->name);
		struct pending_member *m = find_member(s, name);

		free(name);
		if (q->frozen && folder[0] != 'b')
			continue;
		if (!m || m->n != q->n * sizeof(*block))
			return err_set(e, EXIT_INPUT, "%s: member %s/%s %s", t->set->checkpoint,
				       folder, q->name, m ? "has a wrong size" : "is missing");
		memcpy(block + q->at, m->data, m->n);
		if (member_finite(folder, q, block + q->at, EXIT_INPUT, e))
			return err_wrap(e, "%s", t->set->checkpoint);
		free(m->data);
		m->data = NULL;
	}
	return 0;
}

/* Without such members the error feedback is 0: the checkpoint is of a single process. */
static int
take_feedback(struct trainer *t, struct pending *s, struct err *e)
{
	const size_t total = t->model->params.total;
	real *block = xcalloc(total + 1, sizeof(*block));
	int r = 0;

	for (size_t i = 0; t->sum.rest && !r && i < s->n; i++) {
		const struct pending_member *m = &s->member[i];
		char *folder;

		if (!m->data || strncmp(m->name, FEEDBACK, sizeof(FEEDBACK) - 1))
			continue;
		folder = xasprintf(FEEDBACK "%d", atoi(m->name + sizeof(FEEDBACK) - 1));
		r = take_block(t, s, folder, block, e);
		if (!r)
			k_add(total, t->sum.rest, block, t->sum.rest);
		free(folder);
	}
	free(block);
	return r;
}

static int
take_members(struct trainer *t, struct pending *s, struct err *e)
{
	const struct pending_member *state = find_member(s, "train");
	const struct pending_member *log = find_member(s, "log");

	if (!state || !log)
		return err_set(e, EXIT_INPUT, "%s: a model, expected a checkpoint",
			       t->set->checkpoint);
	if (train_state_read(t, state->data, state->n, e) ||
	    train_log_restore(t, log->data, log->n, e) ||
	    take_block(t, s, "adam/m", t->optimizer.m, e) ||
	    take_block(t, s, "adam/v", t->optimizer.v, e) || take_feedback(t, s, e))
		return -1;
	return t->best && t->state.validations ? take_block(t, s, "best", t->best, e) : 0;
}

/*
 * A training is not continued by another engine, as its result would belong to neither.  A
 * checkpoint of an unknown engine, 0, is accepted and stays unknown.
 */
static int
check_engine(const struct trainer *t, struct err *e)
{
	const int64_t engine = t->model->engine;

	if (!engine || engine == HEED_ENGINE)
		return 0;
	err_set(e, EXIT_INPUT, "%s: trained with engine %lld, expected %d", t->set->checkpoint,
		(long long)engine, HEED_ENGINE);
	err_hint(e, "remove it to train from scratch, or resume it with the version that wrote it");
	return -1;
}

int
checkpoint_load(struct trainer *t, struct err *e)
{
	struct pending pending = { .ranks = t->ranks };
	int r = -1;

	t->model = model_load(t->set->checkpoint, true, keep_member, &pending, e);
	if (t->model && !check_engine(t, e) && !trainer_prepare(t, e)) {
		r = take_members(t, &pending, e);
		t->saved = t->state.update;
	}
	free_pending(&pending);
	return r;
}
