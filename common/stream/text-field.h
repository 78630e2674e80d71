/*
 * text-field: a text file whose lines become a field of the records of a stream.
 */
#ifndef TEXT_FIELD_H
#define TEXT_FIELD_H

#include "stream/input.h"
#include "stream/stream.h"
#include "stream/type.h"

struct text_field {
	char *name;			/* of the field */
	const char *type;
	struct type parsed;
	struct input *in;		/* the file */
	const char *line;
	size_t n;
};

/*
 * Opens FIELD=FILE.  The type is that of the field in heed-fields(5), for streams of this kind, or
 * str.  Returns -1 with EXIT_USAGE if `text` has another form, or if a line of text cannot have the
 * type.
 */
int text_field_open(struct text_field *t, const char *kind, const char *text,
		    struct err *e) MUST_USE;
void text_field_close(struct text_field *t);	/* also after an error */

/* Reads the next line into t->line: 1, 0 at the end, -1 on error. */
int text_field_next(struct text_field *t, struct err *e) MUST_USE;
/*
 * Sets the field to the line: text, a number, or a list separated by blanks.  Returns -1 with
 * EXIT_INPUT, naming the line, if it is not of the type.
 */
int text_field_set(const struct text_field *t, struct record *rec, struct err *e) MUST_USE;

/*
 * Sets a field of type t to the n bytes at s: text, a number, or a list separated by blanks.
 * Returns -1 with EXIT_USAGE, naming the value, if it is not of the type.
 */
int text_value_set(struct record *rec, const char *name, const struct type *t, const char *s,
		   size_t n, struct err *e) MUST_USE;

#endif
