/*
 * panel: a matrix of values with a label for each row and column, the content of a figure.
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

/* Adds a copy of a label.  An axis of zeros is empty.  Invalid UTF-8 becomes U+FFFD. */
void axis_add(struct axis *a, const char *text, size_t n);
void axis_release(struct axis *a);

/*
 * A matrix.  The axes belong to the caller, must outlive it, and may be shared: adjacent panels
 * with the same rows axis are labeled once.  A NaN is a cell without a value.
 */
struct panel {
	const struct axis *rows, *columns;
	float *x;			/* [rows, columns] */
	char *mark;			/* [rows, columns]: the letter of a cell, or 0; or NULL */
	/*
	 * [rows, columns]: a number from 1 that is printed in the cell; 0: none, and the cell is
	 * not crossed out if it has no value; -1: none.  Or NULL.
	 */
	int *rank;
	char *title;			/* or NULL */
};

/* Sets all values to 0, without marks and title. */
void panel_init(struct panel *m, const struct axis *rows, const struct axis *columns);
void panel_release(struct panel *m);
float *panel_row(const struct panel *m, int i);

/*
 * Combining subwords into words.  word[i] is the word of label i; it starts at 0 and rises by at
 * most one.  axis_word() derives it from "@@" at the end of a label, which marks a word that
 * continues in the next label, or, if a label begins with U+2581, from these marks, which begin
 * words of SentencePiece; the caller frees the array.  axis_words() adds the labels of the words,
 * which are their subwords without the marks.
 */
int *axis_word(const struct axis *pieces) MUST_USE;
void axis_words(const struct axis *pieces, const int *word, struct axis *words);
/*
 * Combines rows and columns of m into those of words, which must be initialized.  Columns are
 * summed (attention to a word), rows are averaged (attention from it).  A side whose array is NULL
 * stays unchanged.
 */
void panel_words(const struct panel *m, const int *row_word, const int *column_word,
		  struct panel *words);

/*
 * Reads a table of tab-separated values into m and both axes.  The first line has the title and the
 * labels of columns, each other line the label of a row and its values.  An empty cell and "-" have
 * no value; a letter after a value and a blank, "0.5 p", is its mark.  Returns -1 with EXIT_INPUT,
 * naming the line.
 */
int panel_read(struct panel *m, struct axis *rows, struct axis *columns, struct input *input,
		struct err *e) MUST_USE;

/*
 * Appends a table with a line for each cell and the columns panel, row, column, from, to and
 * weight: title, indices from 1, labels and value, or "-" for none.
 */
void panels_write(const struct panel *m, int n, struct buf *out);

#endif
