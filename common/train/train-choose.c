/* train-choose: options of a training: their defaults, combinations and effects; see trainer.h. */
#include <stdlib.h>
#include <string.h>

#include "base/mem.h"
#include "base/output.h"
#include "model-file/model-file.h"
#include "train/trainer.h"

/* --- choice of recipe, architecture and variants --- */

static void
override(double *value, double v)
{
	if (v >= 0)
		*value = v;
}

/* The base recipe with the given options. */
static void
choose_recipe(struct trainer *t, const struct recipe *base)
{
	const struct train_settings *s = t->set;
	struct recipe *r = &t->recipe;

	*r = *base;
	if (s->schedule >= 0)
		r->schedule = s->schedule;
	if (s->smoothing >= 0)
		r->smoothing_variant = s->smoothing;
	if (s->warmup >= 0)
		r->warmup = s->warmup;
	override(&r->lr, s->lr);
	override(&r->lr_init, s->lr_init);
	override(&r->label_smoothing, s->label_smoothing);
	override(&r->clip, s->clip);
	override(&r->weight_decay, s->weight_decay);
	override(&r->adam_beta1, s->beta1);
	override(&r->adam_beta2, s->beta2);
	override(&r->adam_eps, s->eps);
}

/* A schedule that no option gives is that of the model of --init. */
static int
check_schedule(const struct trainer *t, struct err *e)
{
	if (t->recipe.schedule == SCHEDULE_PLATEAU && !t->set->dev)
		return err_set(e, EXIT_USAGE, "--schedule plateau needs --dev");
	if (t->recipe.schedule == SCHEDULE_LINEAR && !t->set->updates)
		return err_set(e, EXIT_USAGE, "--schedule linear needs --updates");
	if (t->recipe.schedule != SCHEDULE_NOAM && t->set->lr_factor >= 0)
		return err_set(e, EXIT_USAGE, "--lr-factor needs --schedule noam, the schedule is "
			       "%s", schedule_names[t->recipe.schedule]);
	return 0;
}

/* With noam, --lr is the peak rate, from which the factor follows; --lr-factor sets the factor. */
static void
choose_schedule(struct trainer *t)
{
	struct recipe *r = &t->recipe;
	struct schedule *c = &t->schedule;

	*c = (struct schedule){
		.kind = r->schedule, .warmup = r->warmup, .total = t->set->updates,
		.width = t->config.width, .lr = r->lr, .lr_init = r->lr_init, .factor = 1,
	};
	if (t->set->lr >= 0 && r->schedule == SCHEDULE_NOAM)
		r->lr_factor = r->lr / schedule_rate(c, c->warmup > 0 ? c->warmup : 1);
	override(&r->lr_factor, t->set->lr_factor);
	c->factor = r->lr_factor;
}

static int
choose_config(struct trainer *t, const struct model_config *base, struct err *e)
{
	const struct train_settings *s = t->set;
	struct model_config *c = &t->config;

	*c = *base;
	if (s->size && model_size(c, s->size, e))
		return -1;
	if (s->dropout >= 0)
		c->dropout_embed = c->dropout_residual = c->dropout_attention =
			c->dropout_relu = s->dropout;
	override(&c->word_dropout, s->word_dropout);
	for (size_t i = 0; i < s->arch.n; i++)
		if (cli_settings(model_config_options, c, s->arch.v[i], e))
			return err_wrap(e, "--arch");
	if (s->max_length > c->max_length)
		return err_set(e, EXIT_USAGE, "--max-length %lld, expected at most the model's "
			       "max_length, %lld", (long long)s->max_length,
			       (long long)c->max_length);
	t->max_length = s->max_length ? s->max_length : c->max_length;
	if (t->max_length > CORPUS_MAX_TOKENS)
		t->max_length = CORPUS_MAX_TOKENS;
	t->part_tokens = s->part_tokens > 0 ? s->part_tokens
		       : c->width <= NARROW ? PART_TOKENS : WIDE_PART_TOKENS;
	return model_config_check(c, e);
}

static bool
same_variant(const char *a, const char *b)
{
	const size_t n = strcspn(a, ":");

	return n == strcspn(b, ":") && !memcmp(a, b, n);
}

static bool
drops_variants(const struct opt_list *given)
{
	for (size_t i = 0; i < given->n; i++)
		if (!strcmp(given->v[i], "plain"))
			return true;
	return false;
}

/* Removes the first given spec of the same variant from the list and returns it; NULL if none. */
static const char *
take_given(const char **given, size_t n, const char *spec)
{
	for (size_t i = 0; i < n; i++) {
		const char *found = given[i];

		if (!found || !same_variant(found, spec))
			continue;
		given[i] = NULL;
		return found;
	}
	return NULL;
}

/* Adds the specs of the model of --init; a given spec of the same variant replaces one. */
static void
inherit_attention(struct trainer *t, const struct model *init, const char **given, size_t n)
{
	for (size_t i = 0; i < attention_set_n(init->attention); i++) {
		struct buf spec = { 0 };
		const char *instead;
		int version;

		attention_set_describe(init->attention, i, &spec, &version);
		instead = take_given(given, n, spec.data);
		t->specs.v[t->specs.n++] = xstrdup(instead ? instead : spec.data);
		buf_release(&spec);
	}
}

/* Adds the spec of the preset, or the given one of the same variant, unless it is there. */
static void
add_preset_attention(struct trainer *t, const char *spec, const char **given, size_t n)
{
	const char *instead;

	for (size_t i = 0; i < t->specs.n; i++)
		if (same_variant(t->specs.v[i], spec))
			return;
	instead = take_given(given, n, spec);
	t->specs.v[t->specs.n++] = xstrdup(instead ? instead : spec);
}

/*
 * The specs are those of the model of --init and of the preset p, if it is not NULL, followed by
 * the given ones.  "plain" stands for no variant, and drops those of model and preset.
 */
static void
choose_attention(struct trainer *t, const struct model *init, const struct preset *p)
{
	const size_t n = t->set->attention.n;
	const char **given = xcalloc(n + 1, sizeof(*given));

	for (size_t i = 0; i < n; i++)
		given[i] = t->set->attention.v[i];
	t->specs.v = xcalloc(n + (init ? attention_set_n(init->attention) : 0) + 2,
			     sizeof(*t->specs.v));
	if (init && !drops_variants(&t->set->attention))
		inherit_attention(t, init, given, n);
	if (p && p->attention && !drops_variants(&t->set->attention))
		add_preset_attention(t, p->attention, given, n);
	for (size_t i = 0; i < n; i++)
		if (given[i] && strcmp(given[i], "plain"))
			t->specs.v[t->specs.n++] = xstrdup(given[i]);
	free(given);
}

int
trainer_choose(struct trainer *t, const struct model *init, struct err *e)
{
	const struct train_settings *s = t->set;
	const struct preset *p = preset_find(train_preset_names[s->preset < 0 ? 0 : s->preset]);
	bool inherit = init && s->preset < 0;

	choose_recipe(t, inherit ? &init->recipe : &p->recipe);
	if (check_schedule(t, e) || choose_config(t, inherit ? &init->config : &p->config, e))
		return -1;
	choose_schedule(t);
	choose_attention(t, init, inherit ? NULL : p);
	return recipe_check(&t->recipe, e);
}

/* --- checks --- */

const char *const train_preset_names[] = { "fairseq", "onmt", "witwicky", "story", "t5", NULL };

const struct train_settings train_defaults = {
	.preset = -1, .seed = 1, .dropout_seed = -1, .min_count = 1, .batch_tokens = 4096,
	.part_tokens = -1, .accumulate = 1,
	.pool = 100, .schedule = -1, .lr = -1, .lr_init = -1, .lr_factor = -1, .lr_shrink = 0.8,
	.warmup = -1, .lr_patience = 1, .label_smoothing = -1, .dropout = -1, .word_dropout = -1,
	.smoothing = -1, .clip = -1, .weight_decay = -1, .beta1 = -1, .beta2 = -1, .eps = -1,
	.explode = 3, .dev_beam = 1, .checkpoint_every = 500, .log_every = 100,
	.precision = PRECISION_AUTO, .rank_timeout = 300,
};

/* What is wrong with the combination of options, or NULL; checked before anything is read. */
static const char *
find_conflict(const struct train_settings *s)
{
	if (!s->output || !strcmp(s->output, "-"))
		return "no output file, expected -o FILE";
	if (!s->dev && (s->patience || s->keep_best || s->dev_bleu || s->validate_every ||
			s->stop_on == STOP_ON_BLEU))
		return "--patience, --keep-best, --stop-on, --validate-every and --dev-bleu need "
		       "--dev";
	if (s->init && (s->min_count > 1 || s->max_types || s->joint_vocab))
		return "--min-count, --max-types and --joint-vocab cannot be used with --init, "
		       "which keeps the vocabularies of its model";
	if (s->average && s->keep_best)
		return "--average and --keep-best both given, expected at most one";
	if (s->average && s->updates && s->updates < s->save_every)
		return "--average needs --updates of at least --save-every";
	if (s->keep_every && s->keep_every % s->save_every)
		return "--keep-every, expected a multiple of --save-every";
	if (s->keep_last && s->keep_last < s->average)
		return "--keep-last, expected at least --average";
	return NULL;
}

/*
 * A file that is written must be no other file of the training, but the model of --init may be
 * replaced by the trained model.
 */
static int
check_distinct_files(const struct train_settings *s, struct err *e)
{
	enum { WRITTEN = 3 };
	const struct { const char *what, *path; } file[] = {
		{ "-o", s->output }, { "--log", s->log }, { "--checkpoint", s->checkpoint },
		{ "the input", s->input }, { "--dev", s->dev }, { "-c", s->codes },
		{ "--spm", s->spm[0] }, { "--tgt-spm", s->spm[1] }, { "--init", s->init },
	};
	const size_t n = sizeof(file) / sizeof(*file);

	for (size_t i = 1; i < n; i++) {
		if (!file[i].path)
			continue;
		for (size_t k = file[i].path == s->init; k < i && k < WRITTEN; k++)
			if (file[k].path && output_same(file[k].path, file[i].path))
				return err_set(e, EXIT_USAGE, "%s: both %s and %s, expected "
					       "different files", file[i].path, file[k].what,
					       file[i].what);
		if (train_is_snapshot(s, file[i].path))
			return err_set(e, EXIT_USAGE, "%s: both %s and a model of --save-every, "
				       "expected different files", file[i].path, file[i].what);
	}
	return 0;
}

int
train_end_check(const struct train_settings *s, struct err *e)
{
	if (s->updates || s->epochs || s->patience)
		return 0;
	return err_set(e, EXIT_USAGE, "no stopping criterion, expected --updates, --epochs or "
		       "--patience");
}

int
train_settings_check(const struct train_settings *s, const struct ranks *r, struct err *e)
{
	const char *why = find_conflict(s);

	if (why)
		return err_set(e, EXIT_USAGE, "%s", why);
	if (train_ranks_check(s, r, e))
		return -1;
	if (r->me)
		return 0;
	if (check_distinct_files(s, e) || output_check(s->output, e) ||
	    (s->log && output_check(s->log, e)))
		return -1;
	return s->checkpoint ? output_check(s->checkpoint, e) : 0;
}
