/*
 * head-stat: measures of a model's attention heads: what they attend to, and how much the loss
 * depends on them.  See head-stat(1).
 */
#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "analysis/head-losses.h"
#include "analysis/head-roles.h"
#include "base/mem.h"
#include "base/num.h"
#include "base/output.h"
#include "base/progress.h"
#include "data/means.h"
#include "model-file/model-file.h"
#include "search/forced.h"
#include "stream/input.h"
#include "text/lines.h"

enum form { TO_STREAM, TO_TSV, TO_MARKDOWN };

static const char *const forms[] = { "stream", "tsv", "md", NULL };
static const char *const averages[] = { "token", "sentence", NULL };
static const char *const units[] = { "word", "first", "last", "unsplit", NULL };

static const char *output, *model_path, *backend, *counts_path;
static const char usual_relations[] = "nsubj,dobj=obj+dobj,amod,advmod";
static const char *relation_names = usual_relations, *margin = "abs:10";
static int form, average, unit, target = -1, too_long;
static int64_t threads = 1, batch_tokens = 2048, frequent = RARE_FREQUENT;
static bool ablation, gradient, force, quiet, verbose;

static const struct opt options[] = {
	OPT_GROUP("Model and input"),
	{ .kind = OPT_STRING, .short_name = 'm', .long_name = "model", .arg = "file",
	  .help = "use this model (required)", .to = &model_path },
	OPT_TARGET(&target, "target that the decoder reads (any)"),
	OPT_TOO_LONG(&too_long, "fail"),
	OPT_GROUP("Measures"),
	{ .kind = OPT_FLAG, .long_name = "ablation", .to = &ablation,
	  .help = "measure the loss with each head masked in turn; slow" },
	{ .kind = OPT_CHOICE, .long_name = "confidence", .arg = "average", .to = &average,
	  .help = "average the confidence over tokens or sentences (token)", .choice = averages },
	{ .kind = OPT_STRING, .long_name = "counts", .arg = "file", .to = &counts_path,
	  .help = "read token frequencies from file (order of the vocabulary)" },
	{ .kind = OPT_INT, .long_name = "frequent", .arg = "n", .to = &frequent,
	  .help = "number of vocabulary entries that are not rare (500)", .min = 0, .max = 1e9 },
	{ .kind = OPT_FLAG, .long_name = "gradient", .to = &gradient,
	  .help = "measure the first-order dependence of the loss on each head" },
	{ .kind = OPT_STRING, .long_name = "margin", .arg = "margin", .to = &margin,
	  .help = "margin of syntactic heads over the baseline, abs:N or rel:N (abs:10)" },
	{ .kind = OPT_STRING, .long_name = "relations", .arg = "list", .to = &relation_names,
	  .help = "dependency relations, separated by commas: name or name=rel+rel" },
	{ .kind = OPT_CHOICE, .long_name = "unit", .arg = "unit", .to = &unit,
	  .help = "units between which dependencies are measured (word)", .choice = units },
	OPT_GROUP("Output"),
	OPT_OUTPUT(&output),
	{ .kind = OPT_CHOICE, .long_name = "to", .arg = "form", .to = &form,
	  .help = "write a stream or a table (stream)", .choice = forms },
	{ .kind = OPT_FLAG, .short_name = 'v', .long_name = "verbose", .to = &verbose,
	  .help = "print the notes of the stream on standard error" },
	OPT_GROUP("Computation"),
	OPT_BACKEND(&backend),
	{ .kind = OPT_INT, .long_name = "batch-tokens", .arg = "n", .to = &batch_tokens,
	  .help = "tokens of both sides per batch (2048)", .min = 1, .max = 10000000 },
	OPT_THREADS(&threads),
	OPT_GROUP("Other"),
	OPT_FORCE(&force),
	OPT_MAX_LINE,
	OPT_MAX_RECORD,
	OPT_NO_PG,
	OPT_QUIET(&quiet),
	{ .kind = OPT_END }
};

static const struct program program = {
	.name = "head-stat",
	.synopsis = "-m model [--ablation] [--gradient] [--target name] [--to form] [-o file] "
		    "[file]",
	.summary = "measure what attention heads attend to",
	.example = "head-stat -m model.tar --target ref --gradient --to md dev.heed",
	.options = options, .reads = "sentence", .writes = "head",
};

struct stat {
	struct model *m;
	struct runtime run;
	struct forced passes;
	struct relation_list relations;
	struct rare_words rare;
	struct head_roles roles;
	struct head_losses losses;
	struct means means;		/* measures that the attention variants report */
	struct head_table table;
	struct progress progress;
};

/* --- settings --- */

/* "abs:10" or "rel:10". */
static void
read_margin(struct head_roles *r)
{
	const bool relative = !strncmp(margin, "rel:", 4);
	struct err e;

	if (!relative && strncmp(margin, "abs:", 4))
		die_usage("--margin: '%s', expected abs:N or rel:N", margin);
	if (num_float(margin + 4, strlen(margin + 4), 0, 1e6, &r->margin, &e)) {
		err_wrap(&e, "--margin");
		die(&e);
	}
	r->margin /= 100;
	r->relative = relative;
}

static void
read_relations(struct relation_list *l)
{
	struct err e;

	if (relation_list_parse(l, relation_names, &e)) {
		err_wrap(&e, "--relations");
		die(&e);
	}
}

static void
read_counts(struct rare_words *r, const struct vocab *v)
{
	struct buf text = { 0 };
	struct err e;

	if (!counts_path) {
		rare_words_of_vocab(r, v);
		return;
	}
	if (lines_read_all(counts_path, &text, &e) ||
	    rare_words_of_counts(r, v, counts_path, text.data, text.n, &e))
		die(&e);
	buf_release(&text);
}

/* --- sentences --- */

static const struct field trees[] = { { "src.heads", "[int]", 1 }, { "src.rels", "[str]", 1 },
				      { "src.word", "[int]", 1 }, { 0 } };

/* Whether the stream has heads, relations, and the word of each subword. */
static bool
has_trees(const struct header *h)
{
	return header_type(h, "src.heads") && header_type(h, "src.rels") &&
	       (header_type(h, "src.word") || !header_type(h, "src.pieces"));
}

static int
look(void *arg, struct forced *f, struct batch *b, struct err *e)
{
	struct stat *s = arg;
	struct tape *t = s->run.tape;
	struct node *nll = NULL, *h;

	if (f->encoder) {
		h = model_encode(s->m, t, b);
	} else {
		model_loss(s->m, t, b, &nll);
		h = nll->in[0];
	}
	if (model_finite(h, b, !f->encoder, e) || head_roles_add(&s->roles, t, b, e))
		return err_wrap(e, "%s", reader_name(f->in));
	if (nll) {
		attention_set_report(s->m->attention, t, b, &s->means);
		head_losses_add(&s->losses, t, b, nll);
	}
	progress_at(&s->progress, s->roles.sentences, "%s", "");
	return 0;
}

/* A loss needs a target.  Which one is ambiguous if the stream has two; the user must choose. */
static void
check_losses(const struct forced *f)
{
	const struct header *h = reader_header(f->in);
	const bool ref = header_type(h, "tgt") || header_type(h, "tgt.pieces");
	const bool both = ref && (header_type(h, "hyp") || header_type(h, "hyp.pieces"));
	struct err e;

	if (!gradient && !ablation)
		return;
	if (f->encoder) {
		err_set(&e, EXIT_INPUT, "%s: no target, expected one for --gradient and --ablation",
			reader_name(f->in));
		die(&e);
	}
	if (target < 0 && both)
		die_usage("--gradient and --ablation: %s has both hyp and tgt, expected --target "
			  "hyp or --target ref", reader_name(f->in));
}

static void
begin(struct stat *s, const char *path)
{
	struct forced *f = &s->passes;
	struct head_roles *r = &s->roles;
	struct field *needs;
	struct err e;

	read_margin(r);
	read_relations(&s->relations);
	if (output && output_check(output, &e))
		die(&e);
	s->m = model_load(model_path, gradient, NULL, NULL, &e);
	if (!s->m || runtime_open(&s->run, backend, PRECISION_FP32, threads, &e))
		die(&e);
	read_counts(&s->rare, &s->m->src);
	*f = (struct forced){ .m = s->m, .run = &s->run, .batch_tokens = batch_tokens,
			      .target = target < 0 ? TARGET_ANY : (enum forced_target)target,
			      .work = look, .too_long.action = too_long, .arg = s };
	if (gradient || ablation)
		f->masked_effect = gradient
			? "left out of the loss, their sentences out of gradients"
					: "left out of the loss";
	needs = forced_needs(s->m, f->target, trees);
	f->in = reader_open(path, "sentence", needs, force ? STREAM_FORCE : 0, &e);
	if (!f->in)
		die(&e);
	free(needs);
	f->encoder = !forced_has_target(reader_header(f->in));
	check_losses(f);
	r->m = s->m;
	r->relations = &s->relations;
	r->rare = &s->rare;
	r->frequent = (int)frequent;
	r->by_sentence = average;
	r->trees = has_trees(reader_header(f->in));
	if (r->trees && too_long == TOO_LONG_CUT)
		die_usage("--too-long cut: %s has trees of whole sentences, expected skip or fail",
			  reader_name(f->in));
	r->unit = (enum syntax_unit)unit;
	head_roles_begin(r);
	s->losses = (struct head_losses){ .gradient = gradient, .ablation = ablation };
	head_losses_begin(&s->losses, s->m);
	head_table_init(&s->table);
	if (!quiet)
		progress_start(&s->progress, "sentences", 0);
}

static void
end(struct stat *s)
{
	head_table_release(&s->table);
	head_roles_release(&s->roles);
	head_losses_release(&s->losses);
	means_release(&s->means);
	relation_list_release(&s->relations);
	rare_words_release(&s->rare);
	reader_close(s->passes.in);
	model_free(s->m);
	runtime_close(&s->run);
}

/* --- measures of variants --- */

/* Their names in the training log, each followed by the site and the head. */
static const struct { const char *log, *name; } reported[] = {
	{ "dev.gates", "gate" }, { "dev.open", "open" }, { "dev.redundant", "redundancy" },
	{ "dev.importance", "weight" },
};

static double
mean_of(const struct means *y, const char *log, const struct site *s, int head)
{
	char *name = xasprintf("%s.%s.%d", log, s->name, head);
	const double mean = means_get(y, name);

	free(name);
	return mean;
}

static void
fill_reported(struct stat *s)
{
	for (size_t i = 0; i < s->m->n_sites; i++) {
		const struct site *site = &s->m->sites[i];

		for (int h = 0; h < site->heads; h++)
			for (size_t k = 0; k < sizeof(reported) / sizeof(*reported); k++)
				head_table_fill(&s->table, site, site->head[h] + 1,
						reported[k].name,
						mean_of(&s->means, reported[k].log, site,
							site->head[h] + 1));
	}
}

static void
fill_table(struct stat *s)
{
	struct err e;

	head_roles_fill(&s->roles, &s->table);
	if (!s->passes.encoder && head_losses_fill(&s->losses, &s->table, &e))
		die(&e);
	fill_reported(s);
}

/* --- notes --- */

/* Writes a note to the stream, if out, and to standard error with -v. */
static int
note(struct writer *out, const char *name, const char *value, struct err *e)
{
	if (verbose)
		fprintf(stderr, "%s: %s: %s\n", program.name, name, value);
	return out ? writer_note(out, name, value, e) : 0;
}

static int
note_count(struct writer *out, const char *name, int64_t n, struct err *e)
{
	char value[32];

	snprintf(value, sizeof(value), "%" PRId64, n);
	return note(out, name, value, e);
}

static int
note_relation(struct writer *out, const char *relation, const struct syntax_counts *c,
	      struct err *e)
{
	int offset;
	const double base = syntax_counts_baseline(c, &offset);
	char *name = xasprintf("syntax.%s", relation);
	char *value = !c->arcs ? xstrdup("0 arcs")
			       : xasprintf("%" PRId64 " arcs, base %.4f at %+d", c->arcs, base,
					   offset);
	const int bad = note(out, name, value, e);

	free(name);
	free(value);
	return bad;
}

/*
 * Warns of relations without arcs: a given name may be misspelled or belong to another label set.
 * Of the default relations, a small corpus may lack some, so that only the absence of all counts.
 */
static void
warn_of_relations(const struct stat *s)
{
	const struct head_roles *r = &s->roles;
	struct buf missing = { 0 };
	size_t n = 0;

	for (size_t i = 0; i < s->relations.n; i++)
		if (!r->counts[i].arcs)
			buf_printf(&missing, "%s%s", n++ ? ", " : "", s->relations.entry[i].name);
	if (r->trees && r->sentences > r->treeless && n &&
	    (relation_names != usual_relations || n == s->relations.n))
		warn("%" PRId64 " trees have no arcs of %s; select others with --relations",
		     r->sentences - r->treeless, missing.data);
	buf_release(&missing);
}

static int
note_all(const struct stat *s, struct writer *out, struct err *e)
{
	const struct head_roles *r = &s->roles;

	if (note_count(out, "sentences", r->sentences, e) ||
	    note_count(out, "sentences.treeless", r->treeless, e) ||
	    note_count(out, "sentences.rare", r->rare_sentences, e) ||
	    note_count(out, "rows.source", r->source_rows, e) ||
	    note_count(out, "rows.target", r->target_rows, e) ||
	    note_count(out, "targets.hyp", s->passes.hyps, e))
		return -1;
	if (s->passes.too_long.found &&
	    note_count(out, too_long_note(&s->passes.too_long), s->passes.too_long.found, e))
		return -1;
	if (s->losses.masked && note_count(out, "targets.masked", s->losses.masked, e))
		return -1;
	for (size_t i = 0; i < s->relations.n; i++)
		if (note_relation(out, s->relations.entry[i].name, &r->counts[i], e))
			return -1;
	return 0;
}

/* --- output --- */

static int
write_stream(const struct stat *s, struct err *e)
{
	const unsigned flags = (force ? STREAM_FORCE : 0) | (cli_no_pg ? STREAM_NO_PG : 0);
	struct field *fields = head_table_fields(&s->table);
	struct writer *out = writer_open(output, "head", NULL, fields, flags, e);
	int bad = !out;

	free(fields);
	if (bad)
		return -1;
	writer_add_provenance(out, reader_header(s->passes.in));
	bad = note_all(s, out, e) || head_table_put(&s->table, out, e);
	if (!bad)
		return writer_finish(out, e);
	writer_abandon(out);
	return -1;
}

static int
write_text(const struct stat *s, struct err *e)
{
	struct output *out = output_open(output, 0, e);
	struct buf text = { 0 };
	int bad;

	if (!out)
		return -1;
	if (form == TO_TSV)
		head_table_tsv(&s->table, &text);
	else
		head_table_markdown(&s->table, &text);
	bad = note_all(s, NULL, e) || output_write(out, text.data, text.n, e);
	buf_release(&text);
	if (!bad)
		return output_finish(out, e);
	output_abandon(out);
	return -1;
}

/* Without tokens there is no mean. */
static int
check_counted(const struct stat *s, struct err *e)
{
	const struct head_losses *l = &s->losses;

	if (l->masked && ((ablation && !l->tokens) || (gradient && !l->gradient_tokens)))
		return err_set(e, EXIT_INPUT, "%s: the model's output mask excludes %s",
			       reader_name(s->passes.in), l->tokens
			       ? "tokens of every target, expected a target without one"
			       : "all target tokens, expected at least one token");
	return 0;
}

int
main(int argc, char **argv)
{
	static struct stat s;
	struct err e;
	char **file;
	const int n = cli_begin(&program, argc, argv, &file);

	if (n > 1)
		die_usage("%d inputs, expected one", n);
	if (!model_path)
		die_usage("no model, expected -m FILE");
	begin(&s, file[0]);
	if (forced_run(&s.passes, &e) || check_counted(&s, &e))
		die(&e);
	progress_end(&s.progress);
	warn_of_relations(&s);
	fill_table(&s);
	if (form == TO_STREAM ? write_stream(&s, &e) : write_text(&s, &e))
		die(&e);
	end(&s);
	return cli_end(EXIT_OK);
}
