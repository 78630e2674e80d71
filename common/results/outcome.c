/* outcome: see outcome.h. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/mem.h"
#include "base/num.h"
#include "results/host-group.h"
#include "results/ledger.h"
#include "results/outcome.h"
#include "scores/moments.h"

/* --- measures --- */

bool
measure_of_loss(const char *measure)
{
	return !strcmp(measure, "test.nll") || !strcmp(measure, "dev.nll") ||
	       !strcmp(measure, "seconds") || measure_of_other_test(measure);
}

bool
measure_of_other_test(const char *measure)
{
	const size_t n = strlen(measure), prefix = strlen(OTHER_TEST);

	return n > prefix + 4 && !strncmp(measure, OTHER_TEST, prefix) &&
	       !strcmp(measure + n - 4, ".nll");
}

bool
measure_of_bleu(const char *measure)
{
	return !strcmp(measure, "bleu") || !strcmp(measure, "sacrebleu");
}

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

/* --- numbers --- */

/* Other numbers have 15 digits at most. */
static const struct range { const char *name; double min, max; } ranges[] = {
	{ "bleu", 0, 100 }, { "sacrebleu", 0, 100 }, { "chrf", 0, 100 },
	{ "test.nll", 0, 200000 }, { "dev.nll", 0, 200000 }, { NULL, -1e15, 1e15 }
};

int
outcome_check_number(const struct facts *f, const char *name, struct err *e)
{
	const char *value = facts_find(f, name);
	const struct range *r = ranges;
	struct err bad;
	double v;

	while (r->name && strcmp(r->name, measure_of_other_test(name) ? "test.nll" : name))
		r++;
	if (!value || !num_float(value, strlen(value), r->min, r->max, &v, &bad))
		return 0;
	return err_set(e, EXIT_INPUT, "%s: %s '%s', expected a number from %g to %g", f->path,
		       name, value, r->min, r->max);
}

/* The claims of all sections are judged together. */
static bool
is_used(const struct outcomes *o, const struct grid_section *s)
{
	return s == o->section ||
	       (grid_is_claims(s) && (!o->section || grid_is_claims(o->section)));
}

static int
check_other_tests(const struct facts *f, struct err *e)
{
	for (size_t i = 0; i < f->n; i++)
		if (measure_of_other_test(f->fact[i].name) &&
		    outcome_check_number(f, f->fact[i].name, e))
			return -1;
	return 0;
}

/* CORPUS.PAIR or CORPUS.PAIR@SIZE, where PAIR has two languages. */
static int
check_run_column(const struct facts *f, struct err *e)
{
	const char *pair, *dash;
	int64_t size;
	size_t n;

	grid_split_column(f->column, &pair, &n, &size);
	dash = memchr(pair, '-', n);
	if (pair > f->column + 1 && dash > pair && dash + 1 < pair + n && !memchr(pair, '@', n) &&
	    size >= 0)
		return 0;
	return err_set(e, EXIT_INPUT, "%s: column '%s', expected corpus.pair or corpus.pair@size, "
		       "such as t.en-de", f->path, f->column);
}

int
outcomes_check(const struct outcomes *o, struct err *e)
{
	for (size_t i = 0; i < o->n_runs; i++) {
		if (check_run_column(&o->run[i], e) ||
		    outcome_check_number(&o->run[i], "test.nll", e) ||
		    outcome_check_number(&o->run[i], "epochs", e) ||
		    outcome_check_number(&o->run[i], "pairs.train", e) ||
		    check_other_tests(&o->run[i], e))
			return -1;
		for (int k = 0; k < 2; k++)
			if (o->also[k] && outcome_check_number(&o->run[i], o->also[k], e))
				return -1;
		for (size_t k = 0; k < o->grid->n; k++) {
			const struct grid_section *s = &o->grid->section[k];

			for (size_t c = 0; is_used(o, s) && c < s->n_columns; c++)
				if (outcome_check_number(&o->run[i], s->column[c].measure, e))
					return -1;
		}
	}
	return 0;
}

/* --- columns --- */

static bool
same_corpus(const char *a, const char *b)
{
	const size_t n = grid_corpus_length(a);

	return n == grid_corpus_length(b) && !memcmp(a, b, n);
}

/* Where to insert a column: corpora in the order of their first run, within one by size. */
static size_t
outcome_place_of(const struct outcomes *o, const struct our_column *c)
{
	size_t i = o->n_columns;

	while (i > 0 && !same_corpus(o->column[i - 1].name, c->name))
		i--;
	if (!i)
		return o->n_columns;
	while (i > 0 && same_corpus(o->column[i - 1].name, c->name) &&
	       o->column[i - 1].pairs > c->pairs)
		i--;
	return i;
}

static int
by_seed(const void *a, const void *b)
{
	const struct facts *x = a, *y = b;
	const double p = strtod(x->seed, NULL), q = strtod(y->seed, NULL);

	return p != q ? (p > q) - (p < q) : strcmp(x->seed, y->seed);
}

void
outcomes_init(struct outcomes *o)
{
	qsort(o->run, o->n_runs, sizeof(*o->run), by_seed);
	o->training = xcalloc(o->n_runs + 1, sizeof(*o->training));
	for (size_t i = 0; i < o->n_runs; i++)
		while (o->training[i] < i &&
		       !ledger_same_training(&o->run[o->training[i]], &o->run[i]))
			o->training[i]++;
	for (size_t i = 0; i < o->n_runs; i++) {
		const struct our_column c = {
			.name = o->run[i].column, .pairs = facts_number(&o->run[i], "pairs.train")
		};
		size_t at = 0;

		while (at < o->n_columns && strcmp(o->column[at].name, c.name))
			at++;
		if (at < o->n_columns)
			continue;
		at = outcome_place_of(o, &c);
		o->column = xreallocarray(o->column, o->n_columns + 1, sizeof(c));
		memmove(&o->column[at + 1], &o->column[at], (o->n_columns - at) * sizeof(c));
		o->column[at] = c;
		o->n_columns++;
	}
}

void
outcomes_release(struct outcomes *o)
{
	free(o->column);
	free(o->training);
}

int
outcome_paper_column(const struct grid_section *s, const char *measure,
		     const struct our_column *ours)
{
	const char *pair;
	double min_distance = INFINITY;
	int64_t size;
	size_t n;
	int best = -1;

	grid_split_column(ours->name, &pair, &n, &size);
	for (size_t i = 0; i < s->n_columns; i++) {
		const struct grid_column *c = &s->column[i];
		const bool like = strlen(c->pair) == n && !memcmp(c->pair, pair, n);
		const double ratio = c->size && ours->pairs > 0
				   ? fabs(log((double)c->size / ours->pairs)) : 0;
		const double distance = ratio + (like ? 0 : 1000);

		if (!strcmp(c->measure, measure) && strcmp(c->name, "-") &&
		    distance < min_distance) {
			min_distance = distance;
			best = (int)i;
		}
	}
	return best;
}

bool
is_first_of_measure(const struct grid_section *s, size_t i)
{
	for (size_t k = 0; k < i; k++)
		if (!strcmp(s->column[k].measure, s->column[i].measure))
			return false;
	return true;
}

/* --- the paper's numbers --- */

/* The paper's number in row a minus that in row b; NAN if one is missing. */
static double
section_effect(const struct grid_section *s, int column, const char *a, const char *b)
{
	double of_a = NAN, of_b = NAN;

	for (size_t i = 0; i < s->n_rows && column >= 0; i++) {
		if (!strcmp(s->row[i].variant, a))
			of_a = s->row[i].paper[column];
		if (!strcmp(s->row[i].variant, b))
			of_b = s->row[i].paper[column];
	}
	return of_a - of_b;
}

double
outcomes_paper_effect(const struct outcomes *o, const char *paper, const char *variant,
		      const char *base, const char *measure, const struct our_column *ours)
{
	for (size_t i = 0; i < o->grid->n; i++) {
		const struct grid_section *s = &o->grid->section[i];
		const double d = section_effect(s, outcome_paper_column(s, measure, ours), variant,
						base);

		if (!isnan(d) && !strcmp(s->paper, paper))
			return d;
	}
	return NAN;
}

/* --- runs --- */

static const struct facts *
run_of(const struct outcomes *o, const char *column, const char *variant, const char *seed)
{
	for (size_t i = 0; i < o->n_runs; i++)
		if (!strcmp(o->run[i].column, column) && !strcmp(o->run[i].variant, variant) &&
		    !strcmp(o->run[i].seed, seed))
			return &o->run[i];
	return NULL;
}

size_t
outcomes_pairs(const struct outcomes *o, const char *variant, const char *base,
	       const struct our_column *ours, const char *measure, struct run_pair *pair)
{
	size_t n = 0;

	for (size_t i = 0; i < o->n_runs; i++) {
		const struct facts *run = &o->run[i], *other;

		if (strcmp(run->column, ours->name) || strcmp(run->variant, variant) ||
		    isnan(facts_number(run, measure)))
			continue;
		other = run_of(o, ours->name, base, run->seed);
		if (!other || isnan(facts_number(other, measure)))
			continue;
		pair[n++] = (struct run_pair) {
			.run = run, .base = other,
			.d = facts_number(run, measure) - facts_number(other, measure)
		};
	}
	return n;
}

bool
outcomes_same_tokens(const struct run_pair *pair, size_t n)
{
	for (size_t i = 0; i < n; i++)
		if (ledger_masked(pair[i].run) != ledger_masked(pair[i].base))
			return false;
	return true;
}

/* Not so test.nll over different tokens. */
static bool
is_comparable(const struct outcomes *o, const struct group_pair *c)
{
	struct run_pair *pair;
	bool same;

	if (strcmp(c->measure, "test.nll"))
		return true;
	pair = xcalloc(o->n_runs + 1, sizeof(*pair));
	same = outcomes_same_tokens(pair, outcomes_pairs(o, c->variant, c->base, c->column,
							 c->measure, pair));
	free(pair);
	return same;
}

struct outcome
outcome_of(const struct outcomes *o, const struct grid_row *row, const char *base,
	   const struct our_column *ours, const char *measure, int column)
{
	const struct group_pair c = {
		.variant = row->variant, .base = base, .column = ours, .measure = measure
	};
	double *value = xcalloc(o->n_runs + 1, sizeof(*value));
	struct outcome r = {
		.mean = NAN, .deviation = NAN, .paper = column < 0 ? NAN : row->paper[column],
		.difference = no_difference,
		.paper_difference = base
			? section_effect(o->section, column, row->variant, base) : NAN
	};

	for (size_t i = 0; i < o->n_runs; i++) {
		const struct facts *run = &o->run[i];
		const double v = facts_number(run, measure);

		if (!strcmp(run->column, ours->name) && !strcmp(run->variant, row->variant) &&
		    !isnan(v))
			value[r.runs++] = v;
	}
	if (r.runs) {
		const struct moments m = moments_of(value, r.runs);

		r.mean = m.mean;
		r.deviation = r.runs > 1 ? m.deviation : NAN;
	}
	if (base && is_comparable(o, &c))
		r.difference = group_difference(o, &c);
	free(value);
	return r;
}

/* --- cells --- */

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
cell_unit_of(const char *measure)
{
	return !strcmp(measure, "parameters") ? 1e6 : 1;
}

struct buf *
cell_begin(struct buf *out)
{
	buf_add_char(out, '\t');
	return out;
}

static void
cell_put(struct buf *out, const char *measure, const char *plus, double v)
{
	if (isnan(v))
		return;
	if (measure_of_count(measure))
		buf_printf(out, "%s%.4g", plus, v);
	else
		buf_printf(out, "%s%.*f", plus, decimals_of(measure),
			   v / cell_unit_of(measure));
}

void
cell_value(struct buf *out, const char *measure, double v)
{
	cell_put(out, measure, "", v);
}

void
cell_plain(struct buf *out, const char *measure, double v)
{
	buf_printf(out, "%.6g", v / cell_unit_of(measure));
}

void
cell_signed(struct buf *out, const char *measure, double v)
{
	cell_put(out, measure, v >= 0 ? "+" : "", v);
}

/* Mean and deviation have the same number of decimals. */
void
cell_mean(struct buf *out, const char *measure, double mean, double deviation)
{
	if (isnan(deviation))
		cell_value(out, measure, mean);
	else
		buf_printf(out, "%.*f ± %.*f", decimals_of(measure),
			   mean / cell_unit_of(measure),
			   decimals_of(measure), deviation / cell_unit_of(measure));
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
