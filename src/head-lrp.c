/*
 * head-lrp: the relevance of each attention head, or of each source and target token, for the
 * model's own translations or for references.  See head-lrp(1).
 */
#include <string.h>

#include "attribution/lrp-lookahead.h"
#include "attribution/lrp-output.h"
#include "attribution/method.h"
#include "base/progress.h"
#include "model-file/model-file.h"
#include "model/model-input.h"
#include "model/runtime.h"
#include "search/next-token.h"
#include "stream/stream.h"

enum { ATTENTION_JOINT, ATTENTION_CONSTANT };

static const char *output, *model_path, *backend, *against, *name;
static int target = TARGET_HYP, rule = LRP_ALPHABETA, norm = -1, attention = ATTENTION_JOINT;
static int bias = -1, too_long;
static double eps = -1;
static int64_t threads, steps;
static bool tokens, errors, force, quiet;

static const char *const attentions[] = { "joint", "constant", NULL };

static const struct opt options[] = {
	OPT_GROUP("Model and input"),
	OPT_ROW_TEXT('m', "model", "file", &model_path, "use this model (required)"),
	OPT_TARGET(&target, "target that the decoder reads (hyp)"),
	OPT_TOO_LONG(&too_long, "fail"),
	OPT_GROUP("Propagation"),
	OPT_ROW_TEXT(0, "against", "token", &against,
		     "start from the difference of the logits of the best token and this one"),
	OPT_ROW_CHOICE("rule", "name", &rule, lrp_rules,
		       "rule that distributes relevance (alpha-beta)"),
	OPT_ROW_CHOICE("norm", "name", &norm, lrp_norms,
		       "treatment of layer normalization (depends on the rule)"),
	OPT_ROW_CHOICE("attention-weights", "name", &attention, attentions,
		       "inputs that receive the relevance of head outputs (joint)"),
	OPT_ROW_CHOICE("bias", "name", &bias, lrp_biases,
		       "treatment of the contribution of a bias (depends on the rule)"),
	OPT_ROW_FLOAT("eps", &eps, 0, 1,
		      "add x to the magnitude of denominators (depends on the rule)"),
	OPT_ROW_INT("steps", &steps, 1, 100000, "steps of --rule integrated-gradients (20)"),
	OPT_GROUP("Output"),
	OPT_OUTPUT(&output),
	OPT_ROW_FLAG(0, "errors", &errors, "add standard errors over sentences"),
	OPT_ROW_TEXT(0, "name", "name", &name, "name of the measure of heads (relevance)"),
	OPT_ROW_FLAG(0, "tokens", &tokens,
		     "write the contributions of tokens instead of the relevance of heads"),
	OPT_GROUP("Computation"),
	OPT_BACKEND(&backend),
	OPT_THREADS(&threads),
	OPT_GROUP("Other"),
	OPT_FORCE(&force),
	OPT_NO_PG,
	OPT_QUIET(&quiet),
	OPT_NOT_WITH("name errors", "--tokens"),
	OPT_NEEDS("steps", "--rule integrated-gradients"),
	OPT_OLD_NAME("attention", "--attention-weights"),
	{ .kind = OPT_END }
};

static const struct program program = {
	.name = "head-lrp",
	.synopsis = "-m model [--target name] [--tokens] [options] [file]",
	.summary = "measure the relevance of attention heads",
	.example = "head-lrp -m model.tar --target ref -o heads.heed dev.heed",
	.options = options,
};

struct lrp_run {
	struct model *m;
	struct runtime runtime;
	struct reader *in;
	struct lrp_output out;
	struct lrp_lookahead ahead;
	struct lrp_sums sums;
	struct progress progress;
};

/* --- settings --- */

static struct lrp
lrp_settings(void)
{
	struct lrp how = lrp_defaults(rule);

	if (norm >= 0)
		how.norm = (unsigned)norm;
	if (eps >= 0)
		how.eps = (real)eps;
	how.attention_constant = attention == ATTENTION_CONSTANT;
	if (bias >= 0)
		how.bias = (unsigned)bias;
	return how;
}

static void
lrp_begin(struct lrp_run *r, const char *path)
{
	const unsigned flags = force ? STREAM_FORCE : 0;
	const struct lrp how = lrp_settings();
	struct err e;

	r->m = model_load(model_path, false, NULL, NULL, &e);
	if (!r->m || runtime_open(&r->runtime, backend, PRECISION_FP32, threads, &e))
		die(&e);
	model_prepare(r->m, &r->runtime.backend, r->runtime.pool);
	r->in = forced_open(r->m, (enum forced_target)target, NULL, path, flags, &e);
	if (!r->in)
		die(&e);
	if (lrp_lookahead_init(&r->ahead, r->m, &r->runtime.pass, &how, (enum forced_target)target,
			       too_long, &e))
		die(&e);
	if (against && logit_token(r->m, against, &r->ahead.tracer.foil, &e)) {
		err_wrap(&e, "--against");
		die(&e);
	}
	if (steps)
		r->ahead.tracer.steps = (int)steps;
	lrp_sums_init(&r->sums, r->m);
	r->sums.with_errors = errors;
	r->out = (struct lrp_output){ .tokens = tokens, .quiet = quiet, .ahead = &r->ahead,
				      .name = name ? name : "relevance", .sums = &r->sums,
				      .in = r->in };
	if (lrp_output_open(&r->out, output, flags, &e))
		die(&e);
	if (!quiet)
		progress_start(&r->progress, "sentences", reader_count_file(path, "sentence"));
}

static void
lrp_end(struct lrp_run *r)
{
	lrp_sums_release(&r->sums);
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
		if (lrp_sums_add(&r->sums, &l->lrp[i].out, e))
			return err_wrap(e, "%s: record %lld", reader_name(r->in),
					(long long)l->lrp[i].number + 1);
	for (int i = 0; tokens && i < l->n; i++)
		if (writer_put_fitting(r->out.to, lrp_lookahead_tokens(l, i), e))
			return -1;
	progress_at(&r->progress, reader_count(r->in), "%s", "");
	lrp_lookahead_clear(l);
	return 0;
}

static int
trace_all(struct lrp_run *r, struct err *e)
{
	struct record *rec;
	int more;

	while ((more = reader_next(r->in, &rec, e)) == 1) {
		if (lrp_lookahead_add(&r->ahead, rec, reader_count(r->in) - 1, r->in, e))
			return err_wrap(e, "%s", reader_where(r->in));
		if (r->ahead.n == LRP_SENTENCES && trace(r, e))
			return -1;
	}
	return more || trace(r, e) ? -1 : lrp_output_end(&r->out, e);
}

static void
head_lrp_check_options(void)
{
	static const char letters[] = "abcdefghijklmnopqrstuvwxyz";
	const struct lrp_method *method = lrp_method_of(rule);

	if (name && (!*name || name[strspn(name, letters)] || !strcmp(name, "site") ||
		     !strcmp(name, "layer") || !strcmp(name, "head")))
		die_usage("--name '%s': expected a name of lower-case letters other than site, "
			  "layer and head", name);
	if (method && !tokens)
		die_usage("--rule %s without --tokens, expected --tokens; scores of heads: "
			  "head-stat --measure %s", lrp_rules[rule],
			  rule == RULE_CHEFER ? "saliency" :
			  rule == RULE_INTEGRATED_GRADIENTS ? "gradient" : "norm");
	if (method && (norm >= 0 || bias >= 0 || eps >= 0 || attention == ATTENTION_CONSTANT))
		die_usage("--rule %s with --norm, --bias, --eps or --attention-weights, which are "
			  "for relevance propagation", lrp_rules[rule]);
	if (against && method && !method->foil)
		die_usage("--against with --rule %s, which does not depend on the token",
			  lrp_rules[rule]);
	if (rule == LRP_EPSILON && norm == LRP_NORM_JACOBIAN)
		die_usage("--rule epsilon with --norm jacobian, expected --norm frozen-std or "
			  "identity");
	if (rule == LRP_ATTNLRP && norm == LRP_NORM_JACOBIAN)
		die_usage("--rule attnlrp with --norm jacobian, expected --norm identity or "
			  "frozen-std");
	if (bias == LRP_BIAS_ABSORB && rule != LRP_EPSILON && rule != LRP_ATTNLRP)
		die_usage("--bias absorb with --rule %s, expected --rule epsilon or attnlrp",
			  lrp_rules[rule]);
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
	head_lrp_check_options();
	lrp_begin(&r, n ? file[0] : NULL);
	if (writer_end(r.out.to, trace_all(&r, &e), &e))
		die(&e);
	model_audit_warn(r.m, &r.ahead.audit, reader_header(r.in), reader_name(r.in));
	if (!quiet)
		progress_end(&r.progress);
	lrp_output_summary(&r.out);
	lrp_end(&r);
	return cli_end(EXIT_OK);
}
