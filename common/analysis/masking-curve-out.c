/* masking-curve-out: writes pruning curves; see masking-curve.h. */
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "analysis/masking-curve.h"
#include "base/cli.h"
#include "base/mem.h"
#include "stream/signature.h"

const struct field masking_curve_fields[] = {
	{ "order", "str", 0 }, { "site", "str", 0 }, { "heads", "int", 0 },
	{ "retained", "int", 0 }, { "masked", "str", 0 }, { "nll", "float", 0 },
	{ "bleu", "float", 1 }, { 0 }
};

static int
put_point(const struct masking_curve *c, const struct masking_curve_form *f, size_t order,
	  size_t point, struct record *rec, struct writer *out, struct err *e)
{
	const size_t mask = masking_curve_mask(c, order, point);
	const char *name = c->order[order].name;
	struct buf masked = { 0 };

	masking_curve_describe(c, mask, &masked);
	record_clear(rec);
	record_set_str(rec, "order", name, strlen(name));
	record_set_str(rec, "site", f->site, strlen(f->site));
	record_set_int(rec, "heads", (int64_t)c->n_heads);
	record_set_int(rec, "retained", (int64_t)c->retained[point]);
	record_set_str(rec, "masked", masked.n ? masked.data : "", masked.n);
	buf_release(&masked);
	record_set_float(rec, "nll", masking_curve_nll(c, mask));
	if (f->bleu)
		record_set_float(rec, "bleu", c->bleu[mask]);
	return writer_put(out, rec, e);
}

int
masking_curve_put(const struct masking_curve *c, const struct masking_curve_form *f,
		  struct writer *out, struct err *e)
{
	struct record *rec = record_new();
	int bad = 0;

	for (size_t i = 0; i < c->n_orders; i++)
		for (size_t k = 0; !bad && k < c->n_points; k++)
			bad = put_point(c, f, i, k, rec, out, e);
	record_free(rec);
	return bad;
}

int
masking_curve_notes(const struct masking_curve *c, int64_t sentences, const struct audit *a,
		    struct writer *out, struct err *e)
{
	const struct { const char *name; int64_t n; } note[] = {
		{ "sentences", sentences }, { "tokens", c->tokens },
		{ "targets.masked", c->masked },
		{ a->longer ? audit_length_note(a) : NULL, a->longer }
	};

	for (size_t i = 0; i < sizeof(note) / sizeof(*note); i++) {
		char text[32];

		snprintf(text, sizeof(text), "%" PRId64, note[i].n);
		if (note[i].name && writer_note(out, note[i].name, text, e))
			return -1;
	}
	for (size_t i = 0; i < c->n_skipped; i++) {
		char *name = xasprintf("skipped.%s", c->skipped[i].name);
		const int bad = writer_note(out, name, c->skipped[i].why, e);

		free(name);
		if (bad)
			return -1;
	}
	return 0;
}

static void
add_row(const struct masking_curve *c, const struct masking_curve_form *f, size_t order,
	size_t point, struct buf *out)
{
	const size_t mask = masking_curve_mask(c, order, point);

	buf_printf(out, "%s\t%s\t%zu\t%zu\t%.6f", c->order[order].name, f->site, c->n_heads,
		   c->retained[point], masking_curve_nll(c, mask));
	if (f->bleu)
		buf_printf(out, "\t%.4f", c->bleu[mask]);
	buf_add_char(out, '\n');
}

void
masking_curve_tsv(const struct masking_curve *c, const struct masking_curve_form *f,
		  struct buf *out)
{
	buf_printf(out, "order\tsite\theads\tretained\tnll%s\n", f->bleu ? "\tbleu" : "");
	for (size_t i = 0; i < c->n_orders; i++)
		for (size_t k = 0; k < c->n_points; k++)
			add_row(c, f, i, k, out);
}

void
masking_curve_sign(const struct masking_curve *c, const struct masking_curve_form *f,
		   int64_t sentences, struct writer *out)
{
	struct buf s = { 0 };

	buf_printf(&s, "heed|what:curve|site:%s|target:ref|random:%s", f->site,
		   f->stratified ? "stratified" : "plain");
	if (f->bleu)
		buf_printf(&s, "|beam:%d", f->beam);
	buf_printf(&s, "|sentences:%" PRId64 "|tokens:%" PRId64 "|version:%s", sentences,
		   c->tokens, cli_version());
	writer_set_meta(out, HEADER_SIGNATURE, s.data);
	buf_release(&s);
}
