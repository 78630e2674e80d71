/* trial-stage: see trial-stage.h. */
#include "tune/trial-stage.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/escape.h"
#include "base/mem.h"

struct pool {
	struct scored_trial { char *options; double badness; size_t place; } *trial;
	size_t n;
};

/* Adds a trial unless it is there already.  Takes ownership of the options. */
static void
pool_add(struct pool *p, char *options)
{
	size_t k = 0;

	while (k < p->n && strcmp(p->trial[k].options, options))
		k++;
	if (k < p->n)
		free(options);
	else
		p->trial[p->n++] = (struct scored_trial){ .options = options, .place = k };
}

/* Keeps the first n trials; without any, the pool is released. */
static void
pool_cut(struct pool *p, size_t n)
{
	while (p->n > n)
		free(p->trial[--p->n].options);
	if (!n)
		free(p->trial);
}

/* The trials of a stage with the winner of the stage before it, all checked. */
static int
pool_fill(struct pool *p, const struct trial_plan *plan, const struct trial_stage *s,
	  const char *winner, struct err *e)
{
	int bad = 0;

	*p = (struct pool){ .trial = xcalloc(s->n, sizeof(*p->trial)) };
	for (size_t i = 0; !bad && i < s->n; i++) {
		char *all = xasprintf("%s %s", winner, s->combination[i].options);
		struct buf merged = { 0 };

		buf_add(&merged, "", 0);
		train_options_merge(&plan->run.table, all, &merged);
		bad = trial_check(&plan->run, merged.data, s->combination[i].lines, e);
		pool_add(p, merged.data);
		free(all);
	}
	if (bad)
		pool_cut(p, 0);
	return bad;
}

static int
trial_stage_train(const struct trial_plan *p, struct trial *t, struct err *e)
{
	const int status = trial_train(&p->run, p->journal, t, e);

	if (status)
		return status;
	fprintf(stderr, "%s: %s: ", err_program_name(), t->stage);
	escape_put(stderr, *t->options ? t->options : "(no options)", "");
	fprintf(stderr, ", seed %lld: %s\n", (long long)t->seed, journal_score(p->journal, t));
	return 0;
}

static int
trial_stage_compare(const void *a, const void *b)
{
	const struct scored_trial *x = a, *y = b;

	if (x->badness != y->badness)
		return x->badness < y->badness ? -1 : 1;
	return x->place < y->place ? -1 : 1;
}

/* Scores a trial with each seed; any: whether a training did not diverge. */
static int
trial_stage_score(const struct trial_plan *p, struct scored_trial *r, struct trial t, bool *any,
		  struct err *e)
{
	const double sign = p->run.bleu ? -1 : 1;
	struct buf files = { 0 };
	double sum = 0;
	int bad = 0;

	trial_files(&p->run.table, r->options, &files);
	t.options = r->options;
	t.files = files.n ? files.data + 1 : "";
	for (size_t k = 0; !bad && k < p->seeds.n; k++) {
		const char *text;

		t.seed = p->seeds.v[k];
		if (!journal_score(p->journal, &t))
			bad = trial_stage_train(p, &t, e);
		text = bad ? "null" : journal_score(p->journal, &t);
		sum += strcmp(text, "null") ? strtod(text, NULL) : sign * 1e30;
		*any |= strcmp(text, "null") != 0;
	}
	buf_release(&files);
	r->badness = sign * sum / (double)p->seeds.n;
	return bad;
}

/* Sorts the trials by their scores after these updates (0: at the end), the best first. */
static int
trial_stage_rank(const struct trial_plan *p, struct pool *pool, const char *stage, int64_t updates,
		 struct err *e)
{
	const struct trial t = { .stage = stage, .updates = updates };
	bool any = false;
	int bad = 0;

	for (size_t i = 0; !bad && i < pool->n; i++)
		bad = trial_stage_score(p, &pool->trial[i], t, &any, e);
	if (!bad && !any)
		bad = err_set(e, EXIT_DIVERGED, "all trials of stage %s diverged", stage);
	qsort(pool->trial, pool->n, sizeof(*pool->trial), trial_stage_compare);
	for (size_t i = 0; i < pool->n; i++)
		pool->trial[i].place = i;
	return bad;
}

/* Without rungs, all trials run to the end; with them, each rung keeps the better half. */
static int
trial_stage_rank_all(const struct trial_plan *p, struct pool *pool, const char *stage,
		     struct err *e)
{
	int bad = p->rungs.n ? 0 : trial_stage_rank(p, pool, stage, 0, e);

	for (size_t i = 0; !bad && i < p->rungs.n; i++) {
		if (i)
			pool_cut(pool, (pool->n + 1) / 2);
		bad = trial_stage_rank(p, pool, stage, p->rungs.v[i], e);
	}
	return bad;
}

int
trial_stage_run(const struct trial_plan *p, const struct trial_stage *s, const char *winner,
		char **best, struct err *e)
{
	struct pool pool;
	int bad = pool_fill(&pool, p, s, winner, e);

	if (bad)
		return bad;
	if (p->journal)
		bad = trial_stage_rank_all(p, &pool, s->name, e);
	if (!bad)
		*best = xstrdup(pool.trial[0].options);
	pool_cut(&pool, 0);
	return bad || !p->journal ? bad : journal_clean(p->journal, e);
}
