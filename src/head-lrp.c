/*
 * head-lrp: the relevance of each attention head, or of each source and target token, for the
 * model's own translations or for references.  See head-lrp(1).
 */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "analysis/head-table.h"
#include "analysis/lrp.h"
#include "base/mem.h"
#include "base/progress.h"
#include "model-file/model-file.h"
#include "model/runtime.h"
#include "model/too-long.h"
#include "search/forced.h"
#include "search/translate.h"
#include "stream/stream.h"

#define LARGE_LOSS 0.01		/* of relevance 1, by rounding: causes a warning */
enum { WINDOW = 256 };			/* sentences */
enum { ATTENTION_JOINT, ATTENTION_CONSTANT };
enum { BIAS_SPREAD, BIAS_DROP };

static const char *output, *model_path, *backend;
static int target = TARGET_HYP, rule = LRP_ALPHABETA, norm = -1, attention = ATTENTION_JOINT;
static int bias = BIAS_SPREAD, too_long;
static double eps = -1;
static int64_t threads = 1;
static bool tokens, force, quiet;

static const char *const rules[] = {
	[LRP_EPSILON] = "epsilon", [LRP_ALPHABETA] = "alpha-beta",
	[LRP_ALPHABETA_LOCAL] = "alpha-beta-local", NULL
};
static const char *const norms[] = {
	[LRP_NORM_JACOBIAN] = "jacobian", [LRP_NORM_FROZEN_STD] = "frozen-std",
	[LRP_NORM_IDENTITY] = "identity", NULL
};
static const char *const attentions[] = { "joint", "constant", NULL };
static const char *const biases[] = { "spread", "drop", NULL };

static const struct opt options[] = {
	OPT_GROUP("Model and input"),
	{ .kind = OPT_STRING, .short_name = 'm', .long_name = "model", .arg = "file",
	  .help = "model; required", .to = &model_path },
	OPT_TARGET(&target, "target that the decoder reads (hyp)"),
	OPT_TOO_LONG(&too_long, "fail"),
	OPT_GROUP("Propagation"),
	{ .kind = OPT_CHOICE, .long_name = "rule", .arg = "name", .to = &rule, .choice = rules,
	  .help = "rule that distributes relevance (alpha-beta)" },
	{ .kind = OPT_CHOICE, .long_name = "norm", .arg = "name", .to = &norm, .choice = norms,
	  .help = "treatment of layer normalization (by the rule)" },
	{ .kind = OPT_CHOICE, .long_name = "attention", .arg = "name", .to = &attention,
	  .choice = attentions,
	  .help = "relevance to queries, keys and values, or to values alone (joint)" },
	{ .kind = OPT_CHOICE, .long_name = "bias", .arg = "name", .to = &bias, .choice = biases,
	  .help = "spread or drop the contribution of a bias (spread)" },
	{ .kind = OPT_FLOAT, .long_name = "eps", .arg = "x", .to = &eps, .min = 0, .max = 1,
	  .help = "added to the magnitude of denominators (1e-5; rule epsilon: 1e-9)" },
	OPT_GROUP("Output"),
	OPT_OUTPUT(&output),
	{ .kind = OPT_FLAG, .long_name = "tokens", .to = &tokens,
	  .help = "write the contributions of tokens instead of the relevance of heads" },
	OPT_GROUP("Computation"),
	OPT_BACKEND(&backend),
	OPT_THREADS(&threads),
	OPT_GROUP("Other"),
	OPT_FORCE(&force),
	OPT_NO_PG,
	OPT_QUIET(&quiet),
	{ .kind = OPT_END }
};

static const struct program program = {
	.name = "head-lrp",
	.synopsis = "-m model [-t n] [--target name] [--tokens] [-o file] [file]",
	.summary = "measure the relevance of attention heads",
	.example = "head-lrp -m model.tar --target ref -o heads.heed dev.heed",
	.options = options, .reads = "sentence", .writes = "head",
};

/* Sums over all positions so far. */
struct totals {
	double *share, *raw;		/* [heads of all sites] */
	int64_t *positions;		/* [sites] positions with relevance in the site's heads */
	int64_t all;			/* positions */
	double absorbed, lost, error;	/* maxima, see lrp.h */
	int64_t rounded;		/* sentences that lost more than LARGE_LOSS */
};

struct run {
	struct model *m;
	struct runtime runtime;
	struct translator translator;
	struct lrp_tracer tracer;
	struct reader *in;
	struct writer *out;
	struct field *needs;
	struct record *rec[WINDOW];	/* the records of a window */
	struct record *traced[WINDOW];	/* the same, tgt replaced by the target that is traced */
	struct translate_job job[WINDOW];		/* translations, of records without one */
	struct lrp_job lrp[WINDOW];	/* traces, of records with a source */
	int job_of[WINDOW], lrp_of[WINDOW];	/* index of each record's job, or -1 */
	bool skipped[WINDOW];
	int n, n_jobs, n_lrp;
	struct arena mem;		/* lives as long as a window */
	struct totals sum;
	struct too_long too_long;
	struct unknown unknown;
	struct progress progress;
};

/* --- input and output --- */

static const struct field head_fields[] = {
	{ "site", "str", 0 }, { "layer", "int", 0 }, { "head", "int", 0 },
	{ "relevance", "float", 0 }, { "relevance.raw", "float", 0 }, { 0 }
};
static const struct field token_fields[] = {
	{ "relevance.best", "[str]", 0 }, { "relevance.src", "f32[t,s]", 0 },
	{ "relevance.tgt", "f32[t,t]", 0 }, { 0 }
};

static void
open_output(struct run *r, unsigned flags)
{
	const struct header *from = tokens ? reader_header(r->in) : NULL;
	struct err e;

	r->out = writer_open(output, tokens ? "sentence" : "head", from,
			     tokens ? token_fields : head_fields, flags, &e);
	if (!r->out)
		die(&e);
	if (tokens)
		reader_notes_to(r->in, r->out);
	else
		writer_add_provenance(r->out, reader_header(r->in));
	if (tokens)
		too_long_declare(&r->too_long, true, r->out);
	if (tokens && target == TARGET_HYP && !header_type(reader_header(r->in), "hyp.pieces"))
		writer_add_field(r->out, "hyp.pieces", "[str]");
	writer_set_meta(r->out, "lrp.target", forced_targets[target]);
	writer_set_meta(r->out, "lrp.rule", rules[r->tracer.how.rule]);
	writer_set_meta(r->out, "lrp.norm", norms[r->tracer.how.norm]);
	writer_set_meta(r->out, "lrp.attention", attentions[attention]);
	writer_set_meta(r->out, "lrp.bias", biases[bias]);
}

static struct lrp
settings(void)
{
	struct lrp how = lrp_defaults(rule);

	if (norm >= 0)
		how.norm = (unsigned)norm;
	if (eps >= 0)
		how.eps = (real)eps;
	how.attention_constant = attention == ATTENTION_CONSTANT;
	how.drop_bias = bias == BIAS_DROP;
	return how;
}

static void
begin(struct run *r, const char *path)
{
	const unsigned flags = (force ? STREAM_FORCE : 0u) | (cli_no_pg ? STREAM_NO_PG : 0u);
	const struct lrp how = settings();
	struct err e;

	r->m = model_load(model_path, false, NULL, NULL, &e);
	if (!r->m || runtime_open(&r->runtime, backend, PRECISION_FP32, threads, &e))
		die(&e);
	model_prepare(r->m, &r->runtime.backend, r->runtime.pool);
	r->needs = forced_needs(r->m, (enum forced_target)target, NULL);
	r->in = reader_open(path, "sentence", r->needs, flags, &e);
	if (!r->in)
		die(&e);
	translator_init(&r->translator, r->m, &r->runtime.pass);
	lrp_init(&r->tracer, r->m, &r->runtime.pass, &how);
	r->too_long.action = too_long;
	r->translator.cut = r->tracer.cut = too_long == TOO_LONG_CUT;
	if (too_long_begin(&r->too_long, r->m, true, &e))
		die(&e);
	open_output(r, flags);
	arena_init(&r->mem, 0);
	for (int i = 0; i < WINDOW; i++) {
		r->rec[i] = record_new();
		r->traced[i] = record_new();
	}
	r->sum.share = xcalloc(r->tracer.heads, sizeof(double));
	r->sum.raw = xcalloc(r->tracer.heads, sizeof(double));
	r->sum.positions = xcalloc(r->m->n_sites, sizeof(int64_t));
	if (!quiet)
		progress_start(&r->progress, "sentences", 0);
}

static void
end(struct run *r)
{
	for (int i = 0; i < WINDOW; i++) {
		record_free(r->rec[i]);
		record_free(r->traced[i]);
	}
	free(r->sum.share);
	free(r->sum.raw);
	free(r->sum.positions);
	free(r->needs);
	arena_release(&r->mem);
	lrp_release(&r->tracer);
	translator_release(&r->translator);
	reader_close(r->in);
	model_free(r->m);
	runtime_close(&r->runtime);
}

/* --- the records of a window --- */

static int
copy(struct record *to, const struct record *from)
{
	record_clear(to);
	return record_copy(to, from);
}

/* Adds the jobs of sentence i to the window. */
static void
add_jobs(struct run *r, int i, int source_tokens, bool translate)
{
	const int64_t number = reader_count(r->in) - 1;

	r->job_of[i] = r->lrp_of[i] = -1;
	if (r->skipped[i])
		return;
	if (source_tokens) {
		r->lrp_of[i] = r->n_lrp;
		r->lrp[r->n_lrp++] = (struct lrp_job){ .rec = r->traced[i], .number = number };
	}
	if (translate) {
		r->job_of[i] = r->n_jobs;
		r->job[r->n_jobs++] = (struct translate_job){ .rec = r->rec[i], .number = number,
						    .n_tokens = source_tokens };
	}
	unknown_add(&r->unknown, r->traced[i], &r->m->src, translate ? NULL : &r->m->tgt);
}

static int
add(struct run *r, const struct record *rec, struct err *e)
{
	const bool translate = target == TARGET_HYP && !forced_has_hyp(r->m, rec);
	const int i = r->n, source_tokens = batch_pieces(rec, false);
	int skip;

	if (copy(r->rec[i], rec) || copy(r->traced[i], rec))
		return err_set(e, EXIT_INPUT, "cannot be copied");
	if (source_tokens < 0)
		return err_set(e, EXIT_INPUT, "no src.pieces or src, expected one of them");
	if (!translate && forced_choose(r->m, r->traced[i], (enum forced_target)target, e))
		return -1;
	r->too_long.rules.with_target = !translate;
	skip = too_long_check(&r->too_long, r->traced[i], reader_where(r->in), e);
	if (skip < 0)
		return -1;
	r->skipped[i] = skip;
	too_long_mark(&r->too_long, r->traced[i], r->rec[i]);
	add_jobs(r, i, source_tokens, translate);
	r->n++;
	return 0;
}

static int
translate(struct run *r, struct err *e)
{
	if (r->n_jobs && translate_window(&r->translator, r->job, r->n_jobs, e))
		return -1;
	for (int i = 0; i < r->n; i++) {
		const struct hypothesis *h = r->job_of[i] < 0
			? NULL : &r->job[r->job_of[i]].out.best[0];
		struct str *piece = h ? translate_pieces(r->m, h, &r->mem) : NULL;

		if (!h)
			continue;
		record_set_strs(r->rec[i], "hyp.pieces", piece, (size_t)h->n);
		record_set_strs(r->traced[i], "hyp.pieces", piece, (size_t)h->n);
		if (forced_choose(r->m, r->traced[i], TARGET_HYP, e))
			return -1;
	}
	return 0;
}

/* --- heads --- */

static void
add_position(struct run *r, const double *head)
{
	struct totals *s = &r->sum;

	s->all++;
	for (size_t i = 0, at = 0; i < r->m->n_sites; at += (size_t)r->m->sites[i++].heads) {
		const size_t to = at + (size_t)r->m->sites[i].heads;
		double size = 0;

		for (size_t h = at; h < to; h++)
			size += head[h] < 0 ? -head[h] : head[h];
		for (size_t h = at; h < to; h++)
			s->raw[h] += head[h];
		for (size_t h = at; size > 0 && h < to; h++)
			s->share[h] += (head[h] < 0 ? -head[h] : head[h]) / size;
		s->positions[i] += size > 0;
	}
}

static void
add_sentence(struct run *r, const struct lrp_sentence *out)
{
	for (int t = 0; t < out->positions; t++)
		add_position(r, out->head + (size_t)t * r->tracer.heads);
	r->sum.absorbed = fmax(r->sum.absorbed, out->absorbed);
	r->sum.lost = fmax(r->sum.lost, out->lost);
	r->sum.error = fmax(r->sum.error, out->error);
	r->sum.rounded += out->lost > LARGE_LOSS;
}

static void
fill_heads(const struct totals *sum, const struct site *s, size_t at, int64_t positions,
	   struct head_table *t)
{
	for (int h = 0; h < s->heads; h++, at++) {
		const int head = s->head[h] + 1;

		head_table_row(t, s->where, s->layer, head);
		if (!sum->all)
			continue;
		head_table_fill(t, s, head, "relevance",
				positions ? sum->share[at] / (double)positions : 0);
		head_table_fill(t, s, head, "relevance.raw", sum->raw[at] / (double)sum->all);
	}
}

static int
write_heads(struct run *r, struct err *e)
{
	struct head_table t;
	int bad;

	head_table_init(&t);
	for (size_t i = 0; i < r->m->n_sites; i++)
		fill_heads(&r->sum, &r->m->sites[i], heads_before(r->m->sites, i),
			   r->sum.positions[i], &t);
	bad = head_table_put(&t, r->out, e);
	head_table_release(&t);
	return bad;
}

/* --- tokens --- */

static void
set_matrix(struct record *rec, const char *name, int rows, int columns, const double *x)
{
	const size_t n = (size_t)rows * (size_t)columns;
	float *y = xcalloc(n + 1, sizeof(*y));
	const struct tensor t = { .type = TENSOR_F32, .n_dim = 2, .d = { rows, columns },
				  .data = y };

	for (size_t i = 0; i < n; i++)
		y[i] = (float)x[i];
	record_set_tensor(rec, name, &t);
	free(y);
}

static int
write_tokens(struct run *r, int i, struct err *e)
{
	static const struct lrp_sentence none;
	const struct lrp_sentence *out = r->lrp_of[i] < 0 ? &none : &r->lrp[r->lrp_of[i]].out;
	struct str *best = ARENA_ARRAY(&r->mem, struct str, out->positions + 1);
	struct record *rec = r->rec[i];

	if (r->skipped[i]) {
		for (const struct field *f = token_fields; f->name; f++)
			record_delete(rec, f->name);
		return writer_put(r->out, rec, e);
	}
	for (int t = 0; t < out->positions; t++)
		best[t].s = vocab_text(&r->m->tgt, out->token[t], &best[t].n);
	record_set_strs(rec, "relevance.best", best, (size_t)out->positions);
	set_matrix(rec, "relevance.src", out->positions, out->source_tokens, out->src);
	set_matrix(rec, "relevance.tgt", out->positions, out->positions, out->tgt);
	return writer_put(r->out, rec, e);
}

/* --- the run --- */

static int
flush(struct run *r, struct err *e)
{
	if (translate(r, e) || lrp_trace(&r->tracer, r->lrp, r->n_lrp, e))
		return err_wrap(e, "%s", reader_name(r->in));	/* the message names the record */
	for (int i = 0; i < r->n_lrp; i++)
		add_sentence(r, &r->lrp[i].out);
	for (int i = 0; tokens && i < r->n; i++)
		if (write_tokens(r, i, e))
			return -1;
	progress_at(&r->progress, reader_count(r->in), "%s", "");
	r->n = r->n_jobs = r->n_lrp = 0;
	translate_begin(&r->translator);
	arena_rewind(&r->mem);
	return 0;
}

static int
note(struct run *r, const char *name, double x, struct err *e)
{
	char text[32];

	snprintf(text, sizeof(text), "%.3g", x);
	return writer_note(r->out, name, text, e);
}

static int
note_too_long(struct run *r, struct err *e)
{
	char text[32];

	snprintf(text, sizeof(text), "%lld", (long long)r->too_long.found);
	return r->too_long.found ? writer_note(r->out, too_long_note(&r->too_long), text, e) : 0;
}

static int
trace_all(struct run *r, struct err *e)
{
	struct record *rec;
	int more;

	while ((more = reader_next(r->in, &rec, e)) == 1) {
		if (add(r, rec, e))
			return err_wrap(e, "%s", reader_where(r->in));
		if (r->n == WINDOW && flush(r, e))
			return -1;
	}
	if (more || flush(r, e) || (!tokens && write_heads(r, e)))
		return -1;
	if (rule == LRP_EPSILON &&
	    (note(r, "lrp.taken", r->sum.absorbed, e) || note(r, "lrp.lost", r->sum.lost, e)))
		return -1;
	if (note_too_long(r, e))
		return -1;
	return note(r, "lrp.off", r->sum.error, e);
}

static void
print_summary(const struct run *r)
{
	const int64_t skipped = too_long == TOO_LONG_SKIP ? r->too_long.found : 0;
	const long long sentences = (long long)(reader_count(r->in) - skipped);
	const struct totals *s = &r->sum;

	if (s->rounded)
		warn("%lld of %lld sentences lost more than %.2g of relevance 1 by rounding, at "
		     "most %.2g; try a larger --eps, --attention constant or another --rule",
		     (long long)s->rounded, sentences, LARGE_LOSS, s->lost);
	if (quiet)
		return;
	fprintf(stderr, "head-lrp: %lld sentences, %lld target positions; largest loss of "
		"relevance 1: %.2g", sentences, (long long)s->all, s->lost);
	if (rule == LRP_EPSILON)
		fprintf(stderr, ", largest part absorbed by eps: %.2g", s->absorbed);
	putc('\n', stderr);
}

int
main(int argc, char **argv)
{
	static struct run r;
	struct err e;
	char **file;
	const int n = cli_begin(&program, argc, argv, &file);

	if (!model_path)
		die_usage("no model, expected -m FILE");
	if (n > 1)
		die_usage("%d inputs, expected one", n);
	if (rule == LRP_EPSILON && norm == LRP_NORM_JACOBIAN)
		die_usage("--rule epsilon with --norm jacobian, expected --norm frozen-std or "
			  "identity");
	begin(&r, n ? file[0] : NULL);
	if (trace_all(&r, &e)) {
		writer_abandon(r.out);
		die(&e);
	}
	if (writer_finish(r.out, &e))
		die(&e);
	too_long_end(&r.too_long);
	unknown_warn(&r.unknown, model_has_pieces(r.m));
	if (!quiet)
		progress_end(&r.progress);
	print_summary(&r);
	end(&r);
	return cli_end(EXIT_OK);
}
