/*
 * nmt-train: train a Transformer on a stream of sentence pairs; see nmt-train(1).
 */
#include <string.h>

#include "attention/attention.h"
#include "base/cli.h"
#include "stream/input.h"
#include "model/ranks.h"
#include "model/runtime.h"
#include "model/schedule.h"
#include "model/train.h"

#define MANY 9007199254740992.0		/* 2^53 */

static struct train_settings s;
static const char *const sizes[] = { "tiny", "small", "base", "iwslt", NULL };
static const char *const scores[] = { "nll", "bleu", NULL };
static const char *const smoothings[] = { "fairseq-old", "fairseq-new", "onmt", "t2t", NULL };
static int size = -1;

#define TEXT(letter, name, word, to_, help_) { .kind = OPT_STRING, .short_name = letter, .long_name = name, \
	.arg = word, .help = help_, .to = &s.to_ }
#define LIST(letter, name, word, to_, help_) { .kind = OPT_LIST, .short_name = letter, .long_name = name, \
	.arg = word, .help = help_, .to = &s.to_ }
#define WORD(name, word, to_, words, help_) { .kind = OPT_CHOICE, .long_name = name, .arg = word, \
	.help = help_, .to = to_, .choice = words }
#define WHOLE(name, to_, from, help_) { .kind = OPT_INT, .long_name = name, .arg = "n", .help = help_, \
	.to = &s.to_, .min = from, .max = MANY }
#define NUMBER(name, to_, from, upto, help_) { .kind = OPT_FLOAT, .long_name = name, .arg = "x", \
	.help = help_, .to = &s.to_, .min = from, .max = upto }
#define FLAG(name, to_, help_) { .kind = OPT_FLAG, .long_name = name, .help = help_, .to = &s.to_ }

static const struct opt options[] = {
	TEXT('o', "output", "file", output, "the model"),
	WORD("preset", "name", &s.preset, train_preset_names, "model and recipe as this toolkit has them"),
	WORD("size", "name", &size, sizes, "layers, width, feed-forward, heads"),
	LIST(0, "arch", "key=value,...", arch, "any setting of the model"),
	LIST('a', "attention", "spec", attention, "an attention variant, name:key=value,...; help lists them"),
	TEXT(0, "init", "model", init, "begin with the parameters and vocabularies of another model"),
	LIST(0, "freeze", "pattern", freeze, "leave parameters of matching names as they are"),
	TEXT('c', "codes", "file", codes, "BPE codes to keep in the model"),
	WHOLE("min-count", min_count, 1, "leave types that occur less often out of the vocabularies"),
	WHOLE("max-types", max_types, 0, "most types in a vocabulary; 0: all"),
	FLAG("joint-vocab", joint_vocab, "one vocabulary for both sides"),
	WHOLE("max-length", max_length, 0, "leave out pairs with more symbols on a side; 0: what the model takes"),

	WHOLE("updates", updates, 0, "stop after so many updates; 0: no limit"),
	WHOLE("epochs", epochs, 0, "stop after so many passes over the data; 0: no limit"),
	WHOLE("batch-tokens", batch_tokens, 1, "symbols in a batch on the side that has more of them"),
	WHOLE("accumulate", accumulate, 1, "batches in an update"),
	WHOLE("pool", pool, 0, "batches whose sentences are sorted by length together; 0: an epoch"),
	WHOLE("curriculum", curriculum, 0, "updates in which sentences get longer, up to all of them; 0: none"),
	WORD("schedule", "name", &s.schedule, schedule_names, "how the learning rate goes"),
	NUMBER("lr", lr, 0, 1e6, "learning rate at the end of the warm-up"),
	NUMBER("lr-init", lr_init, 0, 1e6, "learning rate where the warm-up begins"),
	NUMBER("lr-factor", lr_factor, 0, 1e6, "the factor of schedule noam"),
	NUMBER("lr-shrink", lr_shrink, 0, 1, "what schedule plateau multiplies the rate with"),
	WHOLE("lr-patience", lr_patience, 1, "validations without a new best before it does"),
	WHOLE("warmup", warmup, 0, "updates of the warm-up"),
	NUMBER("label-smoothing", label_smoothing, 0, 0.999, "probability given to other types"),
	WORD("smoothing", "name", &s.smoothing, smoothings, "how it is spread"),
	NUMBER("dropout", dropout, 0, 0.999, "dropout at every place"),
	NUMBER("word-dropout", word_dropout, 0, 0.999, "share of input symbols made unknown"),
	NUMBER("clip", clip, 0, 1e30, "largest norm of the gradient; 0: any"),
	NUMBER("clamp", clamp, 0, 1e30, "largest number in the gradient, before its norm is taken; 0: any"),
	NUMBER("weight-decay", weight_decay, 0, 1, "decay of the weights, times the learning rate"),
	NUMBER("beta1", beta1, 0, 0.999999, "Adam's memory of the gradient"),
	NUMBER("beta2", beta2, 0, 0.99999999, "Adam's memory of its square"),
	NUMBER("eps", eps, 0, 1, "what Adam adds to the root"),
	NUMBER("explode", explode, 0, 1e30, "give up when the loss grows to so many times its least; 0: never"),

	TEXT(0, "dev", "file", dev, "pairs to validate on"),
	WHOLE("validate-every", validate_every, 0, "updates between validations; 0: once an epoch"),
	FLAG("dev-bleu", dev_bleu, "translate the dev set and report BLEU"),
	WHOLE("dev-beam", dev_beam, 1, "beam of that; 1: greedy"),
	WORD("stop-on", "score", &s.stop_on, scores, "what the best and patience are judged by"),
	WHOLE("patience", patience, 0, "stop after so many validations without a new best; 0: do not"),
	FLAG("keep-best", keep_best, "write the parameters of the best validation, not the last"),
	TEXT(0, "checkpoint", "file", checkpoint, "save the state there, and go on from it if it exists"),
	WHOLE("checkpoint-every", checkpoint_every, 1, "updates between two of that"),
	WHOLE("save-every", save_every, 0, "updates between models kept beside the output; 0: none"),
	WHOLE("keep-last", keep_last, 0, "how many of these stay; 0: all"),
	WHOLE("keep-every", keep_every, 0, "of these, keep those at every n-th update for good; 0: none"),
	WHOLE("average", average, 0, "write the mean of the last so many of these"),
	TEXT(0, "log", "file", log, "a stream of kind step with the course of the training"),
	WHOLE("log-every", log_every, 1, "updates between two rows or lines of that"),
	FLAG("profile", profile, "at the end, print where the time went, op by op"),

	OPT_MAX_LINE,
	OPT_SEED(&s.seed), OPT_THREADS(&s.threads),
	OPT_BACKEND(&s.backend), OPT_PRECISION(&s.precision, training_precisions),
	OPT_QUIET(&s.quiet), OPT_FORCE(&s.force), OPT_NO_PG,
	{ .kind = OPT_END }
};

static const struct program program = {
	.name = "nmt-train", .synopsis = "-o model.tar [options] [file]",
	.summary = "train a Transformer on sentence pairs",
	.options = options, .reads = "sentence", .writes = NULL,
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
		die_usage("one input is enough, found %d: %s ...", n, operand[0]);
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
