/*
 * nmt-train: train a Transformer on a stream of sentence pairs; see nmt-train(1).
 */
#include <limits.h>
#include <string.h>

#include "attention/attention.h"
#include "base/cli.h"
#include "data/corpus.h"
#include "model/runtime.h"
#include "stream/input.h"
#include "train/optimizer.h"
#include "train/ranks.h"
#include "train/train.h"

#define MAX_INT 9007199254740992.0	/* 2^53: exact as a double */

static struct train_settings s;
static const char *const sizes[] = { "tiny", "small", "base", "big", "iwslt", NULL };
static const char *const scores[] = { "nll", "bleu", NULL };
static const char *const smoothings[] = { "fairseq-old", "fairseq-new", "onmt", "t2t", NULL };
static const char *const gradients[] = { "fp32", "bf16", NULL };
static int size = -1;
static bool check_options;

static const struct opt options[] = {
	OPT_GROUP("Model"),
	OPT_ROW_CHOICE("preset", "name", &s.preset, train_preset_names,
		       "architecture and recipe (fairseq)"),
	OPT_ROW_CHOICE("size", "name", &size, sizes, "layers, widths and heads (base)"),
	OPT_ROW_LIST(0, "arch", "key=value,...", &s.arch,
		     "set individual settings of the architecture"),
	OPT_ROW_LIST('a', "attention", "spec", &s.attention,
	     "attention variant, name:key=value,...; help lists them"),
	OPT_ROW_TEXT(0, "init", "model", &s.init, "initialize from this trained model"),
	OPT_ROW_LIST(0, "freeze", "pattern", &s.freeze,
		     "do not update parameters whose names match"),

	OPT_GROUP("Data"),
	OPT_ROW_TEXT('c', "codes", "file", &s.codes, "BPE codes to store in the model"),
	OPT_ROW_TEXT(0, "spm", "file", &s.spm[0], "SentencePiece model to store in the model"),
	OPT_ROW_TEXT(0, "tgt-spm", "file", &s.spm[1],
		     "SentencePiece model for the target, if it differs"),
	OPT_ROW_INT("min-count", &s.min_count, 1, MAX_INT,
		    "exclude tokens that occur fewer than n times (1)"),
	OPT_ROW_INT("max-types", &s.max_types, 0, INT_MAX,
		    "maximum size of a vocabulary; 0 (the default): no limit"),
	OPT_ROW_FLAG(0, "joint-vocab", &s.joint_vocab, "one vocabulary for both sides"),
	OPT_ROW_INT("max-length", &s.max_length, 0, CORPUS_MAX_TOKENS,
	      "exclude pairs with more than n tokens on a side; 0 (the default): maximum of "
	      "the model"),
	OPT_MAX_LINE,

	OPT_GROUP("Batches and duration"),
	OPT_ROW_INT("updates", &s.updates, 0, MAX_INT,
		    "stop after n updates; 0 (the default): no limit"),
	OPT_ROW_INT("epochs", &s.epochs, 0, MAX_INT,
		    "stop after n epochs; 0 (the default): no limit"),
	OPT_ROW_INT("batch-tokens", &s.batch_tokens, 1, MAX_INT,
		    "maximum tokens per side of a batch (4096)"),
	OPT_ROW_INT("part-tokens", &s.part_tokens, 1, MAX_INT,
		    "process batches in parts of n tokens (2048, wide models 1024)"),
	OPT_ROW_INT("accumulate", &s.accumulate, 1, MAX_INT, "batches per update (1)"),
	OPT_ROW_INT("pool", &s.pool, 0, MAX_INT,
		    "sort by length in pools of n batches (100); 0: whole epoch"),
	OPT_ROW_INT("curriculum", &s.curriculum, 0, MAX_INT,
		    "updates of a short-to-long curriculum; 0 (the default): none"),

	OPT_GROUP("Learning rate"),
	OPT_ROW_CHOICE("schedule", "name", &s.schedule, schedule_names,
		       "learning rate schedule (preset)"),
	OPT_ROW_FLOAT("lr", &s.lr, 0, 1000, "peak learning rate (preset)"),
	OPT_ROW_FLOAT("lr-init", &s.lr_init, 0, 1000,
		      "learning rate at the start of the warm-up (preset)"),
	OPT_ROW_FLOAT("lr-factor", &s.lr_factor, 0, 1000,
		      "factor of schedule noam (preset); overrides --lr"),
	OPT_ROW_FLOAT("lr-shrink", &s.lr_shrink, 0, 1,
		      "plateau: factor on the learning rate (0.8)"),
	OPT_ROW_INT("lr-patience", &s.lr_patience, 1, MAX_INT,
	      "plateau: reduce the rate after n (1) validations without a new best"),
	OPT_ROW_INT("warmup", &s.warmup, 0, 1000000000, "warm-up updates (preset)"),

	OPT_GROUP("Regularization"),
	OPT_ROW_FLOAT("label-smoothing", &s.label_smoothing, 0, 0.999,
	       "probability moved away from the gold token (preset)"),
	OPT_ROW_CHOICE("smoothing", "name", &s.smoothing, smoothings,
		       "variant of label smoothing (preset)"),
	OPT_ROW_FLOAT("dropout", &s.dropout, 0, 0.999, "all dropout rates (preset)"),
	OPT_ROW_FLOAT("word-dropout", &s.word_dropout, 0, 0.999,
	       "probability of replacing an input token by <unk> (preset)"),
	OPT_ROW_FLOAT("weight-decay", &s.weight_decay, 0, 1, "decoupled weight decay (preset)"),

	OPT_GROUP("Optimizer"),
	OPT_ROW_FLOAT("beta1", &s.beta1, 0, 0.999, "Adam's beta 1 (preset)"),
	OPT_ROW_FLOAT("beta2", &s.beta2, 0, 0.999999, "Adam's beta 2 (preset)"),
	OPT_ROW_FLOAT("eps", &s.eps, 1e-30, 1, "Adam's epsilon (preset)"),
	OPT_ROW_FLOAT("clip", &s.clip, 0, 1e9,
		      "maximum norm of the gradient (preset); 0: no limit"),
	OPT_ROW_FLOAT("clamp", &s.clamp, 0, 1e30,
		      "maximum absolute gradient element; 0 (the default): no limit"),
	OPT_ROW_FLOAT("explode", &s.explode, 0, 1e30,
	       "stop when the loss exceeds x (3) times its minimum, plus 1; 0: never"),

	OPT_GROUP("Validation"),
	OPT_ROW_TEXT(0, "dev", "file", &s.dev, "sentence pairs to validate on"),
	OPT_ROW_INT("validate-every", &s.validate_every, 0, MAX_INT,
		    "updates between validations; 0 (the default): after each epoch"),
	OPT_ROW_FLAG(0, "dev-bleu", &s.dev_bleu, "translate the development set and report BLEU"),
	OPT_ROW_INT("dev-beam", &s.dev_beam, 1, 1000,
		    "beam size for --dev-bleu; 1 (the default): greedy search"),
	OPT_ROW_CHOICE("stop-on", "score", &s.stop_on, scores,
		       "score that selects the best validation (nll)"),
	OPT_ROW_INT("patience", &s.patience, 0, MAX_INT,
		    "stop after n validations without a new best; 0 (the default): never"),
	OPT_ROW_FLAG(0, "keep-best", &s.keep_best, "write the parameters of the best validation"),

	OPT_GROUP("Output"),
	OPT_ROW_TEXT('o', "output", "file", &s.output, "write the model to file (required)"),
	OPT_ROW_TEXT(0, "checkpoint", "file", &s.checkpoint,
	     "save the training state to file; resume from file if it exists"),
	OPT_ROW_INT("checkpoint-every", &s.checkpoint_every, 1, MAX_INT,
		    "updates between checkpoints (500)"),
	OPT_ROW_INT("save-every", &s.save_every, 0, MAX_INT,
		    "updates between saved models; 0 (the default): save none"),
	OPT_ROW_INT("keep-last", &s.keep_last, 0, MAX_INT,
		    "keep only the last n saved models; 0 (the default): keep all"),
	OPT_ROW_INT("keep-every", &s.keep_every, 0, MAX_INT,
		    "also keep the model of every n-th update; 0 (the default): none"),
	OPT_ROW_INT("average", &s.average, 0, MAX_INT,
		    "write the average of the last n saved models; 0 (the default): no averaging"),
	OPT_ROW_TEXT(0, "log", "file", &s.log, "write the training log to file"),
	OPT_ROW_INT("log-every", &s.log_every, 1, MAX_INT, "updates between log records (100)"),
	OPT_ROW_FLAG(0, "profile", &s.profile, "print the time spent in each operation"),

	OPT_GROUP("Computation"),
	OPT_SEED(&s.seed, "1"),
	OPT_ROW_INT("dropout-seed", &s.dropout_seed, 0, MAX_INT,
		    "seed of dropout and other noise in training (that of --seed)"),
	OPT_THREADS(&s.threads),
	OPT_BACKEND(&s.backend), OPT_PRECISION(&s.precision, training_precisions),
	OPT_ROW_CHOICE("gradients", "type", &s.gradients, gradients,
		       "type of the gradients that processes exchange (fp32)"),
	OPT_ROW_INT("rank-timeout", &s.rank_timeout, 0, 1e9,
		    "maximum seconds to wait for other processes (300); 0: no limit"),

	OPT_GROUP("Other"),
	OPT_ROW_FLAG(0, "check-options", &check_options,
	     "check options and attention variants, and exit"),
	OPT_QUIET(&s.quiet), OPT_FORCE(&s.force), OPT_NO_PG,
	OPT_NEEDS("dev-beam", "--dev-bleu or --stop-on bleu"),
	OPT_NEEDS("checkpoint-every", "--checkpoint"),
	OPT_NEEDS("average keep-last", "--save-every"),
	OPT_NEEDS("keep-every", "--keep-last"),
	OPT_OLD_NAME("learning-rate", "--lr"),
	{ .kind = OPT_END }
};

static const struct program program = {
	.name = "nmt-train", .synopsis = "-o model.tar [options] [file]",
	.summary = "train a Transformer on sentence pairs",
	.options = options,
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
	if (s.codes && s.spm[0])
		die_usage("-c cannot be used with --spm");
	s.input = operand[0];
	s.size = size < 0 ? NULL : sizes[size];
	s.quiet |= ranks.me > 0;
	s.profile &= ranks.me == 0;
	r = check_options ? train_check_options(&s, &ranks, &e) : train(&s, &ranks, &e);
	if (r < 0)
		die(&e);
	ranks_close(&ranks);
	return r ? 128 + r : cli_end(EXIT_OK);
}
