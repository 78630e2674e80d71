/*
 * pairs: joins texts of two or more languages by a key, splits them into sentences, removes
 * duplicates, and assigns them to training, development and test data.
 *
 * Side 0 is the source, and each further side a target.  The source side of a text must be added
 * before its targets.  Each text has a key and a group, such as the path of its page; of texts with
 * the same key on one side, the first counts.  Only texts that all sides have become sentences.
 * All texts of a group go to the same part, which is given, or a function of the group's name and a
 * seed.  The same pages are therefore test data in every language.
 */
#ifndef PAIRS_H
#define PAIRS_H

#include <stddef.h>
#include <stdint.h>

#include "base/buf.h"
#include "base/cli.h"
#include "base/err.h"
#include "base/output.h"
#include "base/strmap.h"
#include "stream/stream.h"
#include "text/sentences.h"

enum pairs_part { PAIRS_TEST, PAIRS_DEV, PAIRS_TRAIN, PAIRS_PARTS };
enum { PAIRS_MAX_SIDES = 64 };

struct pairs {
	const char *const *lang;	/* [sides], the caller's */
	int sides;
	double share[PAIRS_PARTS];	/* fraction of the groups; train gets the rest */
	/*
	 * The names of groups that are test and development data in any case; the other groups are
	 * drawn by share.
	 */
	const struct opt_list *named[PAIRS_TRAIN];
	int64_t min_words;		/* texts with shorter sources are left out */
	uint64_t seed;
	size_t limit;			/* maximum size of all texts in bytes */

	struct strmap keys, groups;
	int *group;			/* [keys.n] the group of each key */
	struct span *text;		/* [keys.n, sides] the texts, in pool; n is SIZE_MAX if a
					 * text is missing */
	size_t group_room, text_room;
	struct buf pool;
	struct strmap seen, sources;

	/* Statistics. */
	int64_t joined;			/* texts that all sides have */
	int64_t empty, few;		/* those of them with an empty side; with too few words */
	int64_t untranslated;		/* those with a target equal to the source */
	int64_t cut;			/* those that were split into sentences */
	int64_t repeated, leaked;	/* duplicate pairs; pairs whose source is in an earlier
					 * part */
	int64_t out[PAIRS_PARTS];
};

/* 2 to PAIRS_MAX_SIDES languages. */
void pairs_init(struct pairs *p, const char *const *lang, int sides);
void pairs_release(struct pairs *p);

/*
 * Adds a text of `side` 0 (source) or higher (target).  A target text whose key has no source text
 * is dropped.  Exceeding the limit is an error (EXIT_INPUT).
 */
int pairs_add(struct pairs *p, int side, const char *key, const char *group, const char *s,
	      size_t n, struct err *e) MUST_USE;

/*
 * A function that is called with a sentence in all languages: s[k] has n[k] bytes, without a NUL
 * byte at the end.  `place` is "GROUP:N", with N from 1.
 */
typedef int pairs_take(void *arg, enum pairs_part part, const char *place, const char *const *s,
		       const size_t *n, struct err *e);

/*
 * Calls `take` for all sentences: test, then dev, then train, each in the order of the source side.
 * A sentence whose source is in an earlier part is dropped; sources are compared by their letters
 * only, in lower case.  A named group without texts is an error (EXIT_INPUT).
 */
int pairs_deal(struct pairs *p, pairs_take *take, void *arg, struct err *e) MUST_USE;

/* The destination of sentence pairs: a file for each part and language, or a stream. */
extern const char *const pairs_parts[];	/* names of the parts, then "all"; NULL-terminated */
enum { PAIRS_ALL = PAIRS_PARTS };

struct pairs_out {
	struct output *file[PAIRS_PARTS * PAIRS_MAX_SIDES];	/* [parts][sides] */
	int sides;
	struct writer *writer;		/* or NULL */
	struct record *rec;
	int part;			/* of the stream: a pairs_part or PAIRS_ALL */
	int64_t n;			/* records written */
};

/* Is `path` one of the files that pairs_out_files() writes? */
bool pairs_out_writes(const char *prefix, const char *const *language, int sides,
		      const char *path);

/* Opens the files PREFIX.PART.LANGUAGE.  After an error, call pairs_out_abandon(). */
int pairs_out_files(struct pairs_out *o, const char *prefix, const char *const *language,
		    int sides, struct err *e) MUST_USE;
/*
 * Opens a stream of two languages instead, with the part `part` or, with PAIRS_ALL, all parts;
 * `flags` are those of writer_open().
 */
int pairs_out_stream(struct pairs_out *o, int part, const char *const language[2],
		     unsigned flags, struct err *e) MUST_USE;

/* Writes a pair: a pairs_take of pairs_deal(), where arg is the struct pairs_out. */
int pairs_out_put(void *arg, enum pairs_part part, const char *place, const char *const *s,
		  const size_t *n, struct err *e) MUST_USE;

/* Completes all files, or none of them if the disk is full. */
int pairs_out_finish(struct pairs_out *o, struct err *e) MUST_USE;
void pairs_out_abandon(struct pairs_out *o);	/* after an error of any function */

#endif
