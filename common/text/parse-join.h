/*
 * parse-join: parses from a file put beside the sentences of a stream, one after the other.
 *
 * What conllu2heed and ptb2heed share.  A sentence without words takes no parse of the file, but a
 * line of a file of heads, and a "(())" that stands in its place.
 */
#ifndef PARSE_JOIN_H
#define PARSE_JOIN_H

#include <stdbool.h>
#include <stdint.h>

#include "stream/stream.h"
#include "text/parses.h"
#include "text/record-deps.h"
#include "text/retokenize.h"

/* What becomes of a sentence whose parse is none of it, or no tree. */
enum join_invalid { JOIN_ERROR, JOIN_DROP_TREE, JOIN_SKIP };
extern const char *const join_invalid_names[];		/* "error", "drop-tree", "skip", NULL */
extern const char *const join_align_names[];		/* "words", "char", NULL */

/* All zeros at first; the settings come before join_open(). */
struct join {
	const char *side;		/* "src" or "tgt" */
	enum join_invalid invalid;
	bool by_characters;		/* the parse may be cut into other words */
	struct dep_fields field;
	struct dep_sentence text;	/* the words of the record, and their heads */
	struct tree tree;		/* over these words */
	int64_t all, without, wrong;	/* sentences; without a tree; invalid */
	unsigned kind;			/* PARSES_DEPS or PARSES_TREES */
	struct parses *parses;
	bool held;			/* one was read that is still to come */
	struct retokenize cut;
	const char **word;		/* of the text */
	size_t word_room;
};

/* kind: PARSES_DEPS or PARSES_TREES, what is wanted.  heads: the file has nothing else. */
int join_open(struct join *j, const char *path, unsigned kind, bool heads, struct err *e) MUST_USE;
void join_release(struct join *j);

/*
 * The parse of the record's sentence into j->text and j->tree: 1; 0 if it has none; with JOIN_SKIP
 * 2 if the sentence is to be left out; -1.
 */
enum { JOIN_NONE, JOIN_FOUND, JOIN_LEFT_OUT };
int join_next(struct join *j, const struct record *rec, struct err *e) MUST_USE;
/*
 * Behind the last record: -1 and e if there are more parses.  As the end of a filter
 * (filter.h): its arg is a struct join, or begins with one.
 */
int join_end(void *join, struct err *e) MUST_USE;
/* On standard error, if there is something to tell. */
void join_report(const struct join *j, const char *program);

#endif
