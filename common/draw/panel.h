/* panel: a matrix of values with a label for each row and column.  Figures consist of panels. */
#ifndef PANEL_H
#define PANEL_H

#include <stddef.h>

#include "base/buf.h"
#include "base/compiler.h"
#include "base/err.h"
#include "base/texts.h"
#include "stream/input.h"

/* The labels of the rows or of the columns, in order. */
struct axis {
	const char **label;		/* [n] */
	int n;
	size_t room;
	struct texts texts;
};

/*
 * Adds a label to an axis, a copy of the `n` bytes at `text`.  Invalid UTF-8 is replaced by U+FFFD.
 * An axis of zeros is empty.
 */
void axis_add(struct axis *a, const char *text, size_t n);
void axis_release(struct axis *a);

/*
 * A matrix.  The axes belong to the caller and must outlive the panel.  Several panels may share an
 * axis; if adjacent panels of a figure have the same axis of rows, only the first one shows the
 * labels.  NaN means a cell without a value.
 */
struct panel {
	const struct axis *rows, *columns;
	float *x;			/* [rows, columns] */
	/* [rows, columns] A letter that is printed in the cell; 0: no mark.  NULL: no marks. */
	char *mark;
	/*
	 * [rows, columns] A rank from 1, which is printed in the cell if neither the value nor a
	 * mark is printed; 0 and -1 mean no rank.  A cell without a value is crossed out, unless
	 * its rank is 0.  NULL: no ranks, and all cells without a value are crossed out.
	 */
	int *rank;
	char *title;			/* allocated with base/mem.h; or NULL */
};

/*
 * Overwrites *m: all values are 0, and there are no marks, ranks and title.  The caller may set
 * these to memory allocated with base/mem.h; panel_release() frees the arrays and the title, but
 * not the axes.
 */
void panel_init(struct panel *m, const struct axis *rows, const struct axis *columns);
void panel_release(struct panel *m);
float *panel_row(const struct panel *m, int i);		/* the values of row `i`, inside m->x */

/*
 * These combine subwords into words.  axis_word() returns an array with an element for each label,
 * the index of the word to which the label belongs, from 0.  A label that ends with "@@" belongs to
 * the same word as the next label.  But if any label begins with U+2581, with which SentencePiece
 * begins each word, a word begins at each such label; a special token such as </s> is then always a
 * separate word.  The caller frees the array.
 *
 * axis_words() adds a label for each word to `words`: the word's subwords joined, without "@@" and
 * U+2581.  A word that consists only of such a mark keeps it.
 */
int *axis_word(const struct axis *pieces) MUST_USE;
void axis_words(const struct axis *pieces, const int *word, struct axis *words);
/*
 * Combines the rows and columns of `m` into those of the panel `words`, which must be newly
 * initialized, with axes of words.  Columns are summed (attention to a word), and rows are averaged
 * (attention from a word).  `row_word` and `column_word` are arrays of axis_word(); with NULL, the
 * rows or columns are not combined.  Marks, ranks and title are not copied.
 */
void panel_words(const struct panel *m, const int *row_word, const int *column_word,
		  struct panel *words);

/*
 * Reads a table of tab-separated values into `m` and both axes, which must be empty.  The first
 * line has the title and the labels of the columns; each other line has the label of a row and the
 * values of the row.  An empty cell or "-" means no value.  A letter after a value and a blank, as
 * in "0.5 p", is the mark of the cell.  Returns -1 with EXIT_INPUT for a line that is not UTF-8 or
 * is too long, for a cell that is not a number, for a wrong number of cells, and for a table
 * without values.  The caller releases `m` and both axes, also after an error.
 */
int panel_read(struct panel *m, struct axis *rows, struct axis *columns, struct input *input,
		struct err *e) MUST_USE;

/*
 * Appends a table of tab-separated values with a line for each cell of the `n` panels at `m`.  Its
 * columns are panel (the title), row and column (indices from 1), from and to (the labels of the
 * row and of the column), and weight (the value; "-" if there is none).
 */
void panels_write(const struct panel *m, int n, struct buf *out);

#endif
