/* run-cost: see run-cost.h. */
#include <glob.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/buf.h"
#include "base/escape.h"
#include "base/mem.h"
#include "base/regular.h"
#include "results/facts.h"
#include "results/run-cost.h"
#include "results/wanted.h"
#include "scores/median.h"
#include "stream/cells.h"
#include "stream/stream.h"

#define SPEED 2e10			/* operations per second, without any measurement */
/* Operations per parameter and token, and guesses: vocabulary size, pairs and tokens per epoch. */
enum { PER_TOKEN = 6, VOCABULARY = 8000, PAIRS = 25000, EPOCH = 1000000 };
/* The parts of PAPER/COLUMN/VARIANT/SEED by which runs are alike; of PAPER/search/COLUMN/NAME. */
enum { PAPER, COLUMN, VARIANT, SEARCHED = 2 };

/* Part i of PAPER/COLUMN/VARIANT/SEED. */
static struct str
run_cost_part(const char *name, int i)
{
	for (; i > 0; i--)
		name += strcspn(name, "/") + 1;
	return (struct str){ name, strcspn(name, "/") };
}

static bool
same_part(const char *a, const char *b, int i)
{
	return str_same(run_cost_part(a, i), run_cost_part(b, i));
}

/* The SIZE of a column CORPUS.PAIR@SIZE, or 0; *corpus is CORPUS.PAIR. */
static double
run_size_of(const char *name, struct str *corpus)
{
	const struct str column = *corpus = run_cost_part(name, COLUMN);
	char *end;

	for (size_t i = column.n; i > 0; i--)
		if (column.s[i - 1] == '@') {
			const double size = strtod(column.s + i, &end);

			if (end != column.s + column.n || !(size > 0))
				return 0;
			corpus->n = i - 1;
			return size;
		}
	return 0;
}

/* Whether the columns are the same, or samples of the same corpus. */
static bool
run_same_corpus(const char *a, const char *b)
{
	struct str x, y;

	run_size_of(a, &x);
	run_size_of(b, &y);
	return str_same(x, y);
}

/* Whether run a is of the paper and column of run b, and of this variant. */
static bool
is_variant(const char *a, const char *b, struct str variant)
{
	return same_part(a, b, PAPER) && same_part(a, b, COLUMN) &&
	       str_same(run_cost_part(a, VARIANT), variant);
}

static bool
same_system(const char *a, const char *b)
{
	return is_variant(a, b, run_cost_part(b, VARIANT));
}

/* --- from settings --- */

/* The positive number after the last occurrence of key in the settings, or fallback. */
static double
number_after(const char *settings, const char *key, double fallback)
{
	const size_t n = strlen(key);

	for (const char *s = settings; (s = strstr(s, key)); s += n) {
		char *end;
		const double v = strtod(s + n, &end);

		if (end > s + n && v > 0 && (s == settings || strchr(" ,", s[-1])))
			fallback = v;
	}
	return fallback;
}

static double
parameters_of(const char *settings)
{
	static const struct { const char *name; double layers, width, ff; } size[] = {
		{ "--size tiny", 2, 64, 128 }, { "--size base", 6, 512, 2048 },
		{ "--size iwslt", 6, 512, 1024 }, { "--size big", 6, 1024, 4096 },
		{ "--size small", 3, 256, 1024 }
	};
	size_t i = 0;
	double width, ff, enc, dec;

	while (i < 4 && !strstr(settings, size[i].name))
		i++;
	width = number_after(settings, "width=", size[i].width);
	ff = number_after(settings, "ff=", size[i].ff);
	enc = number_after(settings, "enc_layers=", size[i].layers);
	dec = number_after(settings, "dec_layers=", size[i].layers);
	return enc * (4 * width * width + 2 * width * ff) +
	       dec * (8 * width * width + 2 * width * ff) + VOCABULARY * width;
}

/* Mean updates of the runs of the paper and column of name, and of a variant. */
static double
updates_of(const struct run_costs *c, const char *name, struct str variant)
{
	double sum = 0;
	size_t k = 0;

	for (size_t i = 0; i < c->n; i++)
		if (is_variant(c->entry[i].name, name, variant) && c->entry[i].updates > 0) {
			sum += c->entry[i].updates;
			k++;
		}
	return k ? sum / (double)k : 0;
}

struct mean {
	double sum;
	size_t n;
};

static void
mean_add(struct mean *m, double x)
{
	m->sum += x;
	m->n++;
}

/*
 * Tokens of one epoch of the column of name: the mean over its runs; else, of a sample of SIZE
 * pairs, SIZE times the mean number of tokens of a pair in the runs on the corpus; else, of a
 * variant that was trained elsewhere, those of as many pairs as a guess (linearized trees are
 * longer than sentences); or a guess.
 */
static double
epoch_of(const struct run_costs *c, const char *name)
{
	struct str corpus;
	struct mean column = { 0 }, pair = { 0 }, alike = { 0 };
	const double size = run_size_of(name, &corpus);

	for (size_t i = 0; i < c->n; i++) {
		const struct run_cost_entry *r = &c->entry[i];
		const double epoch = r->tokens / r->epochs;

		if (!(r->epochs > 0 && r->tokens > 0))
			continue;
		if (same_part(r->name, name, COLUMN))
			mean_add(&column, epoch);
		if (r->pairs > 0 && run_same_corpus(r->name, name))
			mean_add(&pair, epoch / r->pairs);
		if (r->pairs > 0 && same_part(r->name, name, VARIANT))
			mean_add(&alike, epoch / r->pairs);
	}
	if (column.n)
		return column.sum / (double)column.n;
	if (pair.n && size > 0)
		return size * pair.sum / (double)pair.n;
	return alike.n ? PAIRS * alike.sum / (double)alike.n : EPOCH;
}

/* Tokens of both sides, up to the limit that is reached first; early stopping is not known. */
static double
limit_of(const struct run_costs *c, const char *name, const char *settings, double updates)
{
	const double batches = 2 * updates * number_after(settings, "--batch-tokens ", 4096);
	const double epochs = number_after(settings, "--epochs ", updates > 0 ? INFINITY : 10);
	const double passes = epochs * epoch_of(c, name);

	return updates > 0 && batches < passes ? batches : passes;
}

/* Tokens of a planned run of the paper and column of name, and of a variant; or 0. */
static double
planned_tokens(const struct run_costs *c, const char *name, struct str variant)
{
	for (size_t i = 0; i < c->n_planned; i++) {
		const struct run_cost_plan *p = &c->planned[i];

		if (is_variant(p->name, name, variant))
			return limit_of(c, p->name, p->settings,
					number_after(p->settings, "--updates ", 0));
	}
	return 0;
}

/* "--updates @VARIANT+N" is N more than those of a variant. */
static double
tokens_of(const struct run_costs *c, const char *name, const char *settings)
{
	static const char key[] = "--updates @";
	const char *at = strstr(settings, key), *end;
	struct str variant;
	double updates, more;

	if (!at)
		return limit_of(c, name, settings, number_after(settings, "--updates ", 0));
	at += sizeof(key) - 1;
	variant = (struct str){ at, strcspn(at, "+ ") };
	end = at + variant.n;
	more = *end == '+' ? strtod(end + 1, NULL) : 0;
	updates = updates_of(c, name, variant);
	return limit_of(c, name, settings, updates + more) +
	       (updates > 0 ? 0 : planned_tokens(c, name, variant));
}

static double
operations_of(const struct run_costs *c, const char *name, const char *settings)
{
	return PER_TOKEN * parameters_of(settings) * tokens_of(c, name, settings);
}

/* Of a run in the ledger, which may have stopped early. */
static double
operations_done(const struct run_costs *c, const struct run_cost_entry *r)
{
	return r->tokens > 0 ? PER_TOKEN * r->parameters * r->tokens
			     : operations_of(c, r->name, r->settings);
}

/* --- from the ledger --- */

static void
add_entry(struct run_costs *c, const char *path, bool elsewhere)
{
	struct facts f = { .n = 0 };
	struct err e;
	double seconds;

	if (!regular_check(path, &e) && !facts_read(&f, path, &e) &&
	    (seconds = facts_number(&f, "seconds")) > 0) {
		const char *settings = facts_find(&f, "settings");

		c->entry = xreallocarray(c->entry, c->n + 1, sizeof(*c->entry));
		c->entry[c->n++] = (struct run_cost_entry) {
			.name = xasprintf("%s/%s/%s/%s", f.paper, f.column, f.variant, f.seed),
			.settings = xstrdup(settings ? settings : ""),
			.elsewhere = elsewhere, .seconds = seconds,
			.tokens = facts_number(&f, "tokens"),
			.epochs = facts_number(&f, "epochs"),
			.updates = facts_number(&f, "updates"),
			.pairs = facts_number(&f, "pairs.train"),
			.parameters = parameters_of(settings ? settings : "")
		};
	}
	facts_release(&f);
}

void
run_costs_add(struct run_costs *c, const char *ledger, bool elsewhere)
{
	const size_t n = c->n;
	struct buf pattern = { 0 };
	glob_t found;

	escape_glob(&pattern, ledger);
	buf_add_str(&pattern, "/*/run/*/*/*/record");
	if (!glob(pattern.data, 0, NULL, &found)) {
		for (size_t i = 0; i < found.gl_pathc; i++)
			add_entry(c, found.gl_pathv[i], elsewhere);
		globfree(&found);
	}
	buf_release(&pattern);
	for (size_t i = n; i < c->n; i++)
		c->entry[i].operations = operations_done(c, &c->entry[i]);
}

void
run_costs_plan(struct run_costs *c, const char *name, const char *settings)
{
	c->planned = mem_grow(c->planned, &c->planned_room, c->n_planned + 1, sizeof(*c->planned));
	c->planned[c->n_planned++] = (struct run_cost_plan){ name, settings };
}

void
run_costs_release(struct run_costs *c)
{
	for (size_t i = 0; i < c->n; i++) {
		free(c->entry[i].name);
		free(c->entry[i].settings);
	}
	free(c->entry);
	free(c->planned);
	*c = (struct run_costs){ 0 };
}

/* The seconds of the fastest run of the same system on this machine or elsewhere, or NAN. */
static double
min_seconds(const struct run_costs *c, const char *name, bool elsewhere)
{
	double least = NAN;

	for (size_t i = 0; i < c->n; i++)
		if (c->entry[i].elsewhere == elsewhere && same_system(c->entry[i].name, name))
			least = fmin(least, c->entry[i].seconds);
	return least;
}

/* The runs whose speed a run is expected to have. */
enum alike { OF_PAPER, OF_CORPUS, OF_SIZE, ANY, N_ALIKE };

static bool
is_alike(const struct run_cost_entry *r, const char *name, double parameters, enum alike kind)
{
	switch (kind) {
	case OF_PAPER:
		return same_part(r->name, name, PAPER) && run_same_corpus(r->name, name);
	case OF_CORPUS:
		return run_same_corpus(r->name, name);
	case OF_SIZE:
		return r->parameters == parameters;
	default:
		return true;
	}
}

/* Median of the operations per second of runs that are alike, or NAN. */
static double
usual_speed(const struct run_costs *c, const char *name, double parameters, enum alike kind,
	    bool elsewhere)
{
	double *speed = xcalloc(c->n + 1, sizeof(*speed)), usual;
	size_t n = 0;

	for (size_t i = 0; i < c->n; i++) {
		const struct run_cost_entry *r = &c->entry[i];

		if (r->elsewhere == elsewhere && is_alike(r, name, parameters, kind))
			speed[n++] = r->operations / r->seconds;
	}
	usual = n ? median(speed, n) : NAN;
	free(speed);
	return usual;
}

/* Notes the kind of run that an estimate is from; returns the minutes on this machine. */
static double
minutes_from(struct run_costs *c, double seconds, bool elsewhere)
{
	if (elsewhere && !(c->scale > 0))
		c->scale = c->scale_of ? c->scale_of() : 1;
	++*(elsewhere ? &c->n_elsewhere : &c->n_here);
	return seconds * (elsewhere ? c->scale : 1) / 60;
}

static double
minutes_of_run(struct run_costs *c, const char *name, const char *settings)
{
	const double operations = operations_of(c, name, settings);
	const double parameters = parameters_of(settings);

	for (int elsewhere = 0; elsewhere < 2; elsewhere++) {
		const double seconds = min_seconds(c, name, elsewhere);

		if (!isnan(seconds))
			return minutes_from(c, seconds, elsewhere);
	}
	for (int i = 0; i < 2 * N_ALIKE; i++) {
		const double speed = usual_speed(c, name, parameters, i / 2, i % 2);

		if (!isnan(speed))
			return minutes_from(c, operations / speed, i % 2);
	}
	return operations / SPEED / 60;
}

double
run_cost_minutes(struct run_costs *c, const char *name, const char *settings)
{
	char *training;
	double minutes;

	if (!wanted_is_search(name))
		return minutes_of_run(c, name, settings);
	training = xasprintf("%.*s/%s/1", (int)strcspn(name, "/"), name,
			     run_cost_part(name, SEARCHED).s);
	minutes = minutes_of_run(c, training, settings) * number_after(settings, "trainings=", 1);
	free(training);
	return minutes;
}
