/* lrp-output: see lrp-output.h. */
#include "attribution/lrp-output.h"
#include "attribution/method.h"

#include <stdio.h>
#include <stdlib.h>

#include "base/cli.h"
#include "base/mem.h"
#include "stream/signature.h"

const char *const lrp_first_tokens[] = { "lrp.first.src", "lrp.first.tgt" };

/* The settings of LRP; those of an earlier run are removed if there are none. */
static void
put_lrp(const struct lrp_output *o, const struct lrp *lrp)
{
	char *eps = lrp ? xasprintf("%g", (double)lrp->eps) : NULL;

	writer_set_meta(o->to, "lrp.norm", lrp ? lrp_norms[lrp->norm] : NULL);
	writer_set_meta(o->to, "lrp.attention",
			!lrp ? NULL : lrp->attention_constant ? "constant" : "joint");
	writer_set_meta(o->to, "lrp.bias", lrp ? lrp_biases[lrp->bias] : NULL);
	writer_set_meta(o->to, "lrp.eps", eps);
	free(eps);
}

static void
lrp_output_put_settings(const struct lrp_output *o)
{
	const struct lrp_tracer *t = &o->ahead->tracer;
	const struct lrp *how = &t->how;
	char *steps = t->method && t->method->steps ? xasprintf("%d", t->steps) : NULL;
	char digest[MODEL_DIGEST_SIZE];

	writer_set_meta(o->to, "lrp.target", forced_targets[o->ahead->target]);
	writer_set_meta(o->to, "lrp.rule", lrp_rules[how->rule]);
	if (o->tokens) {
		model_digest(t->model, digest);
		writer_set_meta(o->to, "lrp.model", digest);
	}
	for (int side = 0; o->tokens && side < 2; side++)
		writer_set_meta(o->to, lrp_first_tokens[side], t->model->first_token[side]);
	writer_set_meta(o->to, "lrp.against",
			t->foil >= 0 ? vocab_text(&t->model->tgt, t->foil, NULL) : NULL);
	writer_set_meta(o->to, "lrp.steps", steps);
	free(steps);
	put_lrp(o, t->method ? NULL : how);
}

static void
add_error_field(struct writer *out, const char *measure)
{
	char *name = xasprintf("%s.error", measure);

	writer_add_field(out, name, "float");
	free(name);
}

/* For records of heads. */
static struct writer *
open_heads(const struct lrp_output *o, const char *path, unsigned flags, struct err *e)
{
	char *raw = xasprintf("%s.raw", o->name);
	const struct field fields[] = {
		{ "site", "str", 0 }, { "layer", "int", 0 }, { "head", "int", 0 },
		{ o->name, "float", 0 }, { raw, "float", 0 }, { 0 }
	};
	struct writer *to = writer_open(path, "head", NULL, fields, flags, e);

	if (to && o->sums->with_errors) {
		add_error_field(to, o->name);
		add_error_field(to, raw);
	}
	free(raw);
	return to;
}

/* Writes the signature; which targets were read of a stream with both is known only at its end. */
static void
sign_relevance(const struct lrp_output *o)
{
	const struct header *h = reader_header(o->in);
	const bool hyp = header_type(h, "hyp") || header_type(h, "hyp.pieces");
	const bool ref = header_type(h, "tgt") || header_type(h, "tgt.pieces");
	const enum forced_target target = o->ahead->target;
	struct buf s = { 0 };

	buf_add_str(&s, "heed");
	if (target != TARGET_ANY || !hyp || !ref)
		signature_add(&s, "target", target == TARGET_HYP || (target == TARGET_ANY && hyp)
			      ? "hyp" : "ref");
	signature_add(&s, "version", cli_version());
	writer_set_meta(o->to, HEADER_SIGNATURE, s.data);
	buf_release(&s);
}

int
lrp_output_open(struct lrp_output *o, const char *path, unsigned flags, struct err *e)
{
	const struct header *h = reader_header(o->in);

	o->to = o->tokens ? writer_open(path, "sentence", h, lrp_token_fields, flags, e)
			  : open_heads(o, path, flags, e);
	if (!o->to)
		return -1;
	if (o->tokens) {
		reader_notes_to(o->in, o->to);
		audit_declare_cut(&o->ahead->audit, true, o->to);
		if (o->ahead->target == TARGET_HYP && !header_type(h, "hyp.pieces"))
			writer_add_field(o->to, "hyp.pieces", "[str]");
	} else {
		head_table_name_model(o->to, o->ahead->tracer.model, NULL);
		sign_relevance(o);
		writer_add_provenance(o->to, h);
	}
	lrp_output_put_settings(o);
	return 0;
}

static int
write_heads(struct lrp_output *o, struct err *e)
{
	struct head_table t = { .n = 0 };
	int bad;

	lrp_sums_fill(o->sums, o->name, &t);
	bad = head_table_put(&t, o->to, e);
	head_table_release(&t);
	return bad;
}

static int
lrp_output_note(struct lrp_output *o, const char *name, double x, struct err *e)
{
	char text[32];

	snprintf(text, sizeof(text), "%.3g", x);
	return writer_note(o->to, name, text, e);
}

static int
note_count(struct lrp_output *o, const char *name, int64_t n, struct err *e)
{
	char text[32];

	snprintf(text, sizeof(text), "%lld", (long long)n);
	return writer_note(o->to, name, text, e);
}

int
lrp_output_end(struct lrp_output *o, struct err *e)
{
	const struct audit *a = &o->ahead->audit;
	const struct lrp_tracer *tracer = &o->ahead->tracer;
	const struct lrp_sums *s = o->sums;

	if (!o->tokens && (write_heads(o, e) || note_count(o, "sentences", s->sentences, e)))
		return -1;
	if (lrp_is_epsilon(&tracer->how) &&
	    (lrp_output_note(o, "lrp.taken", s->absorbed, e) ||
	     lrp_output_note(o, "lrp.lost", s->lost, e)))
		return -1;
	if (a->longer && note_count(o, audit_length_note(a), a->longer, e))
		return -1;
	if (tracer->foil >= 0 && note_count(o, "lrp.best", s->total.none, e))
		return -1;
	if (tracer->method && tracer->method->steps && lrp_output_note(o, "lrp.gap", s->gap, e))
		return -1;
	return tracer->method && !tracer->method->sums ? 0
	       : lrp_output_note(o, "lrp.off", s->error, e);
}

void
lrp_output_summary(const struct lrp_output *o)
{
	const struct lrp_sums *s = o->sums;
	const long long sentences = (long long)s->sentences;

	if (s->rounded)
		warn("%lld of %lld sentences lost more than %.2g of relevance 1 by rounding, at "
		     "most %.2g; try a larger --eps, --attention-weights constant or another "
		     "--rule",
		     (long long)s->rounded, sentences, LRP_LARGE_LOSS, s->lost);
	if (o->quiet)
		return;
	fprintf(stderr, "head-lrp: %lld sentences, %lld target positions", sentences,
		(long long)s->total.all);
	if (!o->ahead->tracer.method)
		fprintf(stderr, "; largest loss of a relevance of 1: %.2g", s->lost);
	if (lrp_is_epsilon(&o->ahead->tracer.how))
		fprintf(stderr, "; largest absorbed relevance: %.2g", s->absorbed);
	putc('\n', stderr);
}
