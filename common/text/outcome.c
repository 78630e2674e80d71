/* outcome: see outcome.h. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/buf.h"
#include "base/mem.h"
#include "base/num.h"
#include "base/student.h"
#include "stream/input.h"
#include "text/outcome.h"

#define SIGNIFICANT 0.05
#define POOR_BLEU 1.0			/* below it systems share hardly more than full stops with
					 * the reference */

const char *const verdict_names[] = {
	"not run", "not confirmed", "both below BLEU 1: not decided", "inside the noise",
	"one run each: not decided", "confirmed"
};

bool
measure_of_loss(const char *measure)
{
	return !strcmp(measure, "dev.nll") || !strcmp(measure, "seconds");
}

/* --- columns --- */

static bool
same_corpus(const char *a, const char *b)
{
	const size_t n = strcspn(a, "@");

	return n == strcspn(b, "@") && !memcmp(a, b, n);
}

/* Of one corpus smaller ones first; corpora as they came. */
static size_t
place_of(const struct outcomes *o, const struct our_column *c)
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

void
outcomes_init(struct outcomes *o)
{
	for (size_t i = 0; i < o->n_runs; i++) {
		const struct our_column c = {
			.name = o->run[i].column, .pairs = facts_number(&o->run[i], "pairs.train")
		};
		size_t at = 0;

		while (at < o->n_columns && strcmp(o->column[at].name, c.name))
			at++;
		if (at < o->n_columns)
			continue;
		at = place_of(o, &c);
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
}

int
outcome_paper_column(const struct grid_section *s, const char *measure,
		     const struct our_column *ours)
{
	const char *pair;
	double least = INFINITY;
	int64_t size;
	size_t n;
	int best = -1;

	grid_split_column(ours->name, &pair, &n, &size);
	for (size_t i = 0; i < s->n_columns; i++) {
		const struct grid_column *c = &s->column[i];
		const bool like = strlen(c->pair) == n && !memcmp(c->pair, pair, n);
		const double ratio = c->size && ours->pairs > 0
				   ? fabs(log((double)c->size / ours->pairs)) : 0;
		const double apart = ratio + (like ? 0 : 1000);

		if (!strcmp(c->measure, measure) && strcmp(c->name, "-") && apart < least) {
			least = apart;
			best = (int)i;
		}
	}
	return best;
}

/* --- the paper's test --- */

/* Field i, from 0, of a line of fields with tabs between; "" where there is none. */
static const char *
field_at(const char *line, int i, size_t *n)
{
	for (; i > 0 && line; i--)
		line = (line = strchr(line, '\t')) ? line + 1 : NULL;
	*n = line ? strcspn(line, "\t") : 0;
	return line ? line : "";
}

static int
field_named(const char *head, const char *name)
{
	size_t n;

	for (int i = 0; *field_at(head, i, &n); i++)
		if (n == strlen(name) && !memcmp(field_at(head, i, &n), name, n))
			return i;
	return -1;
}

/* The last line of a table of bleu --paired --format tsv. */
static int
read_p(struct input *in, const char *name, double *p, struct err *e)
{
	struct buf head = { 0 }, last = { 0 };
	const char *line, *text;
	size_t n;
	int more, at;

	while ((more = input_line(in, &line, &n, e)) > 0) {
		struct buf *to = head.n ? &last : &head;

		buf_clear(to);
		buf_add(to, line, n);
	}
	at = !more && head.n && last.n ? field_named(head.data, name) : -1;
	if (!more && at < 0)
		more = err_set(e, EXIT_INPUT, "%s: no table with %s", input_name(in), name);
	if (!more) {
		text = field_at(last.data, at, &n);
		more = num_float(text, n, 0, 1, p, e) ? err_wrap(e, "%s: %s", input_name(in), name) : 0;
		e->status = EXIT_INPUT;
	}
	buf_release(&head);
	buf_release(&last);
	return more;
}

/* NAN if nobody compared them. */
static int
paper_test(const struct outcomes *o, const struct facts *run, const char *base, double *p,
	   struct err *e)
{
	static const char *const names[] = { "p_bootstrap", "p_sign" };
	char *path = xasprintf("%s/%s/%s/%s/%s/%s.tsv", o->versus ? o->versus : "", run->paper,
			       run->column, run->variant, run->seed, base);
	struct input *in = o->versus ? input_open(path, INPUT_UTF8, e) : NULL;
	int status = 0;

	*p = NAN;
	if (in)
		status = read_p(in, names[o->section->test], p, e);
	input_close(in);
	free(path);
	return status;
}

/* --- numbers --- */

static int
ascending(const void *a, const void *b)
{
	const double x = *(const double *)a, y = *(const double *)b;

	return (x > y) - (x < y);
}

static const struct facts *
run_of(const struct outcomes *o, const char *column, const char *variant, const char *seed)
{
	for (size_t i = 0; i < o->n_runs; i++)
		if (!strcmp(o->run[i].column, column) && !strcmp(o->run[i].variant, variant) &&
		    !strcmp(o->run[i].seed, seed))
			return &o->run[i];
	return NULL;
}

/* What is compared, seed by seed: n values, n_d differences with the p of each, or NAN. */
struct samples {
	double *value, *d, *p;
	size_t n, n_d;
	double row, base;		/* sums of what the differences are of */
};

static int
gather(const struct outcomes *o, const char *variant, const char *base, const char *column,
       const char *measure, struct samples *s, struct buf *text, struct err *e)
{
	for (size_t i = 0; i < o->n_runs; i++) {
		const struct facts *run = &o->run[i], *other;
		const double v = facts_number(run, measure);
		double *p = &s->p[s->n_d];

		if (strcmp(run->column, column) || strcmp(run->variant, variant) || isnan(v))
			continue;
		s->value[s->n++] = v;
		other = base ? run_of(o, column, base, run->seed) : NULL;
		if (!other || isnan(facts_number(other, measure)))
			continue;
		s->d[s->n_d++] = v - facts_number(other, measure);
		s->row += v;
		s->base += facts_number(other, measure);
		*p = NAN;
		if (!strcmp(measure, "bleu") && o->section->within == 0 &&
		    paper_test(o, run, base, p, e))
			return -1;
		if (!isnan(*p) && text)
			buf_printf(text, "%s%.4f", text->n ? " " : "", *p);
	}
	return 0;
}

/*
 * Of what has not learned to translate nothing can be said: differences are of chance, and a
 * margin may be all that there is to lose.
 */
static bool
is_poor(const struct outcome *r, const char *measure)
{
	return (!strcmp(measure, "bleu") || !strcmp(measure, "sacrebleu")) && r->better < POOR_BLEU;
}

/*
 * Confirmed is better by t over the seeds and by the paper's test, not confirmed is worse by both;
 * a test that was not made is none to pass, and none is made of what need not be better.
 */
static enum verdict
judge(const struct outcome *r, const char *measure)
{
	const bool loss = measure_of_loss(measure);
	const bool tested = isnan(r->p) || r->p < SIGNIFICANT;

	if (!r->pairs)
		return VERDICT_NOT_RUN;
	if (is_poor(r, measure))
		return VERDICT_POOR;
	if (r->pairs == 1)
		return VERDICT_ONE_RUN;
	if (tested && r->p_t < SIGNIFICANT)
		return VERDICT_CONFIRMED;
	if (tested && r->p_t > 1 - SIGNIFICANT && (loss ? r->difference > 0 : r->difference < 0))
		return VERDICT_NOT_CONFIRMED;
	return VERDICT_NOISE;
}

/* The median p, of two the larger; a seed that says the opposite of the mean speaks against it. */
static double
median_p(const struct samples *s, double mean)
{
	size_t n = 0;

	for (size_t i = 0; i < s->n_d; i++)
		if (!isnan(s->p[i]))
			s->p[n++] = s->d[i] * mean < 0 ? 1 : s->p[i];
	qsort(s->p, n, sizeof(*s->p), ascending);
	return n ? s->p[n / 2] : NAN;
}

static void
compare(struct outcome *r, const struct samples *s, bool loss, double within)
{
	const struct moments d = moments_of(s->d, s->n_d);
	const double t = (loss ? -d.mean : d.mean) + within;

	r->pairs = s->n_d;
	r->difference = d.mean;
	r->better = fmax(s->row, s->base) / (double)s->n_d;
	if (s->n_d > 1) {
		r->error = d.deviation / sqrt((double)s->n_d);
		if (r->error > 0)
			r->p_t = student_above(t / r->error, (double)(s->n_d - 1));
		else
			r->p_t = t > 0 ? 0 : t < 0 ? 1 : 0.5;
	}
	r->p = median_p(s, d.mean);
}

static double
paper_difference(const struct grid_section *s, const struct grid_row *row, const char *base,
		 int column)
{
	for (size_t i = 0; i < s->n_rows && base && column >= 0; i++)
		if (!strcmp(s->row[i].variant, base))
			return row->paper[column] - s->row[i].paper[column];
	return NAN;
}

int
outcome_of(const struct outcomes *o, const struct grid_row *row, const char *base,
	   const struct our_column *ours, const char *measure, int column, struct outcome *r,
	   struct err *e)
{
	struct samples s = {
		.value = xcalloc(o->n_runs + 1, sizeof(double)),
		.d = xcalloc(o->n_runs + 1, sizeof(double)),
		.p = xcalloc(o->n_runs + 1, sizeof(double))
	};
	const bool loss = measure_of_loss(measure);
	int status;

	*r = (struct outcome) {
		.mean = NAN, .deviation = NAN, .difference = NAN, .error = NAN, .better = NAN,
		.p_t = NAN, .p = NAN, .paper = column < 0 ? NAN : row->paper[column],
		.p_seeds = r->p_seeds,
		.paper_difference = paper_difference(o->section, row, base, column)
	};
	status = gather(o, row->variant, base, ours->name, measure, &s, r->p_seeds, e);
	if (s.n) {
		const struct moments m = moments_of(s.value, s.n);

		r->runs = s.n;
		r->mean = m.mean;
		r->deviation = s.n > 1 ? m.deviation : NAN;
	}
	if (s.n_d)
		compare(r, &s, loss, o->section->within);
	if (base)
		r->verdict = judge(r, measure);
	free(s.value);
	free(s.d);
	free(s.p);
	return status;
}
