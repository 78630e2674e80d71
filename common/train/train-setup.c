/* train-setup: prepares a training from its settings, up to the next update. */
#include <errno.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/hash.h"
#include "base/lock.h"
#include "base/output.h"
#include "data/batch.h"
#include "model-file/checkpoint-engine.h"
#include "model-file/model-file.h"
#include "model/model-input.h"
#include "ops/kit/op-list.h"
#include "stream/store.h"
#include "train/trainer.h"

static void
warn_of_missing(const struct corpus *c, const struct field *read, const char *path)
{
	for (; read->name; read++) {
		const size_t n = corpus_with_field(c, read->name);

		if (header_type(store_header(c->store), read->name) && n < c->n)
			warn("%s: %zu of %zu records lack %s, which the model reads", path,
			     c->n - n, c->n, read->name);
	}
}

static int
check_corpus(struct trainer *t, struct corpus *c, const char *path, struct err *e)
{
	const struct field *read = attention_set_needs(t->model->attention, true);
	const char *name = path ? path : "standard input";
	struct batch_rules rules;

	if (header_check(store_header(c->store), name, read, e))
		return -1;
	if (!t->ranks->me)
		warn_of_missing(c, read, name);
	model_batch_rules(t->model, &rules);
	rules.max_length = (int)t->max_length;
	if (corpus_select(c, &rules, e))
		return -1;
	if (c->n_long && !t->ranks->me)
		warn("%s: %zu of %zu pairs excluded: longer than %lld tokens", name, c->n_long,
		     c->n, (long long)t->max_length);
	if (c->n_empty && !t->ranks->me)
		warn("%s: %zu of %zu pairs excluded: a side is empty", name, c->n_empty, c->n);
	if (!c->n_used)
		return err_set(e, EXIT_INPUT, "%s: no usable pairs, expected at least one", name);
	/* What the model cannot read is usually in all records, so it is found before training. */
	return records_load(&t->records, t->model, c, c->used, 1, e)
		? err_wrap(e, "%s", name) : 0;
}

/* The frequencies of the tokens of both sides, while the training is set up. */
struct counts { struct word_count train[2], dev[2]; };

static void
setup_counts_release(struct counts *c)
{
	for (int side = 0; side < 2; side++) {
		word_count_release(&c->train[side]);
		word_count_release(&c->dev[side]);
	}
}

static int
open_corpora(struct trainer *t, struct counts *c, struct err *e)
{
	unsigned flags = t->set->force ? STREAM_FORCE : 0;

	if (corpus_open(&t->corpus, t->set->input, flags, &c->train[0], &c->train[1], e))
		return -1;
	return t->set->dev ? corpus_open(&t->dev, t->set->dev, flags, &c->dev[0], &c->dev[1], e)
			   : 0;
}

static void
setup_warn_of_foreign(const struct trainer *t, const struct corpus *c,
		      const struct word_count side[2], const char *path)
{
	struct audit_tokens tokens = { { 0 }, { 0 } };

	audit_token_counts(&tokens, 0, &side[0], &t->model->src);
	audit_token_counts(&tokens, 1, &side[1], &t->model->tgt);
	model_audit_warn_tokens(t->model, &tokens, store_header(c->store),
				path ? path : "standard input");
}

/* Settings that are possible but hardly meant. */
static void
warn_of_settings(const struct trainer *t)
{
	const struct corpus *c = &t->corpus, *dev = &t->dev;
	const long long warmup = t->recipe.warmup, updates = t->set->updates;

	if (t->ranks->me)
		return;
	if (t->set->dev && dev->n == c->n && dev->digest == c->digest)
		warn("%s: the development set is the training data, expected other sentence pairs",
		     t->set->dev);
	if (updates && warmup > updates)
		warn("the warm-up has %lld updates, expected fewer than --updates, %lld: training "
		     "ends before the peak learning rate", warmup, updates);
}

/*
 * The languages of the model are those of the training data or, if these are not known, of the
 * model of --init.  Only with --init are its vocabularies not those of the training data.
 */
static void
compare_data(struct trainer *t, const struct counts *c)
{
	struct languages own;

	if (t->set->init && !t->ranks->me)
		setup_warn_of_foreign(t, &t->corpus, c->train, t->set->input);
	languages_of(store_header(t->corpus.store), &own);
	for (int side = 0; side < 2; side++)
		if (*own.side[side])
			memcpy(t->model->languages.side[side], own.side[side], LANGUAGE_ROOM);
	if (t->set->dev && !t->ranks->me)
		setup_warn_of_foreign(t, &t->dev, c->dev, t->set->dev);
}

static int
check_both_corpora(struct trainer *t, struct err *e)
{
	if (check_corpus(t, &t->corpus, t->set->input, e))
		return -1;
	curriculum_init(&t->curriculum, &t->corpus, (uint64_t)t->set->seed, t->set->curriculum,
			t->set->batch_tokens);
	if (!t->set->dev)
		return 0;
	if (check_corpus(t, &t->dev, t->set->dev, e))
		return -1;
	corpus_sorted(&t->dev, &t->dev_order, t->set->batch_tokens < t->part_tokens
					       ? t->set->batch_tokens : t->part_tokens);
	return 0;
}

static int
open_engine(struct trainer *t, struct err *e)
{
	int64_t threads = t->set->threads ? t->set->threads : t->ranks->processors;

	if (checkpoint_engine(&t->run, t->resumed ? t->set->checkpoint : NULL, "train",
			      t->set->backend, t->set->precision, threads, e))
		return -1;
	t->recipe.precision = t->run.precision;
	t->running = true;
	t->run.pass.seed =
	    (uint64_t)(t->set->dropout_seed < 0 ? t->set->seed : t->set->dropout_seed);
	t->run.pass.training = 1;
	if (t->set->profile)
		t->profile = profile_new(t->run.tape, &t->run.backend, ops, seconds);
	return 0;
}

/* A model of more updates than the options ask for would not be the one of these options. */
static int
check_progress(const struct trainer *t, struct err *e)
{
	const struct train_settings *s = t->set;
	const struct train_state *now = &t->state;

	if (s->updates && now->update > s->updates)
		err_set(e, EXIT_USAGE, "%s has %lld updates, expected at most --updates, %lld",
			s->checkpoint, (long long)now->update, (long long)s->updates);
	else if (s->epochs && (now->epoch > s->epochs || (now->epoch == s->epochs && now->batch)))
		err_set(e, EXIT_USAGE, "%s has %lld epochs%s, expected at most --epochs, %lld",
			s->checkpoint, (long long)now->epoch,
			now->batch ? " and batches of the next" : "", (long long)s->epochs);
	else
		return 0;
	err_hint(e, "remove it to train from scratch");
	return -1;
}

static int
begin_or_resume(struct trainer *t, const struct model *init, const struct counts *c, struct err *e)
{
	if (t->resumed)
		return checkpoint_load(t, e) || check_progress(t, e) ? -1 : 0;
	if (trainer_begin_model(t, init, &c->train[0], &c->train[1], e))
		return -1;
	train_settings_describe(t);
	return 0;
}

static int
find_checkpoint(struct trainer *t, struct err *e)
{
	const char *path = t->set->checkpoint;

	t->resumed = path && !access(path, F_OK);
	return path && !t->resumed && errno != ENOENT ? err_system(e, "%s", path) : 0;
}

/* A model of these settings with empty vocabularies, and without memory for its parameters. */
static int
setup_check_model(struct trainer *t, const struct model *init, struct err *e)
{
	struct vocab src, tgt;

	vocab_init(&src);
	vocab_init(&tgt);
	return trainer_new_model(t, init, &src, &tgt, e) || trainer_freeze(t, e) ? -1 : 0;
}

/* Finds wrong names in the options before the data is read. */
static int
setup_check_names(struct trainer *t, const struct model *init, struct err *e)
{
	const int r = setup_check_model(t, init, e);

	model_free(t->model);
	t->model = NULL;
	return r ? -1 : train_end_check(t->set, e);
}

/* The counts are only needed for the vocabularies and the mask of a new model. */
static int
setup_open_all(struct trainer *t, const struct model *init, struct err *e)
{
	struct counts c = { 0 };
	int r;

	r = trainer_choose(t, init, e) || setup_check_names(t, init, e) || find_checkpoint(t, e) ||
	    open_engine(t, e) || open_corpora(t, &c, e) ||
	    begin_or_resume(t, init, &c, e) || trainer_add_origin(t, init, e) ||
	    check_both_corpora(t, e);
	if (!r) {
		trainer_check_segmentation(t);
		compare_data(t, &c);
		warn_of_settings(t);
	}
	setup_counts_release(&c);
	return r ? -1 : 0;
}

/* Only one training may use the checkpoint; its rank 0 writes it. */
static int
lock_checkpoint(struct trainer *t, struct err *e)
{
	if (!t->set->checkpoint || t->ranks->me)
		return 0;
	t->lock = lock_take(t->set->checkpoint, e);
	return t->lock ? 0 : -1;
}

/* The output may replace the model of --init, so that it cannot be recognized on resuming. */
static void
describe_init(struct trainer *t, const struct model *init)
{
	if (!init || output_same(t->set->init, t->set->output))
		snprintf(t->init, sizeof(t->init), "%s", init ? "the output" : "none");
	else
		snprintf(t->init, sizeof(t->init), "digest %08" PRIx32,
			 crc32_add(0, init->params.x, init->params.total * sizeof(real)));
}

int
trainer_open(struct trainer *t, const struct train_settings *s, struct ranks *ranks, struct err *e)
{
	struct model *init = NULL;
	int r;

	memset(t, 0, sizeof(*t));
	t->set = s;
	t->ranks = ranks;
	t->order_epoch = t->saved = -1;
	t->state.lr_scale = 1;
	/* Also for a checkpoint that lacks them; its models are left alone. */
	trainer_renew_saves(t);
	t->state.path = -1;
	train_log_new(t);
	if (lock_checkpoint(t, e))
		return -1;
	if (s->init && !(init = model_load(s->init, false, NULL, NULL, e)))
		return -1;
	describe_init(t, init);
	r = setup_open_all(t, init, e);
	model_free(init);
	t->began = t->state.update;
	trainer_renew_saves(t);
	return r;
}

static int
check_backend(const char *name, struct err *e)
{
	struct backend b;

	if (!name)
		return 0;
	if (backend_open(&b, name, e))
		return -1;
	backend_close(&b);
	return 0;
}

int
train_check_options(const struct train_settings *s, struct ranks *ranks, struct err *e)
{
	struct train_settings set = *s;
	struct trainer t = { .set = &set, .ranks = ranks };
	struct model *init = NULL;
	int r;

	set.output = set.output ? set.output : "/dev/null";
	set.dev = set.dev ? set.dev : "/dev/null";
	if (s->init && !access(s->init, F_OK) &&
	    !(init = model_load(s->init, false, NULL, NULL, e)))
		return -1;
	if (s->init && !init && s->preset < 0 && s->schedule < 0)
		set.lr_factor = -1;		/* the schedule is not known yet */
	train_log_new(&t);
	r = train_settings_check(&set, ranks, e) || check_backend(set.backend, e) ||
	    trainer_choose(&t, init, e) || setup_check_model(&t, init, e);
	model_free(init);
	trainer_close(&t);
	return r ? -1 : 0;
}

void
trainer_close(struct trainer *t)
{
	train_log_free(t);
	profile_free(t->profile);
	trainer_lanes_free(t);
	if (t->running)
		runtime_close(&t->run);
	optimizer_release(&t->optimizer);
	gradient_sum_release(&t->sum);
	free(t->best);
	free(t->counts);
	curriculum_release(&t->curriculum);
	model_free(t->model);
	corpus_close(&t->corpus);
	corpus_close(&t->dev);
	corpus_order_release(&t->order);
	corpus_order_release(&t->dev_order);
	records_release(&t->records);
	batch_parts_release(&t->shares);
	for (size_t i = 0; i < t->specs.n; i++)
		free((char *)t->specs.v[i]);
	free(t->specs.v);
	buf_release(&t->settings);
	lock_release(t->lock);
}
