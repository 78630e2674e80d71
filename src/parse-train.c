/*
 * parse-train: learn a parser from treebanks; see parse-train(1).
 */
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
	TEXT('o', "output", "file", output, "the parser"),
	LIST("dev", "files", dev, "treebank to validate on; may be given several times"),
	TEXT(0, "lang", "code", lang, "language that the parser says it is for"),
	LIST("leave-out", "pattern", leave_out, "learn nothing from documents whose names match"),
	LIST("config", "key=value,...", config, "any setting of the network"),
	{ .kind = OPT_INT, .long_name = "max-words", .arg = "n",
	  .help = "longer sentences are left out", .to = &s.max_words, .min = 1, .max = 10000 },
	WHOLE("min-count", min_count, 1, "forms that occur less often have no vector of their own"),
	WHOLE("updates", updates, 1, "stop after so many"),
	WHOLE("batch-words", batch_words, 1, "words in a batch"),
	WHOLE("pool", pool, 0,
	      "batches whose sentences are sorted by length together; 0: an epoch"),
	NUMBER("lr", lr, 0, 1e6, "learning rate at the end of the warm-up"),
	WHOLE("warmup", warmup, 0, "updates of the warm-up"),
	NUMBER("beta2", beta2, 0, 0.99999999, "Adam's memory of the gradient's square"),
	NUMBER("eps", eps, 0, 1, "what Adam adds to the root"),
	NUMBER("clip", clip, 0, 1e30, "largest norm of the gradient; 0: any"),
	NUMBER("weight-decay", weight_decay, 0, 1, "decay of the weights, times the learning rate"),
	WHOLE("validate-every", validate_every, 1, "updates between validations and checkpoints"),
	FLAG("projective", projective, "validate with trees whose arcs do not cross"),
	FLAG("keep-best", keep_best, "write the parameters of the best validation, not the last"),
	TEXT(0, "checkpoint", "file", checkpoint,
	     "save the state there, and go on from it if it exists"),
	{ .kind = OPT_FLAG, .long_name = "pcfg",
	  .help = "no network: a grammar for parse --pcfg, counted", .to = &pcfg },
	FLAG("i8", i8, "write matrices in a byte a number"),
	OPT_MAX_LINE,
	OPT_SEED(&s.seed), OPT_THREADS(&s.threads),
	OPT_BACKEND(&s.backend), OPT_PRECISION(&s.precision, training_precisions),
	OPT_QUIET(&s.quiet), OPT_NO_PG,
	{ .kind = OPT_END }
};

static const struct program program = {
	.name = "parse-train", .synopsis = "-o parser.tar [options] treebank ...",
	.summary = "learn a parser of dependencies and constituents from treebanks",
	.options = options, .reads = "-", .writes = NULL,
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
		die_usage("a treebank is needed");
	if (!s.output)
		die_usage("where to write the parser? -o is needed");
	r = pcfg ? grammar_train(s.train, &s.leave_out, s.output, &e) : parser_train(&s, &e);
	if (r < 0)
		die(&e);
	return r ? 128 + r : cli_end(EXIT_OK);
}
