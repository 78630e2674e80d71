/* head-prune: removes attention heads from a model.  See head-prune(1). */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "analysis/head-table.h"
#include "base/mem.h"
#include "model-file/model-file.h"
#include "model-file/prune.h"

static const char *model_path, *output, *heads, *by;
static int64_t keep = -1;
static int kind = -1;
static bool force, lowest, quiet;

static const struct opt options[] = {
	OPT_GROUP("Model and selection"),
	{ .kind = OPT_STRING, .short_name = 'm', .long_name = "model", .arg = "file",
	  .to = &model_path, .help = "use this model (required)" },
	{ .kind = OPT_STRING, .long_name = "heads", .arg = "list", .to = &heads,
	  .help = "remove these heads, for example enc-self.2:1,3" },
	{ .kind = OPT_INT, .long_name = "keep", .arg = "n", .to = &keep, .min = 0, .max = 1000000,
	  .help = "retain the n heads with the highest values of --by" },
	{ .kind = OPT_STRING, .long_name = "by", .arg = "field", .to = &by,
	  .help = "field of the stream that ranks the heads" },
	{ .kind = OPT_FLAG, .long_name = "lowest", .to = &lowest,
	  .help = "retain the n heads with the lowest values instead" },
	{ .kind = OPT_CHOICE, .long_name = "site", .arg = "kind", .to = &kind, .choice = site_kinds,
	  .help = "remove only heads of this kind of attention (all)" },
	OPT_GROUP("Output"),
	OPT_OUTPUT(&output),
	OPT_GROUP("Other"),
	OPT_FORCE(&force),
	OPT_NO_PG,
	OPT_QUIET(&quiet),
	{ .kind = OPT_END }
};

static const struct program program = {
	.name = "head-prune",
	.synopsis = "-m model [--heads list | --keep n --by field] [--site kind] [-o file] [file]",
	.summary = "remove attention heads from a model",
	.example = "head-prune -m model.tar --keep 12 --by gradient -o pruned.tar heads.heed",
	.options = options, .reads = "head", .writes = NULL,
};

/* A head of the model, and its value in the stream. */
struct candidate {
	const struct site *site;
	int number;
	double value;
	bool gated, remove;
};

struct pruning {
	struct model *m;
	struct candidate *head;	/* [n], ordered by site */
	size_t n;
	double *gate;		/* [n] factor of each head output, the product of all gates */
	bool gated;		/* a variant of the model has gates */
	struct rounding rounding;
};

static bool
is_eligible(const struct candidate *h)
{
	return kind < 0 || (int)h->site->where == kind;
}

static void
list_heads(struct pruning *p)
{
	struct candidate *h;

	p->n = heads_before(p->m->sites, p->m->n_sites);
	h = p->head = xcalloc(p->n + 1, sizeof(*p->head));
	for (size_t i = 0; i < p->m->n_sites; i++) {
		const struct site *s = &p->m->sites[i];

		for (int k = 0; k < s->heads; k++)
			*h++ = (struct candidate){
				.site = s, .number = s->head[k] + 1,
				.gated = attention_set_gated(p->m->attention, i)
			};
	}
	p->gate = xmalloc((p->n + 1) * sizeof(*p->gate));
	for (size_t i = 0; i < p->n; i++)
		p->gate[i] = 1;
	p->gated = attention_set_gates(p->m->attention, p->gate);
}

/* --- selection --- */

static int
choose_listed(struct pruning *p, struct err *e)
{
	bool *set = xcalloc(p->n + 1, sizeof(*set));
	int r = head_set_add(set, heads, p->m->sites, p->m->n_sites, e);

	for (size_t i = 0; !r && i < p->n; i++)
		p->head[i].remove = set[i];
	free(set);
	return r;
}

static void
count_gate(struct rounding *r, double gate)
{
	r->heads++;
	if (gate <= 0 || gate >= 1)
		return;
	r->lowest = r->fractional ? fmin(r->lowest, gate) : gate;
	r->highest = fmax(r->highest, gate);
	r->fractional++;
}

/* Rounds gates: those of retained heads become 1. */
static void
choose_by_gates(struct pruning *p)
{
	for (size_t i = 0; i < p->n; i++) {
		if (!is_eligible(&p->head[i]))
			continue;
		if (p->head[i].gated)
			count_gate(&p->rounding, p->gate[i]);
		p->head[i].remove = p->gate[i] < 0.5;
		p->gate[i] = 1;
	}
}

static int
take_values(struct pruning *p, struct head_table *t, const char *name, struct err *e)
{
	const struct head_column *c = head_table_find(t, by);

	if (!c)
		return err_set(e, EXIT_INPUT, "%s has no measure %s, expected one of its fields",
			       name, by);
	if (c->type == HEAD_STR)
		return err_set(e, EXIT_INPUT, "%s: %s is text, expected a number", name, by);
	for (size_t i = 0; i < p->n; i++) {
		struct candidate *h = &p->head[i];
		const struct site *s = h->site;

		if (!is_eligible(h))
			continue;
		h->value = head_table_get(c, head_table_row(t, s->where, s->layer, h->number));
		if (isnan(h->value))
			return err_set(e, EXIT_INPUT, "%s: head %d of %s has no %s, expected one "
				       "for every head that may be removed", name, h->number,
				       s->name, by);
	}
	return 0;
}

/* Best first; equal values in the order of the model. */
static int
compare(const void *a, const void *b)
{
	const struct candidate *x = *(struct candidate *const *)a;
	const struct candidate *y = *(struct candidate *const *)b;
	const double d = lowest ? x->value - y->value : y->value - x->value;

	return d < 0 ? -1 : d > 0 ? 1 : x < y ? -1 : x > y;
}

static int
choose_worst(struct pruning *p, struct err *e)
{
	struct candidate **order = xcalloc(p->n + 1, sizeof(struct candidate *));
	size_t n = 0;

	for (size_t i = 0; i < p->n; i++)
		if (is_eligible(&p->head[i]))
			order[n++] = &p->head[i];
	if ((size_t)keep > n) {
		free(order);
		return err_set(e, EXIT_USAGE, "--keep %lld: expected at most %zu, the number of "
			       "heads that may be removed", (long long)keep, n);
	}
	qsort(order, n, sizeof(struct candidate *), compare);
	for (size_t i = (size_t)keep; i < n; i++)
		order[i]->remove = true;
	free(order);
	return 0;
}

/* The stream may have other heads too, such as heads that were removed before. */
static int
choose_by_field(struct pruning *p, const char *path, struct err *e)
{
	struct reader *in = reader_open(path, "head", NULL, force ? STREAM_FORCE : 0, e);
	struct head_table t;
	int r;

	if (!in)
		return -1;
	head_table_init(&t);
	r = head_table_read(&t, in, e) || take_values(p, &t, reader_name(in), e) ||
	    choose_worst(p, e) ? -1 : 0;
	head_table_release(&t);
	reader_close(in);
	return r;
}

static int
choose(struct pruning *p, const char *path, struct err *e)
{
	if (heads)
		return choose_listed(p, e);
	if (by)
		return choose_by_field(p, path, e);
	if (!p->gated)
		return err_set(e, EXIT_USAGE, "the model has no gates, expected --heads, or --keep "
			       "and --by");
	choose_by_gates(p);
	return 0;
}

/* --- the pruned model --- */

static struct model *
pruned(const struct pruning *p, struct err *e)
{
	bool *remove = xcalloc(p->n + 1, sizeof(*remove));
	struct model *m;

	for (size_t i = 0; i < p->n; i++)
		remove[i] = p->head[i].remove;
	m = model_prune(p->m, remove, p->gate, e);
	free(remove);
	if (m && p->rounding.heads)
		m->rounding = p->rounding;
	return m;
}

static void
print_gates(const struct rounding *r, const char *what)
{
	fprintf(stderr, "gates\t%lld of %lld fractional", (long long)r->fractional,
		(long long)r->heads);
	if (r->fractional)
		fprintf(stderr, ", from %.3g to %.3g, %s", r->lowest, r->highest, what);
	putc('\n', stderr);
}

/* Rounded gates, and gates of retained heads folded into the output projection. */
static void
print_all_gates(const struct pruning *p)
{
	struct rounding folded = { .heads = 0 };

	for (size_t i = 0; i < p->n; i++)
		if (!p->head[i].remove && p->gate[i] != 1)
			count_gate(&folded, p->gate[i]);
	if (p->rounding.heads)
		print_gates(&p->rounding, "rounded");
	if (folded.heads)
		print_gates(&folded, "folded into the output projection");
}

static void
print_retained(const struct pruning *p)
{
	for (int k = 0; site_kinds[k]; k++) {
		int all = 0, retained = 0;

		for (size_t i = 0; i < p->n; i++) {
			const bool here = (int)p->head[i].site->where == k;

			all += here;
			retained += here && !p->head[i].remove;
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
check_options(int n)
{
	if (!model_path)
		die_usage("no model, expected -m FILE");
	if ((keep >= 0) != (by != NULL))
		die_usage("%s, expected both --keep and --by",
			  by ? "--by without --keep" : "--keep without --by");
	if (by && heads)
		die_usage("both --heads and --by, expected one of them");
	if (heads && kind >= 0)
		die_usage("--site with --heads, expected --site with gates or --by");
	if (lowest && !by)
		die_usage("--lowest without --by, expected --by");
	if (n > 1)
		die_usage("%d streams, expected one", n);
	if (n && !by)
		die_usage("a stream without --by, expected --by");
}

int
main(int argc, char **argv)
{
	struct pruning p = { 0 };
	struct model *m;
	struct err e;
	char **file;
	const int n = cli_begin(&program, argc, argv, &file);

	check_options(n);
	p.m = model_load(model_path, false, NULL, NULL, &e);
	if (!p.m)
		die(&e);
	list_heads(&p);
	if (choose(&p, file[0], &e) || !(m = pruned(&p, &e)))
		die(&e);
	model_add_pg(m);
	if (model_save(m, output, NULL, 0, &e))
		die(&e);
	if (!quiet) {
		print_all_gates(&p);
		print_retained(&p);
	}
	warn_of_empty(p.m, m);
	model_free(m);
	model_free(p.m);
	free(p.head);
	free(p.gate);
	return output ? cli_end(EXIT_OK) : EXIT_OK;
}
