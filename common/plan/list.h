/*
 * list: a list of texts, most of them words, and functions that make texts, all in an arena
 * (base/arena.h): they are freed together when the arena is released.  A list that is all zero is
 * empty.
 */
#ifndef LIST_H
#define LIST_H

#include <stdbool.h>
#include <stddef.h>

#include "base/arena.h"
#include "base/buf.h"
#include "base/compiler.h"
#include "base/err.h"

/* n texts s[0], ..., s[n - 1]; `room`: the number for which there is memory. */
struct list { const char **s; size_t n, room; };

/*
 * Make a text in the arena: text_copy() a copy of n bytes, with a NUL after them; and text_print()
 * the text that printf() would print.
 */
const char *text_copy(struct arena *a, const char *s, size_t n);
const char *text_print(struct arena *a, const char *fmt, ...) PRINTF_LIKE(2, 3);
/* Copies the text of a buffer into the arena, and releases the buffer. */
const char *text_take(struct arena *a, struct buf *b);
/*
 * A copy of part `i`, from 0, of a name whose parts are separated by slashes; "" if it has fewer.
 */
const char *name_part(struct arena *a, const char *name, int i);

/* A copy of field `i`, from 0, of a line of tab-separated fields; "" if it has fewer. */
const char *list_field(struct arena *a, const char *line, int i);
/* Whether `s` begins with `prefix`. */
bool has_prefix(const char *s, const char *prefix);

/* Append a text, or all texts of another list, which are not copied. */
void list_add(struct arena *a, struct list *l, const char *s);
void list_add_all(struct arena *a, struct list *l, const struct list *more);
/* Whether a text of the list equals `s`. */
bool list_has(const struct list *l, const char *s);
/* Appends `s`, which is not copied, unless the list has it. */
void list_once(struct arena *a, struct list *l, const char *s);
/*
 * Copies of the words of a text: list_words() those between blanks and tabs, list_split() those
 * between any of the characters of `separators`.
 */
struct list list_words(struct arena *a, const char *text);
struct list list_split(struct arena *a, const char *text, const char *separators);
/* Whether a text of words between blanks has the word. */
bool has_word(const char *words, const char *word);
/*
 * Appends the lines of a file that input_open() opens with `flags`.  On an error, returns -1 with
 * the lines before it.
 */
int lines_read(struct arena *a, const char *path, unsigned flags, struct list *lines,
	       struct err *e);
/* Sorts the texts by their bytes, as strcmp() does, and removes duplicates. */
void list_sort(struct list *l);
/* One text with all texts of the list, separated by single blanks. */
const char *list_text(struct arena *a, const struct list *l);

#endif
