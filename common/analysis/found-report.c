/* found-report: see found-report.h. */
#include "analysis/found-report.h"

#include <inttypes.h>
#include <math.h>

#include "base/cli.h"
#include "stream/json-out.h"
#include "stream/signature.h"

/* How a measure is written. */
enum measure_form { AS_SHARE, AS_COUNT, AS_OFFSET };
static const struct found_form {
	const char *heads;		/* what the verdict calls them */
	struct { const char *name; enum measure_form form; } more[FOUND_MORE];
} found_forms[] = {
	[FOUND_SINK] = { "are sinks", { { "special", AS_SHARE }, { "punctuation", AS_SHARE },
					{ "first", AS_SHARE } } },
	[FOUND_COPY] = { "copy", { { "steps", AS_COUNT }, { "special", AS_SHARE },
				   { "content", AS_SHARE } } },
	[FOUND_POSITION] = { "are positional", { { "offset", AS_OFFSET },
						 { "confidence", AS_SHARE },
						 { "distance", AS_SHARE } } },
	[FOUND_SYNTAX] = { "are syntactic", { { "baseline", AS_SHARE }, { "gain", AS_SHARE },
					      { "arcs", AS_COUNT } } },
};

static const struct found_form *
found_form_of(const struct found_report *r)
{
	return &found_forms[r->heads->sought];
}

static void
put_measure(double x, enum measure_form form, int digits, struct buf *out)
{
	if (isnan(x))
		buf_add_char(out, '-');
	else if (form == AS_SHARE)
		buf_printf(out, "%.*f", digits, x);
	else
		buf_printf(out, form == AS_OFFSET && x != 0 ? "%+.0f" : "%.0f", x);
}

static void
put_found(const struct found_heads *f, struct buf *out)
{
	for (size_t i = 0; i < f->n_found; i++) {
		buf_add_str(out, i ? " " : "");
		head_name_put(f->roles.sites.site, f->row[i].at, out);
	}
}

static void
sign_found(const struct found_report *r, struct buf *out)
{
	const struct found_heads *f = r->heads;
	const bool syntax = f->sought == FOUND_SYNTAX;

	buf_printf(out, "heed|what:%s|site:%s|end:excl|content:all|target:%s",
		   found_whats[f->sought], syntax ? site_kinds[ENCODER_SELF] : "all",
		   f->target_rows ? "ref" : "none");
	if (syntax)
		buf_printf(out, "|unit:word|margin:%s:%g", f->roles.relative ? "rel" : "abs",
			   100 * f->roles.margin);
	if (r->model)
		signature_add(out, "model", r->model);
	buf_printf(out, "|sentences:%" PRId64 "|version:%s", f->sentences, cli_version());
}

/* --- tables --- */

static void
report_as_tsv(const struct found_report *r, struct buf *out)
{
	const struct found_heads *f = r->heads;
	const struct found_form *form = found_form_of(r);
	const char *name = found_whats[f->sought];
	const bool syntax = f->sought == FOUND_SYNTAX;

	buf_printf(out, "head\t%s\t%s.error%s", name, name, syntax ? "\trelation" : "");
	for (int k = 0; k < FOUND_MORE; k++)
		buf_printf(out, "\t%s", form->more[k].name);
	buf_add_char(out, '\n');
	for (size_t i = 0; i < f->n; i++) {
		const struct found_row *h = &f->row[i];

		head_name_put(f->roles.sites.site, h->at, out);
		buf_add_char(out, '\t');
		put_measure(h->value, AS_SHARE, 4, out);
		buf_add_char(out, '\t');
		put_measure(h->error, AS_SHARE, 4, out);
		if (syntax)
			buf_printf(out, "\t%s", *h->relation ? h->relation : "-");
		for (int k = 0; k < FOUND_MORE; k++) {
			buf_add_char(out, '\t');
			put_measure(h->more[k], form->more[k].form, 4, out);
		}
		buf_add_char(out, '\n');
	}
}

/* Appends what cell has, flush right, and clears it. */
static void
put_padded(struct buf *cell, int width, struct buf *out)
{
	buf_printf(out, " %*s", width, cell->n ? cell->data : "-");
	buf_clear(cell);
}

static void
put_text_row(const struct found_report *r, const struct found_row *h, struct buf *cell,
	     struct buf *out)
{
	const struct found_form *form = found_form_of(r);

	head_name_put(r->heads->roles.sites.site, h->at, cell);
	buf_printf(out, "%-14s", cell->data);
	buf_clear(cell);
	put_measure(h->value, AS_SHARE, 3, cell);
	if (!isnan(h->error))
		buf_printf(cell, " +- %.3f", h->error);
	put_padded(cell, 14, out);
	if (r->heads->sought == FOUND_SYNTAX) {
		buf_add_str(cell, h->relation);
		put_padded(cell, 14, out);
	}
	for (int k = 0; k < FOUND_MORE; k++) {
		put_measure(h->more[k], form->more[k].form, 3, cell);
		put_padded(cell, 11, out);
	}
	buf_add_char(out, '\n');
}

static void
put_found_verdict(const struct found_report *r, struct buf *out)
{
	const struct found_heads *f = r->heads;

	buf_printf(out, "verdict     %zu of %zu heads %s", f->n_found, f->n,
		   found_form_of(r)->heads);
	if (r->losses && r->losses->n > 2)
		buf_printf(out, "; the loss rises more without them than without %zu of %zu random "
			   "sets", set_losses_below(r->losses), r->losses->n - 2);
	buf_add_char(out, '\n');
}

static void
found_report_text(const struct found_report *r, struct buf *out)
{
	const struct found_heads *f = r->heads;
	struct buf cell = { 0 };

	buf_printf(out, "%-14s %14s", "head", found_whats[f->sought]);
	if (f->sought == FOUND_SYNTAX)
		buf_printf(out, " %14s", "relation");
	for (int k = 0; k < FOUND_MORE; k++)
		buf_printf(out, " %11s", found_form_of(r)->more[k].name);
	buf_add_char(out, '\n');
	for (size_t i = 0; i < f->n; i++)
		put_text_row(r, &f->row[i], &cell, out);
	buf_add_str(out, "set         ");
	put_found(f, out);
	buf_add_str(out, f->n_found ? "\n" : "none\n");
	if (r->losses)
		set_losses_text(r->losses, out);
	put_found_verdict(r, out);
	sign_found(r, out);
	buf_add_char(out, '\n');
	buf_release(&cell);
}

/* --- JSON --- */

static void
found_report_member(const char *name, double v, struct buf *out)
{
	if (isnan(v))
		return;
	buf_printf(out, ",\"%s\":", name);
	json_add_fixed(out, v);
}

static void
found_report_json(const struct found_report *r, struct buf *out)
{
	const struct found_heads *f = r->heads;
	struct buf signature = { 0 };

	buf_add_str(out, "{\"heads\":[");
	for (size_t i = 0; i < f->n; i++) {
		const struct found_row *h = &f->row[i];
		int number;
		const struct site *s = site_of_head(f->roles.sites.site, h->at, &number);

		buf_printf(out, "%s{\"site\":\"%s\",\"layer\":%d,\"head\":%d", i ? "," : "",
			   site_kinds[s->where], s->layer, number);
		found_report_member(found_whats[f->sought], h->value, out);
		found_report_member("error", h->error, out);
		if (*h->relation) {
			buf_add_str(out, ",\"relation\":");
			json_add_text(out, h->relation);
		}
		for (int k = 0; k < FOUND_MORE; k++)
			found_report_member(found_form_of(r)->more[k].name, h->more[k], out);
		buf_add_char(out, '}');
	}
	buf_add_str(out, "],\"set\":\"");
	put_found(f, out);
	buf_add_char(out, '"');
	sign_found(r, &signature);
	set_losses_end_json(r->losses, &signature, out);
	buf_release(&signature);
}

void
found_report_write(const struct found_report *r, enum aligning_form form, struct buf *out)
{
	switch (form) {
	case ALIGNING_TEXT: found_report_text(r, out); break;
	case ALIGNING_TSV: report_as_tsv(r, out); break;
	case ALIGNING_JSON: found_report_json(r, out); break;
	case ALIGNING_CTRANSLATE2: bug("only heads that align are exported");
	}
}
