/*
 * head-compare: rank correlations between measures of attention heads, and heads of two models that
 * attend to the same.  See head-compare(1).
 */
#include <stdlib.h>

#include "analysis/head-match.h"
#include "analysis/head-pairs.h"
#include "analysis/measure-clusters.h"
#include "base/cli.h"
#include "base/mem.h"
#include "base/output.h"
#include "stream/input.h"
#include "stream/signature.h"

enum form { TO_TSV, TO_MARKDOWN, TO_LATEX, TO_MATRIX, TO_CLUSTERS };

static const char *const forms[] = { "tsv", "md", "latex", "matrix", "clusters", NULL };

static const char *output, *measures;
static int form;
static int64_t permutations = 9999, seed = 1;
static double threshold = 0.7;
static bool brief, force, match, table;

static const struct opt options[] = {
	OPT_GROUP("Comparison"),
	OPT_ROW_FLAG(0, "match", &match,
		     "pair the heads of two models, by attention weights in two streams"),
	OPT_ROW_TEXT(0, "measure", "list", &measures,
		     "shell patterns of the names of measures, separated by commas"),
	OPT_ROW_INT("permutations", &permutations, 1, 1e7,
		    "random permutations for each p-value (9999)"),
	OPT_SEED(&seed, "1"),
	OPT_ROW_FLOAT("threshold", &threshold, 0, 1,
		      "lowest mean |rho| at which clusters of measures are merged (0.7)"),
	OPT_GROUP("Output"),
	OPT_ROW_FLAG(0, "table", &table,
		     "write the values of the measures instead of correlations"),
	OPT_ROW_FLAG(0, "brief", &brief,
		     "with --table, only the role and the measures that are compared by default"),
	OPT_ROW_CHOICE("to", "form", &form, forms,
		       "output format; matrix and clusters: each file is a model (tsv)"),
	OPT_OUTPUT(&output),
	OPT_FORCE(&force),
	OPT_MAX_RECORD,
	OPT_NEEDS("brief", "--table"),
	OPT_NOT_WITH("permutations seed", "--match or --table or --to matrix or --to clusters"),
	OPT_NOT_WITH("match", "--measure or --table or --to matrix or --to clusters"),
	OPT_NEEDS("threshold", "--to matrix or --to clusters"),
	OPT_OLD_NAME("measures", "--measure"),
	{ .kind = OPT_END }
};

static const struct program program = {
	.name = "head-compare",
	.synopsis = "[--match] [--table] [--to form] [--measure list] [-o file] [file ...]",
	.summary = "correlate measures of attention heads, and match the heads of two models",
	.example = "head-compare --to md stat.heed lrp.heed",
	.options = options,
};

/* Reads all streams into one table. */
static void
head_compare_read_all(struct head_table *t, char **path)
{
	do {
		struct err e;
		struct reader *in = reader_open(*path, "head", NULL, force ? STREAM_FORCE : 0, &e);

		if (!in || head_table_read(t, in, &e))
			die(&e);
		reader_close(in);
	} while (*path && *++path);
}

static void
head_compare_write_table(const struct head_table *t, struct buf *out)
{
	if (form == TO_TSV)
		head_table_tsv(t, out);
	else
		head_table_layout(t, form == TO_LATEX ? TABLE_LATEX : TABLE_MARKDOWN, out);
}

static void
write_pairs(const struct head_table *t, struct buf *out)
{
	struct head_pairs p;
	struct err e;

	if (head_pairs_init(&p, t, measures != NULL, &e))
		die(&e);
	head_pairs_count(&p, permutations, (uint64_t)seed);
	if (form == TO_TSV)
		head_pairs_tsv(&p, out);
	else
		head_pairs_layout(&p, form == TO_LATEX ? TABLE_LATEX : TABLE_MARKDOWN, out);
	head_pairs_release(&p);
}

/* A model given twice would count as two: is table n one of those before it? */
static void
refuse_copy(const struct head_table *t, char **path, int n)
{
	struct err e;

	for (int i = 0; i < n; i++)
		if (head_table_same(&t[i], &t[n]) &&
		    err_set(&e, EXIT_INPUT, "%s has the measures of %s, expected those of another "
			    "model", path[n], path[i]))
			die(&e);
}

/* The correlations of each model, and the clusters of their means. */
static void
write_clusters(char **path, int n, struct buf *out)
{
	struct head_table *t = xcalloc((size_t)n + 1, sizeof(*t));
	struct measure_clusters c = { .n = 0 };
	char *signature = NULL;

	for (int i = 0; i < n || !i; i++) {
		char *one[] = { path[i], NULL };
		const char *name = path[i] ? path[i] : "standard input";
		struct err e;

		t[i].only = measures;
		head_compare_read_all(&t[i], one);
		if ((measures && head_table_keep(&t[i], measures, &e)) ||
		    measure_clusters_add(&c, &t[i], measures != NULL, &e)) {
			err_wrap(&e, "%s", name);
			err_hint(&e, "with --to %s each file is one model; heed-paste joins the "
				 "streams of a model", forms[form]);
			die(&e);
		}
		refuse_copy(t, path, i);
		signature_take(&signature, t[i].signature, name);
	}
	for (int i = 0; i < n || !i; i++)
		head_table_release(&t[i]);
	free(t);
	free(signature);
	measure_clusters_find(&c, threshold);
	if (form == TO_MATRIX)
		measure_clusters_matrix(&c, out);
	else
		measure_clusters_tsv(&c, out);
	measure_clusters_release(&c);
}

static void
write_joined(char **path, struct buf *out)
{
	struct head_table t = { .only = measures };
	struct err e;

	head_compare_read_all(&t, path);
	if ((measures && head_table_keep(&t, measures, &e)) ||
	    (brief && head_pairs_keep_usual(&t, &e)))
		die(&e);
	if (table)
		head_compare_write_table(&t, out);
	else
		write_pairs(&t, out);
	head_table_release(&t);
}

static void
write_match(char **path, int n, struct buf *out)
{
	struct head_table t = { .n = 0 };
	struct err e;

	if (n != 2)
		die_usage("--match with %d files, expected two", n);
	if (head_match(path, force ? STREAM_FORCE : 0, &t, &e))
		die(&e);
	head_compare_write_table(&t, out);
	head_table_release(&t);
}

int
main(int argc, char **argv)
{
	struct buf text = { 0 };
	struct err e;
	char **path;
	const int n = cli_begin(&program, argc, argv, &path);

	if (brief && measures)
		die_usage("--brief with --measure, expected one of them");
	if (table && form >= TO_MATRIX)
		die_usage("--table with --to %s, expected tsv or md", forms[form]);
	if (input_stdin_once(0, path, n, &e))
		die(&e);
	if (match)
		write_match(path, n, &text);
	else if (form >= TO_MATRIX)
		write_clusters(path, n, &text);
	else
		write_joined(path, &text);
	if (output_text(output, &text, &e))
		die(&e);
	return cli_end(EXIT_OK);
}
