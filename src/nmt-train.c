/*
 * nmt-train: train a Transformer on a stream of sentence pairs; see nmt-train(1).
 */
#include <string.h>

#include "attention/attention.h"
#include "base/cli.h"
#include "model/runtime.h"
#include "stream/input.h"
#include "train/ranks.h"
#include "train/schedule.h"
#include "train/train.h"

#define MAX_INT 9007199254740992.0	/* 2^53: exact as a double */

static struct train_settings s;
static const char *const sizes[] = { "tiny", "small", "base", "iwslt", NULL };
static const char *const scores[] = { "nll", "bleu", NULL };
static const char *const smoothings[] = { "fairseq-old", "fairseq-new", "onmt", "t2t", NULL };
static int size = -1;

#define TEXT(letter, name, word, to_, help_) \
	{ .kind = OPT_STRING, .short_name = letter, .long_name = name, .arg = word, .help = help_, \
	  .to = &s.to_ }
#define LIST(letter, name, word, to_, help_) \
	{ .kind = OPT_LIST, .short_name = letter, .long_name = name, .arg = word, .help = help_, \
	  .to = &s.to_ }
#define WORD(name, word, to_, words, help_) \
	{ .kind = OPT_CHOICE, .long_name = name, .arg = word, .help = help_, .to = to_, \
	  .choice = words }
#define WHOLE(name, to_, from, help_) \
	{ .kind = OPT_INT, .long_name = name, .arg = "n", .help = help_, .to = &s.to_, \
	  .min = from, .max = MAX_INT }
#define NUMBER(name, to_, from, upto, help_) \
	{ .kind = OPT_FLOAT, .long_name = name, .arg = "x", .help = help_, .to = &s.to_, \
	  .min = from, .max = upto }
#define FLAG(name, to_, help_) \
	{ .kind = OPT_FLAG, .long_name = name, .help = help_, .to = &s.to_ }

static const struct opt options[] = {
	OPT_GROUP("Model"),
	WORD("preset", "name", &s.preset, train_preset_names, "architecture and recipe (fairseq)"),
	WORD("size", "name", &size, sizes, "layers, widths and heads (base)"),
	LIST(0, "arch", "key=value,...", arch, "set single settings of the architecture"),
	LIST('a', "attention", "spec", attention,
	     "attention variant, name:key=value,...; help lists them"),
	TEXT(0, "init", "model", init, "initialize from this trained model"),
	LIST(0, "freeze", "pattern", freeze, "do not update parameters whose names match"),

	OPT_GROUP("Data"),
	TEXT('c', "codes", "file", codes, "BPE codes to store in the model"),
	WHOLE("min-count", min_count, 1, "exclude rarer tokens from the vocabularies (1)"),
	WHOLE("max-types", max_types, 0, "maximum size of a vocabulary (0: no limit)"),
	FLAG("joint-vocab", joint_vocab, "one vocabulary for both sides"),
	WHOLE("max-length", max_length, 0,
	      "exclude pairs with more tokens on a side (0: the model's maximum)"),
	OPT_MAX_LINE,

	OPT_GROUP("Batches and duration"),
	WHOLE("updates", updates, 0, "stop after n updates (0: no limit)"),
	WHOLE("epochs", epochs, 0, "stop after n epochs (0: no limit)"),
	WHOLE("batch-tokens", batch_tokens, 1, "tokens in a batch, on the longer side (4096)"),
	WHOLE("accumulate", accumulate, 1, "batches in an update (1)"),
	WHOLE("pool", pool, 0, "sort by length in pools of n batches; 0: whole epoch (100)"),
	WHOLE("curriculum", curriculum, 0, "begin with n updates from short to long sentences (0)"),

	OPT_GROUP("Learning rate"),
	WORD("schedule", "name", &s.schedule, schedule_names, "learning rate schedule (preset)"),
	NUMBER("lr", lr, 0, 1e6, "peak learning rate (preset)"),
	NUMBER("lr-init", lr_init, 0, 1e6, "learning rate before the warm-up (preset)"),
	NUMBER("lr-factor", lr_factor, 0, 1e6, "factor of schedule noam (preset)"),
	NUMBER("lr-shrink", lr_shrink, 0, 1, "factor by which plateau reduces the rate (0.8)"),
	WHOLE("lr-patience", lr_patience, 1,
	      "validations without a new best before plateau reduces it (1)"),
	WHOLE("warmup", warmup, 0, "warm-up updates (preset)"),

	OPT_GROUP("Regularization"),
	NUMBER("label-smoothing", label_smoothing, 0, 0.999,
	       "probability taken from the gold token (preset)"),
	WORD("smoothing", "name", &s.smoothing, smoothings, "label smoothing variant (preset)"),
	NUMBER("dropout", dropout, 0, 0.999, "all dropout probabilities (preset)"),
	NUMBER("word-dropout", word_dropout, 0, 0.999,
	       "share of input tokens replaced by <unk> (preset)"),
	NUMBER("weight-decay", weight_decay, 0, 1, "decoupled weight decay (preset)"),

	OPT_GROUP("Optimizer"),
	NUMBER("beta1", beta1, 0, 0.999999, "Adam's beta 1 (preset)"),
	NUMBER("beta2", beta2, 0, 0.99999999, "Adam's beta 2 (preset)"),
	NUMBER("eps", eps, 0, 1, "Adam's epsilon (preset)"),
	NUMBER("clip", clip, 0, 1e30, "maximum norm of the gradient; 0: no limit (preset)"),
	NUMBER("clamp", clamp, 0, 1e30, "maximum absolute gradient element (0: no limit)"),
	NUMBER("explode", explode, 0, 1e30,
	       "stop when the loss exceeds x times its minimum; 0: never (3)"),

	OPT_GROUP("Validation"),
	TEXT(0, "dev", "file", dev, "sentence pairs to validate on"),
	WHOLE("validate-every", validate_every, 0, "updates between validations (0: each epoch)"),
	FLAG("dev-bleu", dev_bleu, "translate the development set and report BLEU"),
	WHOLE("dev-beam", dev_beam, 1, "beam size for --dev-bleu; 1: greedy search (1)"),
	WORD("stop-on", "score", &s.stop_on, scores, "score that selects the best validation (nll)"),
	WHOLE("patience", patience, 0, "stop after n validations without a new best (0: never)"),
	FLAG("keep-best", keep_best, "write the parameters of the best validation"),

	OPT_GROUP("Output"),
	TEXT('o', "output", "file", output, "write the model to file"),
	TEXT(0, "checkpoint", "file", checkpoint,
	     "save the training state in file; resume from it if it exists"),
	WHOLE("checkpoint-every", checkpoint_every, 1, "updates between checkpoints (500)"),
	WHOLE("save-every", save_every, 0, "updates between saved models (0: none)"),
	WHOLE("keep-last", keep_last, 0, "keep only the last n saved models (0: all)"),
	WHOLE("keep-every", keep_every, 0, "also keep the models of every n-th update (0: none)"),
	WHOLE("average", average, 0, "write the average of the last n saved models (0: no averaging)"),
	TEXT(0, "log", "file", log, "write the training log to file"),
	WHOLE("log-every", log_every, 1, "updates between log records (100)"),
	FLAG("profile", profile, "print the time spent in each operation"),

	OPT_GROUP("Computation"),
	OPT_SEED(&s.seed), OPT_THREADS(&s.threads),
	OPT_BACKEND(&s.backend), OPT_PRECISION(&s.precision, training_precisions),

	OPT_GROUP("Other"),
	OPT_QUIET(&s.quiet), OPT_FORCE(&s.force), OPT_NO_PG,
	{ .kind = OPT_END }
};

static const struct program program = {
	.name = "nmt-train", .synopsis = "-o model.tar [options] [file]",
	.summary = "train a Transformer on sentence pairs",
	.options = options, .reads = "sentence", .writes = NULL,
	.example = "nmt-train --size small --lr 0.001 --warmup 400 --epochs 20 \\\n"
		   "      --dev dev.heed --keep-best -c codes -o model.tar train.heed",
};

int
main(int argc, char **argv)
{
	char **operand;
	struct ranks ranks;
	struct err e;
	int n, r;

	err_program(program.name);
	if (ranks_open(&ranks, &e))
		die(&e);
	s = train_defaults;
	n = cli_begin(&program, argc, argv, &operand);
	for (size_t i = 0; i < s.attention.n; i++)
		if (!strcmp(s.attention.v[i], "help")) {
			attention_help();
			return cli_end(EXIT_OK);
		}
	if (n > 1)
		die_usage("%d input files, expected one: %s ...", n, operand[0]);
	s.input = operand[0];
	s.size = size < 0 ? NULL : sizes[size];
	s.quiet |= ranks.me > 0;
	s.profile &= ranks.me == 0;
	r = train(&s, &ranks, &e);
	if (r < 0)
		die(&e);
	ranks_close(&ranks);
	return r ? 128 + r : cli_end(EXIT_OK);
}
