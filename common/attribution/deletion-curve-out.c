/* deletion-curve-out: deletion curves as records and as a table; see deletion-curve.h. */
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "attribution/deletion-curve.h"
#include "base/mem.h"

const struct field deletion_curve_fields[] = { { "order", "str", 0 }, { "site", "str", 0 },
					    { "retained", "int", 0 }, { "drop", "float", 0 },
					    { 0 } };

/* The name of a method, or random.SEED; the caller frees it. */
static char *
order_name(const struct deletion_curve *c, int order)
{
	if (order < c->n_methods)
		return xstrdup(c->method[order]);
	return xasprintf("random.%" PRIu64, c->seed + (uint64_t)(order - c->n_methods));
}

static int
put_curve(const struct deletion_curve *c, int order, struct writer *out, struct err *e)
{
	char *name = order_name(c, order);
	struct record *rec = record_new();
	int bad = 0;

	for (int k = 0; !bad && k <= c->n_points; k++) {
		record_set_str(rec, "order", name, strlen(name));
		record_set_str(rec, "site", "source", strlen("source"));
		record_set_int(rec, "retained", deletion_curve_retained(c, k));
		record_set_float(rec, "drop", deletion_curve_drop(c, order, k));
		bad = writer_put(out, rec, e);
	}
	record_free(rec);
	free(name);
	return bad;
}

static int
put_note(struct writer *out, const char *name, int64_t n, struct err *e)
{
	char text[32];

	snprintf(text, sizeof(text), "%" PRId64, n);
	return writer_note(out, name, text, e);
}

int
deletion_curve_put(const struct deletion_curve *c, struct writer *out, struct err *e)
{
	int bad = put_note(out, "sentences", c->sentences, e) ||
		  put_note(out, "positions", c->positions, e);

	for (int i = 0; !bad && i < c->n_methods + c->n_random; i++)
		bad = put_curve(c, i, out, e);
	return bad;
}

void
deletion_curve_tsv(const struct deletion_curve *c, struct buf *out)
{
	buf_add_str(out, "order\tretained\tdrop\n");
	for (int i = 0; i < c->n_methods + c->n_random; i++) {
		char *name = order_name(c, i);

		for (int k = 0; k <= c->n_points; k++)
			buf_printf(out, "%s\t%d\t%.6f\n", name, deletion_curve_retained(c, k),
				   deletion_curve_drop(c, i, k));
		free(name);
	}
}
