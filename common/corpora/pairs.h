/*
 * pairs: joins texts of two or more languages by a key, splits them into sentences, removes
 * duplicates, and assigns them to training, development and test data.
 *
 * Side 0 is the source, and each further side is a target language.  Each text has a key, which is
 * the same on all sides, and a group, such as the path of its page.  The source of a text must be
 * added before its translations.  If a side has several texts with the same key, the first one
 * counts.  Only texts that all sides have are split into sentences.  All texts of a group go to the
 * same part of the data: training, development or test.  The part is named by the caller, or a
 * function of the group's name and a seed.  The same pages are therefore test data in every
 * language.
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
	const char *const *lang;	/* [sides] the languages; not copied */
	int sides;
	double share[PAIRS_PARTS];	/* for test and dev, the fraction of the groups; training
					 * data gets the rest */
	/*
	 * For test and dev, the names of groups that belong to this part in any case.  The other
	 * groups are drawn by `share`.  NULL: no groups.
	 */
	const struct opt_list *named[PAIRS_TRAIN];
	int64_t min_words;		/* texts whose source has fewer words are left out */
	uint64_t seed;
	size_t limit;			/* maximum size of all texts and keys in bytes */

	struct strmap keys, groups;
	int *group;			/* [keys.n] the group of each key */
	struct span *text;		/* [keys.n, sides] the texts, in pool; n of a text that is
					 * missing is SIZE_MAX */
	size_t group_room, text_room;
	struct buf pool;
	struct strmap seen, sources;	/* sentence pairs, and sources, that were dealt */

	/* Statistics of pairs_deal(). */
	int64_t joined;			/* texts that all sides have */
	int64_t empty, few;		/* of these, texts with an empty side; with too few words */
	int64_t untranslated;		/* texts, or sentences, with a target equal to the source */
	int64_t cut;			/* texts that were split into several sentences */
	int64_t repeated, leaked;	/* dropped sentences: duplicate pairs; pairs whose source is
					 * in an earlier part */
	int64_t out[PAIRS_PARTS];	/* sentences of each part */
};

/*
 * Initializes p for 2 to PAIRS_MAX_SIDES languages.  `lang` must outlive p.  The caller may then
 * set the members share, named, min_words and seed, which are 0 and NULL, and limit, which is 1
 * GiB.
 */
void pairs_init(struct pairs *p, const char *const *lang, int sides);
void pairs_release(struct pairs *p);

/*
 * Adds a text of n bytes at s.  `side` is 0 for the source, or the number of a target.  A target
 * text is dropped if no source has its key.  Returns -1 with EXIT_INPUT if texts and keys exceed
 * p->limit.
 */
int pairs_add(struct pairs *p, int side, const char *key, const char *group, const char *s,
	      size_t n, struct err *e) MUST_USE;

/* Does the side have a text with this key? */
bool pairs_has(const struct pairs *p, int side, const char *key);

/*
 * A function that is called with a sentence in all languages: in language k, it has n[k] bytes at
 * s[k], without a NUL byte at the end.  `part` is the part of the data that gets the sentence.
 * `place` is "GROUP:N", where N counts the sentences of the group from 1.  It returns 0, or -1 with
 * an error.
 */
typedef int pairs_take(void *arg, enum pairs_part part, const char *place, const char *const *s,
		       const size_t *n, struct err *e);

/*
 * Calls `take` for all sentences: for those of test, then of dev, then of training data, each in
 * the order in which their sources were added.  Duplicates of earlier sentence pairs are dropped,
 * and so are sentences whose source is in an earlier part; for this, sources are compared by their
 * letters only, in lower case.  Returns -1 with EXIT_INPUT if a group in p->named has no texts, or
 * with the error of `take`.
 */
int pairs_deal(struct pairs *p, pairs_take *take, void *arg, struct err *e) MUST_USE;

/* The output of sentences: a file for each part and language, or a stream of two languages. */
extern const char *const pairs_parts[];	/* names of the parts, then "all"; NULL-terminated */
enum { PAIRS_ALL = PAIRS_PARTS };

struct pairs_out {
	struct output *file[PAIRS_PARTS * PAIRS_MAX_SIDES];	/* [parts][sides], or NULL */
	int sides;
	struct writer *writer;		/* of the stream, or NULL */
	struct record *rec;
	int part;			/* the part in the stream: a pairs_part or PAIRS_ALL */
	int64_t n;			/* records written */
};

/* Is `path` one of the files that pairs_out_files() would write for these languages? */
bool pairs_out_writes(const char *prefix, const char *const *language, int sides,
		      const char *path);

/*
 * Opens the files PREFIX.PART.LANGUAGE, where PART is test, dev or train.  The struct must be
 * zero-initialized.  Returns -1 with the error of output_open(); then call pairs_out_abandon().
 */
int pairs_out_files(struct pairs_out *o, const char *prefix, const char *const *language,
		    int sides, struct err *e) MUST_USE;
/*
 * Opens a stream on standard output instead, for two languages.  The stream gets the sentences of
 * the part `part`, or of all parts with PAIRS_ALL.  `flags` are those of writer_open()
 * (stream/stream.h).
 */
int pairs_out_stream(struct pairs_out *o, int part, const char *const language[2],
		     unsigned flags, struct err *e) MUST_USE;

/*
 * Writes a sentence in all languages.  It is a pairs_take for pairs_deal(), whose `arg` is the
 * struct pairs_out.
 */
int pairs_out_put(void *arg, enum pairs_part part, const char *place, const char *const *s,
		  const size_t *n, struct err *e) MUST_USE;

/*
 * Completes the stream or all files; no file if the disk is full.  Returns -1 with EXIT_SYSTEM on
 * failure.
 */
int pairs_out_finish(struct pairs_out *o, struct err *e) MUST_USE;
void pairs_out_abandon(struct pairs_out *o);	/* after an error of any function */

#endif
