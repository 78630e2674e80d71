/* claims-table: see claims-table.h.  heed-report shows these cells, too: see page-claims.c. */
#include <math.h>
#include <string.h>

#include "base/strmap.h"
#include "results/claims-notes.h"
#include "results/claims-table.h"
#include "results/host-group.h"

/* For programs, however small. */
static void
put_p(struct buf *out, double p)
{
	if (!isnan(p))
		buf_printf(out, p < 0.0001 ? "%.3g" : "%.4f", p);
}

/* For readers: no p is 0. */
static void
put_brief_p(struct buf *out, double p)
{
	if (!isnan(p))
		buf_printf(out, p < 0.0001 ? "< 0.0001" : "%.4f", p);
}

/* Age of the models: "28" or "23-30" epochs. */
static void
put_epochs(const struct claim_base *x, struct buf *out)
{
	if (isnan(x->epochs_low))
		return;
	if (floor(x->epochs_low) < floor(x->epochs_high))
		buf_printf(out, "%.0f-%.0f", floor(x->epochs_low), floor(x->epochs_high));
	else
		buf_printf(out, "%.0f", floor(x->epochs_low));
}

/*
 * --- further test sets ---
 *
 * A run may have the NLL of test sets besides the main one (heed-record --also).  They decide
 * nothing: of a decided claim, they show whether another sample of sentences has the same sign.
 */

/* The measures of the further test sets that any run has. */
static void
list_other_tests(const struct outcomes *o, struct strmap *measures)
{
	for (size_t i = 0; i < o->n_runs; i++)
		for (size_t k = 0; k < o->run[i].n; k++) {
			const char *name = o->run[i].fact[k].name;

			if (measure_of_other_test(name))
				strmap_add(measures, name, strlen(name));
		}
}

/*
 * Appends "NAME DIFFERENCE [LOW, HIGH]; ..." for each further test set that runs of both systems
 * have, with 95% intervals by the model of the host group; nothing for a claim that is neither
 * confirmed nor reversed, or that is not a claim on BLEU that NLL decides.
 */
static void
put_other_tests(const struct claim *c, const struct outcomes *o, struct buf *out)
{
	const struct claim_base *x = &c->against[c->weakest];
	const char *before = "";
	struct strmap measures = { 0 };

	if (claim_primary(c) == c->measure ||
	    (c->verdict != VERDICT_CONFIRMED && c->verdict != VERDICT_REVERSED))
		return;
	list_other_tests(o, &measures);
	for (size_t i = 0; i < measures.n; i++) {
		const char *measure = strmap_text(&measures, (int)i, NULL);
		const struct group_pair pair = {
			.variant = c->row->variant, .base = x->base, .column = c->column,
			.measure = measure
		};
		const struct difference d = group_difference(o, &pair);

		if (isnan(d.mean))
			continue;
		buf_printf(out, "%s%.*s ", before,
			   (int)(strlen(measure) - strlen(OTHER_TEST) - strlen(".nll")),
			   measure + strlen(OTHER_TEST));
		cell_interval(out, measure, &d);
		before = "; ";
	}
	strmap_release(&measures);
}

/* --- every value, one line per comparison --- */

static const char all_head[] =
	"section\tclaim\tvariant\tagainst\tdecides\tcolumn\tmeasure\tseeds\tepochs\t"
	"difference\tlow\thigh\tdetectable\tp\tp of Holm\tlevel\t"
	"BLEU difference\tBLEU low\tBLEU high\tBLEU detectable\tpaper's difference\t"
	"test\tp of test\tp of test, each seed\tverdict\tseeds to decide\t"
	"standard error\tdegrees of freedom\tvariance\tfamily\tother test sets\n";

static void
put_difference(const struct claim *c, const char *measure, const struct difference *d,
	       struct buf *out)
{
	cell_signed(cell_begin(out), measure, d->mean);
	cell_signed(cell_begin(out), measure, d->low);
	cell_signed(cell_begin(out), measure, d->high);
	cell_value(cell_begin(out), measure, claim_detectable(c, d));
}

/* The standard error and its degrees of freedom, and whose variance it is; the family. */
static void
put_model(const struct claim *c, const struct difference *d, struct buf *out)
{
	if (!isnan(d->error))
		buf_printf(out, "\t%.6g\t%.4g\t%s", d->error, d->df, d->own ? "own" : "pooled");
	else
		buf_add_str(out, "\t\t\t");
	buf_printf(out, "\t%s\t", c->section->family);
}

static void
put_verdict(const struct claim *c, struct buf *out)
{
	verdict_put(out, c->verdict, &c->against[c->weakest].evidence, c->seeds);
}

static void
all_line(const struct outcomes *o, const struct claim *c, size_t b, struct buf *out)
{
	const struct claim_base *x = &c->against[b];
	const struct evidence *v = &x->evidence;
	const bool decides = b == c->weakest;

	buf_printf(out, "%s\t%s\t%s\t%s\t%s\t%s\t%s\t%zu", c->section->name, c->row->label,
		   c->row->variant, x->base, decides ? "yes" : "", c->column->name,
		   claim_primary(c), v->primary.n);
	put_epochs(x, cell_begin(out));
	put_difference(c, claim_primary(c), &v->primary, out);
	put_p(cell_begin(out), v->primary.p);
	put_p(cell_begin(out), v->p);
	put_p(cell_begin(out), decides ? c->level : NAN);
	put_difference(c, c->measure, &v->secondary, out);
	cell_signed(cell_begin(out), c->measure, v->effect);
	buf_printf(out, "\t%s", isnan(x->p_test) ? "" : grid_tests[c->section->test]);
	put_p(cell_begin(out), x->p_test);
	buf_printf(out, "\t%s\t", x->p_seeds.n ? x->p_seeds.data : "");
	if (decides)
		put_verdict(c, out);
	buf_add_char(out, '\t');
	if (decides && c->seeds)
		buf_printf(out, "%zu", c->seeds);
	put_model(c, &v->primary, out);
	if (decides)
		put_other_tests(c, o, out);
	buf_add_char(out, '\n');
}

/* --- for readers, one line per claim --- */

static const char brief_head[] =
	"claim\tsystems\tcorpus\tseeds\tepochs\tdifference [95% CI]\tadjusted p\t"
	"detectable difference\tBLEU difference [95% CI]\tdetectable BLEU difference\t"
	"paper's difference\tp of the paper's test\tother test sets\tverdict\n";

static void
brief_line(const struct outcomes *o, const struct claim *c, struct buf *out)
{
	const struct grid *g = o->grid;
	const struct claim_base *x = &c->against[c->weakest];
	const struct evidence *v = &x->evidence;
	const char *primary = claim_primary(c);

	buf_printf(out, "%s\t%s > %s\t%s\t%zu", c->row->label,
		   grid_label(g, c->row->variant, x->base), grid_label(g, x->base, c->row->variant),
		   c->column->name, v->primary.n);
	put_epochs(x, cell_begin(out));
	buf_printf(out, "\t%s",
		   !isnan(v->primary.mean) && primary != c->measure ? "NLL " : "");
	cell_interval(out, primary, &v->primary);
	put_brief_p(cell_begin(out), v->p);
	cell_value(cell_begin(out), primary, claim_detectable(c, &v->primary));
	cell_interval(cell_begin(out), c->measure, &v->secondary);
	cell_value(cell_begin(out), c->measure, claim_detectable(c, &v->secondary));
	cell_signed(cell_begin(out), c->measure, v->effect);
	put_brief_p(cell_begin(out), x->p_test);
	if (x->p_seeds.n)
		buf_printf(out, " (seeds: %s)", x->p_seeds.data);
	put_other_tests(c, o, cell_begin(out));
	put_verdict(c, cell_begin(out));
	buf_add_char(out, '\n');
}

int
claims_table(const struct outcomes *o, bool all, struct buf *out, struct buf *notes,
	     struct err *e)
{
	struct claims c;
	const int status = claims_judge(&c, o, e);

	if (!status)
		buf_add_str(out, all ? all_head : brief_head);
	for (size_t i = 0; i < c.n && !status; i++) {
		const struct claim *k = &c.claim[i];

		if (k->section != o->section)
			continue;
		for (size_t b = 0; b < k->row->n_bases && all; b++)
			all_line(o, k, b, out);
		if (!all)
			brief_line(o, k, out);
	}
	if (!status && notes)
		claims_notes(&c, o, o->section, notes);
	claims_release(&c);
	return status;
}
