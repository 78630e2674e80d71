/* parser-train: see parser-train.h; training.c saves and resumes trainings. */
#include "parser/parser-train.h"

#include <errno.h>
#include <math.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "base/lock.h"
#include "base/mem.h"
#include "base/output.h"
#include "base/signals.h"
#include "model-file/checkpoint-engine.h"
#include "parser/accuracy.h"
#include "parser/training.h"
#include "parser/treebank.h"

const struct parser_settings parser_defaults = {
	.precision = PRECISION_FP32,
	.updates = 6000, .batch_words = 1500, .pool = 50, .warmup = 200, .validate_every = 500,
	.min_count = 2, .max_words = 500, .seed = 1, .lr = 0.001, .beta2 = 0.98, .eps = 1e-9,
	.clip = 5,
};

static int
parser_train_choose_config(struct training *t, struct err *e)
{
	t->config = network_defaults;
	for (size_t i = 0; i < t->set->config.n; i++)
		if (cli_settings(network_options, &t->config, t->set->config.v[i], e))
			return err_wrap(e, "--arch");
	return network_config_check(&t->config, e);
}

static int
make_network(struct training *t, struct err *e)
{
	const struct parser_settings *s = t->set;

	t->parser.network = gold_network(&t->bank, &t->config, s->min_count, e);
	if (!t->parser.network)
		return -1;
	params_allocate(&t->parser.network->params, true);
	params_randomize(&t->parser.network->params, (uint64_t)s->seed);
	t->parser.lang = xstrdup(s->lang ? s->lang : "");
	t->parser.pg = cli_no_pg ? xstrdup("") :
		       xasprintf("parse-train %s %s", cli_version(), cli_args());
	training_prepare(t);
	return 0;
}

static int
save_output(struct training *t, struct err *e)
{
	struct params *p = &t->parser.network->params;
	struct bundle_out *b;

	t->parser.step = t->state.update;
	if (t->best && t->state.best_update) {
		memcpy(p->x, t->best, p->total * sizeof(real));
		t->parser.step = t->state.best_update;
	}
	b = parser_write(&t->parser, t->set->output, t->set->i8, e);
	return b ? bundle_out_finish(b, e) : -1;
}

/* One measure of the report, if the development data has it. */
static void
report_part(const char *name, int64_t part, int64_t whole, const char **separator)
{
	if (!whole)
		return;
	fprintf(stderr, "%s %s %.2f", *separator, name, 100.0 * (double)part / (double)whole);
	*separator = ",";
}

static void
parser_train_report(const struct training *t, const struct accuracy *a, bool better)
{
	const char *separator = "";

	if (t->progress.visible)
		fputs("\r\033[K", stderr);
	fprintf(stderr, "update %lld, epoch %lld, loss %.4f: dev", (long long)t->state.update,
		(long long)t->state.epoch, t->words ? t->loss / (double)t->words : 0);
	report_part("upos", a->tags_correct[LABEL_UPOS], a->tags[LABEL_UPOS], &separator);
	report_part("xpos", a->tags_correct[LABEL_XPOS], a->tags[LABEL_XPOS], &separator);
	report_part("uas", a->heads, a->arcs, &separator);
	report_part("las", a->labeled, a->relations, &separator);
	report_part("f1", 2 * a->correct, a->gold ? a->gold + a->found : 0, &separator);
	fputs(better ? " (best so far)\n" : "\n", stderr);
}

static void
parser_train_validate(struct training *t)
{
	const struct decode_settings how = { t->set->projective, true, true };
	const struct params *p = &t->parser.network->params;
	struct accuracy a;
	double score;
	bool better;

	accuracy_measure(&a, &t->gold_dev, t->parser.network, &t->run, &how, t->set->batch_words);
	score = accuracy_score(&a);
	better = score > t->state.best;
	if (!t->set->quiet)
		parser_train_report(t, &a, better);
	t->loss = 0;
	t->words = 0;
	if (!better)
		return;
	t->state.best = score;
	t->state.best_update = t->state.update;
	if (t->best)
		memcpy(t->best, p->x, p->total * sizeof(real));
}

/* The sentences of the next batch. */
static size_t
next_batch(struct training *t, const uint32_t **which)
{
	const struct corpus_rules rules = { (uint64_t)t->set->seed, t->set->batch_words,
					    t->set->pool };

	if (t->order_epoch != t->state.epoch) {
		corpus_epoch(&t->order.corpus, &t->order.order, &rules, (uint32_t)t->state.epoch);
		t->order_epoch = t->state.epoch;
	}
	return corpus_order_records(&t->order.order, (size_t)t->state.batch, which);
}

static int
parser_train_diverged(const struct training *t, const char *name, double value, struct err *e)
{
	err_set(e, EXIT_DIVERGED, "update %lld: %s is %g, expected a finite value",
		(long long)t->state.update + 1, name, value);
	err_hint(e, "a lower --lr or a longer --warmup may help");
	return -1;
}

static int
parser_train_update(struct training *t, struct err *e)
{
	const struct gold_noise noise = { (uint64_t)t->set->seed, (uint32_t)t->state.epoch };
	struct training_state *s = &t->state;
	const uint32_t *which;
	size_t n_sentences = next_batch(t, &which);
	int64_t words;
	double loss, norm, scale;

	loss = part_gradients_sum(t->parts, which, (int)n_sentences, &noise, (uint32_t)s->update,
				  &words);
	norm = optimizer_norm(&t->optimizer, t->run.pool);
	if (!isfinite(loss))
		return parser_train_diverged(t, "the loss", loss, e);
	if (!isfinite(norm))
		return parser_train_diverged(t, "the norm of the gradient", norm, e);
	t->loss += loss;
	t->words += words;
	scale = t->set->clip > 0 && norm > t->set->clip ? t->set->clip / norm : 1;
	s->update++;
	optimizer_step(&t->optimizer, t->run.pool, s->update,
		       schedule_rate(&t->schedule, s->update), scale);
	if ((size_t)++s->batch == t->order.order.n_batches) {
		s->batch = 0;
		s->epoch++;
	}
	return 0;
}

/* The checkpoint is saved after the validation, whose result it contains. */
static int
after_update(struct training *t, struct err *e)
{
	const struct parser_settings *s = t->set;

	if (t->state.update < s->updates && t->state.update % s->validate_every)
		return 0;
	if (t->dev.n)
		parser_train_validate(t);
	return s->checkpoint ? training_save(t, e) : 0;
}

static int
parser_train_interrupted(struct training *t, int number, struct err *e)
{
	if (t->set->checkpoint && training_save(t, e))
		return -1;
	signals_warn(number, t->state.update, t->set->checkpoint);
	return number;
}

static int
parser_train_loop(struct training *t, struct err *e)
{
	int64_t began = t->state.update;
	const uint32_t *unused;
	int number = 0;

	next_batch(t, &unused);
	if ((size_t)t->state.batch >= t->order.order.n_batches)
		return err_set(e, EXIT_INPUT, "%s: batch is %lld, expected less than %zu",
			       t->set->checkpoint, (long long)t->state.batch,
			       t->order.order.n_batches);
	progress_start(&t->progress, "updates", t->set->updates - began);
	t->progress.visible &= !t->set->quiet;
	while (t->state.update < t->set->updates && !(number = signals_caught())) {
		if (parser_train_update(t, e) || after_update(t, e))
			return -1;
		progress_at(&t->progress, t->state.update - began, "epoch %lld",
			    (long long)t->state.epoch);
	}
	progress_end(&t->progress);
	return number ? parser_train_interrupted(t, number, e) : save_output(t, e);
}

/* Do both treebanks have the same kind of annotation? */
static bool
share_labels(const struct treebank *a, const struct treebank *b)
{
	for (int set = 0; set < LABEL_SETS; set++)
		if (set != LABEL_REL && a->label[set].n && b->label[set].n)
			return true;
	return treebank_has_heads(a) && treebank_has_heads(b);
}

static void
warn_too_long(const struct training *t, const struct treebank *b)
{
	if (b->too_long)
		warn("%lld sentences have more than %lld words and are skipped",
		     (long long)b->too_long, (long long)t->set->max_words);
}

static int
read_training(struct training *t, struct err *e)
{
	struct leave_out leave_out;
	int r = 0;

	leave_out_init(&leave_out, &t->set->leave_out);
	for (char **f = t->set->train; !r && *f; f++)
		r = treebank_read(&t->bank, *f, &leave_out, e);
	if (!r)
		leave_out_warn(&leave_out);
	leave_out_release(&leave_out);
	return r;
}

static int
read_banks(struct training *t, struct err *e)
{
	const struct parser_settings *s = t->set;

	t->bank.max_words = t->dev.max_words = (int)s->max_words;
	if (read_training(t, e))
		return -1;
	for (size_t i = 0; i < s->dev.n; i++)
		if (treebank_read(&t->dev, s->dev.v[i], NULL, e))
			return -1;
	warn_too_long(t, &t->bank);
	warn_too_long(t, &t->dev);
	if (!t->bank.n)
		return err_set(e, EXIT_INPUT, "no sentences to train on");
	if (s->dev.n && !t->dev.n)
		return err_set(e, EXIT_INPUT, "no sentences to validate on");
	if (!share_labels(&t->bank, &t->bank))
		return err_set(e, EXIT_INPUT, "no trees and no part-of-speech tags to train on");
	if (s->dev.n && !share_labels(&t->bank, &t->dev))
		return err_set(e, EXIT_INPUT, "nothing to validate: the development set lacks "
			       "all annotation of the training set");
	return 0;
}

static int
parser_train_begin(struct training *t, struct err *e)
{
	const struct parser_settings *s = t->set;
	bool resumes;

	if (s->checkpoint && !(t->lock = lock_take(s->checkpoint, e)))
		return -1;
	resumes = s->checkpoint && !access(s->checkpoint, F_OK);
	if (s->checkpoint && !resumes && errno != ENOENT)
		return err_system(e, "%s", s->checkpoint);
	if (parser_train_choose_config(t, e) || read_banks(t, e) ||
	    checkpoint_engine(&t->run, resumes ? s->checkpoint : NULL, "settings", s->backend,
			      s->precision, s->threads, e))
		return -1;
	t->running = true;
	if (s->precision == PRECISION_AUTO && !s->quiet)
		runtime_print(&t->run);
	training_describe(t);
	return resumes ? training_resume(t, e) : make_network(t, e);
}

/* Finds errors in the settings before the training starts. */
static int
parser_train_check(const struct parser_settings *s, struct err *e)
{
	if (!strcmp(s->output, "-") || (s->checkpoint && !strcmp(s->checkpoint, "-")))
		return err_set(e, EXIT_USAGE, "-o and --checkpoint: found '-', expected a file");
	if (output_check(s->output, e))
		return -1;
	return s->checkpoint ? output_check(s->checkpoint, e) : 0;
}

int
parser_train(const struct parser_settings *s, struct err *e)
{
	struct training t = { .set = s, .state.best = -1 };
	int r;

	if (parser_train_check(s, e))
		return -1;
	signals_catch();
	treebank_init(&t.bank);
	treebank_init(&t.dev);
	r = parser_train_begin(&t, e) ? -1 : parser_train_loop(&t, e);
	training_release(&t);
	return r;
}
