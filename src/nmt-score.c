/*
 * nmt-score: scores given translations; with --attention-weights, adds all attention weights; with
 * --uas, prints attachment scores of heads instead.  See nmt-score(1).
 */
#include <stdlib.h>

#include "analysis/attachment.h"
#include "analysis/attention-field.h"
#include "analysis/word-alignment.h"
#include "attention/attention-heads.h"
#include "base/mem.h"
#include "base/output.h"
#include "base/progress.h"
#include "model-file/model-file.h"
#include "model/layer-params.h"
#include "search/forced.h"
#include "search/next-token.h"

static const char *output, *model_path, *backend, *mask, *alignment_heads;
static int precision = -1, too_long;
static int64_t threads, batch_tokens;
static bool with_attention, with_alignment, uas, force, quiet;

static const struct opt options[] = {
	OPT_GROUP("Model"),
	OPT_ROW_TEXT('m', "model", "file", &model_path, "score with this model (required)"),
	OPT_MASK_HEADS(&mask),
	OPT_GROUP("Input and output"),
	OPT_ROW_FLAG(0, "alignment", &with_alignment,
		     "add the word alignment of cross-attention, as in \"0-0 1-2\""),
	OPT_ROW_TEXT(0, "alignment-heads", "list", &alignment_heads,
		     "align with these heads of cross-attention (all of the penultimate layer)"),
	OPT_ROW_FLAG(0, "attention-weights", &with_attention, "add all attention weights"),
	OPT_ROW_FLAG(0, "uas", &uas,
		     "print attachment scores of the first heads instead of the stream"),
	OPT_TOO_LONG(&too_long, "fail"),
	OPT_OUTPUT(&output), OPT_FORCE(&force), OPT_NO_PG,
	OPT_GROUP("Speed and memory"),
	OPT_THREADS(&threads),
	OPT_ROW_INT("batch-tokens", &batch_tokens, 1, 10000000,
		    "source and target tokens in a batch (2048; fewer for a large model)"),
	OPT_PRECISION(&precision, precision_names),
	OPT_BACKEND(&backend),
	OPT_GROUP("Other"),
	OPT_QUIET(&quiet),
	OPT_NEEDS("alignment-heads", "--alignment"),
	OPT_OLD_NAME("attention", "--attention-weights"),
	{ .kind = OPT_END }
};

static const struct program program = {
	.name = "nmt-score", .synopsis = "-m model [options] [file]",
	.summary = "score given translations with a model",
	.options = options,
	.example = "nmt-score -m model.tar test.heed | heed-show -f score,src,tgt",
};

struct scoring {
	struct model *m;
	char digest[MODEL_DIGEST_SIZE];
	struct runtime run;
	struct forced passes;
	struct word_alignment alignment;
	struct writer *out;
	struct attachment attachment;
	struct field *adds;
	bool foreign;		/* attention weights of the input may be another model's */
	int aligned;		/* sentences of the batch */
	int64_t done;
	struct progress progress;
};

/* The fields that --uas reads besides those of the model. */
static const struct field trees[] = { { "src.heads", "[int]", 1 }, { "src.word", "[int]", 1 },
				      { "tgt.heads", "[int]", 1 }, { "tgt.word", "[int]", 1 },
				      { 0 } };

static void
make_adds(struct scoring *s)
{
	size_t n = 0;

	s->adds = xcalloc(s->m->n_sites + 4, sizeof(*s->adds));
	s->adds[n++] = (struct field){ "score", "float", 0 };
	s->adds[n++] = (struct field){ "score.tokens", "f32[t]", 0 };
	for (size_t i = 0; with_attention && i < s->m->n_sites; i++)
		s->adds[n++] = attention_field(&s->m->sites[i]);
	if (with_alignment)
		s->adds[n++] = (struct field){ "alignment", "str", 0 };
}

/* The probabilities of the first free_tokens are no part of the score. */
static void
set_scores(struct record *rec, const real *nll, int n, int free_tokens)
{
	float *tokens = xcalloc((size_t)n + 1, sizeof(*tokens));
	struct tensor t = { .type = TENSOR_F32, .n_dim = 1, .d = { n }, .data = tokens };
	double sum = 0;

	for (int i = 0; i < n; i++) {
		tokens[i] = (float)-nll[i];
		sum -= i < free_tokens ? 0 : (double)nll[i];
	}
	record_set_float(rec, "score", sum);
	record_set_tensor(rec, "score.tokens", &t);
	free(tokens);
}

/* Adds the links of the next sentence of the batch. */
static int
align_scored(void *arg, const struct sentence_attention *a, struct err *e)
{
	struct scoring *s = arg;

	return word_alignment_set(&s->alignment, a, s->passes.given[s->aligned++], e);
}

static int
score_put(struct scoring *s, struct record *rec, struct err *e)
{
	if (s->foreign)
		attention_fields_delete(rec, s->adds);
	audit_set_cut(&s->passes.audit, rec, rec);
	return writer_put_fitting(s->out, rec, e);
}

static int
put_scores(struct scoring *s, const struct forced *f, const struct batch *b, struct node *nll,
	   struct err *e)
{
	for (int i = 0; i < f->n; i++)
		set_scores(f->given[i], op_cross_entropy_rows(nll) + b->tgt.layout.start[i],
			   b->tgt.layout.len[i], s->m->first_token[1] != NULL);
	for (size_t i = 0; with_attention && i < s->m->n_sites; i++)
		attention_field_set(s->m, s->run.tape, b, i, s->adds[2 + i].name, f->given);
	s->aligned = 0;
	if (with_alignment && sentence_attention_each(s->m, s->run.tape, b, align_scored, s, e))
		return err_wrap(e, "%s", reader_name(f->in));
	for (int i = 0; i < f->n; i++)
		if (score_put(s, f->given[i], e))
			return -1;
	return 0;
}

static int
score_batch(void *arg, struct forced *f, struct batch *b, struct err *e)
{
	struct scoring *s = arg;
	struct node *nll;

	model_loss(s->m, s->run.tape, b, &nll);
	if (model_finite(nll->in[0], b, true, e) ||
	    (uas && attachment_add(&s->attachment, s->run.tape, b, e)))
		return err_wrap(e, "%s", reader_name(f->in));
	if (!uas && put_scores(s, f, b, nll, e))
		return -1;
	s->done += f->n;
	progress_at(&s->progress, s->done, "%s", "");
	return 0;
}

/* Removes scores by another model, so that they are not taken for scores by this model. */
static int
score_leave_out(void *arg, struct record *rec, struct err *e)
{
	struct scoring *s = arg;

	for (const struct field *f = s->adds; f->name; f++)
		record_delete(rec, f->name);
	return score_put(s, rec, e);
}

static int
put_attachment(struct scoring *s, struct err *e)
{
	struct buf text = { 0 };

	attachment_put(&s->attachment, &text);
	if (!text.n && !quiet)
		warn("%s: no words with head words and subwords (src.heads and src.word, or "
		     "tgt.heads and tgt.word)", reader_name(s->passes.in));
	return output_text(output, &text, e);
}

static int
score_open_output(struct scoring *s, unsigned flags, struct err *e)
{
	const char *precision_name = precision_names[s->run.precision];
	struct reader *in = s->passes.in;

	if (uas) {
		s->passes.skip = NULL;
		s->passes.masked_effect = NULL;
		attachment_begin(&s->attachment, s->m, reader_header(in));
		return output ? output_check(output, e) : 0;
	}
	s->out = writer_open(output, "sentence", reader_header(in), s->adds, flags, e);
	if (!s->out)
		return -1;
	s->foreign = attention_fields_foreign(reader_header(in), s->digest, precision_name);
	if (s->foreign)
		attention_fields_drop(s->out, s->adds);
	writer_set_meta(s->out, HEADER_SCORED, s->digest);
	writer_set_meta(s->out, HEADER_SCORED_IN, precision_name);
	audit_declare_cut(&s->passes.audit, true, s->out);
	reader_notes_to(in, s->out);
	return 0;
}

static void
score_begin(struct scoring *s, const char *path)
{
	const unsigned flags = force ? STREAM_FORCE : 0;
	struct err e;

	s->m = model_load_to_run(model_path, precision, &e);
	if (s->m)
		model_digest(s->m, s->digest);
	if (!s->m || runtime_open(&s->run, backend, precision_for(s->m, precision), threads, &e) ||
	    (mask && model_mask(s->m, mask, &e)))
		die(&e);
	if (s->run.precision == PRECISION_INT8) {
		matrices_round_int8(s->m);
		/* In fp32 this would take the memory of the model again, and save no time. */
		model_prepare_loss(s->m, &s->run.backend, s->run.pool);
	}
	if (with_alignment && word_alignment_begin(&s->alignment, sites_of_model(s->m), s->m->mask,
						   alignment_heads, &e) &&
	    err_wrap(&e, "%s", alignment_heads ? "--alignment-heads" : model_path))
		die(&e);
	make_adds(s);
	s->passes = (struct forced){ .m = s->m, .run = &s->run, .batch_tokens = batch_tokens,
				     .target = TARGET_REF, .work = score_batch,
				     .skip = score_leave_out, .audit.too_long = too_long,
				     .arg = s, .masked_effect = "their log-probability is -inf" };
	s->passes.in = forced_open(s->m, TARGET_REF, uas ? trees : NULL, path, flags, &e);
	if (!s->passes.in || score_open_output(s, flags, &e))
		die(&e);
	if (!quiet && precision == PRECISION_AUTO)
		runtime_print(&s->run);
	if (!quiet)
		progress_start(&s->progress, "sentences", reader_count_file(path, "sentence"));
}

static void
score_end(struct scoring *s)
{
	for (size_t i = 0; with_attention && i < s->m->n_sites; i++)
		free((char *)s->adds[2 + i].name);
	word_alignment_release(&s->alignment);
	free(s->adds);
	attachment_release(&s->attachment);
	reader_close(s->passes.in);
	model_free(s->m);
	runtime_close(&s->run);
	progress_end(&s->progress);
}

int
main(int argc, char **argv)
{
	static struct scoring s;
	struct err e;
	char **file;
	int n = cli_begin(&program, argc, argv, &file);

	if (!model_path)
		die_usage("no model, expected -m file");
	if (with_alignment && too_long == TOO_LONG_CUT)
		die_usage("--alignment with --too-long cut, expected skip or fail");
	if (n > 1)
		die_usage("%d input files, expected at most one", n);
	if (uas && (with_attention || with_alignment || too_long == TOO_LONG_CUT))
		die_usage("--uas with --attention-weights, --alignment or --too-long cut, expected "
			  "none of them");
	score_begin(&s, n ? file[0] : NULL);
	if (uas ? forced_run(&s.passes, &e) || put_attachment(&s, &e)
		: writer_end(s.out, forced_run(&s.passes, &e), &e))
		die(&e);
	score_end(&s);
	return cli_end(EXIT_OK);
}
