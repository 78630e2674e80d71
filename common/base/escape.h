/* escape: text of unknown origin for terminals and tables. */
#ifndef ESCAPE_H
#define ESCAPE_H

#include <stdio.h>

/*
 * Writes s.  Control characters (U+0000 to U+001F, U+007F to U+009F) and bytes that are not UTF-8
 * become \t, \n, \r or \xNN, byte by byte: nothing in s can move a cursor or end a line.  Those of
 * kept stay as they are: "" for a cell, "\t\n" for a table.
 */
void escape_put(FILE *to, const char *s, const char *kept);

#endif
