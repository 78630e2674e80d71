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

/*
 * Adds a copy of a label to an axis.  A zero-initialized axis is empty.  Invalid UTF-8 becomes
 * U+FFFD.
 */
void axis_add(struct axis *a, const char *text, size_t n);
void axis_release(struct axis *a);

/*
 * A matrix.  The axes belong to the caller, must outlive it, and may be shared: adjacent panels
 * with the same rows axis are labeled once.  A NaN is a cell without a value.
 */
struct panel {
	const struct axis *rows, *columns;
	float *x;			/* [rows, columns] */
	/* [rows, columns]: a letter that is printed in the cell, or 0 for none; NULL: no marks. */
	char *mark;
	/*
	 * [rows, columns]: from 1, a rank that is printed in the cell if neither its value nor a
	 * mark is; 0 and -1 mean no rank.  A cell without a value is crossed out, unless its rank
	 * is 0.  NULL: no ranks, and all cells without a value are crossed out.
	 */
	int *rank;
	char *title;			/* or NULL */
};

/*
 * Initializes m with all values 0 and without marks, ranks and title.  Arrays and title belong to
 * m: they are allocated with mem.h, and panel_release() frees them.
 */
void panel_init(struct panel *m, const struct axis *rows, const struct axis *columns);
void panel_release(struct panel *m);
float *panel_row(const struct panel *m, int i);		/* the values of row i, within m->x */

/*
 * Combining subwords into words.  word[i] is the word of label i; it starts at 0 and rises by at
 * most one.  axis_word() derives it from "@@" at the end of a label, which marks a word that
 * continues in the next label.  If a label begins with U+2581, it derives it from U+2581 instead,
 * with which SentencePiece begins each word; special tokens such as </s> then are words, too.  The
 * caller frees the array.  axis_words() adds the labels of the words to `words`: their subwords
 * without "@@" or U+2581, which only a word that is nothing else keeps.
 */
int *axis_word(const struct axis *pieces) MUST_USE;
void axis_words(const struct axis *pieces, const int *word, struct axis *words);
/*
 * Combines the rows and columns of m into those of the panel `words`, which panel_init() has made
 * for the axes of words.  Columns are summed (attention to a word), rows are averaged (attention
 * from it).  A side whose array is NULL keeps its labels.  Marks, ranks and title are not copied.
 */
void panel_words(const struct panel *m, const int *row_word, const int *column_word,
		  struct panel *words);

/*
 * Reads a table of tab-separated values into m and both axes.  The first line has the title and the
 * labels of columns, each other line the label of a row and its values.  An empty cell and "-" have
 * no value; a letter after a value and a blank, "0.5 p", is its mark.  The axes must be empty.
 * Returns -1 with EXIT_INPUT for a line that is not UTF-8 or too long, a cell that is not a number,
 * or a wrong number of cells, naming the line, and for a table without values.  The caller releases
 * m and both axes, also after an error.
 */
int panel_read(struct panel *m, struct axis *rows, struct axis *columns, struct input *input,
		struct err *e) MUST_USE;

/*
 * Appends a table with a line for each cell of the n panels at m.  Its columns are panel (the
 * title), row and column (indices from 1), from and to (the labels of row and column), and weight
 * (the value, or "-" for none).
 */
void panels_write(const struct panel *m, int n, struct buf *out);

#endif
