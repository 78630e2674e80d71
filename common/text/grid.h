/*
 * grid: the tables of a paper as text, with its figures, which heed-table(1) describes.
 *
 *   looks 3:0.02 5:0.015 8:0.015
 *   section table1 BLEU of the systems
 *   columns WMT16.en-de dev.nll:WMT16.en-de
 *   dea  plain  25.75 -  +DEA
 *
 * Everything lives as long as the grid.
 */
#ifndef GRID_H
#define GRID_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/compiler.h"
#include "base/err.h"
#include "base/texts.h"
#include "text/verdict.h"

enum grid_test { GRID_BOOTSTRAP, GRID_SIGN };
extern const char *const grid_tests[];

struct grid_column {
	const char *measure;	/* a fact of runs: "bleu" */
	const char *name;	/* of the paper's column, "WMT16.en-de@20k", or "-": it has none */
	const char *pair;	/* "en-de", or "" */
	int64_t size;		/* pairs of sentences, 0 for all */
};

struct grid_row {
	const char *variant, *label;
	const char **base;	/* [n_bases]: what it is compared with */
	size_t n_bases;
	double *paper;		/* one a column of the section; NAN for none */
};

struct grid_section {
	const char *name, *title;
	const char *paper;		/* whose numbers and claims they are; "" if nobody is named */
	enum grid_test test;
	double within;		/* by how much a row may be worse and still be as good; 0: it has to
				 * be better */
	bool sizes;		/* its columns are sizes of a corpus */
	struct grid_column *column;
	struct grid_row *row;
	size_t n_columns, n_rows;
};

struct grid {
	struct look *look;	/* when claims are judged, fewer seeds first; none: once, by all seeds */
	size_t n_looks;
	struct grid_section *section;
	size_t n;
	struct texts texts;
};

/* 0, or -1 with the line that is malformed (EXIT_INPUT). */
int grid_read(struct grid *g, const char *path, struct err *e) MUST_USE;
int grid_read_memory(struct grid *g, const char *name, const void *p, size_t n,
		     struct err *e) MUST_USE;
void grid_release(struct grid *g);

const struct grid_section *grid_find(const struct grid *g, const char *name);	/* or NULL */

/* Splits [CORPUS.]PAIR[@SIZE[k]]: pair, of *n bytes inside name, and size. */
void grid_split_column(const char *name, const char **pair, size_t *n, int64_t *size);

#endif
