/*
 * head-curve: the loss of a model whose heads are masked one after another, without retraining.
 * See head-curve(1).
 */
#include "analysis/masking-curve.h"
#include "base/output.h"
#include "base/progress.h"
#include "model-file/model-file.h"
#include "search/forced.h"
#include "search/next-token.h"

enum form { TO_STREAM, TO_TSV };
enum { ALL_SITES = 3 };

static const char *const forms[] = { "stream", "tsv", NULL };
static const char *const sites[] = { "enc-self", "dec-self", "cross", "all", NULL };

static const char *output, *model_path, *backend, *by, *from, *reversed;
static int form, site = ALL_SITES, precision = PRECISION_FP32, too_long;
static int64_t threads, batch_tokens, beam, n_random, seed = 1, step, points;
static bool bleu, skip_missing, stratified, other_model, force, quiet;

static const struct opt options[] = {
	OPT_GROUP("Model and input"),
	OPT_ROW_TEXT('m', "model", "file", &model_path, "use this model (required)"),
	OPT_ROW_TEXT(0, "from", "heads", &from,
		     "stream of kind head with the measures of --by and --reverse"),
	OPT_ROW_FLAG(0, "other-model", &other_model, "the measures may be those of another model"),
	OPT_TOO_LONG(&too_long, "fail"),
	OPT_GROUP("Orders"),
	OPT_ROW_TEXT(0, "by", "list", &by, "measures, separated by commas; lowest value masked "
		     "first"),
	OPT_ROW_TEXT(0, "reverse", "list", &reversed, "the same; highest value masked first"),
	OPT_ROW_INT("random", &n_random, 0, 100000, "number of random orders (0)"),
	OPT_ROW_FLAG(0, "stratify", &stratified, "random orders mask all kinds in parallel"),
	{ .kind = OPT_INT, .short_name = 's', .long_name = "seed", .arg = "n", .to = &seed,
	  .help = "seed of the first random order (1)", .min = 0, .max = 9007199254740992.0 },
	OPT_ROW_CHOICE("site", "kind", &site, sites,
		       "mask only heads of this kind of attention (all)"),
	OPT_ROW_FLAG(0, "skip-missing", &skip_missing,
		     "leave out the measures that a head lacks, instead of an error"),
	OPT_GROUP("Points and scores"),
	OPT_ROW_INT("step", &step, 1, 1000000, "heads masked from one point to the next (1)"),
	OPT_ROW_INT("points", &points, 2, 1000000, "number of evenly spaced points"),
	OPT_ROW_FLAG(0, "bleu", &bleu, "also compute BLEU: translate at each point; slow"),
	OPT_ROW_INT("beam", &beam, 1, 1000, "beam size of the translations for --bleu (1)"),
	OPT_GROUP("Output"),
	OPT_OUTPUT(&output),
	OPT_ROW_CHOICE("to", "form", &form, forms, "write a stream or a table (stream)"),
	OPT_GROUP("Computation"),
	OPT_BACKEND(&backend),
	OPT_ROW_INT("batch-tokens", &batch_tokens, 1, 10000000,
		    "tokens of both sides per batch (2048; fewer for a large model)"),
	OPT_PRECISION(&precision, training_precisions),
	OPT_THREADS(&threads),
	OPT_GROUP("Other"),
	OPT_FORCE(&force),
	OPT_MAX_RECORD,
	OPT_NO_PG,
	OPT_QUIET(&quiet),
	OPT_NEEDS("beam", "--bleu"),
	OPT_NEEDS("stratify seed", "--random"),
	OPT_NEEDS("other-model", "--from"),
	OPT_NEEDS("skip-missing", "--by or --reverse"),
	{ .kind = OPT_END }
};

static const struct program program = {
	.name = "head-curve",
	.synopsis = "-m model [--from heads --by list] [--random n] [--site kind] [options] [file]",
	.summary = "measure the loss as heads are masked, without retraining",
	.example = "head-curve -m model.tar --from heads.heed --by gradient --random 10 \\\n"
		   "      -o curve.heed dev.heed",
	.options = options,
};

struct curve_run {
	struct model *m;
	struct runtime run;
	struct forced passes;
	struct masking_curve curve;
	struct progress progress;
	int64_t sentences, in_batch;	/* all so far, and those of the batch */
	int64_t done;			/* units of progress before the batch */
};

/* --- orders --- */

static void
read_measures(struct masking_curve *c, const struct model *m)
{
	struct head_table t = { .n = 0 };
	struct reader *in;
	struct err e;

	in = reader_open(from, "head", NULL, force ? STREAM_FORCE : 0, &e);
	if (!in || head_table_read(&t, in, &e) ||
	    (!other_model &&
	     head_table_check_model(&t, m, from, "--other-model accepts them", &e)) ||
	    masking_curve_measures(c, &t, by, false, from, &e) ||
	    masking_curve_measures(c, &t, reversed, true, from, &e))
		die(&e);
	head_table_release(&t);
	reader_close(in);
}

static void
begin_curve(struct curve_run *r)
{
	struct masking_curve *c = &r->curve;
	struct err e;

	if (masking_curve_init(c, r->m, site == ALL_SITES ? -1 : site, &e))
		die(&e);
	c->skip_missing = skip_missing;
	if (from)
		read_measures(c, r->m);
	for (size_t i = 0; i < c->n_skipped; i++)
		warn("left out: %s", c->skipped[i].why);
	for (int64_t i = 0; i < n_random; i++)
		masking_curve_random(c, (uint64_t)(seed + i), stratified);
	if (!c->n_orders && c->n_skipped) {
		err_set(&e, EXIT_INPUT, "%s: every measure is left out, expected one that all "
			"heads have", from);
		die(&e);
	}
	if (!c->n_orders)
		die_usage("--by and --reverse are empty, expected a measure");
	if (points)
		masking_curve_points(c, (size_t)points);
	else
		masking_curve_step(c, step ? (size_t)step : 1);
	masking_curve_begin(c);
}

/* --- passes --- */

static void
show_masks(void *arg, int64_t masks)
{
	struct curve_run *r = arg;

	progress_at(&r->progress, r->done + r->in_batch * masks, "%s", "");
}

static int
head_curve_add_batch(void *arg, struct forced *f, struct batch *b, struct err *e)
{
	struct curve_run *r = arg;

	r->in_batch = f->n;
	masking_curve_add(&r->curve, r->run.tape, b, show_masks, r);
	r->sentences += f->n;
	r->done += f->n * (int64_t)r->curve.n_masks;
	for (int i = 0; bleu && i < f->n; i++)
		if (gated_bleu_keep(&r->curve.texts, f->rec[i], e))
			return err_wrap(e, "%s", reader_name(f->in));
	return 0;
}

static void
curve_begin(struct curve_run *r, const char *path)
{
	struct forced *f = &r->passes;
	struct err e;

	if (output && output_check(output, &e))
		die(&e);
	r->m = model_load(model_path, false, NULL, NULL, &e);
	if (!r->m || runtime_open(&r->run, backend, precision, threads, &e))
		die(&e);
	model_prepare_loss(r->m, &r->run.backend, r->run.pool);
	if (bleu)
		model_prepare_next(r->m, &r->run.backend, r->run.pool);
	begin_curve(r);
	*f = (struct forced){ .m = r->m, .run = &r->run, .batch_tokens = batch_tokens,
			      .target = TARGET_REF, .work = head_curve_add_batch, .arg = r,
			      .audit.too_long = too_long,
			      .masked_effect = "left out of the loss" };
	f->in = forced_open(r->m, TARGET_REF, NULL, path, force ? STREAM_FORCE : 0, &e);
	if (!f->in)
		die(&e);
	if (!quiet)
		progress_start(&r->progress, "sentences",
			       reader_count_file(path, "sentence") * (int64_t)r->curve.n_masks);
}

static void
run_passes(struct curve_run *r)
{
	struct masking_curve *c = &r->curve;
	struct err e;

	if (forced_run(&r->passes, &e))
		die(&e);
	progress_end(&r->progress);
	if (masking_curve_check(c, &e) && err_wrap(&e, "%s", reader_name(r->passes.in)))
		die(&e);
	if (!bleu)
		return;
	if (!quiet)
		progress_start(&r->progress, "translations", r->done);
	r->done = 0;
	r->in_batch = r->sentences;
	if (masking_curve_translate(c, &r->run.pass, beam ? (int)beam : 1,
				    too_long == TOO_LONG_CUT, show_masks, r, &e) &&
	    err_wrap(&e, "%s", reader_name(r->passes.in)))
		die(&e);
	progress_end(&r->progress);
}

static int
curve_write_stream(const struct curve_run *r, const struct masking_curve_form *f, struct err *e)
{
	struct writer *out = writer_open(output, "count", NULL, masking_curve_fields,
					 force ? STREAM_FORCE : 0, e);
	int bad;

	if (!out)
		return -1;
	masking_curve_sign(&r->curve, f, r->sentences, out);
	writer_add_provenance(out, reader_header(r->passes.in));
	bad = masking_curve_notes(&r->curve, r->sentences, &r->passes.audit, out, e) ||
	      masking_curve_put(&r->curve, f, out, e);
	return writer_end(out, bad, e);
}

static int
curve_write_table(const struct curve_run *r, const struct masking_curve_form *f, struct err *e)
{
	struct buf text = { 0 };

	masking_curve_tsv(&r->curve, f, &text);
	return output_text(output, &text, e);
}

static void
head_curve_check_options(int n)
{
	if (!model_path)
		die_usage("no model, expected -m FILE");
	if (n > 1)
		die_usage("%d inputs, expected one", n);
	if ((by || reversed) != (from != NULL))
		die_usage(from ? "--from without --by or --reverse, expected one of them"
			       : "--by or --reverse without --from, expected --from");
	if (!by && !reversed && !n_random)
		die_usage("no order, expected --by, --reverse or --random");
	if (step && points)
		die_usage("both --step and --points, expected one of them");
}

int
main(int argc, char **argv)
{
	static struct curve_run r;
	struct err e;
	char **file;
	const int n = cli_begin(&program, argc, argv, &file);
	const struct masking_curve_form as = { .site = sites[site], .bleu = bleu,
		.beam = beam ? (int)beam : 1, .stratified = stratified };

	head_curve_check_options(n);
	curve_begin(&r, file[0]);
	run_passes(&r);
	if (form == TO_STREAM ? curve_write_stream(&r, &as, &e) : curve_write_table(&r, &as, &e))
		die(&e);
	masking_curve_release(&r.curve);
	reader_close(r.passes.in);
	model_free(r.m);
	runtime_close(&r.run);
	return cli_end(EXIT_OK);
}
