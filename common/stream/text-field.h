/* text-field: a text file whose lines become the values of a field in the records of a stream. */
#ifndef TEXT_FIELD_H
#define TEXT_FIELD_H

#include "stream/input.h"
#include "stream/stream.h"
#include "stream/type.h"

struct text_field {
	char *name;			/* of the field */
	const char *type;		/* of the field, as in type.h */
	struct type parsed;		/* the same, parsed */
	struct input *in;		/* the file */
	const char *line;		/* the last line, of n bytes */
	size_t n;
};

/*
 * Opens the file in `text`, "FIELD=FILE".  The type is that of the field in heed-fields(5) for
 * streams of this kind, or str if heed-fields(5) does not have the field.  Returns -1 with
 * EXIT_USAGE if `text` has another form or the type is that of a tensor, or with the error of
 * input_open() (input.h).  t must be all zeros before.  Call text_field_close() in any case.
 */
int text_field_open(struct text_field *t, const char *kind, const char *text,
		    struct err *e) MUST_USE;
void text_field_close(struct text_field *t);	/* also after an error */

/* Reads the next line into t->line.  Returns 1, 0 at the end of the file, or -1 on error. */
int text_field_next(struct text_field *t, struct err *e) MUST_USE;
/*
 * Sets the field in rec to the value in the last line, as text_value_set() does.  Returns -1 with
 * EXIT_INPUT and the number of the line if the line is not of the type.
 */
int text_field_set(const struct text_field *t, struct record *rec, struct err *e) MUST_USE;

/*
 * Sets the field `name` of type t in rec to the value that the n bytes at s spell: a text, a
 * number, or a list separated by spaces.  Returns -1 with EXIT_USAGE and a message with the value
 * if the bytes are not of the type.
 */
int text_value_set(struct record *rec, const char *name, const struct type *t, const char *s,
		   size_t n, struct err *e) MUST_USE;

#endif
