/* head-prune: removes attention heads from a model.  See head-prune(1). */
#include <stdio.h>
#include <string.h>

#include "analysis/head-choice.h"
#include "analysis/head-search.h"
#include "base/progress.h"
#include "data/audit.h"
#include "model-file/model-file.h"
#include "model-file/prune.h"
#include "search/next-token.h"

static const char *model_path, *output, *heads, *by, *like;
static int64_t keep = -1, seed = 1, threads;
static int kind = -1, method = -1, too_long;
static bool force, lowest, other_model, quiet;

static const struct opt options[] = {
	OPT_GROUP("Model and selection"),
	OPT_ROW_TEXT('m', "model", "file", &model_path, "prune this model (required)"),
	OPT_ROW_TEXT(0, "heads", "list", &heads, "remove these heads, for example enc-self.2:1,3"),
	OPT_ROW_INT("keep", &keep, 0, 1000000, "retain n heads, by --by or --search"),
	OPT_ROW_TEXT(0, "keep-as", "file", &like,
		     "retain the same number of heads as the model in file"),
	OPT_ROW_TEXT(0, "by", "field", &by, "rank heads by this field of the stream, or random"),
	OPT_ROW_FLAG(0, "lowest", &lowest,
		     "retain the heads with the lowest values of --by instead"),
	OPT_ROW_FLAG(0, "other-model", &other_model, "the measures may be those of another model"),
	OPT_ROW_CHOICE("search", "method", &method, head_search_methods,
		       "search for the heads to retain on sentences with references"),
	OPT_ROW_CHOICE("site", "kind", &kind, site_kinds,
		       "remove only heads of this kind of attention (all)"),
	OPT_SEED(&seed, "1"),
	OPT_TOO_LONG(&too_long, "fail"),
	OPT_GROUP("Output"),
	OPT_OUTPUT(&output),
	OPT_GROUP("Computation"),
	OPT_THREADS(&threads),
	OPT_GROUP("Other"),
	OPT_FORCE(&force),
	OPT_NO_PG,
	OPT_QUIET(&quiet),
	OPT_NEEDS("lowest", "--by"),
	OPT_NEEDS("seed", "--by random"),
	OPT_NEEDS("too-long threads", "--search"),
	OPT_NEEDS("other-model", "--by"),
	{ .kind = OPT_END }
};

static const struct program program = {
	.name = "head-prune",
	.synopsis = "-m model [--heads list | --keep n {--by field | --search method}] [options] "
		    "[stream]",
	.summary = "remove attention heads from a model",
	.example = "head-prune -m model.tar --keep 12 --by gradient -o pruned.tar heads.heed",
	.options = options,
};

static int
choose_by_field(struct head_choice *c, const char *path, struct err *e)
{
	struct reader *in = reader_open(path, "head", NULL, force ? STREAM_FORCE : 0, e);
	const char *hint = "--other-model accepts them";
	struct head_table t = { .n = 0 };
	int r;

	if (!in)
		return -1;
	r = head_table_read(&t, in, e) ||
	    (!other_model && head_table_check_model(&t, c->m, reader_name(in), hint, e)) ||
	    head_choice_by(c, &t, by, lowest, keep, reader_name(in), e) ? -1 : 0;
	head_table_release(&t);
	reader_close(in);
	return r;
}

/* --- search --- */

static struct progress progress;

static void
show_passes(void *arg, int64_t passes)
{
	(void)arg;
	progress_at(&progress, passes, "%s", "");
}

static void
print_search(const struct head_search *s)
{
	fprintf(stderr, "nll\t%.4f with the retained heads, %.4f with all, on %lld sentences\n"
		"passes\t%lld\n", s->nll / (double)s->tokens, s->whole / (double)s->tokens,
		(long long)s->sample.sentences, (long long)s->passes);
}

/* The search changes settings of its model, so it has one of its own. */
static int
choose_by_search(struct head_choice *c, const char *path, struct err *e)
{
	struct model *m = model_load(model_path, false, NULL, NULL, e);
	struct head_search s;
	struct runtime run;
	int bad;

	if (!m || runtime_open(&run, NULL, PRECISION_FP32, threads, e))
		return -1;
	model_prepare_loss(m, &run.backend, run.pool);
	head_search_begin(&s, m, run.tape, kind);
	s.done = show_passes;
	if (!quiet)
		progress_start(&progress, "passes", 0);
	bad = head_search_read(&s, &run, path, force ? STREAM_FORCE : 0, too_long, e) ||
	      head_search_run(&s, (enum head_search_method)method, keep, e);
	progress_end(&progress);
	if (!bad && !quiet)
		print_search(&s);
	memcpy(c->remove, s.masked, c->n * sizeof(*c->remove));
	head_search_release(&s);
	runtime_close(&run);
	model_free(m);
	return bad ? -1 : 0;
}

/* The number of heads of a model, of the kind of --site if given. */
static int64_t
count_heads(const char *path)
{
	struct err e;
	struct model *m = model_load(path, false, NULL, NULL, &e);
	int64_t n = 0;

	if (!m)
		die(&e);
	for (size_t i = 0; i < m->n_sites; i++)
		if (kind < 0 || (int)m->sites[i].where == kind)
			n += m->sites[i].heads;
	model_free(m);
	return n;
}

static bool
is_random(void)
{
	return by && !strcmp(by, "random");
}

static int
head_prune_choose(struct head_choice *c, const char *path, struct err *e)
{
	if (heads)
		return head_set_add(c->remove, heads, c->m->sites, c->m->n_sites, e);
	if (is_random())
		return head_choice_at_random(c, (uint64_t)seed, keep, e);
	if (method >= 0)
		return choose_by_search(c, path, e);
	if (by)
		return choose_by_field(c, path, e);
	if (!c->gated)
		return err_set(e, EXIT_USAGE, "the model has no gates, expected --heads, or --keep "
			       "with --by or --search");
	head_choice_by_gates(c);
	return 0;
}

static void
print_gates(const struct rounding *r, const char *title)
{
	fprintf(stderr, "gates\t%lld of %lld fractional", (long long)r->fractional,
		(long long)r->heads);
	if (r->fractional)
		fprintf(stderr, ", from %.3g to %.3g, %s", r->lowest, r->highest, title);
	putc('\n', stderr);
}

/* Rounded gates, and gates of retained heads folded into the output projection. */
static void
print_all_gates(const struct head_choice *c)
{
	const struct rounding folded = head_choice_folded(c);

	if (c->rounding.heads)
		print_gates(&c->rounding, "rounded");
	if (folded.heads)
		print_gates(&folded, "folded into the output projection");
}

static void
print_retained(const struct head_choice *c)
{
	for (int k = 0; site_kinds[k]; k++) {
		int all = 0, retained = 0;

		for (size_t i = 0; i < c->n; i++) {
			const bool here = (int)c->head[i].site->where == k;

			all += here;
			retained += here && !c->remove[i];
		}
		fprintf(stderr, "%s\t%d of %d heads retained\n", site_kinds[k], retained, all);
	}
}

/* Warns of sites that lost their last head. */
static void
warn_of_empty(const struct model *before, const struct model *after)
{
	struct buf names = { 0 };

	for (size_t i = 0; i < before->n_sites; i++) {
		const struct site *s = &after->sites[i];

		if (before->sites[i].heads && !s->heads)
			buf_printf(&names, "%s%s.%d", names.n ? " " : "", site_kinds[s->where],
				   s->layer);
	}
	if (names.n)
		warn("all heads of %s are pruned, only the bias of the output projection remains",
		     names.data);
	buf_release(&names);
}

static void
head_prune_check_options(int n)
{
	if (!model_path)
		die_usage("no model, expected -m FILE");
	if (keep >= 0 && like)
		die_usage("both --keep and --keep-as, expected one of them");
	if (by && method >= 0)
		die_usage("both --by and --search, expected one of them");
	if ((keep >= 0 || like) != (by || method >= 0))
		die_usage("%s", by ? "--by without --keep, expected both"
			  : method >= 0 ? "--search without --keep, expected both"
			  : like ? "--keep-as without --by or --search, expected one of them"
				 : "--keep without --by or --search, expected one of them");
	if (is_random() && (lowest || n))
		die_usage("--by random with %s, expected none", lowest ? "--lowest" : "a stream");
	if ((by || method >= 0) && heads)
		die_usage("both --heads and --%s, expected one of them", by ? "by" : "search");
	if (heads && kind >= 0)
		die_usage("--site with --heads, expected --site with gates, --by or --search");
	if (other_model && is_random())
		die_usage("--other-model with --by random, expected --by and a measure");
	if (n > 1)
		die_usage("%d streams, expected one", n);
	if (n && !by && method < 0)
		die_usage("a stream without --by or --search, expected one of them");
}

int
main(int argc, char **argv)
{
	struct head_choice choice;
	struct model *m, *pruned;
	struct err e;
	char **file;
	const int n = cli_begin(&program, argc, argv, &file);

	head_prune_check_options(n);
	m = model_load(model_path, false, NULL, NULL, &e);
	if (!m)
		die(&e);
	if (like)
		keep = count_heads(like);
	head_choice_init(&choice, m, kind);
	if (head_prune_choose(&choice, file[0], &e) ||
	    !(pruned = model_prune(m, choice.remove, choice.gate, &e)))
		die(&e);
	if (choice.rounding.heads)
		pruned->rounding = choice.rounding;
	model_add_pg(pruned);
	if (model_save(pruned, output, NULL, 0, &e))
		die(&e);
	if (!quiet) {
		print_all_gates(&choice);
		print_retained(&choice);
	}
	warn_of_empty(m, pruned);
	head_choice_release(&choice);
	model_free(pruned);
	model_free(m);
	return output ? cli_end(EXIT_OK) : EXIT_OK;
}
