/*
 * head-stat: measures of a model's attention heads: what they attend to, and how much the loss
 * depends on them.  See head-stat(1).
 */
#include <string.h>

#include "analysis/head-measures.h"
#include "analysis/stored-attention.h"
#include "base/output.h"
#include "base/progress.h"
#include "model-file/model-file.h"
#include "search/next-token.h"
#include "stream/input.h"

static const char *const averages[] = { "token", "sentence", NULL };
static const char *const units[] = { "word", "first", "last", "unsplit", NULL };

static const char *output, *model_path, *backend, *counts_path, *chosen = "", *gold, *pairs_path;
static const char usual_relations[] = RELATION_LIST_USUAL;
static const char *relation_names = usual_relations, *margin = "abs:10";
static const char *methods = "", *gating = "";
static int form, average, unit, target = -1, too_long, patch = -1;
static int64_t threads, batch_tokens, frequent = RARE_FREQUENT, permutations = 50;
static int64_t seed = 1, beam, steps;
static bool errors, one_based, force, quiet, verbose;

static const struct opt options[] = {
	OPT_GROUP("Model and input"),
	OPT_ROW_TEXT('m', "model", "file", &model_path,
		     "use this model (the stream has attention weights)"),
	OPT_TARGET(&target, "target that the decoder reads (any)"),
	OPT_TOO_LONG(&too_long, "fail"),
	OPT_GROUP("Measures"),
	OPT_ROW_TEXT(0, "align", "file", &gold,
		     "measure alignment errors against the gold alignments in file"),
	OPT_ROW_INT("beam", &beam, 1, 1000, "beam size of the translations for ablation-bleu (1)"),
	OPT_ROW_CHOICE("confidence", "average", &average, averages,
		       "average the confidence over tokens or sentences (token)"),
	OPT_ROW_TEXT(0, "counts", "file", &counts_path,
		     "read token frequencies from file, instead of ranks from the vocabulary"),
	OPT_ROW_FLAG(0, "errors", &errors, "add standard errors over sentences"),
	OPT_ROW_INT("frequent", &frequent, 0, 1e9,
		    "number of vocabulary entries that are not rare (500)"),
	OPT_ROW_TEXT(0, "gating", "list", &gating,
		     "settings of gating: fits=1,updates=500,lr=1,lambda=0.1,clip=both"),
	OPT_ROW_TEXT(0, "margin", "margin", &margin,
		     "margin (abs:10) of syntactic heads over the baseline: abs:N or rel:N"),
	OPT_ROW_TEXT(0, "measure", "list", &chosen,
		     "further measures, separated by commas: ablation, ablation-bleu, fisher, "
		     "gating, gradient, greedy, logit, norm, saliency, shapley (none)"),
	OPT_ROW_FLAG(0, "one-based", &one_based, "gold alignments count words from 1"),
	OPT_ROW_CHOICE("patch", "direction", &patch, head_patch_directions,
		       "patch head outputs between source and corrupted"),
	OPT_ROW_TEXT(0, "patch-method", "list", &methods,
		     "methods of --patch, separated by commas: exact, gradient, integrated "
		     "(exact)"),
	OPT_ROW_TEXT(0, "patch-sentences", "file", &pairs_path,
		     "write the effects of --patch on each sentence to file"),
	OPT_ROW_INT("patch-steps", &steps, 1, 10000, "runs of --patch-method integrated (5)"),
	OPT_ROW_INT("permutations", &permutations, 1, 1e6,
		    "random orders of the heads for Shapley values (50)"),
	OPT_ROW_TEXT(0, "relations", "list", &relation_names,
		     "dependency relations, separated by commas: name or name=rel+rel"),
	OPT_ROW_CHOICE("unit", "unit", &unit, units,
		       "units between which dependencies are measured (word)"),
	OPT_GROUP("Output"),
	OPT_OUTPUT(&output),
	OPT_ROW_CHOICE("to", "form", &form, head_forms, "write a stream or a table (stream)"),
	OPT_ROW_FLAG('v', "verbose", &verbose, "print the notes of the stream on standard error"),
	OPT_GROUP("Computation"),
	OPT_BACKEND(&backend),
	OPT_ROW_INT("batch-tokens", &batch_tokens, 1, 1e7,
		    "tokens of both sides per batch (2048; fewer for a large model)"),
	OPT_SEED(&seed, "1"),
	OPT_THREADS(&threads),
	OPT_GROUP("Other"),
	OPT_FORCE(&force),
	OPT_MAX_LINE, OPT_MAX_RECORD, OPT_NO_PG,
	OPT_QUIET(&quiet),
	OPT_NEEDS("gating", "--measure gating"),
	OPT_NEEDS("permutations", "--measure shapley"),
	OPT_NEEDS("seed", "--measure gating or --measure shapley"),
	OPT_NEEDS("beam", "--measure ablation-bleu"),
	OPT_NEEDS("one-based", "--align"),
	OPT_NEEDS("patch-method patch-sentences", "--patch"),
	OPT_NEEDS("patch-steps", "--patch-method integrated"),
	OPT_NEEDS("backend batch-tokens counts frequent measure patch target threads too-long",
		  "--model"),
	OPT_OLD_NAME("ablation", "--measure ablation"),
	OPT_OLD_NAME("gradient", "--measure gradient"),
	{ .kind = OPT_END }
};

static const struct program program = {
	.name = "head-stat",
	.synopsis = "[-m model] [--measure list] [--target name] [--to form] [-o file] [file]",
	.summary = "measure what attention heads attend to",
	.example = "head-stat -m model.tar --target ref --measure gradient --to md dev.heed",
	.options = options,
};

struct head_stat {
	struct model *m;
	struct runtime run;
	struct forced passes;
	struct relation_list relations;
	struct rare_words rare;
	struct stored_attention stored;		/* without a model */
	struct head_measures measures;
	struct head_patch_how patch_how;
	struct head_table table;
	struct progress progress;
};

static int
look(void *arg, struct forced *f, struct batch *b, struct err *e)
{
	struct head_stat *s = arg;

	if (head_measures_add(&s->measures, f, b, e))
		return -1;
	progress_at(&s->progress, s->measures.roles.sentences, "%s", "");
	return 0;
}

static void
begin_measures(struct head_stat *s)
{
	struct reader *in = s->passes.in;
	struct head_roles *r = &s->measures.roles;
	struct err e;

	r->sites = s->m ? sites_of_model(s->m) : s->stored.sites;
	r->relations = &s->relations;
	r->rare = &s->rare;
	r->frequent = (int)frequent;
	r->by_sentence = average;
	r->errors = errors;
	r->trees = head_measures_has_trees(reader_header(in));
	if ((r->trees || gold) && too_long == TOO_LONG_CUT)
		die_usage("--too-long cut: %s has %s of whole sentences, expected skip or fail",
			  gold ? gold : reader_name(in), gold ? "alignments" : "trees");
	r->unit = (enum syntax_unit)unit;
	head_measures_begin(&s->measures, s->m);
	if (s->measures.losses.greedy)
		head_search_begin(&s->measures.greedy, s->m, s->run.tape, -1);
	if (patch >= 0 && head_patch_open(&s->measures.patching, s->m, &s->patch_how, in,
					  pairs_path, force ? STREAM_FORCE : 0, &e))
		die(&e);
	if (gold && head_alignment_begin(&s->measures.alignment, r->sites, gold, one_based, errors,
					 &e))
		die(&e);
}

/* Alignments and BLEU are measured against the reference. */
static void
choose_losses(struct head_losses *l)
{
	struct err e;

	*l = (struct head_losses){ .permutations = permutations, .seed = (uint64_t)seed,
				   .errors = errors };
	if (head_losses_choose(l, chosen, &e) && err_wrap(&e, "--measure"))
		die(&e);
	if (target == TARGET_HYP && (gold || l->ablation_bleu))
		die_usage("%s with --target hyp, expected --target ref",
			  gold ? "--align" : "--measure ablation-bleu");
	if (pairs_path && (!strcmp(pairs_path, output ? output : "-") ||
			   output_same(pairs_path, output ? output : "-")))
		die_usage("--patch-sentences %s is the output, expected another file", pairs_path);
	if (gold || l->ablation_bleu)
		target = TARGET_REF;
}

static void
stat_open_model(struct head_stat *s, const char *path)
{
	const bool gradients = head_losses_backward(&s->measures.losses) ||
			       s->measures.losses.gating || head_patch_backward(&s->patch_how);
	struct forced *f = &s->passes;
	struct err e;

	s->m = model_load(model_path, false, NULL, NULL, &e);
	if (!s->m || runtime_open(&s->run, backend, PRECISION_FP32, threads, &e))
		die(&e);
	model_prepare_loss(s->m, &s->run.backend, s->run.pool);
	*f = (struct forced){ .m = s->m, .run = &s->run, .batch_tokens = batch_tokens,
			      .target = target < 0 ? TARGET_ANY : (enum forced_target)target,
			      .work = look, .audit.too_long = too_long, .arg = s };
	if (*chosen || patch >= 0)
		f->masked_effect = !gradients ? "left out of the loss" :
			"left out of the loss, their sentences out of gradients";
	f->in = forced_open(s->m, f->target, head_measures_needs, path, force ? STREAM_FORCE : 0,
			    &e);
	if (rare_words_read(&s->rare, &s->m->src, counts_path, &e) || !f->in)
		die(&e);
	f->encoder = !forced_has_target(reader_header(f->in));
	if ((*chosen || gold || patch >= 0) &&
	    head_measures_check_target(f, target >= 0, *chosen ? "--measure" : gold
				       ? "--align" : "--patch", &e))
		die(&e);
}

static void
stat_begin(struct head_stat *s, const char *path)
{
	struct err e;

	if (head_roles_margin(&s->measures.roles, margin, &e) ||
	    (relation_list_parse(&s->relations, relation_names, &e) &&
	     err_wrap(&e, "--relations")) ||
	    (output && output_check(output, &e)))
		die(&e);
	choose_losses(&s->measures.losses);
	s->patch_how = (struct head_patch_how){ .direction = (enum head_patch_direction)patch,
						.steps = steps ? (int)steps : 5 };
	if ((head_patch_choose(&s->patch_how, methods, &e) && err_wrap(&e, "--patch-method")) ||
	    (head_gating_choose(&s->measures.gating.how, gating, &e) && err_wrap(&e, "--gating")))
		die(&e);
	if (model_path)
		stat_open_model(s, path);
	else if (stored_attention_open(&s->stored, path, head_measures_needs,
				       force ? STREAM_FORCE : 0, &e))
		die(&e);
	else
		s->passes.in = s->stored.in;
	begin_measures(s);
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
	if (!s->m) {
		stored_attention_close(&s->stored);
		return;
	}
	reader_close(s->passes.in);
	model_free(s->m);
	runtime_close(&s->run);
}

/* Measures all sentences, with the model or by the weights in the stream. */
static int
measure_all(struct head_stat *s, struct err *e)
{
	struct head_measures *h = &s->measures;

	if (s->m)
		return forced_run(&s->passes, e) || head_measures_check(h, &s->passes, e) ? -1 : 0;
	return stored_attention_each(&s->stored, head_measures_see, h, e) ||
	       head_alignment_check(&h->alignment, h->roles.sentences + s->stored.without, e)
	       ? -1 : 0;
}

int
main(int argc, char **argv)
{
	struct head_output how;
	static struct head_stat s;
	struct err e;
	char **file;
	const int n = cli_begin(&program, argc, argv, &file);

	if (n > 1)
		die_usage("%d inputs, expected one", n);
	stat_begin(&s, file[0]);
	if (measure_all(&s, &e))
		die(&e);
	progress_end(&s.progress);
	if (head_measures_again(&s.measures, &s.passes, beam ? (int)beam : 1, quiet, &s.progress,
				&e))
		die(&e);
	head_measures_warn(&s.measures, relation_names != usual_relations);
	how = (struct head_output){ .name = program.name, .path = output,
				    .form = (enum head_form)form, .verbose = verbose,
				    .flags = force ? STREAM_FORCE : 0 };
	if (head_measures_fill(&s.measures, &s.passes, &s.table, &e) ||
	    head_patch_end(&s.measures.patching, &e) ||
	    head_measures_write(&s.measures, &s.passes, &s.table, &how, &e))
		die(&e);
	stat_end(&s);
	return cli_end(EXIT_OK);
}
