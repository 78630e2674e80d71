/* table-cells: see table-cells.h. */
#include <math.h>
#include <string.h>

#include "results/outcome.h"
#include "results/table-cells.h"

bool
measure_of_count(const char *measure)
{
	return !strcmp(measure, "heads") || !strncmp(measure, "heads.", 6) ||
	       !strcmp(measure, "gates.fractional");
}

bool
measure_is_ranked(const char *measure)
{
	if (!strncmp(measure, "dev.", 4))
		return !strcmp(measure, "dev.nll");
	return !measure_of_count(measure) && strcmp(measure, "parameters") &&
	       strcmp(measure, "epochs") && strncmp(measure, "strength.", 9) &&
	       strcmp(measure, "crossing");
}

const char *
measure_label(const char *measure)
{
	static const struct { const char *measure, *label; } labels[] = {
		{ "bleu", "BLEU" }, { "sacrebleu", "sacreBLEU" }, { "chrf", "chrF" },
		{ "test.nll", "test NLL" }, { "dev.nll", "dev NLL" },
		{ "parameters", "parameters (millions)" }, { "steps", "updates/s" },
		{ "speed", "tokens/s" }, { "heads.enc-self", "encoder heads" },
		{ "heads.dec-self", "decoder heads" }, { "heads.cross", "cross-attention heads" },
		{ "crossing", "crossing share" },
		{ "gates.fractional", "fractional gates" }, { "uas.src", "source UAS" },
		{ "uas.tgt", "target UAS" }, { "strength.min", "minimum strength" },
		{ "strength.max", "maximum strength" }, { "strength.range", "range of strengths" },
		{ "dev.importance.winner.weight", "weight of the top head" },
		{ "dev.importance.winner.share", "share of the most frequent top head" }
	};

	for (size_t i = 0; i < sizeof(labels) / sizeof(*labels); i++)
		if (!strcmp(measure, labels[i].measure))
			return labels[i].label;
	return measure;
}

bool
is_first_of_measure(const struct grid_section *s, size_t i)
{
	for (size_t k = 0; k < i; k++)
		if (!strcmp(s->column[k].measure, s->column[i].measure))
			return false;
	return true;
}

/* Digits after the decimal point; for a count, those of a mean of counts. */
static int
decimals_of(const char *measure)
{
	if (!strcmp(measure, "test.nll") || !strcmp(measure, "dev.nll") ||
	    measure_of_other_test(measure))
		return 4;
	return !strcmp(measure, "parameters") ? 3 : measure_of_count(measure) ? 1 : 2;
}

static double
table_cells_unit_of(const char *measure)
{
	return !strcmp(measure, "parameters") ? 1e6 : 1;
}

static void
table_cells_put(struct buf *out, const char *measure, const char *plus, double v)
{
	if (isnan(v))
		return;
	if (measure_of_count(measure))
		buf_printf(out, "%s%.4g", plus, v);
	else
		buf_printf(out, "%s%.*f", plus, decimals_of(measure),
			   v / table_cells_unit_of(measure));
}

void
cell_value(struct buf *out, const char *measure, double v)
{
	table_cells_put(out, measure, "", v);
}

void
cell_signed(struct buf *out, const char *measure, double v)
{
	table_cells_put(out, measure, v >= 0 ? "+" : "", v);
}

/* Mean and deviation have the same number of decimals. */
void
cell_mean(struct buf *out, const char *measure, double mean, double deviation)
{
	if (isnan(deviation))
		cell_value(out, measure, mean);
	else
		buf_printf(out, "%.*f ± %.*f", decimals_of(measure),
			   mean / table_cells_unit_of(measure),
			   decimals_of(measure), deviation / table_cells_unit_of(measure));
}

void
cell_interval(struct buf *out, const char *measure, const struct difference *d)
{
	cell_signed(out, measure, d->mean);
	if (isnan(d->low))
		return;
	buf_add_str(out, " [");
	cell_signed(out, measure, d->low);
	buf_add_str(out, ", ");
	cell_signed(out, measure, d->high);
	buf_add_char(out, ']');
}

void
cell_paper(struct buf *out, const char *measure, double v)
{
	if (!isnan(v))
		buf_printf(out, measure_of_count(measure) ? "%.4g" : "%.2f", v);
}

void
cell_paper_signed(struct buf *out, double v)
{
	if (!isnan(v))
		buf_printf(out, "%+.2f", v);
}
