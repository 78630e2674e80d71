/*
 * join-filter: a filter that joins parses with the sentences of a stream, and its options.
 */
#ifndef JOIN_FILTER_H
#define JOIN_FILTER_H

#include "stream/filter.h"
#include "trees/parse-join.h"

struct join_options {
	const char *parses, *output;
	int side, align, invalid;
	bool heads;			/* the file has heads only; see parses.h */
	bool force, quiet;
};

/* Rows of the option table.  text: what the file of parses is. */
#define OPT_JOIN_PARSES(o, text) { .kind = OPT_STRING, .short_name = 'p', .long_name = "parses", \
	.arg = "file", .help = text, .to = &(o)->parses }
#define OPT_JOIN_ALIGN(o) { .kind = OPT_CHOICE, .long_name = "align", .arg = "how", \
	.to = &(o)->align, .choice = join_align_names, \
	.help = "match parses by words or characters (words)" }
#define OPT_JOIN_INVALID(o) { .kind = OPT_CHOICE, .short_name = 'i', .long_name = "invalid", \
	.arg = "action", .to = &(o)->invalid, .choice = join_invalid_names, \
	.help = "choose what to do with an invalid parse (error)" }

/*
 * Opens the parses of a program with n operands; kind as in join_open().  Dies with EXIT_USAGE if
 * the options do not fit.  j must be zeros.
 */
void join_begin(struct join *j, const struct join_options *o, unsigned kind, int n);

/*
 * Copies the stream `input`.  work() is called for each record, with an arg that begins with the
 * struct join; adds and drops are fields of the output, as in filter.h.  Prints the counts, and
 * releases the join.
 */
void join_filter(struct join *j, const struct join_options *o, const struct field *adds,
		 const char *const *drops, filter_work *work, const char *input);

#endif
