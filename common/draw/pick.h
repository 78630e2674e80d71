/* pick: reads selected sentences of a stream, by their ids. */
#ifndef PICK_H
#define PICK_H

#include <stdbool.h>
#include <stdint.h>

#include "base/err.h"
#include "search/forced.h"
#include "stream/stream.h"

struct pick {
	int n;
	char **id;			/* [n] ids as text */
	struct record **rec;		/* [n] copies of the records */
	int64_t *number;		/* [n] their numbers in the stream, from 0 */
};

/* The sentences to read, from the options of a program. */
struct pick_source {
	const char *path;		/* of the stream; NULL: standard input */
	const char *ids;		/* separated by commas, or NULL for the first sentences */
	int number;			/* the number of first sentences, if ids is NULL */
	enum forced_target target;
	int too_long;			/* the action, as in data/audit.h */
	bool force;			/* read from a terminal */
};

/*
 * Opens the stream, which must have the fields that the model reads.  Returns NULL as
 * reader_open(); otherwise the caller closes the reader with reader_close().
 */
struct reader *pick_open(const struct pick_source *s, const struct model *m, struct err *e);
/*
 * Reads the sentences with the ids, in the order of the list, or the first ones; a shorter stream
 * has fewer.  Reads the stream to its end, to verify that it is complete.  Returns -1 with
 * EXIT_INPUT if a sentence is missing, or if there is none.  Call pick_release() in any case.
 */
int pick_read(struct pick *p, struct reader *reader, const struct pick_source *s,
	      struct err *e) MUST_USE;
/*
 * The steps of pick_read(), for callers that read records by themselves: pick_begin(), pick_take()
 * for each record with its number from 0, which returns 1 if the record is a selected one, 0 if it
 * is not, and pick_end(), whose errors name the stream by `name`.
 */
void pick_begin(struct pick *p, const struct pick_source *s);
int pick_take(struct pick *p, const struct record *rec, int64_t number, struct err *e) MUST_USE;
int pick_end(struct pick *p, const struct pick_source *s, const char *name,
	     struct err *e) MUST_USE;
/* Initializes copy with copies of the records.  It must be released in any case. */
int pick_copy(struct pick *copy, const struct pick *original, struct err *e) MUST_USE;
/*
 * Chooses the target of each sentence with forced_choose(), drops sentences that are too long if
 * the source says to skip them, and warns of missing fields, unknown tokens and other languages
 * (data/audit.h).  Returns -1 with EXIT_INPUT, naming the stream and the id, also if no sentence
 * remains.
 */
int pick_fit(struct pick *p, const struct pick_source *s, const struct model *m,
	     const struct reader *reader, struct err *e) MUST_USE;
void pick_release(struct pick *p);

/* The id of a record as text, or `count`, its number from 1.  The caller frees it. */
char *pick_id(const struct record *rec, int64_t count);

#endif
