/*
 * panel: a matrix of numbers, with a label for every row and column: what is drawn.
 */
#ifndef PANEL_H
#define PANEL_H

#include <stddef.h>

#include "base/buf.h"
#include "base/compiler.h"
#include "base/err.h"
#include "base/texts.h"
#include "stream/input.h"

/* The labels along one side, in order. */
struct axis {
	const char **label;		/* [n] */
	int n;
	size_t room;
	struct texts texts;
};

void axis_add(struct axis *a, const char *text, size_t n);	/* all zeros: an empty axis */
void axis_release(struct axis *a);

/*
 * Axes are the caller's, outlive the matrix, and may be shared: matrices side by side whose rows
 * are one axis are labelled once.  A NaN is a cell without a number.
 */
struct panel {
	const struct axis *rows, *columns;
	float *x;			/* [rows, columns] */
	char *mark;			/* [rows, columns]: a letter in each cell, or 0; or NULL */
	char *title;			/* or NULL */
};

/* All numbers 0, no title. */
void panel_init(struct panel *m, const struct axis *rows, const struct axis *columns);
void panel_release(struct panel *m);
float *panel_row(const struct panel *m, int i);

/*
 * Words instead of the pieces they consist of.  word[i], which begins with 0 and rises by at most
 * one, is the word that label i belongs to; axis_word() finds them: "@@" at a label's end says that
 * the next goes on, and the array is the caller's to free.  A word's label is that of its pieces,
 * without that mark.
 */
int *axis_word(const struct axis *pieces) MUST_USE;
void axis_words(const struct axis *pieces, const int *word, struct axis *words);
/*
 * to, initialised, gets for each pair of words the sum over the columns and the mean over the rows
 * of their pieces: attention to a word, and from it.  NULL: a side that stays as it is.
 */
void panel_words(const struct panel *m, const int *row_word, const int *column_word,
		  struct panel *to);

/*
 * A table of tab-separated values: a corner, which is the title, and labels of columns; then a
 * label and numbers a line.  An empty cell and "-" have no number; a letter behind a number and a
 * blank, "0.5 p", is its mark.  Fills both axes and m.
 */
int panel_read(struct panel *m, struct axis *rows, struct axis *columns, struct input *in,
		struct err *e) MUST_USE;

/*
 * The other way, as a table with the columns panel, row, column, from, to and weight: title, place
 * from 1, labels and number of each cell.
 */
void panels_write(const struct panel *m, int n, struct buf *out);

#endif
