/* outcome-warnings: see outcome-warnings.h. */
#include <math.h>
#include <string.h>

#include "results/outcome-warnings.h"

/* Warns of columns of the section, with which a misspelled measure would leave an empty table. */
static void
warn_of_empty_columns(const struct outcomes *o, const char *path)
{
	const struct grid_section *s = o->section;

	for (size_t c = 0; o->n_runs && s && c < s->n_columns; c++) {
		size_t i = 0;

		while (i < o->n_runs && isnan(facts_number(&o->run[i], s->column[c].measure)))
			i++;
		if (i == o->n_runs)
			warn("%s: section %s: no record has the number %s", path, s->name,
			     s->column[c].measure);
	}
}

/* Warns of a misspelled measure of the x axis, with which there are no points. */
static void
warn_of_unknown_x(const struct outcomes *o)
{
	size_t i = 0;

	while (i < o->n_runs && o->also[0] && isnan(facts_number(&o->run[i], o->also[0])))
		i++;
	if (o->n_runs && i == o->n_runs)
		warn("no record has the number %s of the x axis", o->also[0]);
}

/* Whether any run in this column has the number. */
static bool
is_measured_in(const struct outcomes *o, const char *column, const char *measure)
{
	for (size_t i = 0; i < o->n_runs; i++)
		if (!strcmp(o->run[i].column, column) &&
		    !isnan(facts_number(&o->run[i], measure)))
			return true;
	return false;
}

static void
warn_of_missing_score(const struct facts *run, const char *score)
{
	const char *value = facts_find(run, score);

	if (value)
		warn("%s: %s '%s', expected a number, as other runs of %s have", run->path, score,
		     value, run->column);
	else
		warn("%s: no fact '%s', which other runs of %s have", run->path, score,
		     run->column);
}

/* Warns of runs without a score that others have: differences and claims leave out their seeds. */
static void
warn_of_missing_scores(const struct outcomes *o)
{
	static const char *const score[] = { "test.nll", "bleu" };

	for (size_t i = 0; i < o->n_runs; i++)
		for (size_t k = 0; k < sizeof(score) / sizeof(*score); k++)
			if (isnan(facts_number(&o->run[i], score[k])) &&
			    is_measured_in(o, o->run[i].column, score[k]))
				warn_of_missing_score(&o->run[i], score[k]);
}

static bool
is_known(const struct outcomes *o, const char *variant)
{
	for (size_t i = 0; i < o->grid->n; i++)
		for (size_t k = 0; k < o->grid->section[i].n_rows; k++)
			if (!strcmp(o->grid->section[i].row[k].variant, variant))
				return true;
	for (size_t i = 0; i < o->n_runs; i++)
		if (!strcmp(o->run[i].variant, variant))
			return true;
	return false;
}

/* Warns of baselines that nothing else names: a misspelled one looks like one that was not run. */
static void
warn_of_unknown_bases(const struct outcomes *o, const char *path)
{
	const char *last = "";

	for (size_t i = 0; i < o->grid->n; i++) {
		const struct grid_section *s = &o->grid->section[i];

		for (size_t k = 0; (!o->section || s == o->section) && k < s->n_rows; k++)
			for (size_t b = 0; b < s->row[k].n_bases; b++) {
				const char *base = s->row[k].base[b];

				if (strcmp(base, last) && !is_known(o, base))
					warn("%s: section %s: baseline %s has no row and no "
					     "record", path, s->name, base);
				last = base;
			}
	}
}

void
outcomes_warn(const struct outcomes *o, const char *path)
{
	warn_of_empty_columns(o, path);
	warn_of_unknown_x(o);
	warn_of_missing_scores(o);
	warn_of_unknown_bases(o, path);
}
