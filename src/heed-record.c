/*
 * heed-record: writes the entry of a run in the ledger; checks or prints entries; see
 * heed-record(1).
 */
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "base/cli.h"
#include "base/mem.h"
#include "base/output.h"
#include "model-file/model-facts.h"
#include "model/engine.h"
#include "results/data-sums.h"
#include "results/facts-add.h"
#include "results/ledger-check.h"
#include "results/ledger.h"
#include "results/run-command.h"
#include "results/run-log.h"
#include "results/run-scores.h"
#include "stream/input.h"
#include "text/lines.h"
#include "text/moses.h"

static bool check, drafts, tokenized, cased, lower;
enum { TO_ENTRY, TO_JSON };
static const char *const forms[] = { "entry", "json", NULL };
static int variant, tokenizer_option = -1, form;
static int64_t texts = 12;
static const char *output, *model_path, *log_path, *test, *dev, *reference, *sums, *closed;
static const char *language = "en";
static struct opt_list after, also, fact_files;

static const struct opt options[] = {
	OPT_GROUP("Input"),
	OPT_ROW_TEXT('m', "model", "file", &model_path, "read the tested model from file"),
	OPT_ROW_TEXT(0, "log", "file", &log_path, "read the training log from file"),
	OPT_ROW_TEXT(0, "test", "file", &test,
		     "read the test set, translated and scored by nmt-score, from file"),
	OPT_ROW_TEXT('r', "reference", "file", &reference,
		     "read the untokenized references of the test set from file"),
	OPT_ROW_TEXT(0, "dev", "file", &dev,
		     "read the development set, scored by nmt-score, from file"),
	OPT_ROW_LIST(0, "also", "name=file", &also,
		     "read a further test set, scored by nmt-score; may be repeated"),
	OPT_ROW_TEXT(0, "sums", "file", &sums,
		     "read checksums of the data from file: split, field, checksum, records"),
	OPT_ROW_LIST(0, "after", "record", &after,
		     "record of a run on which this run depends; may be repeated"),
	OPT_ROW_TEXT(0, "closed", "file", &closed,
		     "read from file the list of heads masked from the first update"),
	OPT_ROW_LIST(0, "facts", "file", &fact_files,
		     "read more facts from file: lines of name, tab, value"),
	OPT_MAX_LINE,
	OPT_GROUP("BLEU"),
	OPT_ROW_CHOICE("variant", "name", &variant, bleu_variants,
		       "compute bleu as this program does (sacrebleu)"),
	OPT_ROW_CHOICE("tokenizer", "name", &tokenizer_option, tokenizer_names,
		       "tokenizer for bleu (13a)"),
	OPT_ROW_FLAG(0, "tokenized", &tokenized,
		     "compute bleu from hyp and tgt as they are, without detokenizing"),
	OPT_ROW_TEXT('l', "language", "code", &language,
		     "set the target language, for detokenization (en)"),
	OPT_ROW_FLAG(0, "lc", &lower, "lowercase hypotheses and references for bleu"),
	OPT_ROW_FLAG(0, "case", &cased, "do not lowercase with mteval13a"),
	OPT_GROUP("Check"),
	OPT_ROW_FLAG(0, "check", &check, "check records, and write nothing"),
	{ .kind = OPT_FLAG, .long_name = "drafts", .to = &drafts,
	  .help = "accept records without a commit or engine number, or with uncommitted changes" },
	OPT_GROUP("Output"),
	OPT_ROW_CHOICE("to", "form", &form, forms,
		       "write an entry, or print the given records as JSON (entry)"),
	OPT_ROW_TEXT('o', "output", "folder", &output, "write the entry to folder"),
	OPT_ROW_INT("samples", &texts, 0, 1000000,
		    "keep the source and the reference of the first n sentences (12)"),
	OPT_NEEDS("drafts", "--check"),
	OPT_NOT_WITH("model log test reference dev also sums after closed facts variant tokenizer "
		     "tokenized language lc case output samples", "--check or --to json"),
	OPT_OLD_NAME("texts", "--samples"),
	{ .kind = OPT_END }
};

static const struct program program = {
	.name = "heed-record",
	.synopsis = "-m model --log file --test file -r reference -o folder [option ...] "
		    "name=value ...",
	.summary = "write the ledger entry of a training run; check or print entries",
	.example = "heed-record --check results/*/run/*/*/*/record",
	.options = options,
};

/* The facts of the entry, in the order of the record. */
static struct buf facts;
static struct model_id model;

/* The digests of the runs that it depends on, and the list of masked heads. */
static void
add_after(void)
{
	struct buf list = { 0 };
	struct facts f;
	struct err e;

	for (size_t i = 0; i < after.n; i++) {
		char digest[DIGEST_LENGTH + 1];

		if (facts_read(&f, after.v[i], &e) || ledger_check_digest(&f, &e))
			die(&e);
		ledger_digest(&f, digest);
		buf_printf(&list, "%s%s", i ? " " : "", digest);
		facts_release(&f);
	}
	if (after.n)
		facts_add(&facts, "after", list.data);
	buf_clear(&list);
	if (closed) {
		if (lines_read_all(closed, &list, &e))
			die(&e);
		list.data[strcspn(list.data, "\n")] = '\0';
		facts_add(&facts, "closed", *list.data ? list.data : "-");
	}
	buf_release(&list);
}

/* --- the entry --- */

static void
record_add_scores(void)
{
	static const int usual[] = { TOKENIZER_13A, TOKENIZER_NONE, TOKENIZER_13A };
	const int t = tokenizer_option < 0 ? usual[variant] : tokenizer_option;
	struct err e;
	const struct bleu bleu = {
		.variant = (enum bleu_variant)variant, .tokenizer = tokenizer_signature(t),
		.tokenize = tokenizer_find(t, &e), .smooth_value = -1,
		.lower = lower || (variant == BLEU_MTEVAL13A && !cased)
	};
	const struct scoring how = {
		.test = test, .model = model.digest, .reference = reference,
		.language = language, .tokenized = tokenized, .bleu = &bleu, .texts = texts
	};
	char *path = xasprintf("%s/" SCORES_FILE, output);

	if (!bleu.tokenize || run_scores_write(&how, path, &facts, &e))
		die(&e);
	free(path);
}

/* Writes the first file of the entry; the record of an earlier one is removed just before. */
static void
record_add_model(const char *record)
{
	char *path = xasprintf("%s/model.tsv", output);
	struct buf info = { 0 };
	struct err e;

	if (model_facts(model_path, &model, &info, &facts, &e))
		die(&e);
	if (run_command_check(facts.data, info.data, &e) && err_wrap(&e, "%s", model_path))
		die(&e);
	if (remove(record) && errno != ENOENT && err_system(&e, "%s", record))
		die(&e);
	if (output_text(path, &info, &e))
		die(&e);
	free(path);
}

/* The log does not validate an averaged model, whose dev.nll comes from --dev. */
static void
add_training(void)
{
	char *copy = xasprintf("%s/" SCORES_LOG, output);
	double nll;
	struct err e;

	for (size_t i = 0; i < also.n; i++)
		if (facts_add_other_test(&facts, also.v[i], model.digest, &e))
			die(&e);
	if (dev && run_scores_nll(dev, model.digest, &nll, &e))
		die(&e);
	if (dev)
		buf_printf(&facts, "dev.nll\t%.6f\n", nll);
	if (run_log_facts(log_path, dev != NULL, &model, copy, &facts, &e))
		die(&e);
	free(copy);
}

static void
record_make_folder(const char *path)
{
	char *name = xstrdup(path);
	struct err e;

	for (char *s = name; s; ) {
		s = strchr(s + 1, '/');
		if (s)
			*s = '\0';
		if (mkdir(name, 0777) && errno != EEXIST && err_system(&e, "%s", name))
			die(&e);
		if (s)
			*s = '/';
	}
	free(name);
}

/* The record is written last: an entry without a record is incomplete. */
static void
write_record(const char *path)
{
	char sum[DIGEST_LENGTH + 1], digest[DIGEST_LENGTH + 1];
	struct facts f;
	struct err e;

	if (facts_read_memory(&f, path, facts.data, facts.n, &e))
		die(&e);
	ledger_checksum(&f, sum);
	ledger_digest(&f, digest);
	facts_release(&f);
	facts_add(&facts, "checksum", sum);
	facts_add(&facts, "digest", digest);
	if (output_text(path, &facts, &e))
		die(&e);
}

static void
write_entry(char **operand, int n)
{
	char *record;
	struct err e;

	if (!model_path || !log_path || !test || !reference || !output)
		die_usage("expected -m, --log, --test, -r and -o");
	if (!moses_is_language(language))
		die_usage("language '%s', expected a code of two or three lower-case letters",
			  language);
	if (cased && variant != BLEU_MTEVAL13A)
		die_usage("--case with variant %s, expected mteval13a", bleu_variants[variant]);
	if (tokenizer_option > 0 && variant == BLEU_MTEVAL13A)
		die_usage("--tokenizer with variant mteval13a, expected 13a");
	for (int i = 0; i < n; i++)
		if (facts_add_operand(&facts, operand[i], &e))
			die(&e);
	add_after();
	record_make_folder(output);
	record = xasprintf("%s/record", output);
	record_add_model(record);
	record_add_scores();
	add_training();
	if (sums && data_sums_facts(sums, &facts, &e))
		die(&e);
	for (size_t i = 0; i < fact_files.n; i++)
		if (facts_add_file(&facts, fact_files.v[i], &e))
			die(&e);
	write_record(record);
	free(record);
}

/* --check and --to json. */
static enum exit_status
read_entries(char **path, int n)
{
	const char *const *const record = (const char *const *)path;
	bool good = true;
	struct err e;

	if (check && form == TO_JSON)
		die_usage("--check with --to json, expected one of them");
	if (check && !n)
		die_usage("no records, expected at least one");
	if (check ? ledger_check(record, n, HEED_ENGINE, drafts, &good, &e)
		  : facts_json_print(record, n, &e))
		die(&e);
	return good ? EXIT_OK : EXIT_INPUT;
}

int
main(int argc, char **argv)
{
	char **operand;
	const int n = cli_begin(&program, argc, argv, &operand);

	if (check || form == TO_JSON)
		return cli_end(read_entries(operand, n));
	write_entry(operand, n);
	return cli_end(EXIT_OK);
}
