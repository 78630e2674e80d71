/* parse-train: train a parser on treebanks; see parse-train(1). */
#include <stdlib.h>
#include <string.h>

#include "base/cli.h"
#include "base/mem.h"
#include "base/output.h"
#include "model/runtime.h"
#include "parser/grammar.h"
#include "parser/parser-train.h"
#include "stream/input.h"

#define MANY 9007199254740992.0		/* 2^53 */

static struct parser_settings s;
static bool pcfg;

static const struct opt options[] = {
	OPT_GROUP("Treebanks"),
	OPT_ROW_LIST(0, "dev", "files", &s.dev,
		     "validate on this treebank; may be repeated"),
	OPT_ROW_LIST(0, "leave-out", "pattern", &s.leave_out,
		     "do not train on documents whose names match"),
	OPT_ROW_INT("max-words", &s.max_words, 1, 10000,
		    "skip sentences of more than n words (500)"),
	OPT_GROUP("Network"),
	OPT_ROW_LIST(0, "arch", "key=value,...", &s.config, "settings of the network"),
	OPT_ROW_INT("min-count", &s.min_count, 1, MANY,
		    "minimum count of words with a word embedding (2)"),
	OPT_ROW_FLAG(0, "pcfg", &pcfg, "train a grammar for parse --pcfg instead of a network"),
	OPT_GROUP("Optimization"),
	OPT_ROW_INT("updates", &s.updates, 1, MANY, "number of updates (6000)"),
	OPT_ROW_INT("batch-words", &s.batch_words, 1, MANY,
		    "maximum number of words in a batch (1500)"),
	OPT_ROW_INT("pool", &s.pool, 0, MANY,
	      "sort by length in pools of n batches (50); 0: whole epoch"),
	OPT_ROW_FLOAT("lr", &s.lr, 0, 1e6, "peak learning rate (0.001), at the end of the warm-up"),
	OPT_ROW_INT("warmup", &s.warmup, 0, MANY, "warm-up updates (200)"),
	OPT_ROW_FLOAT("beta2", &s.beta2, 0, 0.99999999,
		      "Adam's decay rate for the second moment (0.98)"),
	OPT_ROW_FLOAT("eps", &s.eps, 1e-30, 1, "Adam's epsilon (1e-9)"),
	OPT_ROW_FLOAT("clip", &s.clip, 0, 1e30,
		      "maximum norm of the gradient (5); 0: no limit"),
	OPT_ROW_FLOAT("weight-decay", &s.weight_decay, 0, 1,
		      "decoupled weight decay (0)"),
	OPT_SEED(&s.seed, "1"),
	OPT_GROUP("Validation and checkpoints"),
	OPT_ROW_INT("validate-every", &s.validate_every, 1, MANY,
	      "updates between validations and checkpoints (500)"),
	OPT_ROW_FLAG(0, "keep-best", &s.keep_best, "write the parameters of the best validation"),
	OPT_ROW_FLAG(0, "projective", &s.projective, "validate with projective dependency trees"),
	OPT_ROW_TEXT(0, "checkpoint", "file", &s.checkpoint,
		     "save the training state to file; resume from file if it exists"),
	OPT_GROUP("Output"),
	OPT_ROW_TEXT('o', "output", "file", &s.output, "write the parser to file (required)"),
	OPT_ROW_FLAG(0, "i8", &s.i8, "store matrices as 8-bit integers"),
	OPT_ROW_TEXT('l', "language", "code", &s.lang,
		     "store this language code in the parser file"),
	OPT_GROUP("Speed"),
	OPT_THREADS(&s.threads),
	OPT_BACKEND(&s.backend), OPT_PRECISION(&s.precision, training_precisions),
	OPT_GROUP("Other"),
	OPT_MAX_LINE, OPT_NO_PG, OPT_QUIET(&s.quiet),
	OPT_NEEDS("keep-best projective", "--dev"),
	OPT_NEEDS("validate-every", "--dev or --checkpoint"),
	OPT_NOT_WITH("dev max-words arch min-count updates batch-words pool lr warmup beta2 eps "
		     "clip weight-decay seed checkpoint language i8 threads backend precision",
		     "--pcfg"),
	OPT_OLD_NAME("lang", "--language"),
	OPT_OLD_NAME("config", "--arch"),
	{ .kind = OPT_END }
};

static const struct program program = {
	.name = "parse-train", .synopsis = "-o parser [options] treebank ...",
	.summary = "train a dependency and constituency parser on treebanks",
	.options = options,
	.example = "parse-train --keep-best --dev dev.conllu -o en.parser train.conllu",
};

/* A treebank may be two files, separated by a comma. */
static void
check_treebank(const char *files)
{
	char *list = xstrdup(files);

	for (char *f = strtok(list, ","); f; f = strtok(NULL, ","))
		if (output_same(s.output, f) || (s.checkpoint && output_same(s.checkpoint, f)))
			die_usage("%s: both a treebank and an output, expected different files", f);
	free(list);
}

/* No file that is written may be another file of the training. */
static void
parse_train_check_files(void)
{
	for (char **t = s.train; *t; t++)
		check_treebank(*t);
	for (size_t i = 0; i < s.dev.n; i++)
		check_treebank(s.dev.v[i]);
	if (s.checkpoint && output_same(s.output, s.checkpoint))
		die_usage("%s: both -o and --checkpoint, expected different files", s.output);
}

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
	parse_train_check_files();
	r = pcfg ? grammar_train(s.train, &s.leave_out, s.output, &e) : parser_train(&s, &e);
	if (r < 0)
		die(&e);
	return r ? 128 + r : cli_end(EXIT_OK);
}
