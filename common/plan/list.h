/* list: words in an arena, in an order; nothing is freed one by one. */
#ifndef LIST_H
#define LIST_H

#include <stdbool.h>
#include <stddef.h>

#include "base/arena.h"
#include "base/buf.h"
#include "base/compiler.h"

struct list { const char **s; size_t n, room; };

/* Make a text in the arena: a copy of n bytes, and a formatted text. */
const char *text_copy(struct arena *a, const char *s, size_t n);
const char *text_print(struct arena *a, const char *fmt, ...) PRINTF_LIKE(2, 3);
/* Copies the text of a buffer into the arena, and releases the buffer. */
const char *text_take(struct arena *a, struct buf *b);
/* Part i, from 0, of a name whose parts are separated by slashes; "" if it has fewer. */
const char *name_part(struct arena *a, const char *name, int i);

/* Field i, from 0, of a line of tab-separated fields; "" if it has fewer. */
const char *list_field(struct arena *a, const char *line, int i);
bool has_prefix(const char *s, const char *prefix);

/* Append a word, or all words of another list; the texts are not copied. */
void list_add(struct arena *a, struct list *l, const char *s);
void list_add_all(struct arena *a, struct list *l, const struct list *more);
bool list_has(const struct list *l, const char *s);
/* Adds s unless the list has it. */
void list_once(struct arena *a, struct list *l, const char *s);
/* The words of a text, separated by blanks. */
struct list list_words(struct arena *a, const char *text);
/* Sorts the words and removes duplicates. */
void list_sort(struct list *l);
/* The words, separated by blanks. */
const char *list_text(struct arena *a, const struct list *l);

#endif
