/*
 * filter: the main loop of programs that read one stream and write another.
 *
 * filter_run() opens input and output, checks that the input has the needed fields, calls a
 * function for each record, and finishes or abandons the output.  If the function fails for a
 * record, the program exits with the status of the error, and the output gets no end record.  All
 * following programs in the pipe then fail, too.
 */
#ifndef FILTER_H
#define FILTER_H

#include "base/cli.h"
#include "stream/input.h"
#include "stream/stream.h"

/*
 * A function that changes the record rec in place.  `arg` is that of struct filter.  Returns 1 to
 * write the record, 0 to drop it, or -1 with an error.
 */
typedef int filter_work(struct record *rec, void *arg, struct err *e);

struct filter {
	const char *kind;		/* of input and output; NULL: any kind */
	const struct field *needs, *adds;	/* of the input; of the output; end with {0} */
	/*
	 * For a filter whose added fields depend on the input: returns these fields, given the
	 * header of the input, or NULL with an error.  `adds` is then not used.  Otherwise NULL.
	 */
	const struct field *(*choose)(const struct header *h, void *arg, struct err *e);
	/*
	 * Called after fields were added and dropped, before the first record is written: may set
	 * keys of the header of `out`, given the header of the input.  May be NULL.
	 */
	void (*begin)(struct writer *out, const struct header *h, void *arg);
	const char *const *drops;	/* names of removed fields, NULL-terminated; may be NULL */
	filter_work *work;
	/*
	 * Called after the last record, before the end record is written.  Returns 0, or -1 with an
	 * error.  May be NULL.
	 */
	int (*end)(void *arg, struct err *e);
	/*
	 * Called after work() or end() has failed.  May read further records from `in`, and set the
	 * hint of e.  May be NULL.
	 */
	void (*failed)(void *arg, struct reader *in, struct err *e);
	void *arg;
	const char *input, *output;	/* paths; NULL and "-" for the standard streams */
	struct input *opened;		/* an open input, which the filter closes; NULL: `input` */
	bool force;			/* allow binary data from and to a terminal */
};

/*
 * Runs the filter, and returns the number of records written.  On failure, prints the error and
 * exits.
 */
int64_t filter_run(const struct filter *f);

#endif
