/*
 * head-stat: measures of a model's attention heads: what they attend to, and how much the loss
 * depends on them.  See head-stat(1).
 */
#include <stdio.h>
#include <stdlib.h>

#include "analysis/head-measures.h"
#include "base/output.h"
#include "base/progress.h"
#include "model-file/model-file.h"
#include "stream/input.h"

enum form { TO_STREAM, TO_TSV, TO_MARKDOWN };

static const char *const forms[] = { "stream", "tsv", "md", NULL };
static const char *const averages[] = { "token", "sentence", NULL };
static const char *const units[] = { "word", "first", "last", "unsplit", NULL };

static const char *output, *model_path, *backend, *counts_path, *chosen = "", *gold;
static const char usual_relations[] = "nsubj,dobj=obj+dobj,amod,advmod";
static const char *relation_names = usual_relations, *margin = "abs:10";
static int form, average, unit, target = -1, too_long;
static int64_t threads = 1, batch_tokens = 2048, frequent = RARE_FREQUENT, permutations = 50;
static int64_t seed = 1;
static bool force, quiet, verbose;

static const struct opt options[] = {
	OPT_GROUP("Model and input"),
	{ .kind = OPT_STRING, .short_name = 'm', .long_name = "model", .arg = "file",
	  .help = "use this model (required)", .to = &model_path },
	OPT_TARGET(&target, "target that the decoder reads (any)"),
	OPT_TOO_LONG(&too_long, "fail"),
	OPT_GROUP("Measures"),
	{ .kind = OPT_STRING, .long_name = "align", .arg = "file", .to = &gold,
	  .help = "measure alignment errors against the gold alignments in file" },
	{ .kind = OPT_CHOICE, .long_name = "confidence", .arg = "average", .to = &average,
	  .help = "average the confidence over tokens or sentences (token)", .choice = averages },
	{ .kind = OPT_STRING, .long_name = "counts", .arg = "file", .to = &counts_path,
	  .help = "read token frequencies from file, instead of ranks from the vocabulary" },
	OPT_ROW_INT("frequent", &frequent, 0, 1e9,
		    "number of vocabulary entries that are not rare (500)"),
	{ .kind = OPT_STRING, .long_name = "margin", .arg = "margin", .to = &margin,
	  .help = "margin (abs:10) of syntactic heads over the baseline: abs:N or rel:N" },
	{ .kind = OPT_STRING, .long_name = "measure", .arg = "list", .to = &chosen,
	  .help = "further measures, separated by commas: ablation, fisher, gradient, norm, "
		  "saliency, shapley (none)" },
	OPT_ROW_INT("permutations", &permutations, 1, 1e6,
		    "random orders of the heads for Shapley values (50)"),
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
	OPT_ROW_INT("batch-tokens", &batch_tokens, 1, 1e7, "tokens of both sides per batch (2048)"),
	OPT_SEED(&seed, "1"),
	OPT_THREADS(&threads, "1"),
	OPT_GROUP("Other"),
	OPT_FORCE(&force),
	OPT_MAX_LINE,
	OPT_MAX_RECORD,
	OPT_NO_PG,
	OPT_QUIET(&quiet),
	OPT_OLD_NAME("ablation", "--measure ablation"),
	OPT_OLD_NAME("gradient", "--measure gradient"),
	{ .kind = OPT_END }
};

static const struct program program = {
	.name = "head-stat",
	.synopsis = "-m model [--measure list] [--target name] [--to form] [-o file] "
		    "[file]",
	.summary = "measure what attention heads attend to",
	.example = "head-stat -m model.tar --target ref --measure gradient --to md dev.heed",
	.options = options, .reads = "sentence", .writes = "head",
};

struct head_stat {
	struct model *m;
	struct runtime run;
	struct forced passes;
	struct relation_list relations;
	struct rare_words rare;
	struct head_measures measures;
	struct head_table table;
	struct progress progress;
};

/* --- settings --- */

static void
read_relations(struct relation_list *l)
{
	struct err e;

	if (relation_list_parse(l, relation_names, &e)) {
		err_wrap(&e, "--relations");
		die(&e);
	}
}

/* --- sentences --- */

static int
look(void *arg, struct forced *f, struct batch *b, struct err *e)
{
	struct head_stat *s = arg;

	if (head_measures_add(&s->measures, f, b, e))
		return -1;
	progress_at(&s->progress, s->measures.roles.sentences, "%s", "");
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

	if (!*chosen && !gold)
		return;
	if (f->encoder) {
		err_set(&e, EXIT_INPUT, "%s: no target, expected one for %s", reader_name(f->in),
			*chosen ? "--measure" : "--align");
		die(&e);
	}
	if (target < 0 && both)
		die_usage("--measure: %s has both hyp and tgt, expected --target hyp or "
			  "--target ref", reader_name(f->in));
}

static void
begin_measures(struct head_stat *s)
{
	struct reader *in = s->passes.in;
	struct head_roles *r = &s->measures.roles;
	struct err e;

	r->m = s->m;
	r->relations = &s->relations;
	r->rare = &s->rare;
	r->frequent = (int)frequent;
	r->by_sentence = average;
	r->trees = head_measures_has_trees(reader_header(in));
	if (r->trees && too_long == TOO_LONG_CUT)
		die_usage("--too-long cut: %s has trees of whole sentences, expected skip or fail",
			  reader_name(in));
	r->unit = (enum syntax_unit)unit;
	head_measures_begin(&s->measures, s->m);
	if (gold && head_alignment_begin(&s->measures.alignment, s->m, gold, &e))
		die(&e);
}

static void
stat_begin(struct head_stat *s, const char *path)
{
	struct forced *f = &s->passes;
	struct field *needs;
	bool gradients;
	struct err e;

	if (head_roles_margin(&s->measures.roles, margin, &e))
		die(&e);
	if (gold && target == TARGET_HYP)
		die_usage("--align with --target hyp, expected --target ref, which gold "
			  "alignments are for");
	if (gold)
		target = TARGET_REF;
	read_relations(&s->relations);
	if (output && output_check(output, &e))
		die(&e);
	s->measures.losses = (struct head_losses){ .permutations = permutations,
						   .seed = (uint64_t)seed };
	if (head_losses_choose(&s->measures.losses, chosen, &e)) {
		err_wrap(&e, "--measure");
		die(&e);
	}
	gradients = head_losses_backward(&s->measures.losses);
	s->m = model_load(model_path, gradients, NULL, NULL, &e);
	if (!s->m || runtime_open(&s->run, backend, PRECISION_FP32, threads, &e))
		die(&e);
	if (rare_words_read(&s->rare, &s->m->src, counts_path, &e))
		die(&e);
	*f = (struct forced){ .m = s->m, .run = &s->run, .batch_tokens = batch_tokens,
			      .target = target < 0 ? TARGET_ANY : (enum forced_target)target,
			      .work = look, .too_long.action = too_long, .arg = s };
	if (*chosen)
		f->masked_effect = gradients
			? "left out of the loss, their sentences out of gradients"
			: "left out of the loss";
	needs = forced_needs(s->m, f->target, head_measures_trees);
	f->in = reader_open(path, "sentence", needs, force ? STREAM_FORCE : 0, &e);
	if (!f->in)
		die(&e);
	free(needs);
	f->encoder = !forced_has_target(reader_header(f->in));
	check_losses(f);
	begin_measures(s);
	head_table_init(&s->table);
	if (!quiet)
		progress_start(&s->progress, "sentences", reader_count_file(path, "sentence"));
}

static void
stat_end(struct head_stat *s)
{
	head_table_release(&s->table);
	head_measures_release(&s->measures);
	relation_list_release(&s->relations);
	rare_words_release(&s->rare);
	reader_close(s->passes.in);
	model_free(s->m);
	runtime_close(&s->run);
}

/* --- output --- */

/* Writes a note to the stream arg, unless NULL, and to standard error with -v. */
static int
note(void *arg, const char *name, const char *value, struct err *e)
{
	if (verbose)
		fprintf(stderr, "%s: %s: %s\n", program.name, name, value);
	return arg ? writer_note(arg, name, value, e) : 0;
}

static int
write_stream(const struct head_stat *s, struct err *e)
{
	const unsigned flags = (force ? STREAM_FORCE : 0) | (cli_no_pg ? STREAM_NO_PG : 0);
	struct field *fields = head_table_fields(&s->table);
	struct writer *out = writer_open(output, "head", NULL, fields, flags, e);
	int bad = !out;

	free(fields);
	if (bad)
		return -1;
	writer_add_provenance(out, reader_header(s->passes.in));
	bad = head_measures_notes(&s->measures, &s->passes, note, out, e) ||
	      head_table_put(&s->table, out, e);
	if (!bad)
		return writer_finish(out, e);
	writer_abandon(out);
	return -1;
}

static int
write_text(const struct head_stat *s, struct err *e)
{
	struct buf text = { 0 };
	int bad;

	if (form == TO_TSV)
		head_table_tsv(&s->table, &text);
	else
		head_table_markdown(&s->table, &text);
	bad = head_measures_notes(&s->measures, &s->passes, note, NULL, e) ||
	      output_all(output, 0, text.data, text.n, e) ? -1 : 0;
	buf_release(&text);
	return bad;
}

int
main(int argc, char **argv)
{
	static struct head_stat s;
	struct err e;
	char **file;
	const int n = cli_begin(&program, argc, argv, &file);

	if (n > 1)
		die_usage("%d inputs, expected one", n);
	if (!model_path)
		die_usage("no model, expected -m FILE");
	stat_begin(&s, file[0]);
	if (forced_run(&s.passes, &e) || head_measures_check(&s.measures, &s.passes, &e))
		die(&e);
	progress_end(&s.progress);
	head_measures_warn(&s.measures, relation_names != usual_relations);
	if (head_measures_fill(&s.measures, &s.passes, &s.table, &e))
		die(&e);
	if (form == TO_STREAM ? write_stream(&s, &e) : write_text(&s, &e))
		die(&e);
	stat_end(&s);
	return cli_end(EXIT_OK);
}
