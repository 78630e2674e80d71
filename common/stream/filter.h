/*
 * filter: the main loop of programs that read one stream and write another.
 *
 * It opens input and output, checks that the needed fields are present, calls a function for each
 * record, and finishes or abandons the output.  If the function fails for a record, the program
 * ends with the status of the error and without an end record, so that all programs after it in
 * the pipe fail, too.
 */
#ifndef FILTER_H
#define FILTER_H

#include "base/cli.h"
#include "stream/input.h"
#include "stream/stream.h"

/*
 * A function that changes rec in place.  Returns 1 to write the record, 0 to drop it, or -1 on
 * failure.
 */
typedef int filter_work(struct record *rec, void *arg, struct err *e);

struct filter {
	const char *kind;		/* of input and output; NULL accepts and keeps any kind */
	const struct field *needs, *adds;
	/*
	 * If the added fields depend on the input, returns them, instead of adds; NULL on error.
	 * May be NULL.
	 */
	const struct field *(*choose)(const struct header *h, void *arg, struct err *e);
	const char *const *drops;	/* names of removed fields, NULL-terminated; may be NULL */
	filter_work *work;
	/* Called after the last record, before the end record is written: 0 or -1.  May be NULL. */
	int (*end)(void *arg, struct err *e);
	/* Called after work or end failed: may read further records, and add a hint to e. */
	void (*failed)(void *arg, struct reader *in, struct err *e);
	void *arg;
	const char *input, *output;	/* paths; NULL and "-" for the standard streams */
	struct input *opened;		/* an open input, used instead of input unless NULL */
	bool force;			/* allow binary data from and to a terminal */
};

/* Runs the filter and returns the number of records written; dies on failure. */
int64_t filter_run(const struct filter *f);

#endif
