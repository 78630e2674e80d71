/*
 * bleu: computes BLEU, chrF and TER, and tests differences for significance, for text and streams.
 *
 * The scores are those of sacreBLEU.  See bleu(1).
 */
#include <stdlib.h>
#include <string.h>

#include "base/cli.h"
#include "base/mem.h"
#include "base/output.h"
#include "scores/bleu-score.h"
#include "scores/chrf.h"
#include "scores/score-report.h"
#include "scores/ter.h"
#include "stream/input.h"

enum { BLEU, CHRF, CHRFPP, TER, METRICS };

static const char *const metric_names[] = { "bleu", "chrf", "chrf++", "ter", NULL };

static struct opt_list references, metric_options, test_options;
static int tokenizer_option = -1, variant, smooth, format;
static bool lower, cased, effective_order, whitespace, eps_smoothing;
static bool sentence, bare, brief, paired, quiet, with_ter;
static struct tercom ter_tokens;
static double smooth_value = -1;
static int64_t char_order = 6, word_order = -1, beta = 2, decimals = -1, threads;
static int64_t resamples = -1, seed = -1;
static struct paired tests = { .resamples = 1000, .trials = 10000, .seed = 12345 };
static const char *compat, *output;

static const struct opt options[] = {
	OPT_GROUP("Input"),
	OPT_ROW_LIST('r', "reference", "file", &references,
		     "compare with this reference translation; may be repeated"),
	OPT_MAX_LINE,
	OPT_GROUP("Metrics"),
	OPT_ROW_LIST(0, "metric", "name", &metric_options,
		     "bleu, chrf, chrf++ or ter; may be repeated (bleu)"),
	OPT_ROW_FLAG(0, "ter", &with_ter, "the same as --metric ter"),
	OPT_ROW_CHOICE("tokenizer", "name", &tokenizer_option, tokenizer_names,
		       "tokenizer for BLEU (13a)"),
	OPT_ROW_FLAG(0, "lc", &lower, "lowercase hypotheses and references"),
	OPT_ROW_CHOICE("variant", "name", &variant, bleu_variants,
		       "compute BLEU as this program does (sacrebleu)"),
	OPT_ROW_FLAG(0, "case", &cased, "variant mteval13a: do not lowercase"),
	OPT_ROW_CHOICE("smooth", "method", &smooth, bleu_smooths,
		       "smoothing of n-gram orders without matches (exp)"),
	OPT_ROW_FLOAT("smooth-value", &smooth_value, 0, 1e6,
		      "parameter of --smooth floor (0.1) or --smooth add-k (1)"),
	OPT_ROW_FLAG(0, "effective-order", &effective_order,
		     "ignore n-gram orders for which the hypotheses are too short"),
	OPT_ROW_INT("chrf-char-order", &char_order, 1, 9, "maximum order of character n-grams (6)"),
	OPT_ROW_INT("chrf-word-order", &word_order, 0, 9,
		    "maximum order of word n-grams (chrf 0, chrf++ 2)"),
	OPT_ROW_INT("chrf-beta", &beta, 1, 100, "weight of recall relative to precision (2)"),
	OPT_ROW_FLAG(0, "chrf-whitespace", &whitespace, "count whitespace as characters"),
	OPT_ROW_FLAG(0, "chrf-eps-smoothing", &eps_smoothing,
		     "use precision and recall 1e-16 for orders without n-grams"),
	OPT_ROW_FLAG(0, "ter-normalized", &ter_tokens.normalized,
		     "separate punctuation for TER, and replace XML entities"),
	OPT_ROW_FLAG(0, "ter-no-punct", &ter_tokens.no_punct, "remove punctuation for TER"),
	OPT_ROW_FLAG(0, "ter-asian-support", &ter_tokens.asian_support,
		     "with these: separate Asian characters, remove Asian punctuation"),
	OPT_ROW_FLAG(0, "ter-case-sensitive", &ter_tokens.case_sensitive,
		     "do not lowercase for TER"),
	OPT_GROUP("Significance"),
	OPT_ROW_FLAG(0, "confidence", &tests.confidence,
		     "print 95% bootstrap confidence intervals"),
	OPT_ROW_FLAG(0, "paired", &paired, "test each system against the first one, the baseline"),
	OPT_ROW_LIST(0, "test", "name", &test_options,
		     "bootstrap (the default), bootstrap-koehn, randomization, sign, all"),
	OPT_ROW_INT("resamples", &resamples, 2, 1e7, "number of bootstrap resamples (1000)"),
	OPT_ROW_INT("trials", &tests.trials, 1, 1e7,
		    "number of trials of approximate randomization (10000)"),
	OPT_SEED(&seed, "12345"),
	OPT_GROUP("Output"),
	OPT_ROW_FLAG(0, "sentence", &sentence, "score each sentence instead of the corpus"),
	OPT_ROW_FLAG('b', "score-only", &bare, "print only the score"),
	{ .kind = OPT_INT, .short_name = 'w', .long_name = "width", .arg = "n", .max = 15,
	  .to = &decimals, .help = "digits after the decimal point (1; multi-bleu 2, mteval 4)" },
	OPT_ROW_CHOICE("to", "form", &format, report_formats, "output format (text)"),
	OPT_ROW_FLAG(0, "short", &brief, "print short signatures"),
	OPT_ROW_TEXT(0, "signature-compat", "version", &compat,
		     "end signatures with this version of sacreBLEU"),
	OPT_OUTPUT(&output),
	OPT_GROUP("Other"),
	OPT_THREADS(&threads),
	OPT_ROW_FLAG('q', "quiet", &quiet, "do not warn about text that the tokenizer is not for"),
	OPT_NOT_WITH("case ter-case-sensitive", "--lc"),
	OPT_NEEDS("case", "--variant mteval13a"),
	OPT_NEEDS("smooth-value", "--smooth floor or --smooth add-k"),
	OPT_NEEDS("ter-asian-support", "--ter-normalized or --ter-no-punct"),
	OPT_NEEDS("ter-normalized ter-no-punct ter-case-sensitive", "--ter or --metric ter"),
	OPT_NEEDS("chrf-char-order chrf-word-order chrf-beta chrf-whitespace chrf-eps-smoothing",
		  "--metric chrf or --metric chrf++"),
	OPT_NEEDS("test", "--paired"),
	OPT_NEEDS("trials", "--test randomization or --test all"),
	OPT_NEEDS("resamples seed", "--confidence or --paired"),
	OPT_OLD_NAME("format", "--to"),
	{ .kind = OPT_END }
};

static const struct program program = {
	.name = "bleu",
	.synopsis = "[-r reference]... [options] [hypotheses]...",
	.summary = "compute BLEU, chrF and TER, and test differences for significance",
	.options = options,
	.example = "bleu -r ref.de < hyp.de\n  bleu -r ref.de --paired baseline.de system.de",
};

/* The metrics, and their settings. */
struct metrics {
	struct bleu bleu;
	struct chrf chrf[CHRFPP + 1];
	struct ter ter;
	struct metric metric[METRICS];
};

/* Marks the given names in set[]; dies if one is not in names[]. */
static void
choose_names(const struct opt_list *given, const char *option, const char *const *names, bool *set)
{
	for (size_t i = 0, k; i < given->n; i++) {
		struct buf known = { 0 };

		for (k = 0; names[k] && strcmp(names[k], given->v[i]); k++)
			buf_printf(&known, "%s%s", k ? ", " : "", names[k]);
		if (!names[k])
			die_usage("--%s: '%s', expected one of %s", option, given->v[i],
				  known.data);
		buf_release(&known);
		set[k] = true;
	}
}

/* One test by default, since the smallest of several p-values is no p-value. */
static void
choose_tests(void)
{
	bool test[PAIRED_TESTS + 1] = { [PAIRED_BOOTSTRAP] = paired && !test_options.n };
	const char *names[PAIRED_TESTS + 2] = { [PAIRED_TESTS] = "all" };

	memcpy(names, paired_tests, sizeof(*names) * PAIRED_TESTS);
	choose_names(&test_options, "test", names, test);
	for (int k = 0; k < PAIRED_TESTS; k++)
		tests.test[k] = test[k] || test[PAIRED_TESTS];
	if (!paired_resamples(&tests) &&
	    (resamples >= 0 || (seed >= 0 && !tests.test[PAIRED_RANDOMIZATION])))
		die_usage("--resamples and --seed are not for --test sign");
	tests.resamples = resamples < 0 ? tests.resamples : resamples;
	tests.seed = seed < 0 ? tests.seed : seed;
}

static void
bleu_check_options(void)
{
	if (variant != BLEU_SACREBLEU &&
	    (smooth != BLEU_EXP || smooth_value >= 0 || effective_order))
		die_usage("--variant %s does not support smoothing", bleu_variants[variant]);
	if (variant == BLEU_MTEVAL13A && tokenizer_option > 0)
		die_usage("--variant mteval13a requires tokenizer 13a, found %s",
			  tokenizer_names[tokenizer_option]);
	if (sentence && (tests.confidence || paired || format == REPORT_LATEX))
		die_usage("--sentence cannot be used with --confidence, --paired or --to latex");
	if (bare && (paired || format != REPORT_TEXT))
		die_usage("--score-only cannot be used with --paired or --to");
}

static void
set_bleu(struct bleu *b)
{
	static const int usual[] = { [BLEU_MULTI_BLEU] = TOKENIZER_NONE,
				     [BLEU_MTEVAL13A] = TOKENIZER_13A };
	const int t = tokenizer_option < 0 ? usual[variant] : tokenizer_option;
	struct err e;

	*b = (struct bleu) {
		.variant = (enum bleu_variant)variant,
		.tokenize = tokenizer_find(t, &e), .tokenizer = tokenizer_signature(t),
		.lower = lower || (variant == BLEU_MTEVAL13A && !cased),
		.smooth = (enum bleu_smooth)smooth, .smooth_value = smooth_value,
		.effective_order = effective_order || sentence
	};
	if (!b->tokenize)
		die(&e);
}

static void
set_metrics(struct metrics *r, struct contest *c)
{
	bool set[METRICS] = { [BLEU] = !metric_options.n && !with_ter, [TER] = with_ter };
	size_t n = 0;

	choose_names(&metric_options, "metric", metric_names, set);
	if (!set[BLEU] && (tokenizer_option >= 0 || variant || smooth || effective_order))
		die_usage("--tokenizer, --variant, --smooth and --effective-order are for BLEU");
	set_bleu(&r->bleu);
	if (set[BLEU])
		r->metric[n++] = bleu_metric(&r->bleu);
	for (int k = CHRF; k <= CHRFPP; k++) {
		r->chrf[k] = (struct chrf) {
			.char_order = (int)char_order, .beta = (int)beta, .lower = lower,
			.word_order = (int)(word_order < 0 ? 2 * (k - CHRF) : word_order),
			.whitespace = whitespace, .eps_smoothing = eps_smoothing
		};
		if (set[k])
			r->metric[n++] = chrf_metric(&r->chrf[k]);
	}
	r->ter = (struct ter){ ter_tokens, references.n ? (int)references.n : 1 };
	if (set[TER])
		r->metric[n++] = ter_metric(&r->ter);
	if (sentence && n > 1)
		die_usage("--sentence with %zu metrics, expected one", n);
	c->metric = r->metric;
	c->n_metrics = n;
}

static void
check_stdin(char **operand, int n)
{
	size_t times = n == 0 || (paired && n == 1);
	struct err e;

	for (size_t k = 0; k < references.n; k++)
		times += !strcmp(references.v[k], "-");
	if (input_stdin_once(times, operand, n, &e))
		die(&e);
}

/* Without operands, standard input is the system.  With --paired and one operand, the baseline. */
static void
bleu_open_sides(struct contest *c, char **operand, int n)
{
	const bool from_stdin = n == 0 || (paired && n == 1);
	const char **system = xcalloc((size_t)n + 1, sizeof(const char *));
	size_t n_systems = from_stdin;
	struct err e;

	for (int i = 0; i < n; i++)
		system[n_systems++] = operand[i];
	if (contest_open(c, references.v, references.n, system, n_systems, &e))
		die(&e);
	if (paired && n_systems < 2)
		die_usage("--paired with one system, expected at least two");
	if (sentence && n_systems > 1)
		die_usage("--sentence with %zu systems, expected one", n_systems);
	free(system);
}

static void
set_report(struct score_run *r)
{
	choose_tests();
	r->tests = tests;
	r->sentence = sentence;
	r->brief = brief;
	r->version = compat ? compat : "heed-bleu-" HEED_VERSION;
	r->report = (struct report) {
		.format = (enum report_format)format, .variant = (enum bleu_variant)variant,
		.decimals = (int)decimals, .bare = bare,
		.name_systems = r->contest.n_systems > 1, .paired = paired
	};
}

int
main(int argc, char **argv)
{
	struct metrics metrics = { 0 };
	struct score_run r = { .sentence = false };
	struct err e;
	char **operand;
	const int n = cli_begin(&program, argc, argv, &operand);

	bleu_check_options();
	set_metrics(&metrics, &r.contest);
	check_stdin(operand, n);
	bleu_open_sides(&r.contest, operand, n);
	set_report(&r);
	r.pool = threads == 1 ? NULL : pool_new((int)threads);
	if (!(r.out = output_open(output, 0, &e)))
		die(&e);
	if (score_run(&r, &e)) {
		output_abandon(r.out);
		die(&e);
	}
	if (!quiet && r.contest.metric[0].how == &metrics.bleu)
		contest_warn_tokens(&r.contest, metrics.bleu.tokenizer);
	if (output_finish(r.out, &e))
		die(&e);
	score_run_release(&r);
	contest_close(&r.contest);
	pool_free(r.pool);
	return cli_end(EXIT_OK);
}
