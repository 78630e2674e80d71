/*
 * journal: the finished trainings of nmt-search, a file of JSON lines; see nmt-search(1).  A search
 * that is interrupted reads it, and does not repeat these trainings.
 *
 * Each line begins with the same text, `search`, which identifies the data, the objective and the
 * common options of the search: the beginning of a JSON object up to the first member of a trial.
 * Each line is appended with one write, and synced.
 */
#ifndef JOURNAL_H
#define JOURNAL_H

#include <stddef.h>
#include <stdint.h>

#include "base/compiler.h"
#include "base/err.h"

/*
 * A training of the search: options of nmt-train that it tries, with a seed.  `options`, `files`,
 * `seed` and `updates` identify it.
 */
struct trial {
	const char *options;		/* without quotes, backslashes and control characters, which
					 * JSON would have to escape */
	const char *files;		/* identity of the files that the options name, without the
					 * same characters, such as trial_files() of trial-run.h;
					 * NULL or "": they name none, and its line has no files */
	int64_t seed, updates;		/* updates: the number after which it is compared with other
					 * trials and scored (--rungs); 0: at its end */
	/* Of a finished training: */
	const char *score;		/* a number as text, or "null" if the training diverged */
	const char *stage;		/* name of a stage of the search space (trial-grid.h) */
	int64_t engine;			/* number of the engine that computed it (model/engine.h);
					 * 0: unknown */
	int64_t seconds;		/* duration of the training in this process */
};

struct journal;

/*
 * Opens a journal for a search, or creates it, and locks it (base/lock.h).  A truncated last line
 * is removed.  Returns NULL with EXIT_INPUT, naming the line, if a line is not one of the search
 * with the text `search`, is of another engine than `engine`, or gives a trial another score than
 * an earlier line; the file is then unchanged.  Returns NULL with EXIT_SYSTEM if the file cannot be
 * read, written or locked.  Warns of lines of an unknown engine.  `search` is not copied.
 */
struct journal *journal_open(const char *path, const char *search, int64_t engine,
			     struct err *e) MUST_USE;
/*
 * The same for n bytes of text in memory, which are not changed; `name` is their name in messages.
 * Stores the number of bytes without a truncated last line in *whole.  Do not call journal_add()
 * for it.
 */
struct journal *journal_memory(const char *name, const char *text, size_t n, const char *search,
			       int64_t engine, size_t *whole, struct err *e) MUST_USE;
void journal_close(struct journal *j);		/* j may be NULL */

/*
 * The score of a trial, by its options, files, seed and updates, or NULL if the journal lacks it;
 * valid until journal_close().
 */
const char *journal_score(const struct journal *j, const struct trial *t);
/*
 * Appends a finished trial, whose texts are copied.  Returns -1 with EXIT_SYSTEM if it cannot be
 * written, and with EXIT_INPUT if the journal has another score of it.
 */
int journal_add(struct journal *j, const struct trial *t, struct err *e) MUST_USE;

/*
 * Makes the folder for the files of a training, in the folder JOURNAL.trials, unless it is there,
 * and returns its path, which the caller frees, or NULL with an error.  It depends on the options,
 * the files and the seed, and not on the updates, so that a training can resume after an
 * interruption, or with more updates.  journal_clean() removes all these folders.
 */
char *journal_folder(const struct journal *j, const struct trial *t, struct err *e) MUST_USE;
int journal_clean(const struct journal *j, struct err *e) MUST_USE;

#endif
