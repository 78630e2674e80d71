/* cells: splits lines into tab-separated values and into words, and compares these. */
#ifndef CELLS_H
#define CELLS_H

#include <stdbool.h>

#include "stream/stream.h"

/*
 * Sets *cell to the next cell of a line, and *rest to the part of the line after this cell; both
 * point into the line.  At first, *rest is the whole line.  Returns false after the last cell.
 */
bool cell_next(struct str *rest, struct str *cell);
/* The same for words, which are separated by one or more spaces; no word is empty. */
bool word_next(struct str *rest, struct str *word);

bool str_is(struct str s, const char *text);	/* do both have the same bytes? */
bool str_same(struct str a, struct str b);	/* the same */
/* Is it one of the words in `words`, each with a space before and after it? */
bool str_listed(struct str s, const char *words);

#endif
