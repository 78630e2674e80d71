/*
 * filter: the loop of every program that reads one stream and writes another.
 *
 * Opens, checks needs, loops, finishes or abandons: written once.  A failing
 * record ends the program with EXIT_INPUT and no end record, so that everything
 * after it in the pipe fails too.
 */
#ifndef FILTER_H
#define FILTER_H

#include "base/cli.h"
#include "stream/input.h"
#include "stream/stream.h"

/* Changes rec in place.  1: write it, 0: leave it out, -1: fail. */
typedef int filter_work(struct record *rec, void *arg, struct err *e);

struct filter {
	const char *kind;		/* of input and output; NULL: any, kept */
	const struct field *needs, *adds;
	/* Instead of adds, for those whose fields depend on what comes in; NULL and e: refused.  May be NULL. */
	const struct field *(*choose)(const struct header *h, void *arg, struct err *e);
	const char *const *drops;	/* fields taken out; NULL-terminated, or NULL */
	filter_work *work;
	/* Behind the last record, while the output can still be refused: 0 or -1.  May be NULL. */
	int (*end)(void *arg, struct err *e);
	void *arg;
	const char *input, *output;	/* paths; NULL and "-" for the standard streams */
	struct input *opened;		/* instead of input: looked at and found to be a stream; NULL for none */
	bool force;			/* binary to a terminal */
};

/* Dies on failure; the number of records written is returned. */
int64_t filter_run(const struct filter *f);

#endif
