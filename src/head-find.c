/*
 * head-find: finds the heads that align words, copy, are sinks, or follow positions or
 * dependencies, and what the model loses without them.  See head-find(1).
 */
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "analysis/head-measures.h"
#include "analysis/sought-heads.h"
#include "analysis/stored-attention.h"
#include "attention/attention-heads.h"
#include "base/mem.h"
#include "base/output.h"
#include "base/progress.h"
#include "data/audit.h"
#include "model-file/model-file.h"
#include "search/forced.h"
#include "search/next-token.h"
#include "stream/input.h"

static const char *model_path, *gold, *output, *backend;
static const char *relation_names = RELATION_LIST_USUAL, *margin = "abs:10";
static int sought, form, rows, too_long;
static int64_t threads, batch_tokens, seed = -1, n_random = -1;
static bool one_based, content_only, force, quiet;

static const struct opt options[] = {
	OPT_GROUP("Model and input"),
	OPT_ROW_TEXT('m', "model", "file", &model_path,
		     "use this model (the stream has attention weights)"),
	OPT_ROW_TEXT(0, "align", "file", &gold,
		     "score heads against these alignments, gold or of word-align"),
	OPT_ROW_FLAG(0, "one-based", &one_based, "the alignments count words from 1"),
	OPT_TOO_LONG(&too_long, "fail"),
	OPT_GROUP("Heads"),
	OPT_ROW_CHOICE("what", "kind", &sought, found_whats,
		       "heads to find (align, which needs --align)"),
	OPT_ROW_FLAG(0, "content-only", &content_only,
		     "align by the weights on content: without end token, tag and punctuation"),
	OPT_ROW_TEXT(0, "margin", "margin", &margin,
		     "margin (abs:10) of syntactic heads over the baseline: abs:N or rel:N"),
	OPT_ROW_TEXT(0, "relations", "list", &relation_names,
		     "dependency relations, separated by commas: name or name=rel+rel"),
	OPT_ROW_CHOICE("rows", "step", &rows, aligning_row_names,
		       "decoder step whose weights align a token (predicts)"),
	OPT_ROW_INT("random", &n_random, 0, 1000,
		    "compare the loss without the set with n random sets (10)"),
	OPT_GROUP("Output"),
	OPT_OUTPUT(&output),
	OPT_ROW_CHOICE("to", "form", &form, aligning_forms, "output format (text)"),
	OPT_GROUP("Computation"),
	OPT_BACKEND(&backend),
	OPT_ROW_INT("batch-tokens", &batch_tokens, 1, 1e7,
		    "tokens of both sides per batch (2048; fewer for a large model)"),
	OPT_SEED(&seed, "1"),
	OPT_THREADS(&threads),
	OPT_GROUP("Other"),
	OPT_FORCE(&force),
	OPT_MAX_LINE,
	OPT_MAX_RECORD,
	OPT_QUIET(&quiet),
	OPT_NEEDS("one-based content-only rows", "--align"),
	OPT_NEEDS("margin relations", "--what syntax"),
	OPT_NOT_WITH("align", "--what copy or --what sink or --what position or --what syntax"),
	OPT_NOT_WITH("random seed", "--to tsv or --to ctranslate2"),
	OPT_NOT_WITH("seed", "--random 0"),
	OPT_NEEDS("backend batch-tokens random seed threads too-long", "--model"),
	{ .kind = OPT_END }
};

static const struct program program = {
	.name = "head-find",
	.synopsis = "[-m model] [--what kind] [--align file] [--to form] [-o file] [file]",
	.summary = "find the heads that align words, follow syntax, copy, or are sinks",
	.example = "head-find -m model.tar --align dev.align dev.heed\n"
		   "  head-find -m model.tar --align dev.align --to ctranslate2 dev.heed\n"
		   "  head-find -m model.tar --what sink dev.heed",
	.options = options,
};

struct finding {
	struct model *m;
	char digest[MODEL_DIGEST_SIZE];
	struct runtime run;
	struct forced passes;
	struct stored_attention stored;	/* without a model */
	struct sought_heads heads;
	struct set_losses losses;
	int64_t sentences;
	struct progress progress;
};

/* --- the passes --- */

static int
check_header(const struct finding *x, struct reader *stream, struct err *e)
{
	return sought_heads_check_header(&x->heads, reader_header(stream), e)
		? err_wrap(e, "%s", reader_name(stream)) : 0;
}

static int
see_weights(void *arg, struct forced *f, struct batch *b, struct err *e)
{
	struct finding *x = arg;
	struct tape *t = f->run->tape;
	const struct node *top = model_decode(f->m, t, b, model_encode(f->m, t, b));

	if (model_finite(top, b, true, e) ||
	    sentence_attention_each(f->m, t, b, sought_heads_add, &x->heads, e))
		return err_wrap(e, "%s", reader_name(f->in));
	x->sentences += b->n;
	progress_at(&x->progress, x->sentences, "%s", "");
	return 0;
}

static int
add_losses(void *arg, struct forced *f, struct batch *b, struct err *e)
{
	struct finding *x = arg;

	(void)e;
	set_losses_add(&x->losses, f->run->tape, b);
	progress_at(&x->progress, x->losses.tokens, "%s", "");
	return 0;
}

static void
pass_over(struct finding *x, const char *path,
	  int (*work)(void *, struct forced *, struct batch *, struct err *), const char *unit)
{
	static const struct field reads[] = {
		{ "src.word", "[int]", 1 }, { "tgt.word", "[int]", 1 },
		{ "src.heads", "[int]", 1 }, { "src.rels", "[str]", 1 }, { 0 }
	};
	struct forced *f = &x->passes;
	struct err e;

	*f = (struct forced){ .m = x->m, .run = &x->run, .batch_tokens = batch_tokens,
			      .target = TARGET_REF, .work = work, .audit.too_long = too_long,
			      .arg = x };
	if (work == add_losses)
		f->masked_effect = "left out of the loss";
	f->in = forced_open(x->m, TARGET_REF, reads, path, force ? STREAM_FORCE : 0, &e);
	if (!quiet)
		progress_start(&x->progress, unit, 0);
	if (!f->in || check_header(x, f->in, &e) || forced_run(f, &e))
		die(&e);
	progress_end(&x->progress);
}

/* --- the loss without the set --- */

/* Standard input and pipes cannot be read again for the losses. */
static bool
is_read_once(const char *path)
{
	struct stat file;

	return !path || !strcmp(path, "-") || (!stat(path, &file) && !S_ISREG(file.st_mode));
}

static const struct set_losses *
measure_losses(struct finding *x, const char *path)
{
	bool *set;

	if (!x->m || form == ALIGNING_CTRANSLATE2 || form == ALIGNING_TSV || is_read_once(path))
		return NULL;
	set = xcalloc(heads_before(x->m->sites, x->m->n_sites), sizeof(*set));
	if (sought_heads_set(&x->heads, set)) {
		set_losses_begin(&x->losses, x->m, set, n_random < 0 ? 10 : n_random,
				 seed < 0 ? 1 : (uint64_t)seed);
		pass_over(x, path, add_losses, "tokens");
		reader_close(x->passes.in);
		set_losses_end(&x->losses);
	}
	free(set);
	return x->losses.n ? &x->losses : NULL;
}

/* --- main --- */

static void
check_options(const char *path)
{
	if ((seed >= 0 || n_random > 0) && is_read_once(path))
		die_usage("--random or --seed with %s, which is read once, expected a file",
			  !path || !strcmp(path, "-") ? "standard input" : path);
	if (sought == FOUND_ALIGN && !gold)
		die_usage("no alignments, expected --align FILE, or --what with another kind");
	if (sought != FOUND_ALIGN && form == ALIGNING_CTRANSLATE2)
		die_usage("--to ctranslate2 with --what %s, expected heads that align",
			  found_whats[sought]);
	if (too_long == TOO_LONG_CUT && gold)
		die_usage("--too-long cut: %s has alignments of whole sentences, expected skip or "
			  "fail", gold);
	if (too_long == TOO_LONG_CUT && sought == FOUND_SYNTAX)
		die_usage("--too-long cut with trees of whole sentences, expected skip or fail");
}

static void
begin_finding(struct finding *x, const char *path)
{
	struct err e;

	check_options(path);
	if (output && output_check(output, &e))
		die(&e);
	x->heads = (struct sought_heads){ .kind = (enum found_what)sought, .gold = gold,
					  .one_based = one_based, .content_only = content_only,
					  .rows = (enum aligning_rows)rows,
					  .relations = relation_names, .margin = margin };
	if (model_path) {
		x->m = model_load(model_path, false, NULL, NULL, &e);
		if (!x->m || runtime_open(&x->run, backend, PRECISION_FP32, threads, &e))
			die(&e);
		model_prepare_loss(x->m, &x->run.backend, x->run.pool);
	} else if (stored_attention_open(&x->stored, path, head_measures_needs,
					 force ? STREAM_FORCE : 0, &e) ||
		   check_header(x, x->stored.in, &e)) {
		die(&e);
	}
	if (sought_heads_begin(&x->heads, x->m ? sites_of_model(x->m) : x->stored.sites, &e))
		die(&e);
}

static void
end_finding(struct finding *x)
{
	set_losses_release(&x->losses);
	sought_heads_release(&x->heads);
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
	else if (stored_attention_each(&x->stored, sought_heads_add, &x->heads, &e))
		die(&e);
	in = x->m ? x->passes.in : x->stored.in;
	if (sought_heads_end(&x->heads, reader_count(in), &e) &&
	    err_wrap(&e, "%s", reader_name(in)))
		die(&e);
	if (x->m)
		reader_close(in);
}

int
main(int argc, char **argv)
{
	const struct set_losses *losses;
	static struct finding x;
	struct buf out = { 0 };
	struct err e;
	char **file;

	if (cli_begin(&program, argc, argv, &file) > 1)
		die_usage("several inputs, expected one");
	begin_finding(&x, file[0]);
	see_all(&x, file[0]);
	losses = measure_losses(&x, file[0]);
	sought_heads_write(&x.heads, losses, name_model(&x), (enum aligning_form)form, &out);
	if (output_text(output, &out, &e))
		die(&e);
	end_finding(&x);
	return cli_end(EXIT_OK);
}
