/*
 * journal: the finished trainings of nmt-search, a file of JSON lines; see nmt-search(1).
 *
 * Each line begins with the same text, which identifies the data, the objective and the common
 * options of the search.  Each line is appended with one write, and synced.
 */
#ifndef JOURNAL_H
#define JOURNAL_H

#include <stddef.h>
#include <stdint.h>

#include "base/compiler.h"
#include "base/err.h"

struct trial {
	const char *options;		/* without quotes, backslashes and control characters */
	int64_t seed, updates;		/* updates: 0 without --rungs */
	/* Of a finished training: */
	const char *score;		/* a number, or "null" if the training diverged */
	const char *stage;
	int64_t engine;			/* model/engine.h; 0: unknown */
	int64_t seconds;
};

struct journal;

/*
 * Opens a journal for a search, or creates it, and locks it (lock.h).  A truncated last line is
 * removed.  Fails with EXIT_INPUT, naming the line, if a line is not one of the search with the
 * text `search`, or is of another engine than `engine`; the file is then unchanged.  Warns of lines
 * of an unknown engine.
 */
struct journal *journal_open(const char *path, const char *search, int64_t engine,
			     struct err *e) MUST_USE;
/*
 * The same for n bytes of text in memory, to which nothing can be added; `name` is their name in
 * messages.  Stores the number of bytes without the truncated line in *whole.
 */
struct journal *journal_memory(const char *name, const char *text, size_t n, const char *search,
			       int64_t engine, size_t *whole, struct err *e) MUST_USE;
void journal_close(struct journal *j);		/* j may be NULL */

/* The score of a trial in the journal, or NULL; valid until journal_close(). */
const char *journal_score(const struct journal *j, const struct trial *t);
/* Appends a finished trial.  Returns -1 with EXIT_SYSTEM if it cannot be written. */
int journal_add(struct journal *j, const struct trial *t, struct err *e) MUST_USE;

/*
 * Makes the folder for the files of a training, in JOURNAL.trials; the caller frees its name.
 * journal_clean() removes all these folders.
 */
char *journal_folder(const struct journal *j, const struct trial *t, struct err *e) MUST_USE;
int journal_clean(const struct journal *j, struct err *e) MUST_USE;

#endif
