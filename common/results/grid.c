/* grid: see grid.h. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/num.h"
#include "results/finding.h"
#include "results/grid.h"

const char *const grid_tests[] = { "bootstrap", "sign", NULL };

/* A number of sentence pairs: 20000, 20k or 4.5M; -1 if it is none. */
static int64_t
grid_size_of(const char *s)
{
	const size_t n = strlen(s);
	const char last = s[n - 1];
	const double unit = last == 'k' ? 1e3 : last == 'M' ? 1e6 : 1;
	struct err e;
	double v;

	return num_float(s, n - (unit > 1), 1, 1e12, &v, &e) ? -1 : llround(v * unit);
}

void
grid_split_column(const char *name, const char **pair, size_t *n, int64_t *size)
{
	const char *at = strrchr(name, '@');
	const char *end = name + strlen(name), *dot;

	/* An @ without a digit after it belongs to the name of the corpus. */
	if (at && !(at[1] >= '0' && at[1] <= '9'))
		at = NULL;
	if (at)
		end = at;
	dot = end;
	while (dot > name && dot[-1] != '.')
		dot--;
	*pair = dot;
	*n = (size_t)(end - dot);
	*size = at ? grid_size_of(at + 1) : 0;
}

size_t
grid_corpus_length(const char *column)
{
	const char *pair;
	int64_t size;
	size_t n;

	grid_split_column(column, &pair, &n, &size);
	return (size_t)(pair - column) + n;
}

bool
grid_is_sample(const char *column)
{
	return column[grid_corpus_length(column)];
}

static void
row_release(struct grid_row *r)
{
	free(r->base);
	free(r->paper);
}

void
grid_release(struct grid *g)
{
	for (size_t i = 0; i < g->n; i++) {
		struct grid_section *s = &g->section[i];

		for (size_t k = 0; k < s->n_rows; k++)
			row_release(&s->row[k]);
		free(s->row);
		free(s->column);
	}
	for (size_t i = 0; i < g->n_groups; i++)
		free(g->group[i].variant);
	free(g->finding);
	free(g->section);
	free(g->group);
	free(g->aa);
	free(g->family);
	free(g->look);
	texts_release(&g->texts);
}

static bool
is_variant_of(const char *const variant[], size_t n, const char *name)
{
	for (size_t i = 0; i < n; i++)
		if (!strcmp(variant[i], name))
			return true;
	return false;
}

static bool
keeps_row(const struct grid_section *s, const struct grid_row *r, const char *const variant[],
	  size_t n)
{
	bool kept = is_variant_of(variant, n, r->variant);

	for (size_t b = 0; grid_is_claims(s) && b < r->n_bases; b++)
		kept = kept && is_variant_of(variant, n, r->base[b]);
	return kept;
}

void
grid_keep(struct grid *g, const char *const variant[], size_t n)
{
	struct grid_finding *all = g->finding;
	const size_t n_all = g->n_findings;
	size_t n_kept = 0;
	struct err e;

	for (size_t i = 0; i < g->n; i++) {
		struct grid_section *s = &g->section[i];
		size_t rows = 0;

		for (size_t r = 0; r < s->n_rows; r++)
			if (keeps_row(s, &s->row[r], variant, n))
				s->row[rows++] = s->row[r];
			else
				row_release(&s->row[r]);
		s->n_rows = rows;
	}
	for (size_t i = 0; i < n_all; i++) {
		g->finding = &all[i];
		g->n_findings = 1;
		if (!findings_check(g, "", &e))
			all[n_kept++] = all[i];
	}
	g->finding = all;
	g->n_findings = n_kept;
}

bool
grid_is_claims(const struct grid_section *s)
{
	return !strncmp(s->name, "claims", 6);
}

struct grid_family
grid_family_of(const struct grid *g, const char *name)
{
	for (size_t i = 0; i < g->n_families; i++)
		if (!strcmp(g->family[i].name, name))
			return g->family[i];
	return (struct grid_family) { .name = name, .nats = GRID_NATS, .bleu = GRID_BLEU };
}

bool
grid_group_has(const struct grid_group *g, const char *variant)
{
	return is_variant_of(g->variant, g->n, variant);
}

bool
grid_has_variant(const struct grid *g, const char *variant)
{
	for (size_t i = 0; i < g->n; i++)
		for (size_t k = 0; k < g->section[i].n_rows; k++) {
			const struct grid_row *r = &g->section[i].row[k];

			if (!strcmp(r->variant, variant) ||
			    is_variant_of(r->base, r->n_bases, variant))
				return true;
		}
	return false;
}

const struct grid_group *
grid_group_of(const struct grid *g, const char *a, const char *b)
{
	for (size_t i = 0; i < g->n_groups; i++)
		if (grid_group_has(&g->group[i], a) && grid_group_has(&g->group[i], b))
			return &g->group[i];
	return NULL;
}

static bool
same_bases(const struct grid_row *a, const struct grid_row *b)
{
	if (a->n_bases != b->n_bases)
		return false;
	for (size_t i = 0; i < a->n_bases; i++)
		if (strcmp(a->base[i], b->base[i]))
			return false;
	return true;
}

bool
grid_same_claim(const struct grid_section *s, const struct grid_row *a,
		const struct grid_section *t, const struct grid_row *b)
{
	return !strcmp(a->variant, b->variant) && same_bases(a, b) && s->within == t->within &&
	       s->ratio == t->ratio;
}

const struct grid_section *
grid_find(const struct grid *g, const char *name)
{
	for (size_t i = 0; i < g->n; i++)
		if (!strcmp(g->section[i].name, name))
			return &g->section[i];
	return NULL;
}

/* The label of a variant in a table that also has a row of other; NULL if it lacks one of them. */
static const char *
label_in(const struct grid_section *s, const char *variant, const char *other)
{
	const char *label = NULL;
	bool both = false;

	if (grid_is_claims(s))
		return NULL;
	for (size_t i = 0; i < s->n_rows; i++) {
		both |= !strcmp(s->row[i].variant, other);
		if (!label && !strcmp(s->row[i].variant, variant))
			label = s->row[i].label;
	}
	return both ? label : NULL;
}

const char *
grid_label(const struct grid *g, const char *variant, const char *other)
{
	const char *const with[] = { other, variant };

	for (size_t k = 0; k < sizeof(with) / sizeof(*with); k++)
		for (size_t i = 0; i < g->n; i++) {
			const char *label = label_in(&g->section[i], variant, with[k]);

			if (label)
				return label;
		}
	return variant;
}
