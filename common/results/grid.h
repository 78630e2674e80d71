/*
 * grid: the tables and claims of a paper, with the numbers that it reports, read from a text;
 * heed-table(1) describes the format.  For example:
 *
 *   looks 3:0.02 5:0.015 8:0.015
 *   group small plain dea
 *   family toy 0.02 0.5
 *   section table1 BLEU of the systems
 *   columns WMT16.en-de dev.nll:WMT16.en-de
 *   dea  plain  25.75 -  +DEA
 *
 * A grid consists of sections, each of which is a table or a list of claims.  The rows of a section
 * are variants of the model, also called systems; its columns are measures and data.  All strings
 * belong to the grid and are valid until grid_release().
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
	const char *measure;	/* name of a fact of runs (facts.h), such as "bleu" */
	const char *name;	/* data in the paper, "WMT16.en-de@20k"; "-": the paper reports no
				 * numbers */
	const char *pair;	/* language pair "en-de", or "" */
	int64_t size;		/* number of sentence pairs; 0: all */
};

struct grid_row {
	const char *variant, *label;
	size_t line;		/* number of its line in the file */
	const char **base;	/* [n_bases] variants of its baselines */
	size_t n_bases;
	double *paper;		/* [n_columns of the section] numbers that the paper reports; NAN:
				 * none */
};

struct grid_section {
	const char *name, *title;
	const char *paper;	/* the paper that reports its numbers and claims; "" if not given */
	const char *family;	/* family of its claims; by default, the name of the paper */
	enum grid_test test;	/* significance test of the paper */
	const char *kind;	/* kind of the points of rows whose label names no kind, in figures
				 * of gains (outcome-gains.h); or NULL */
	double within;		/* its claims state that a row is worse than its baseline by less
				 * than this margin; 0: that it is better */
	double ratio;		/* its claims state that the value of a row is less than `ratio`
				 * times that of its baseline; 0: they do not */
	bool sizes;		/* the runs are on samples of several sizes of a corpus; the
				 * claims of other sections are judged on whole corpora only */
	struct grid_column *column;	/* [n_columns] */
	struct grid_row *row;		/* [n_rows] */
	size_t n_columns, n_rows;
};

/*
 * A host group: systems with the same host model, corpus, recipe and length of training; see
 * host-group.h.
 */
struct grid_group {
	const char *name;
	const char **variant;	/* [n] */
	size_t n;
};

/*
 * An A/A row: the system `variant` is the system `base` with other random numbers, so that no test
 * should find a difference between them.
 */
struct grid_aa { const char *base, *variant; };

/*
 * A family: claims whose p-values are corrected together for the number of tests (Holm 1979).  A
 * difference below `nats` in NLL, or below `bleu` in BLEU, counts as no difference.  If `after` is
 * not NULL, the claims are judged only when all claims of the family with that name are decided,
 * apart from those that were not run.
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
	struct look *look;	/* [n_looks] (verdict.h) in ascending order of seeds; without looks,
				 * claims are tested once, with all seeds */
	size_t n_looks;
	struct grid_group *group;	/* [n_groups] */
	size_t n_groups;
	struct grid_aa *aa;		/* [n_aa] */
	size_t n_aa;
	struct grid_family *family;	/* [n_families] the families that the grid declares */
	size_t n_families;
	struct grid_section *section;	/* [n] */
	size_t n;
	struct texts texts;
};

/*
 * Read a grid from a file, or from n bytes at p, which messages call `name`.  Return 0, or -1 with
 * EXIT_INPUT and a message that names the first malformed line, or -1 if the file cannot be read.
 * Call grid_release() in all cases.
 */
int grid_read(struct grid *g, const char *path, struct err *e) MUST_USE;
int grid_read_memory(struct grid *g, const char *name, const void *p, size_t n,
		     struct err *e) MUST_USE;
void grid_release(struct grid *g);

/*
 * Keeps only the rows of the n variants.  Removes all other rows, claims against other variants,
 * and findings that need a removed claim.
 */
void grid_keep(struct grid *g, const char *const variant[], size_t n);

/* Is a section a list of claims?  Then its name begins with "claims". */
bool grid_is_claims(const struct grid_section *s);

/*
 * Do rows of two sections of claims compare the same systems in the same way?  Measures are not
 * compared.
 */
bool grid_same_claim(const struct grid_section *s, const struct grid_row *a,
		     const struct grid_section *t, const struct grid_row *b);

/*
 * The family of this name.  If the grid does not declare it, its margins are GRID_NATS and
 * GRID_BLEU.
 */
#define GRID_NATS 0.02
#define GRID_BLEU 0.5
struct grid_family grid_family_of(const struct grid *g, const char *name);

/*
 * grid_group_of() returns the first host group that has both systems, or NULL.  grid_group_has()
 * returns whether a group has a system.
 */
const struct grid_group *grid_group_of(const struct grid *g, const char *a, const char *b);
bool grid_group_has(const struct grid_group *g, const char *variant);

/* Is a variant that of a row of the grid, or a baseline? */
bool grid_has_variant(const struct grid *g, const char *variant);

/* The section of this name, or NULL. */
const struct grid_section *grid_find(const struct grid *g, const char *name);

/*
 * The label of `variant` for readers, where it is compared with `other`.  It is the label in the
 * first table with rows of both variants or, if there is none, in the first table with a row of
 * `variant`; otherwise the name of the variant.  Sections of claims are not tables.
 */
const char *grid_label(const struct grid *g, const char *variant, const char *other);

/*
 * Splits the name [CORPUS.]PAIR[@SIZE] of a column.  PAIR is the *n bytes at *pair, in `name`.
 * *size is the number of sentence pairs, 0 without SIZE, and -1 if SIZE begins with a digit but is
 * not a number with an optional k or M at its end.
 */
void grid_split_column(const char *name, const char **pair, size_t *n, int64_t *size);

/*
 * grid_corpus_length() returns the length of the name of a column without @SIZE, and
 * grid_is_sample() whether it has a SIZE, so that its runs are on samples of a corpus.
 */
size_t grid_corpus_length(const char *column);
bool grid_is_sample(const char *column);

#endif
