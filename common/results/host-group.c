/* host-group: see host-group.h. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/mem.h"
#include "results/host-group.h"
#include "results/ledger.h"
#include "scores/additive.h"
#include "scores/holm.h"
#include "scores/student.h"

/* Standard errors below this times the mean are those of equal differences. */
#define ROUNDING 1e-9
/* Means and standard errors below this times the largest value are 0 but for rounding. */
#define NOISE 1e-12

/* --- runs of a group --- */

/* The runs of one column that have the measures, with indexes of their systems and seeds. */
struct sample {
	struct additive_run *run;	/* [n] */
	const char **system, **seed;	/* [n_systems], [n_seeds] in their order */
	size_t n, n_systems, n_seeds;
	double largest;			/* absolute value */
	size_t a, b;			/* indexes of the systems that are compared, variant and
					 * base; n_systems: without runs */
	bool welch;			/* they are compared without the other systems and seeds */
};

/* The index of s among the names; n if it is none of them. */
static size_t
group_index_of(const char **name, size_t n, const char *s)
{
	size_t i = 0;

	while (i < n && strcmp(name[i], s))
		i++;
	return i;
}

static size_t
group_index_add(const char **name, size_t *n, const char *s)
{
	const size_t i = group_index_of(name, *n, s);

	if (i == *n)
		name[(*n)++] = s;
	return i;
}

/* The run of one of two systems with this seed: the first that is there. */
static const struct facts *
reference_of(const struct outcomes *o, const struct group_pair *c, const char *seed)
{
	const struct facts *found = NULL;

	for (size_t i = 0; i < o->n_runs; i++) {
		const struct facts *run = &o->run[i];
		const bool of_variant = !strcmp(run->variant, c->variant);

		if (!strcmp(run->column, c->column->name) && !strcmp(run->seed, seed) &&
		    (of_variant || !strcmp(run->variant, c->base)) && (!found || of_variant))
			found = run;
	}
	return found;
}

static bool
has_same_tokens(const struct outcomes *o, const struct group_pair *c, const struct facts *run)
{
	const struct facts *reference;

	if (strncmp(c->measure, "test.nll", 8))
		return true;
	reference = reference_of(o, c, run->seed);
	return !reference || ledger_masked(run) == ledger_masked(reference);
}

static bool
group_is_member(const struct grid_group *g, const struct group_pair *c, const char *variant)
{
	if (g)
		return grid_group_has(g, variant);
	return !strcmp(variant, c->variant) || !strcmp(variant, c->base);
}

/* Does the run have the measures, over the same tokens as the two systems? */
static bool
group_can_use(const struct outcomes *o, const struct group_pair *c, const struct facts *run)
{
	return !isnan(facts_number(run, c->measure)) &&
	       (!c->also || !isnan(facts_number(run, c->also))) && has_same_tokens(o, c, run);
}

/*
 * Is the training of run k also in the group under another name that stands for both?  Of the names
 * whose runs can be used, that is a system of the comparison or, if there is none, the first one.
 */
static bool
group_is_repeated(const struct outcomes *o, const struct group_pair *c, const struct grid_group *g,
		  size_t k)
{
	const char *variant = o->run[k].variant;

	if (group_is_member(NULL, c, variant))
		return false;
	for (size_t i = o->training[k]; i < o->n_runs; i++) {
		const char *other = o->run[i].variant;

		if (i != k && o->training[i] == o->training[k] && group_is_member(g, c, other) &&
		    group_can_use(o, c, &o->run[i]) &&
		    (group_is_member(NULL, c, other) || strcmp(other, variant) < 0))
			return true;
	}
	return false;
}

/* g: NULL for the two systems of the comparison alone.  Runs are in the order of their seeds. */
static void
sample_take(struct sample *s, const struct outcomes *o, const struct group_pair *c,
	    const struct grid_group *g)
{
	*s = (struct sample) {
		.run = xcalloc(o->n_runs + 1, sizeof(*s->run)),
		.system = xcalloc(o->n_runs + 1, sizeof(*s->system)),
		.seed = xcalloc(o->n_runs + 1, sizeof(*s->seed))
	};
	for (size_t i = 0; i < o->n_runs; i++) {
		const struct facts *run = &o->run[i];
		const bool scaled = c->ratio > 0 && !strcmp(run->variant, c->base);
		const double v = facts_number(run, c->measure) * (scaled ? c->ratio : 1);

		if (strcmp(run->column, c->column->name) || !group_is_member(g, c, run->variant) ||
		    !group_can_use(o, c, run) || (g && group_is_repeated(o, c, g, i)))
			continue;
		s->run[s->n++] = (struct additive_run) {
			.system = group_index_add(s->system, &s->n_systems, run->variant),
			.seed = group_index_add(s->seed, &s->n_seeds, run->seed),
			.y = v
		};
		s->largest = fmax(s->largest, fabs(v));
	}
	s->a = group_index_of(s->system, s->n_systems, c->variant);
	s->b = group_index_of(s->system, s->n_systems, c->base);
}

static void
sample_release(struct sample *s)
{
	free(s->run);
	free(s->system);
	free(s->seed);
}

static bool
group_has_run(const struct sample *s, size_t system, size_t seed)
{
	for (size_t i = 0; i < s->n; i++)
		if (s->run[i].system == system && s->run[i].seed == seed)
			return true;
	return false;
}

/* --- one test --- */

/* Values of a system with seeds below until; returns their number. */
static size_t
values_of(const struct sample *s, size_t system, size_t until, double *value)
{
	size_t n = 0;

	for (size_t i = 0; i < s->n; i++)
		if (s->run[i].system == system && s->run[i].seed < until)
			value[n++] = s->run[i].y;
	return n;
}

static struct contrast
welch(const struct sample *s, size_t until)
{
	double *x = xcalloc(2 * s->n + 1, sizeof(*x)), *y = x + s->n;
	const size_t n = values_of(s, s->a, until, x), m = values_of(s, s->b, until, y);
	const struct contrast c = welch_contrast(x, n, y, m);

	free(x);
	return c;
}

static struct contrast
without_noise(struct contrast c, const struct sample *s)
{
	c.mean = fabs(c.mean) < NOISE * s->largest ? 0 : c.mean;
	c.error = fabs(c.error) < NOISE * s->largest ? 0 : c.error;
	return c;
}

/* A contrast with one variance for the group, and with those of its systems; the one to use. */
struct contrasts {
	struct contrast used, own;
	bool is_own;
};

/*
 * The contrasts of both systems over the runs of the first `until` seeds.  additive_fit() of
 * scores/additive.h fits value = system + seed + error with one variance by least squares.
 */
static struct contrasts
contrasts_until(const struct sample *s, size_t until)
{
	struct contrasts c;
	struct additive fit;
	size_t n = 0;

	if (s->welch) {
		c.used = c.own = without_noise(welch(s, until), s);
		c.is_own = true;
		return c;
	}
	while (n < s->n && s->run[n].seed < until)
		n++;
	additive_fit(&fit, s->run, n, s->n_systems, s->n_seeds);
	c.own = without_noise(additive_contrast_own(&fit, s->a, s->b), s);
	c.is_own = fit.bartlett < GROUP_LEVEL && !isnan(c.own.mean);
	c.used = c.is_own ? c.own : without_noise(additive_contrast(&fit, s->a, s->b), s);
	additive_release(&fit);
	return c;
}

static bool
group_is_exact(const struct contrast *c)
{
	return c->error <= ROUNDING * fabs(c->mean);
}

/* NAN if there is no variance and the mean is not the shift. */
static double
p_of(const struct contrast *c, double shift)
{
	if (group_is_exact(c))
		return fabs(c->mean - shift) <= ROUNDING * fabs(shift) ? 1 : NAN;
	return fmin(1, 2 * student_above(fabs(c->mean - shift) / c->error, c->df));
}

static double
p_worse_of(const struct contrast *c, double shift)
{
	if (group_is_exact(c))
		return c->mean > shift ? 0 : c->mean < shift ? 1 : 0.5;
	return student_above((c->mean - shift) / c->error, c->df);
}

/* --- a difference --- */

/* The seeds that both systems have, in order; returns their number. */
static size_t
common_seeds(const struct sample *s, size_t *seed)
{
	size_t n = 0;

	for (size_t k = 0; k < s->n_seeds; k++)
		if (group_has_run(s, s->a, k) && group_has_run(s, s->b, k))
			seed[n++] = k;
	return n;
}

static double
single_difference(const struct sample *s, size_t seed)
{
	double d = 0;

	for (size_t i = 0; i < s->n; i++)
		if (s->run[i].seed == seed)
			d += s->run[i].system == s->a ? s->run[i].y
			   : s->run[i].system == s->b ? -s->run[i].y : 0;
	return d;
}

/*
 * Sets r->p, r->tested and r->tested_df; whole is the contrast over all seeds, seed[r->n] are those
 * of both systems.
 */
static void
test_at_looks(struct difference *r, const struct grid *g, const struct sample *s,
	      const size_t *seed, const struct contrast *whole, double shift)
{
	r->tested = g->n_looks ? 0 : r->n;
	r->tested_df = whole->df;
	r->p = p_of(whole, shift);
	if (!g->n_looks || isnan(r->p))
		return;
	r->p = 1;
	for (size_t k = 0; k < g->n_looks && (size_t)g->look[k].seeds <= r->n; k++) {
		const size_t until = seed[g->look[k].seeds - 1] + 1;
		const struct contrast c = contrasts_until(s, until).used;
		const double p = isnan(c.mean) ? 1 : p_of(&c, shift);

		r->tested = (size_t)g->look[k].seeds;
		r->tested_df = c.df;
		if ((c.mean > shift) == (whole->mean > shift) && !isnan(p))
			r->p = fmin(r->p, p * VERDICT_LEVEL / g->look[k].alpha);
	}
}

struct difference
group_difference(const struct outcomes *o, const struct group_pair *c)
{
	const bool paired = c->ratio > 0 || !o->grid->n_groups;
	const struct grid_group *g = paired ? NULL : grid_group_of(o->grid, c->variant, c->base);
	struct difference r = no_difference;
	struct contrasts all;
	struct sample s;
	size_t *seed;
	double half;

	sample_take(&s, o, c, g);
	s.welch = !g && !paired;
	seed = xcalloc(s.n_seeds + 1, sizeof(*seed));
	r.n = common_seeds(&s, seed);
	if (r.n == 1)
		r.mean = single_difference(&s, seed[0]);
	if (r.n > 1) {
		all = contrasts_until(&s, s.n_seeds);
		half = student_point(VERDICT_LEVEL / 2, all.used.df) * all.used.error;
		r.own = all.is_own;
		r.p_own = isnan(all.own.mean) ? NAN : p_of(&all.own, c->shift);
		r.own_error = all.own.error;
		r.own_df = all.own.df;
		r.mean = all.used.mean;
		r.error = all.used.error;
		r.df = all.used.df;
		r.low = r.mean - half;
		r.high = r.mean + half;
		r.p_worse = p_worse_of(&all.used, c->shift);
		test_at_looks(&r, o->grid, &s, seed, &all.used, c->shift);
	}
	free(seed);
	sample_release(&s);
	return r;
}

/* --- the check of a group --- */

/* p of a test with all seeds of the group; NAN if there is none. */
static double
p_in_group(const struct outcomes *o, const struct group_pair *c, const struct grid_group *g)
{
	struct contrast all;
	struct sample s;
	double p = NAN;
	size_t *seed;

	sample_take(&s, o, c, g);
	seed = xcalloc(s.n_seeds + 1, sizeof(*seed));
	if (common_seeds(&s, seed) > 1) {
		all = contrasts_until(&s, s.n_seeds).used;
		p = p_of(&all, c->shift);
	}
	free(seed);
	sample_release(&s);
	return p;
}

/* The smallest p-value of the A/A rows of the group, adjusted; the number of rows in *n. */
static double
p_of_aa(const struct outcomes *o, const struct grid_group *g, const struct group_pair *like,
	size_t *n)
{
	const struct grid *grid = o->grid;
	double *p = xcalloc(grid->n_aa + 1, sizeof(*p)), least = NAN;

	*n = 0;
	for (size_t i = 0; i < grid->n_aa; i++) {
		struct group_pair c = *like;

		c.variant = grid->aa[i].variant;
		c.base = grid->aa[i].base;
		if (!grid_group_has(g, c.variant) || !grid_group_has(g, c.base))
			continue;
		p[*n] = p_in_group(o, &c, g);
		*n += !isnan(p[*n]);
	}
	holm_adjust(p, *n, p, NULL);
	for (size_t i = 0; i < *n; i++)
		least = fmin(least, p[i]);
	free(p);
	return least;
}

struct group_check
group_check(const struct outcomes *o, const struct grid_group *g, const struct our_column *column,
	    const char *measure)
{
	const struct group_pair c = {
		.variant = "", .base = "", .column = column, .measure = measure
	};
	struct group_check r = { .runs = 0 };
	struct additive fit;
	struct sample s;

	sample_take(&s, o, &c, g);
	additive_fit(&fit, s.run, s.n, s.n_systems, s.n_seeds);
	r.runs = s.n;
	r.systems = s.n_systems;
	r.seeds = s.n_seeds;
	r.deviation = fit.deviation;
	r.df = fit.df;
	r.bartlett = fit.bartlett;
	r.largest = fit.largest;
	r.p_aa = p_of_aa(o, g, &c, &r.n_aa);
	additive_release(&fit);
	sample_release(&s);
	return r;
}
