/*
 * nmt-translate: translate sentences with a model of nmt-train, or with an ensemble of models.
 *
 * Reads a stream of sentences and adds the best hypotheses, or, with --text, translates
 * lines of text.  See nmt-translate(1).
 */
#include <stdlib.h>

#include "analysis/word-alignment.h"
#include "base/cli.h"
#include "base/output.h"
#include "base/progress.h"
#include "search/ensemble.h"
#include "stream/input.h"
#include "stream/stream.h"

static const char *output, *prefix_text, *prefix_field, *shortlist_path, *alignment_heads;
static struct opt_list models;
static struct ensemble_options how = { .precision = -1 };
static int variant = -1, too_long = TOO_LONG_SKIP;
static int64_t beam = -1, n_best = 1, max_extra = -1, min_length = -1;
static int64_t batch_tokens = TRANSLATE_BATCH, top_k, seed = -1;
static double length_penalty = -1, max_ratio = -1, spread = -1, top_p = 1, temperature = 1;
static double coverage_penalty;
static bool text, flush, quiet, verbose, force, with_alignment, sample;

#define MANY 1e9

static const struct opt options[] = {
	OPT_GROUP("Model"),
	OPT_ROW_LIST('m', "model", "file", &models,
		     "translate with this model (required); with several: an ensemble"),
	OPT_MASK_HEADS(&how.mask),
	OPT_ROW_TEXT(0, "first-src", "token", &how.first_src,
		     "first token of every source, instead of the model's"),
	OPT_ROW_TEXT(0, "first-tgt", "token", &how.first_tgt,
		     "first token of every target, instead of the model's"),
	OPT_GROUP("Search"),
	OPT_ROW_CHOICE("search", "variant", &variant, search_variants, "beam search variant"),
	OPT_ROW_INT("beam", &beam, 1, 1000, "beam size; 1: greedy search"),
	OPT_ROW_INT("n-best", &n_best, 1, 1000,
		    "write the n best hypotheses of each sentence (1)"),
	OPT_ROW_TEXT(0, "shortlist", "file", &shortlist_path,
		     "restrict translations to the candidates of shortlist-learn"),
	OPT_ROW_FLOAT("length-penalty", &length_penalty, 0, 100,
		      "exponent of the length normalization; 0: no normalization"),
	OPT_ROW_FLOAT("coverage-penalty", &coverage_penalty, 0, 100,
		      "weight of the coverage penalty; 0 (the default): no penalty"),
	OPT_ROW_FLOAT("spread", &spread, 0, MANY,
		      "search voita: drop hypotheses more than x below the best (3); 0: none"),
	OPT_ROW_FLOAT("max-ratio", &max_ratio, 0, 1000,
		      "limit translations to x tokens per source token, plus --max-extra"),
	OPT_ROW_INT("max-extra", &max_extra, 0, MANY, "add n tokens to the limit of --max-ratio"),
	OPT_ROW_INT("min-length", &min_length, 0, MANY,
		    "minimum length in tokens (1; search marian: 0)"),
	OPT_ROW_TEXT(0, "prefix", "text", &prefix_text, "start every translation with text"),
	OPT_ROW_TEXT(0, "prefix-field", "field", &prefix_field,
		     "start each translation with this field of the record"),
	OPT_GROUP("Sampling"),
	OPT_ROW_FLAG(0, "sample", &sample, "sample translations instead of searching for the best"),
	OPT_ROW_INT("top-k", &top_k, 0, MANY,
		    "sample from the n most probable tokens; 0 (the default): all"),
	OPT_ROW_FLOAT("top-p", &top_p, 0, 1, "sample from the most probable tokens that together "
		      "have probability x (1)"),
	OPT_ROW_FLOAT("temperature", &temperature, 1e-3, 1e3, "divide logits by x (1)"),
	OPT_SEED(&seed, "1"),
	OPT_GROUP("Input and output"),
	OPT_ROW_FLAG(0, "text", &text, "read and write lines of text"),
	OPT_ROW_FLAG(0, "alignment", &with_alignment,
		     "add the word alignment of cross-attention, as in \"0-0 1-2\""),
	OPT_ROW_TEXT(0, "alignment-heads", "list", &alignment_heads,
		     "align with these heads of cross-attention (all of the penultimate layer)"),
	OPT_ROW_FLAG(0, "flush", &flush, "translate and write each sentence immediately"),
	OPT_MAX_LINE,
	OPT_TOO_LONG(&too_long, "skip"),
	OPT_OUTPUT(&output),
	OPT_FORCE(&force),
	OPT_NO_PG,
	OPT_GROUP("Speed and memory"),
	OPT_THREADS(&how.threads),
	OPT_ROW_INT("batch-tokens", &batch_tokens, 1, MANY, "source tokens in a batch (4096)"),
	OPT_PRECISION(&how.precision, precision_names),
	OPT_BACKEND(&how.backend),
	OPT_GROUP("Other"),
	OPT_QUIET(&quiet),
	OPT_ROW_FLAG('v', "verbose", &verbose,
		     "print the precision and the reason, also if it is fp32"),
	OPT_NEEDS("top-k top-p temperature seed", "--sample"),
	OPT_NEEDS("alignment-heads", "--alignment"),
	OPT_NOT_WITH("verbose", "--quiet"),
	{ .kind = OPT_END }
};

static const struct program program = {
	.name = "nmt-translate", .synopsis = "-m model... [options] [file]",
	.summary = "translate sentences with a trained model",
	.options = options,
	.example = "tokenize -l en < in.en | nmt-translate -m model.tar --text | detokenize -l de",
};

static struct progress progress;
static char model[MODEL_DIGEST_SIZE];	/* the digest of a single model */

static void
translate_show(const struct lookahead *l)
{
	progress_at(&progress, l->translator.n_sentences, "%lld tokens",
		    (long long)l->translator.n_tokens);
}

static void
translate_run_stream(struct lookahead *l, const struct runtime *r, const char *path)
{
	const unsigned flags = force ? STREAM_FORCE : 0;
	struct field *needs = lookahead_needs(l);
	struct writer *out = NULL;
	struct err e;
	struct reader *in = reader_open(path, "sentence", needs, flags, &e);

	if (in)
		out = writer_open(output, "sentence", reader_header(in),
				  lookahead_fields((int)n_best), flags, &e);
	if (!out)
		die(&e);
	if (prefix_field && !header_type(reader_header(in), prefix_field))
		warn("%s: the header has no %s: there are no prefixes", reader_name(in),
		     prefix_field);
	writer_set_meta(out, HEADER_TRANSLATED, models.n > 1 ? NULL : model);
	writer_set_meta(out, HEADER_TRANSLATED_IN, precision_names[r->precision]);
	audit_declare_cut(&l->audit, false, out);
	if (with_alignment)
		writer_add_field(out, "hyp.alignment", "str");
	lookahead_declare(l, reader_header(in), out);
	reader_notes_to(in, out);
	l->audit.needs = needs;
	if (writer_end(out, lookahead_stream(l, in, out, &e), &e))
		die(&e);
	audit_warn_fields(&l->audit);
	progress_end(&progress);
	lookahead_warn(l, reader_header(in), reader_name(in));
	reader_close(in);
	free(needs);
}

static void
translate_run_text(struct lookahead *l, const char *path)
{
	struct output *out = NULL;
	struct input *in = NULL;
	struct err e;

	if (!lookahead_check_text(l, &e))
		in = input_open(path, INPUT_UTF8, &e);
	if (in)
		out = output_open(output, 0, &e);
	if (!out)
		die(&e);
	if (output_end(out, lookahead_lines(l, in, out, &e), &e))
		die(&e);
	progress_end(&progress);
	lookahead_warn(l, NULL, input_name(in));
	input_close(in);
}

/* The command line overrides the model's recipe. */
static void
choose_search(struct search_settings *s)
{
	const bool count_first = s->count_first;

	if (variant >= 0)
		search_defaults(s, (enum search_variant)variant);
	s->count_first = count_first;
	s->beam = beam > 0 ? (int)beam : s->beam;
	s->length_penalty = length_penalty >= 0 ? length_penalty : s->length_penalty;
	s->coverage_penalty = coverage_penalty;
	s->spread = spread >= 0 ? spread : s->spread;
	s->max_ratio = max_ratio >= 0 ? max_ratio : s->max_ratio;
	s->max_extra = max_extra >= 0 ? (int)max_extra : s->max_extra;
	s->min_length = min_length >= 0 ? (int)min_length : s->min_length;
	s->n_best = (int)n_best;
	s->noun = text ? "line" : "record";
	if (spread > 0 && s->variant != SEARCH_VOITA)
		die_usage("--spread with search %s, expected --search voita",
			  search_variants[s->variant]);
	if (sample)
		s->sampling = (struct sampling){ s->n_best, (int)top_k, top_p, temperature,
						 seed < 0 ? 1 : seed };
	else if (s->n_best > s->beam)
		die_usage("--n-best %d with a beam of %d, expected at most %d", s->n_best, s->beam,
			  s->beam);
}

static void
translate_check_options(int n)
{
	if (n > 1)
		die_usage("%d input files, expected at most one", n);
	if (!models.n)
		die_usage("no model, expected -m file");
	if (sample && (beam > 0 || spread >= 0 || coverage_penalty > 0))
		die_usage("--sample cannot be used with --beam, --spread or --coverage-penalty");
	if (text && (n_best > 1 || prefix_field))
		die_usage("--n-best and --prefix-field cannot be used with --text");
	if (with_alignment && too_long == TOO_LONG_CUT)
		die_usage("--alignment cannot be used with --too-long cut");
	if (prefix_text && prefix_field)
		die_usage("--prefix cannot be used with --prefix-field");
}

/* The user should know a precision that the machine or the model chose. */
static void
translate_tell_precision(const struct runtime *r)
{
	const bool by_default = how.precision < 0 && r->precision != PRECISION_FP32;

	if (verbose || (!quiet && (by_default || how.precision == PRECISION_AUTO)))
		runtime_print(r);
}

int
main(int argc, char **argv)
{
	struct runtime runtime;
	struct shortlist shortlist;
	static struct translation_alignment alignment;
	struct ensemble m;
	struct lookahead l;
	struct err e;
	char **path;

	translate_check_options(cli_begin(&program, argc, argv, &path));
	how.digest = text || models.n > 1 ? NULL : model;
	if (ensemble_open(&m, models.v, models.n, &how, &runtime, &e) ||
	    ensemble_lookahead(&m, &l, &runtime.pass, too_long, &e) ||
	    (shortlist_path && ensemble_shortlist(&m, &shortlist, shortlist_path, &runtime, &e)))
		die(&e);
	if (coverage_penalty > 0 && !m.model[0]->sites[search_coverage_site(m.model[0])].heads)
		die_usage("--coverage-penalty: %s has no heads of cross-attention in the "
			  "penultimate layer", models.v[0]);
	l.translator.shortlist = shortlist_path ? &shortlist : NULL;
	if (with_alignment &&
	    translation_alignment_begin(&alignment, &l, &runtime, alignment_heads, &e) &&
	    err_wrap(&e, "%s", alignment_heads ? "--alignment-heads" : models.v[0]))
		die(&e);
	l.flush = flush;
	l.quiet = quiet;
	l.show = quiet ? NULL : translate_show;
	if (prefix_text && lookahead_prefix(&l, prefix_text, &e))
		die(&e);
	l.prefix_field = prefix_field;
	l.translator.batch_tokens = batch_tokens;
	choose_search(&l.translator.search);
	translate_tell_precision(&runtime);
	if (!quiet)
		progress_start(&progress, "sentences",
			       text ? 0 : reader_count_file(*path, "sentence"));
	if (text)
		translate_run_text(&l, *path);
	else
		translate_run_stream(&l, &runtime, *path);
	translation_alignment_release(&alignment);
	lookahead_release(&l);
	if (shortlist_path)
		shortlist_release(&shortlist);
	ensemble_close(&m);
	runtime_close(&runtime);
	return cli_end(EXIT_OK);
}
