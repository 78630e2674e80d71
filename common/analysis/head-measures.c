/* head-measures: see head-measures.h. */
#include "analysis/head-measures.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>

#include "base/cli.h"
#include "base/hash.h"
#include "base/mem.h"
#include "base/output.h"
#include "search/next-token.h"
#include "stream/signature.h"

const struct field head_measures_needs[] = {
	{ "src.heads", "[int]", 1 }, { "src.rels", "[str]", 1 }, { "src.word", "[int]", 1 },
	{ "corrupted.pieces", "[str]", 1 }, { "corrupted", "str", 1 }, { 0 }
};

bool
head_measures_has_trees(const struct header *h)
{
	return header_type(h, "src.heads") && header_type(h, "src.rels") &&
	       (header_type(h, "src.word") || !header_type(h, "src.pieces"));
}

void
head_measures_begin(struct head_measures *h, struct model *m)
{
	head_roles_begin(&h->roles);
	if (m)
		head_losses_begin(&h->losses, m);
	if (h->losses.gating)
		head_gating_begin(&h->gating, m, h->losses.seed);
}

void
head_measures_release(struct head_measures *h)
{
	head_roles_release(&h->roles);
	head_losses_release(&h->losses);
	head_alignment_release(&h->alignment);
	head_patch_release(&h->patching);
	head_search_release(&h->greedy);
	head_gating_release(&h->gating);
	means_release(&h->means);
}

int
head_measures_see(void *arg, const struct sentence_attention *s, struct err *e)
{
	struct head_measures *h = arg;

	if (head_roles_add(&h->roles, s, e))
		return -1;
	return s->target && h->alignment.score ? head_alignment_add(&h->alignment, s, e) : 0;
}

int
head_measures_add(struct head_measures *h, struct forced *f, struct batch *b, struct err *e)
{
	struct tape *t = f->run->tape;
	struct node *nll = NULL, *top;

	if (f->encoder) {
		top = model_encode(f->m, t, b);
	} else {
		model_loss(f->m, t, b, &nll);
		top = nll->in[0];
	}
	if (model_finite(top, b, !f->encoder, e) ||
	    sentence_attention_each(f->m, t, b, head_measures_see, h, e))
		return err_wrap(e, "%s", reader_name(f->in));
	if (!nll)
		return 0;
	for (int i = 0; h->losses.ablation_bleu && i < b->n; i++)
		if (gated_bleu_keep(&h->losses.texts, b->record[i], e))
			return err_wrap(e, "%s", reader_name(f->in));
	if (h->gating.m && head_gating_add(&h->gating, f, b, nll, e))
		return -1;
	attention_set_report(f->m->attention, t, b, &h->means);
	head_losses_add(&h->losses, t, b, nll);
	if (h->greedy.m && head_search_add(&h->greedy, f, e))
		return -1;
	if (h->patching.m && head_patch_add(&h->patching, f, b, e))
		return err_wrap(e, "%s", reader_name(f->in));
	return 0;
}

int
head_measures_check(struct head_measures *h, const struct forced *f, struct err *e)
{
	const struct head_losses *l = &h->losses;
	const struct audit *a = &f->audit;
	const int64_t left_out = a->too_long == TOO_LONG_SKIP ? a->longer : 0;
	const bool patched_none = h->patching.m && a->masked &&
				  a->masked == a->targets;

	if (patched_none ||
	    (l->masked && (((l->ablation || l->logit || l->shapley) && !l->tokens) ||
			   (head_losses_backward(l) && !l->gradient_tokens))))
		return err_set(e, EXIT_INPUT, "%s: the model's output mask excludes %s",
			       reader_name(f->in), l->tokens
			       ? "tokens of every target, expected a target without one"
			       : "all target tokens, expected at least one token");
	return head_alignment_check(&h->alignment, h->roles.sentences + left_out, e);
}

void
head_measures_warn(const struct head_measures *h, bool chosen)
{
	const struct head_roles *r = &h->roles;
	struct buf missing = { 0 };
	size_t n = 0;

	for (size_t i = 0; i < r->relations->n; i++)
		if (!r->counts[i].arcs)
			buf_printf(&missing, "%s%s", n++ ? ", " : "", r->relations->entry[i].name);
	if (r->trees && r->sentences > r->treeless && n && (chosen || n == r->relations->n))
		warn("%" PRId64 " trees have no arcs of %s; select others with --relations",
		     r->sentences - r->treeless, missing.data);
	buf_release(&missing);
}

int
head_measures_check_target(const struct forced *f, bool is_chosen, const char *option,
			   struct err *e)
{
	const struct header *h = reader_header(f->in);
	const bool ref = header_type(h, "tgt") || header_type(h, "tgt.pieces");
	const bool both = ref && (header_type(h, "hyp") || header_type(h, "hyp.pieces"));

	if (f->encoder)
		return err_set(e, EXIT_INPUT, "%s: no target, expected one for %s",
			       reader_name(f->in), option);
	if (!is_chosen && both)
		return err_usage(e, "%s: %s has both hyp and tgt, expected --target hyp or "
				 "--target ref", option, reader_name(f->in));
	return 0;
}

static void
head_measures_show(void *arg, int64_t n)
{
	progress_at(arg, n, "%s", "");
}

static void
head_measures_start(struct progress *progress, const char *name, int64_t n, bool quiet)
{
	if (n && !quiet)
		progress_start(progress, name, n);
}

int
head_measures_again(struct head_measures *h, struct forced *f, int beam, bool quiet,
		    struct progress *progress, struct err *e)
{
	struct head_losses *l = &h->losses;
	const bool cut = f->audit.too_long == TOO_LONG_CUT;
	const size_t n = h->greedy.n;
	int r = 0;

	head_measures_start(progress, "translations of the text", head_losses_translations(l),
			    quiet);
	if (l->ablation_bleu) {
		/* The passes over whole batches had as much memory as the searches need now. */
		tape_rewind(f->run->tape);
		arena_release(tape_arena(f->run->tape));
		model_prepare_next(f->m, &f->run->backend, f->run->pool);
		r = head_losses_translate(l, &f->run->pass, beam, cut, head_measures_show,
					  progress, e);
	}
	progress_end(progress);
	head_measures_start(progress, "passes", (int64_t)(n * (n + 1) / 2), quiet);
	h->greedy.done = head_measures_show;
	h->greedy.arg = progress;
	if (h->greedy.m && !r)
		r = head_search_run(&h->greedy, SEARCH_GREEDY, 0, e);
	progress_end(progress);
	head_measures_start(progress, "updates", head_gating_updates(&h->gating), quiet);
	if (h->gating.m && !r)
		r = head_gating_run(&h->gating, f->run->tape, head_measures_show, progress, e);
	progress_end(progress);
	return r ? err_wrap(e, "%s", reader_name(f->in)) : 0;
}

/* --- measures of variants --- */

/* Their names in the training log, each followed by the site and the head. */
static const struct { const char *log, *name; } reported[] = {
	{ "dev.gates", "gate" }, { "dev.open", "open" }, { "dev.redundant", "redundancy" },
	{ "dev.importance", "weight" }, { "dev.subset", "importance" },
};

static double
mean_of(const struct means *y, const char *log, const struct site *sites, size_t head)
{
	int number;
	const struct site *s = site_of_head(sites, head, &number);
	char *name = xasprintf("%s.%s.%d", log, s->name, number);
	const double mean = means_get(y, name);

	free(name);
	return mean;
}

static void
fill_reported(const struct means *y, const struct site_list *sites, struct head_table *t)
{
	for (size_t i = 0; i < heads_before(sites->site, sites->n); i++)
		for (size_t k = 0; k < sizeof(reported) / sizeof(*reported); k++)
			head_table_fill(t, sites->site, i, reported[k].name,
					mean_of(y, reported[k].log, sites->site, i));
}

/* --- the table --- */

static const char *
target_name(const struct head_measures *h, const struct forced *f)
{
	if (!h->roles.target_rows)
		return "none";
	return !f->hyps ? "ref" : f->hyps == h->roles.sentences ? "hyp" : "any";
}

/* The caller frees the signature. */
static char *
sign_measures(const struct head_measures *h, const struct forced *f)
{
	static const char *const unit[] = { "word", "first", "last", "unsplit" };
	const struct head_roles *r = &h->roles;
	const struct buf *gold = &h->alignment.gold.text;
	struct buf s = { 0 };

	buf_printf(&s, "heed|target:%s|end:excl|content:all|confidence:%s|margin:%s:%g",
		   target_name(h, f), r->by_sentence ? "sentence" : "token",
		   r->relative ? "rel" : "abs", 100 * r->margin);
	if (f->m)
		buf_printf(&s, "|frequent:%d", r->frequent);
	if (r->trees)
		buf_printf(&s, "|unit:%s", unit[r->unit]);
	if (h->alignment.score)
		buf_printf(&s, "|rows:predicts|align:%016" PRIx64,
			   hash_fnv1a(HASH_FNV1A, gold->data, gold->n));
	if (h->gating.m)
		head_gating_sign(&h->gating, f->batch_tokens, &s);
	if (h->losses.shapley)
		buf_printf(&s, "|shapley:permutations=%" PRId64 ",seed=%" PRIu64,
			   h->losses.permutations, h->losses.seed);
	if (h->patching.m)
		buf_printf(&s, "|patch:%s", head_patch_directions[h->patching.how.direction]);
	if (h->patching.m && h->patching.how.method[PATCH_INTEGRATED])
		buf_printf(&s, "|patch-steps:%d", h->patching.how.steps);
	buf_printf(&s, "|sentences:%" PRId64 "|version:%s", r->sentences, cli_version());
	return s.data;
}

int
head_measures_fill(const struct head_measures *h, const struct forced *f, struct head_table *t,
		   struct err *e)
{
	head_roles_fill(&h->roles, t);
	if (f->m && !f->encoder && head_losses_fill(&h->losses, t, e))
		return -1;
	if (h->alignment.score)
		head_alignment_fill(&h->alignment, t);
	if (h->patching.m && head_patch_fill(&h->patching, t, e))
		return -1;
	/* The place of each head in the order of masking: 1 for the head that is masked first. */
	for (size_t i = 0; h->greedy.m && i < h->greedy.n_gates; i++)
		head_table_fill(t, f->m->sites, i, "greedy", (double)h->greedy.place[i]);
	if (h->gating.m)
		head_gating_fill(&h->gating, t);
	fill_reported(&h->means, &h->roles.sites, t);
	free(t->signature);
	t->signature = sign_measures(h, f);
	return 0;
}

/* --- notes --- */

const char *const head_forms[] = { "stream", "tsv", "md", "latex", NULL };

struct notes { const struct head_output *how; struct writer *to; };

/* Writes a note to the stream, if there is one, and to standard error. */
static int
head_measures_note(const struct notes *n, const char *name, const char *value, struct err *e)
{
	if (n->how->verbose)
		fprintf(stderr, "%s: %s: %s\n", n->how->name, name, value);
	return n->to ? writer_note(n->to, name, value, e) : 0;
}

static int
note_relation(const struct notes *n, const char *relation, const struct syntax_counts *c,
	      struct err *e)
{
	int offset;
	const double base = syntax_counts_baseline(c, &offset);
	char *name = xasprintf("syntax.%s", relation);
	char *value = !c->arcs ? xstrdup("0 arcs")
			       : xasprintf("%" PRId64 " arcs, base %.4f at %+d", c->arcs, base,
					   offset);
	const int bad = head_measures_note(n, name, value, e);

	free(name);
	free(value);
	return bad;
}

/*
 * The numbers of sentences, rows, translations used as targets, and excluded target tokens; the
 * total effect of patching; and for each relation the number of its arcs and the baseline.
 */
static int
head_measures_notes(const struct head_measures *h, const struct forced *f, const struct notes *n,
		    struct err *e)
{
	char value[32];
	const struct head_roles *r = &h->roles;
	const struct { const char *name; int64_t n; bool always; } count[] = {
		{ "sentences", r->sentences, true }, { "sentences.treeless", r->treeless, true },
		{ "sentences.rare", r->rare_sentences, true },
		{ "rows.source", r->source_rows, true }, { "rows.target", r->target_rows, true },
		{ "targets.hyp", f->hyps, true },
		{ audit_length_note(&f->audit), f->audit.longer, false },
		{ "targets.masked", h->losses.masked, false }
	};

	for (size_t i = 0; i < sizeof(count) / sizeof(*count); i++) {
		snprintf(value, sizeof(value), "%" PRId64, count[i].n);
		if ((count[i].always || count[i].n) &&
		    head_measures_note(n, count[i].name, value, e))
			return -1;
	}
	if (h->patching.m) {
		snprintf(value, sizeof(value), "%.6g", head_patch_total(&h->patching));
		if (head_measures_note(n, "patch.total", value, e))
			return -1;
	}
	for (size_t i = 0; i < r->relations->n; i++)
		if (note_relation(n, r->relations->entry[i].name, &r->counts[i], e))
			return -1;
	return 0;
}

/* --- output --- */

static int
head_measures_write_stream(const struct head_measures *h, const struct forced *f,
			   const struct head_table *t,
			   const struct head_output *form, struct err *e)
{
	struct field *fields = head_table_fields(t);
	struct notes n = { form, writer_open(form->path, "head", NULL, fields, form->flags, e) };

	free(fields);
	if (!n.to)
		return -1;
	head_table_name_model(n.to, f->m, reader_header(f->in));
	writer_set_meta(n.to, HEADER_SIGNATURE, t->signature);
	writer_add_provenance(n.to, reader_header(f->in));
	return writer_end(n.to, head_measures_notes(h, f, &n, e) ||
			  head_table_put(t, n.to, e), e);
}

static int
head_measures_write_text(const struct head_measures *h, const struct forced *f,
			 const struct head_table *t, const struct head_output *form, struct err *e)
{
	struct notes n = { form, NULL };
	struct buf text = { 0 };
	int bad;

	if (form->form == HEAD_TSV)
		head_table_tsv(t, &text);
	else
		head_table_layout(t, form->form == HEAD_LATEX ? TABLE_LATEX : TABLE_MARKDOWN,
				  &text);
	bad = head_measures_notes(h, f, &n, e) ||
	      output_all(form->path, 0, text.data, text.n, e) ? -1 : 0;
	buf_release(&text);
	return bad;
}

int
head_measures_write(const struct head_measures *h, const struct forced *f,
		    const struct head_table *t, const struct head_output *form, struct err *e)
{
	if (form->verbose)
		fprintf(stderr, "%s: signature: %s\n", form->name, t->signature);
	return form->form == HEAD_STREAM ? head_measures_write_stream(h, f, t, form, e)
					 : head_measures_write_text(h, f, t, form, e);
}
