/*
 * head-find: finds the heads of cross-attention that align words, a set of them, and what the model
 * loses without it.  See head-find(1).
 */
#include <stdlib.h>
#include <string.h>

#include "analysis/aligning-report.h"
#include "analysis/gated-scores.h"
#include "analysis/stored-attention.h"
#include "attention/attention-heads.h"
#include "base/cli.h"
#include "base/mem.h"
#include "base/output.h"
#include "base/progress.h"
#include "base/rng.h"
#include "data/audit.h"
#include "model-file/model-file.h"
#include "search/forced.h"
#include "search/next-token.h"
#include "stream/input.h"

static const char *model_path, *gold, *output, *backend;
static int form, rows, too_long;
static int64_t threads, batch_tokens = 2048, seed = 1, n_random = 10;
static bool one_based, content_only, force, quiet;

static const struct opt options[] = {
	OPT_GROUP("Model and input"),
	OPT_ROW_TEXT('m', "model", "file", &model_path,
		     "use this model (the stream has attention weights)"),
	OPT_ROW_TEXT(0, "align", "file", &gold,
		     "score heads against these alignments, gold or of word-align (required)"),
	OPT_ROW_FLAG(0, "one-based", &one_based, "the alignments count words from 1"),
	OPT_TOO_LONG(&too_long, "fail"),
	OPT_GROUP("Heads"),
	OPT_ROW_FLAG(0, "content-only", &content_only,
		     "align by the weights on content: without end token, tag and punctuation"),
	OPT_ROW_CHOICE("rows", "step", &rows, aligning_row_names,
		       "decoder step whose weights align a token (predicts)"),
	OPT_ROW_INT("random", &n_random, 0, 1000,
		    "compare the loss without the set with n random sets (10)"),
	OPT_GROUP("Output"),
	OPT_OUTPUT(&output),
	OPT_ROW_CHOICE("to", "form", &form, aligning_forms, "output format (text)"),
	OPT_GROUP("Computation"),
	OPT_BACKEND(&backend),
	OPT_ROW_INT("batch-tokens", &batch_tokens, 1, 1e7, "tokens of both sides per batch (2048)"),
	OPT_SEED(&seed, "1"),
	OPT_THREADS(&threads),
	OPT_GROUP("Other"),
	OPT_FORCE(&force),
	OPT_MAX_LINE,
	OPT_MAX_RECORD,
	OPT_QUIET(&quiet),
	OPT_NEEDS("backend batch-tokens random seed threads too-long", "--model"),
	{ .kind = OPT_END }
};

static const struct program program = {
	.name = "head-find",
	.synopsis = "[-m model] --align file [--content-only] [--rows step] [--to form] [-o file] "
		    "[file]",
	.summary = "find the heads that align words",
	.example = "head-find -m model.tar --align dev.align dev.heed\n"
		   "  head-find -m model.tar --align dev.align --to ctranslate2 dev.heed",
	.options = options, .reads = "sentence", .writes = "-",
};

struct finding {
	struct model *m;
	char digest[MODEL_DIGEST_SIZE];
	struct runtime run;
	struct forced passes;
	struct stored_attention stored;	/* without a model */
	struct aligning_heads heads;
	struct aligning_report report;
	struct gated_loss gates;
	bool **masked;			/* [n_masks][heads.n]: none, the set, random sets */
	double *loss;			/* [n_masks] summed over the tokens, then their mean */
	size_t n_masks;
	int64_t tokens;
	struct progress progress;
};

/* --- the passes --- */

static int
see_weights(void *arg, struct forced *f, struct batch *b, struct err *e)
{
	struct finding *x = arg;
	struct tape *t = f->run->tape;
	const struct node *top = model_decode(f->m, t, b, model_encode(f->m, t, b));

	if (model_finite(top, b, true, e) ||
	    sentence_attention_each(f->m, t, b, aligning_heads_add, &x->heads, e))
		return err_wrap(e, "%s", reader_name(f->in));
	progress_at(&x->progress, (int64_t)x->heads.sentences, "%s", "");
	return 0;
}

static int
add_losses(void *arg, struct forced *f, struct batch *b, struct err *e)
{
	struct finding *x = arg;

	(void)e;
	gated_loss_next(&x->gates);
	for (size_t k = 0; k < x->n_masks; k++) {
		for (size_t i = 0; i < x->heads.n; i++) {
			const struct aligning_head *h = &x->heads.head[i];

			x->gates.gates[heads_before(x->m->sites, h->site) + (size_t)h->number] =
				x->masked[k][i] ? 0 : 1;
		}
		x->loss[k] += gated_loss_of(&x->gates, f->run->tape, b);
	}
	for (int i = 0; i < b->n; i++)
		x->tokens += b->tgt.layout.len[i];
	progress_at(&x->progress, x->tokens, "%s", "");
	return 0;
}

static void
pass_over(struct finding *x, const char *path,
	  int (*work)(void *, struct forced *, struct batch *, struct err *), const char *unit)
{
	struct forced *f = &x->passes;
	struct field *needs = forced_needs(x->m, TARGET_REF, (const struct field[]){
		{ "src.word", "[int]", 1 }, { "tgt.word", "[int]", 1 }, { 0 } });
	struct err e;

	*f = (struct forced){ .m = x->m, .run = &x->run, .batch_tokens = batch_tokens,
			      .target = TARGET_REF, .work = work, .audit.too_long = too_long,
			      .arg = x };
	f->in = reader_open(path, "sentence", needs, force ? STREAM_FORCE : 0, &e);
	free(needs);
	if (!quiet)
		progress_start(&x->progress, unit, 0);
	if (!f->in || forced_run(f, &e))
		die(&e);
	progress_end(&x->progress);
}

/* --- the loss without the set --- */

/* Nothing, the set, and random sets of its size. */
static void
choose_random_sets(struct finding *x)
{
	const size_t n = x->heads.n;
	uint32_t *order = xcalloc(n, sizeof(*order));
	struct rng r;

	x->n_masks = 2 + (x->report.size[rows] < n ? (size_t)n_random : 0);
	x->masked = xcalloc(x->n_masks, sizeof(*x->masked));
	x->loss = xcalloc(x->n_masks, sizeof(*x->loss));
	rng_init(&r, (uint64_t)seed, rng_purpose("head-find"), 0);
	for (size_t k = 0; k < x->n_masks; k++) {
		x->masked[k] = xcalloc(n, sizeof(**x->masked));
		if (k == 1)
			memcpy(x->masked[k], x->report.set[rows], n * sizeof(**x->masked));
		rng_permutation(&r, order, n);
		for (size_t i = 0; k > 1 && i < x->report.size[rows]; i++)
			x->masked[k][order[i]] = true;
	}
	free(order);
}

static void
measure_losses(struct finding *x, const char *path)
{
	choose_random_sets(x);
	gated_loss_begin(&x->gates, x->m);
	pass_over(x, path, add_losses, "tokens");
	reader_close(x->passes.in);
	gated_loss_release(&x->gates);
	for (size_t k = 0; k < x->n_masks; k++)
		x->loss[k] /= (double)x->tokens;
	x->report.loss = x->loss;
	x->report.n_losses = x->n_masks;
}

/* --- main --- */

static void
find_open_model(struct finding *x)
{
	struct err e;

	x->m = model_load(model_path, false, NULL, NULL, &e);
	if (!x->m || runtime_open(&x->run, backend, PRECISION_FP32, threads, &e))
		die(&e);
	model_prepare_loss(x->m, &x->run.backend, x->run.pool);
}

static void
begin_finding(struct finding *x, const char *path)
{
	struct err e;

	if (!gold)
		die_usage("no alignments, expected --align FILE");
	if (too_long == TOO_LONG_CUT)
		die_usage("--too-long cut: %s has alignments of whole sentences, expected skip or "
			  "fail", gold);
	if (output && output_check(output, &e))
		die(&e);
	if (model_path)
		find_open_model(x);
	else if (stored_attention_open(&x->stored, path, NULL, force ? STREAM_FORCE : 0, &e))
		die(&e);
	if (aligning_heads_begin(&x->heads, x->m ? sites_of_model(x->m) : x->stored.sites, gold,
				 one_based, content_only, &e))
		die(&e);
}

static void
end_finding(struct finding *x)
{
	for (size_t k = 0; k < x->n_masks; k++)
		free(x->masked[k]);
	free(x->masked);
	free(x->loss);
	aligning_report_release(&x->report);
	aligning_heads_release(&x->heads);
	stored_attention_close(&x->stored);
	if (!x->m)
		return;
	model_free(x->m);
	runtime_close(&x->run);
}

/* The name of the model in the signature, or NULL. */
static const char *
name_model(struct finding *x)
{
	if (!x->m)
		return header_meta(reader_header(x->stored.in), HEADER_SCORED);
	model_digest(x->m, x->digest);
	return x->digest;
}

/* Adds the weights of all sentences: of the model, or those in the stream. */
static void
see_all(struct finding *x, const char *path)
{
	struct reader *in;
	struct err e;

	if (x->m)
		pass_over(x, path, see_weights, "sentences");
	else if (stored_attention_each(&x->stored, aligning_heads_add, &x->heads, &e))
		die(&e);
	in = x->m ? x->passes.in : x->stored.in;
	if (aligning_heads_check(&x->heads, reader_count(in), &e) &&
	    err_wrap(&e, "%s", reader_name(in)))
		die(&e);
	if (x->m)
		reader_close(in);
}

int
main(int argc, char **argv)
{
	static struct finding x;
	struct buf out = { 0 };
	struct err e;
	char **file;

	if (cli_begin(&program, argc, argv, &file) > 1)
		die_usage("several inputs, expected one");
	begin_finding(&x, file[0]);
	see_all(&x, file[0]);
	aligning_report_begin(&x.report, &x.heads, (enum aligning_rows)rows);
	x.report.model = name_model(&x);
	if (x.m && form != ALIGNING_CTRANSLATE2 && form != ALIGNING_TSV && file[0] &&
	    strcmp(file[0], "-"))
		measure_losses(&x, file[0]);
	aligning_report_write(&x.report, (enum aligning_form)form, &out);
	if (output_all(output, 0, out.data, out.n, &e))
		die(&e);
	buf_release(&out);
	end_finding(&x);
	return cli_end(EXIT_OK);
}
