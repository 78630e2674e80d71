/* pick: reads selected sentences of a stream: those with given ids, or the first ones. */
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
	int64_t *number;		/* [n] numbers of the records in the stream, from 0 */
};

/* Which sentences to read, as the options of a program specify. */
struct pick_source {
	const char *path;		/* of the stream; NULL: standard input */
	const char *ids;		/* separated by commas; NULL: the first sentences */
	int number;			/* number of sentences if `ids` is NULL */
	enum forced_target target;
	int too_long;			/* enum too_long_action of data/audit.h */
	bool force;			/* read even from a terminal */
};

/*
 * Opens the stream s->path, which must have the fields that the model reads.  The caller closes the
 * reader.  Returns NULL on error, as reader_open().
 */
struct reader *pick_open(const struct pick_source *s, const struct model *m, struct err *e);
/*
 * Overwrites *p with the sentences whose ids are in s->ids, in the order of this list, or with the
 * first s->number sentences; a shorter stream has fewer.  The stream is read to its end, to verify
 * that it is complete.  Returns -1 with EXIT_INPUT if an id does not occur, or if there is no
 * sentence.  Call pick_release() also after an error.
 */
int pick_read(struct pick *p, struct reader *reader, const struct pick_source *s,
	      struct err *e) MUST_USE;
/*
 * The steps of pick_read(), for callers that read the records themselves.  First call pick_begin(),
 * then pick_take() for each record with its number from 0, then pick_end().  pick_take() returns 1
 * if the record was selected, 0 if not, and -1 with EXIT_INPUT if it cannot be copied.  `name` is
 * the name of the stream, for messages.
 */
void pick_begin(struct pick *p, const struct pick_source *s);
int pick_take(struct pick *p, const struct record *rec, int64_t number, struct err *e) MUST_USE;
int pick_end(struct pick *p, const struct pick_source *s, const char *name,
	     struct err *e) MUST_USE;
/*
 * Overwrites *copy with copies of the records of `original`.  Returns -1 with EXIT_INPUT if a
 * record cannot be copied.  Release `copy` also after an error.
 */
int pick_copy(struct pick *copy, const struct pick *original, struct err *e) MUST_USE;
/*
 * Prepares the sentences for the model: chooses the target of each with forced_choose()
 * (search/forced.h), and removes sentences that are too long if s->too_long is TOO_LONG_SKIP.
 * Warns of missing fields, unknown tokens and other languages (data/audit.h).  Returns -1 with
 * EXIT_INPUT, naming the stream and the id, if a sentence does not fit the model, or if no sentence
 * remains.
 */
int pick_fit(struct pick *p, const struct pick_source *s, const struct model *m,
	     const struct reader *reader, struct err *e) MUST_USE;
void pick_release(struct pick *p);

/*
 * Returns the id of a record as text.  For a record without an id, this is `count`, the number of
 * the record from 1, as text.  The caller frees the text.
 */
char *pick_id(const struct record *rec, int64_t count);

#endif
