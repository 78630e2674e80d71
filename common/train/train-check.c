/* train-check: default settings, and combinations that cannot be; see trainer.h. */
#include <string.h>

#include "base/output.h"
#include "train/trainer.h"

const char *const train_preset_names[] = { "fairseq", "onmt", "witwicky", "story", NULL };

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
train_check_check_files(const struct train_settings *s, struct err *e)
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
	if (train_check_check_files(s, e) || output_check(s->output, e) ||
	    (s->log && output_check(s->log, e)))
		return -1;
	return s->checkpoint ? output_check(s->checkpoint, e) : 0;
}
