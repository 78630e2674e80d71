/*
 * head-lrp: the relevance of each attention head, or of each source and target token, for the
 * model's own translations or for references.  See head-lrp(1).
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "analysis/lrp-lookahead.h"
#include "analysis/lrp-sums.h"
#include "base/progress.h"
#include "model-file/model-file.h"
#include "model/runtime.h"
#include "stream/stream.h"

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
	  .help = "use this model (required)", .to = &model_path },
	OPT_TARGET(&target, "target that the decoder reads (hyp)"),
	OPT_TOO_LONG(&too_long, "fail"),
	OPT_GROUP("Propagation"),
	{ .kind = OPT_CHOICE, .long_name = "rule", .arg = "name", .to = &rule, .choice = rules,
	  .help = "rule that distributes relevance (alpha-beta)" },
	{ .kind = OPT_CHOICE, .long_name = "norm", .arg = "name", .to = &norm, .choice = norms,
	  .help = "treatment of layer normalization (depends on the rule)" },
	{ .kind = OPT_CHOICE, .long_name = "attention-weights", .arg = "name", .to = &attention,
	  .choice = attentions,
	  .help = "inputs that receive the relevance of head outputs (joint)" },
	{ .kind = OPT_CHOICE, .long_name = "bias", .arg = "name", .to = &bias, .choice = biases,
	  .help = "treatment of the contribution of a bias (spread)" },
	{ .kind = OPT_FLOAT, .long_name = "eps", .arg = "x", .to = &eps, .min = 0, .max = 1,
	  .help = "add x to the magnitude of denominators (1e-5; rule epsilon: 1e-9)" },
	OPT_GROUP("Output"),
	OPT_OUTPUT(&output),
	{ .kind = OPT_FLAG, .long_name = "tokens", .to = &tokens,
	  .help = "write the contributions of tokens instead of the relevance of heads" },
	OPT_GROUP("Computation"),
	OPT_BACKEND(&backend),
	OPT_THREADS(&threads, "1"),
	OPT_GROUP("Other"),
	OPT_FORCE(&force),
	OPT_NO_PG,
	OPT_QUIET(&quiet),
	OPT_OLD_NAME("attention", "--attention-weights"),
	{ .kind = OPT_END }
};

static const struct program program = {
	.name = "head-lrp",
	.synopsis = "-m model [--target name] [--tokens] [options] [file]",
	.summary = "measure the relevance of attention heads",
	.example = "head-lrp -m model.tar --target ref -o heads.heed dev.heed",
	.options = options, .reads = "sentence", .writes = "head",
};

struct lrp_run {
	struct model *m;
	struct runtime runtime;
	struct reader *in;
	struct writer *out;
	struct field *needs;
	struct lrp_lookahead ahead;
	struct lrp_sums sums;
	struct progress progress;
};

/* --- input and output --- */

static const struct field head_fields[] = {
	{ "site", "str", 0 }, { "layer", "int", 0 }, { "head", "int", 0 },
	{ "relevance", "float", 0 }, { "relevance.raw", "float", 0 }, { 0 }
};
static void
open_output(struct lrp_run *r, unsigned flags)
{
	const struct header *from = tokens ? reader_header(r->in) : NULL;
	struct err e;

	r->out = writer_open(output, tokens ? "sentence" : "head", from,
			     tokens ? lrp_token_fields : head_fields, flags, &e);
	if (!r->out)
		die(&e);
	if (tokens)
		reader_notes_to(r->in, r->out);
	else
		writer_add_provenance(r->out, reader_header(r->in));
	if (tokens)
		too_long_declare(&r->ahead.too_long, true, r->out);
	if (tokens && target == TARGET_HYP && !header_type(reader_header(r->in), "hyp.pieces"))
		writer_add_field(r->out, "hyp.pieces", "[str]");
	writer_set_meta(r->out, "lrp.target", forced_targets[target]);
	writer_set_meta(r->out, "lrp.rule", rules[r->ahead.tracer.how.rule]);
	writer_set_meta(r->out, "lrp.norm", norms[r->ahead.tracer.how.norm]);
	writer_set_meta(r->out, "lrp.attention", attentions[attention]);
	writer_set_meta(r->out, "lrp.bias", biases[bias]);
}

static struct lrp
lrp_settings(void)
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
lrp_begin(struct lrp_run *r, const char *path)
{
	const unsigned flags = (force ? STREAM_FORCE : 0u) | (cli_no_pg ? STREAM_NO_PG : 0u);
	const struct lrp how = lrp_settings();
	struct err e;

	r->m = model_load(model_path, false, NULL, NULL, &e);
	if (!r->m || runtime_open(&r->runtime, backend, PRECISION_FP32, threads, &e))
		die(&e);
	model_prepare(r->m, &r->runtime.backend, r->runtime.pool);
	r->needs = forced_needs(r->m, (enum forced_target)target, NULL);
	r->in = reader_open(path, "sentence", r->needs, flags, &e);
	if (!r->in)
		die(&e);
	if (lrp_lookahead_init(&r->ahead, r->m, &r->runtime.pass, &how, (enum forced_target)target,
			       too_long, &e))
		die(&e);
	lrp_sums_init(&r->sums, r->m);
	open_output(r, flags);
	if (!quiet)
		progress_start(&r->progress, "sentences", reader_count_file(path, "sentence"));
}

static void
lrp_end(struct lrp_run *r)
{
	lrp_sums_release(&r->sums);
	free(r->needs);
	lrp_lookahead_release(&r->ahead);
	reader_close(r->in);
	model_free(r->m);
	runtime_close(&r->runtime);
}

/* --- the run --- */

static int
trace(struct lrp_run *r, struct err *e)
{
	struct lrp_lookahead *l = &r->ahead;

	if (lrp_lookahead_trace(l, e))	/* the message names the record */
		return err_wrap(e, "%s", reader_name(r->in));
	for (int i = 0; i < l->n_lrp; i++)
		lrp_sums_add(&r->sums, &l->lrp[i].out);
	for (int i = 0; tokens && i < l->n; i++)
		if (writer_put(r->out, lrp_lookahead_tokens(l, i), e))
			return -1;
	progress_at(&r->progress, reader_count(r->in), "%s", "");
	lrp_lookahead_clear(l);
	return 0;
}

static int
write_heads(struct lrp_run *r, struct err *e)
{
	struct head_table t;
	int bad;

	head_table_init(&t);
	lrp_sums_fill(&r->sums, &t);
	bad = head_table_put(&t, r->out, e);
	head_table_release(&t);
	return bad;
}

static int
note(struct lrp_run *r, const char *name, double x, struct err *e)
{
	char text[32];

	snprintf(text, sizeof(text), "%.3g", x);
	return writer_note(r->out, name, text, e);
}

static int
note_too_long(struct lrp_run *r, struct err *e)
{
	const struct too_long *t = &r->ahead.too_long;
	char text[32];

	snprintf(text, sizeof(text), "%lld", (long long)t->found);
	return !t->found ? 0 : writer_note(r->out, too_long_note(t), text, e);
}

static int
trace_all(struct lrp_run *r, struct err *e)
{
	struct record *rec;
	int more;

	while ((more = reader_next(r->in, &rec, e)) == 1) {
		if (lrp_lookahead_add(&r->ahead, rec, reader_count(r->in) - 1,
				      reader_where(r->in), e))
			return err_wrap(e, "%s", reader_where(r->in));
		if (r->ahead.n == LRP_SENTENCES && trace(r, e))
			return -1;
	}
	if (more || trace(r, e) || (!tokens && write_heads(r, e)))
		return -1;
	if (rule == LRP_EPSILON &&
	    (note(r, "lrp.taken", r->sums.absorbed, e) || note(r, "lrp.lost", r->sums.lost, e)))
		return -1;
	if (note_too_long(r, e))
		return -1;
	return note(r, "lrp.off", r->sums.error, e);
}

static void
print_summary(const struct lrp_run *r)
{
	const int64_t skipped = too_long == TOO_LONG_SKIP ? r->ahead.too_long.found : 0;
	const long long sentences = (long long)(reader_count(r->in) - skipped);
	const struct lrp_sums *s = &r->sums;

	if (s->rounded)
		warn("%lld of %lld sentences lost more than %.2g of relevance 1 by rounding, at "
		     "most %.2g; try a larger --eps, --attention-weights constant or another "
		     "--rule",
		     (long long)s->rounded, sentences, LRP_LARGE_LOSS, s->lost);
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
	static struct lrp_run r;
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
	lrp_begin(&r, n ? file[0] : NULL);
	if (trace_all(&r, &e)) {
		writer_abandon(r.out);
		die(&e);
	}
	if (writer_finish(r.out, &e))
		die(&e);
	too_long_end(&r.ahead.too_long);
	unknown_warn(&r.ahead.unknown, model_segments_with(r.m));
	if (!quiet)
		progress_end(&r.progress);
	print_summary(&r);
	lrp_end(&r);
	return cli_end(EXIT_OK);
}
