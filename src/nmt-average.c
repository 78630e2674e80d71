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
	.options = options,
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
	const char *other = model_other_segmentation(a, b);
	struct buf x = { 0 }, y = { 0 };
	int r = 0;

	if (!other &&
	    (!model_same_first_token(a, b, false) || !model_same_first_token(a, b, true)))
		other = "first tokens";
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
	} else if (other) {
		r = err_set(e, EXIT_INPUT, "%s: other %s, expected those of %s", path, other,
			    first);
	} else if (a->tgt_valid && memcmp(a->tgt_valid, b->tgt_valid, (size_t)a->tgt.n)) {
		r = err_set(e, EXIT_INPUT, "%s: another output mask, expected that of %s", path,
			    first);
	}
	buf_release(&x);
	buf_release(&y);
	return r;
}

int
main(int argc, char **argv)
{
	struct model *first = NULL;
	struct err e;
	double *sum = NULL;		/* laid out as the block of parameters */
	char **file;
	int n = cli_begin(&program, argc, argv, &file);

	if (!n)
		die_usage("no model, expected at least one");
	for (int i = 0; i < n; i++) {
		struct model *m = model_load(file[i], false, NULL, NULL, &e);

		if (!m || (first && check_alike(first, m, file[0], file[i], &e)))
			die(&e);
		if (!first) {
			first = m;
			sum = xcalloc(m->params.total, sizeof(*sum));
		}
		for (size_t k = 0; k < m->params.total; k++)
			sum[k] += (double)m->params.x[k];
		if (m->step > first->step)
			first->step = m->step;
		if (strcmp(m->training, first->training))
			*first->training = '\0';
		if (m != first)
			model_free(m);
	}
	for (size_t k = 0; k < first->params.total; k++)
		first->params.x[k] = (real)(sum[k] / n);
	free(sum);
	first->int8 = i8;
	model_add_pg(first);
	if (model_save(first, output, NULL, 0, &e))
		die(&e);
	model_free(first);
	return output ? cli_end(EXIT_OK) : EXIT_OK;
}
