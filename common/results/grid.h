/*
 * grid: the tables of a paper with the numbers that it reports, read from text; heed-table(1) has
 * the format.
 *
 *   looks 3:0.02 5:0.015 8:0.015
 *   group small plain dea
 *   family toy 0.02 0.5
 *   section table1 BLEU of the systems
 *   columns WMT16.en-de dev.nll:WMT16.en-de
 *   dea  plain  25.75 -  +DEA
 *
 * All strings belong to the grid and are valid until grid_release().
 */
#ifndef GRID_H
#define GRID_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/compiler.h"
#include "base/err.h"
#include "base/texts.h"
#include "results/verdict.h"

enum grid_test { GRID_BOOTSTRAP, GRID_SIGN };
extern const char *const grid_tests[];

struct grid_column {
	const char *measure;	/* name of a fact of runs, such as "bleu" */
	const char *name;	/* the paper's column, "WMT16.en-de@20k", or "-" */
	const char *pair;	/* language pair "en-de", or "" */
	int64_t size;		/* number of sentence pairs, 0 for all */
};

struct grid_row {
	const char *variant, *label;
	size_t line;		/* its number in the file */
	const char **base;	/* [n_bases]: variants of its baselines */
	size_t n_bases;
	double *paper;		/* [n_columns of the section]: the paper's numbers, NAN for none */
};

struct grid_section {
	const char *name, *title;
	const char *paper;	/* source of its numbers and claims, "" if not given */
	const char *family;	/* family of its claims; by default, that of the paper */
	enum grid_test test;	/* the paper's significance test */
	const char *kind;	/* the kind of points in figures of gains (outcome-gains.h) whose
				 * row names none; or NULL */
	double within;		/* margin of its claims; 0: claims state that a row is better */
	double ratio;		/* claims state that a row has less than ratio times the value of
				 * its baseline; 0: they do not */
	bool sizes;		/* its columns are samples of a corpus, of several sizes */
	struct grid_column *column;	/* [n_columns] */
	struct grid_row *row;		/* [n_rows] */
	size_t n_columns, n_rows;
};

/* Systems with the same host, corpus, recipe and length of training; see host-group.h. */
struct grid_group {
	const char *name;
	const char **variant;	/* [n] */
	size_t n;
};

/*
 * An A/A row: `variant` is the system `base` with other random numbers, so that no test should find
 * a difference.
 */
struct grid_aa { const char *base, *variant; };

/*
 * Claims whose p-values are corrected together for the number of tests (Holm 1979).  `nats` and
 * `bleu` are margins: a smaller difference counts as no difference.  If `after` is not NULL, the
 * claims are judged only when those of the family of this name are decided.
 */
struct grid_family {
	const char *name, *after;
	double nats, bleu;
};

/* A sentence on a finding, with slots (finding.h), and the number of its line in the file. */
struct grid_finding { const char *text; int64_t line; };

struct grid {
	struct grid_finding *finding;	/* [n_findings] */
	size_t n_findings;
	struct look *look;	/* [n_looks] by number of seeds; without looks there is one test, of
				 * all seeds */
	size_t n_looks;
	struct grid_group *group;	/* [n_groups] */
	size_t n_groups;
	struct grid_aa *aa;		/* [n_aa] */
	size_t n_aa;
	struct grid_family *family;	/* a family that is not declared has the default margins */
	size_t n_families;
	struct grid_section *section;	/* [n] */
	size_t n;
	struct texts texts;
};

/*
 * Read a grid from a file, or from n bytes at p; `name` is their name in messages.  Return 0, or -1
 * with EXIT_INPUT, naming the first malformed line, or if the file cannot be read.  Release the
 * grid in both cases.
 */
int grid_read(struct grid *g, const char *path, struct err *e) MUST_USE;
int grid_read_memory(struct grid *g, const char *name, const void *p, size_t n,
		     struct err *e) MUST_USE;
void grid_release(struct grid *g);

/*
 * Keeps only the rows of the n variants: removes all other rows, claims against other variants, and
 * the findings that need such claims.
 */
void grid_keep(struct grid *g, const char *const variant[], size_t n);

/* Whether a section holds claims: its name begins with "claims". */
bool grid_is_claims(const struct grid_section *s);

/* The family of that name; with GRID_NATS and GRID_BLEU if the grid does not declare it. */
#define GRID_NATS 0.02
#define GRID_BLEU 0.5
struct grid_family grid_family_of(const struct grid *g, const char *name);

/*
 * grid_group_of() returns the first group that has both systems, or NULL.  grid_group_has() returns
 * whether a group has a system.
 */
const struct grid_group *grid_group_of(const struct grid *g, const char *a, const char *b);
bool grid_group_has(const struct grid_group *g, const char *variant);

/* The section of that name, or NULL. */
const struct grid_section *grid_find(const struct grid *g, const char *name);

/*
 * The label of a variant in the first table with rows of both variants or, if there is none, in the
 * first table with a row of this one; otherwise the name of the variant.  Sections of claims are
 * not tables.
 */
const char *grid_label(const struct grid *g, const char *variant, const char *other);

/*
 * Splits [CORPUS.]PAIR[@SIZE]: *pair points to *n bytes in name; *size is 0 without a size, and -1
 * if the text after @ begins with a digit but is not a number, optionally followed by k or M.
 */
void grid_split_column(const char *name, const char **pair, size_t *n, int64_t *size);

#endif
