/*
 * nmt-average: a model whose parameters are the means of those of several models; see
 * nmt-average(1).
 */
#include <stdlib.h>
#include <string.h>

#include "base/buf.h"
#include "base/mem.h"
#include "model-file/model-file.h"

static const char *output;
static bool i8;

static const struct opt options[] = {
	OPT_ROW_FLAG(0, "i8", &i8, "store matrices as 8-bit integers"),
	OPT_OUTPUT(&output),
	OPT_NO_PG,
	{ .kind = OPT_END }
};

static const struct program program = {
	.name = "nmt-average", .synopsis = "[--i8] [--no-pg] [-o file] model ...",
	.summary = "average the parameters of models",
	.options = options, .reads = NULL, .writes = NULL,
	.example = "nmt-average -o average.tar model.2000.tar model.4000.tar",
};

/* What two models must have in common, as text: parts separated by commas. */
static void
average_describe(const struct model *m, struct buf *out)
{
	int version;
	size_t empty;

	model_config_describe(&m->config, out);
	for (size_t i = 0; i < attention_set_n(m->attention); i++) {
		buf_add_str(out, ",-a ");
		attention_set_describe(m->attention, i, out, &version);
	}
	buf_add_str(out, ",removed heads ");
	empty = out->n;
	model_removed_heads(m, NULL, out);
	if (out->n == empty)
		buf_add_str(out, "none");
	buf_printf(out, ",vocabularies %016llx %016llx", (unsigned long long)vocab_digest(&m->src),
		   (unsigned long long)vocab_digest(&m->tgt));
}

static int
check_alike(const struct model *a, const struct model *b, const char *first, const char *path,
	    struct err *e)
{
	const char *other;
	struct buf x, y;
	int r = 0;

	buf_init(&x);
	buf_init(&y);
	average_describe(a, &x);
	average_describe(b, &y);
	if (x.n != y.n || memcmp(x.data, y.data, x.n)) {
		size_t at = 0;

		while (x.data[at] && x.data[at] == y.data[at])
			at++;
		while (at > 0 && x.data[at - 1] != ',')
			at--;
		r = err_set(e, EXIT_INPUT, "%s: %.*s, expected %.*s as in %s", path,
			    (int)strcspn(y.data + at, ","), y.data + at,
			    (int)strcspn(x.data + at, ","), x.data + at, first);
	} else if ((other = model_other_segmentation(a, b))) {
		r = err_set(e, EXIT_INPUT, "%s: other %s, expected those of %s", path, other,
			    first);
	} else if (!model_same_first_token(a, b, false) || !model_same_first_token(a, b, true)) {
		r = err_set(e, EXIT_INPUT, "%s: other first tokens, expected those of %s", path,
			    first);
	} else if (a->tgt_valid && memcmp(a->tgt_valid, b->tgt_valid, (size_t)a->tgt.n)) {
		r = err_set(e, EXIT_INPUT, "%s: another output mask, expected that of %s", path,
			    first);
	}
	buf_release(&x);
	buf_release(&y);
	return r;
}

/* Adds m's parameters to sum, which is laid out as the block of parameters. */
static void
average_add(const struct model *m, double *sum)
{
	for (size_t i = 0; i < m->params.n; i++) {
		const struct param *p = m->params.list[i];

		for (size_t j = 0; j < p->n; j++)
			sum[p->at + j] += (double)p->x[j];
	}
}

static void
average_set_mean(struct model *m, const double *sum, int n)
{
	for (size_t i = 0; i < m->params.n; i++) {
		struct param *p = m->params.list[i];

		for (size_t j = 0; j < p->n; j++)
			p->x[j] = (real)(sum[p->at + j] / n);
	}
}

static struct model *
average_load(const char *path)
{
	struct err e;
	struct model *m = model_load(path, false, NULL, NULL, &e);

	if (!m)
		die(&e);
	return m;
}

int
main(int argc, char **argv)
{
	struct model *first;
	struct err e;
	double *sum;
	char **file;
	int n = cli_begin(&program, argc, argv, &file);

	if (!n)
		die_usage("no model, expected at least one");
	first = average_load(file[0]);
	sum = xcalloc(first->params.total, sizeof(*sum));
	average_add(first, sum);
	for (int i = 1; i < n; i++) {
		struct model *m = average_load(file[i]);

		if (check_alike(first, m, file[0], file[i], &e))
			die(&e);
		average_add(m, sum);
		if (m->step > first->step)
			first->step = m->step;
		if (strcmp(m->training, first->training))
			*first->training = '\0';
		model_free(m);
	}
	average_set_mean(first, sum, n);
	free(sum);
	first->int8 = i8;
	model_add_pg(first);
	if (model_save(first, output, NULL, 0, &e))
		die(&e);
	model_free(first);
	return output ? cli_end(EXIT_OK) : EXIT_OK;
}
