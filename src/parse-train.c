/* parse-train: train a parser on treebanks; see parse-train(1). */
#include "base/cli.h"
#include "stream/input.h"
#include "model/runtime.h"
#include "parser/grammar.h"
#include "parser/parser-train.h"

#define MANY 9007199254740992.0		/* 2^53 */

static struct parser_settings s;
static bool pcfg;

#define TEXT(letter, name, word, to_, help_) { .kind = OPT_STRING, .short_name = letter, \
	.long_name = name, .arg = word, .help = help_, .to = &s.to_ }
#define LIST(name, word, to_, help_) { .kind = OPT_LIST, .long_name = name, \
	.arg = word, .help = help_, .to = &s.to_ }
#define WHOLE(name, to_, from, help_) { .kind = OPT_INT, .long_name = name, .arg = "n", \
	.help = help_, .to = &s.to_, .min = from, .max = MANY }
#define NUMBER(name, to_, from, upto, help_) { .kind = OPT_FLOAT, .long_name = name, .arg = "x", \
	.help = help_, .to = &s.to_, .min = from, .max = upto }
#define FLAG(name, to_, help_) { .kind = OPT_FLAG, .long_name = name, .help = help_, .to = &s.to_ }

static const struct opt options[] = {
	OPT_GROUP("Treebanks"),
	LIST("dev", "files", dev, "validate on this treebank; may be given several times"),
	LIST("leave-out", "pattern", leave_out, "do not train on documents whose name matches"),
	{ .kind = OPT_INT, .long_name = "max-words", .arg = "n",
	  .help = "skip sentences of more than n words (500)", .to = &s.max_words, .min = 1, .max = 10000 },
	OPT_GROUP("Network"),
	LIST("config", "key=value,...", config, "settings of the network"),
	WHOLE("min-count", min_count, 1, "minimum count of words with a word embedding (2)"),
	{ .kind = OPT_FLAG, .long_name = "pcfg",
	  .help = "train a grammar for parse --pcfg instead of a network", .to = &pcfg },
	OPT_GROUP("Optimization"),
	WHOLE("updates", updates, 1, "number of updates (6000)"),
	WHOLE("batch-words", batch_words, 1, "maximum number of words in a batch (1500)"),
	WHOLE("pool", pool, 0,
	      "sort sentences by length in pools of n batches; 0 for an epoch (50)"),
	NUMBER("lr", lr, 0, 1e6, "peak learning rate, at the end of the warm-up (0.001)"),
	WHOLE("warmup", warmup, 0, "warm-up updates (200)"),
	NUMBER("beta2", beta2, 0, 0.99999999, "Adam's decay rate for the second moment (0.98)"),
	NUMBER("eps", eps, 0, 1, "Adam's epsilon (1e-9)"),
	NUMBER("clip", clip, 0, 1e30, "maximum norm of the gradient; 0 for no clipping (5)"),
	NUMBER("weight-decay", weight_decay, 0, 1, "weight decay, multiplied by the learning rate (0)"),
	OPT_SEED(&s.seed),
	OPT_GROUP("Validation and checkpoints"),
	WHOLE("validate-every", validate_every, 1,
	      "updates between validations and checkpoints (500)"),
	FLAG("keep-best", keep_best, "write the parameters of the best validation"),
	FLAG("projective", projective, "validate with projective dependency trees"),
	TEXT(0, "checkpoint", "file", checkpoint, "save the training state to file and resume from it"),
	OPT_GROUP("Output"),
	TEXT('o', "output", "file", output, "write the parser to file; required"),
	FLAG("i8", i8, "store matrices as 8-bit integers"),
	TEXT(0, "lang", "code", lang, "store this language code in the parser file"),
	OPT_GROUP("Speed"),
	OPT_THREADS(&s.threads),
	OPT_BACKEND(&s.backend), OPT_PRECISION(&s.precision, training_precisions),
	OPT_GROUP("Other"),
	OPT_MAX_LINE, OPT_NO_PG, OPT_QUIET(&s.quiet),
	{ .kind = OPT_END }
};

static const struct program program = {
	.name = "parse-train", .synopsis = "-o parser [options] treebank ...",
	.summary = "train a dependency and constituency parser on treebanks",
	.options = options, .reads = "-", .writes = NULL,
	.example = "parse-train --keep-best --dev dev.conllu -o en.parser train.conllu",
};

int
main(int argc, char **argv)
{
	struct err e;
	int n, r;

	err_program(program.name);
	s = parser_defaults;
	n = cli_begin(&program, argc, argv, &s.train);
	if (!n)
		die_usage("no treebank, expected at least one");
	if (!s.output)
		die_usage("no output, expected -o file");
	r = pcfg ? grammar_train(s.train, &s.leave_out, s.output, &e) : parser_train(&s, &e);
	if (r < 0)
		die(&e);
	return r ? 128 + r : cli_end(EXIT_OK);
}
