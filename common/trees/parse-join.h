/*
 * parse-join: joins the parses of a file with the sentences of a stream, in order.
 *
 * conllu2heed and ptb2heed share this code.  A sentence without words takes no parse of the file,
 * except an empty line in a file of heads, or "(())" in a file of trees.
 */
#ifndef PARSE_JOIN_H
#define PARSE_JOIN_H

#include <stdbool.h>
#include <stdint.h>

#include "stream/stream.h"
#include "trees/parses.h"
#include "trees/record-deps.h"
#include "trees/retokenize.h"
#include "trees/shifted-parse.h"

/* What to do with a sentence whose parse has other words, or whose heads are not a tree. */
enum join_invalid { JOIN_ERROR, JOIN_DROP_TREE, JOIN_SKIP };
extern const char *const join_invalid_names[];		/* "error", "drop-tree", "skip", NULL */
enum join_align { ALIGN_WORDS, ALIGN_CHAR };
extern const char *const join_align_names[];		/* "words", "char", NULL */

/* Zero-initialize it, then set side, invalid, by_characters and quiet, then call join_open(). */
struct join {
	const char *side;		/* "src" or "tgt" */
	enum join_invalid invalid;
	bool by_characters;		/* match by characters: spaces may be elsewhere */
	bool quiet;			/* prints no counts on failure */
	struct side_fields field;
	struct dep_sentence text;	/* the words of the last record, with heads if found */
	struct tree tree;		/* the tree over these words, if found */
	int64_t all, without, wrong;	/* sentences; of these, without a parse; invalid */
	int64_t respaced;		/* invalid, but with the same characters */
	int64_t late;			/* invalid, but with the characters of the next sentence */
	/* private */
	unsigned kind;			/* PARSES_DEPS or PARSES_TREES */
	struct parses *parses;
	bool held;			/* the last parse was read, but not used yet */
	struct retokenize cut;
	struct shifted_parse shifted;
	const char **word;		/* [text.n] the words of text, or without escapes */
	struct buf plain;
	struct texts plains;
	int *in_parse, *in_text;	/* as in retokenize.h */
	size_t word_room, text_room, parse_room;
};

/*
 * Opens the file of parses.  kind is PARSES_DEPS or PARSES_TREES, and an error if the file does not
 * have it; heads: the file is one of parses_open_heads().  On failure join_release() is still due.
 */
int join_open(struct join *j, const char *path, unsigned kind, bool heads, struct err *e) MUST_USE;
void join_release(struct join *j);

/*
 * Puts the parse of the record's sentence into j->text or j->tree.  Returns JOIN_FOUND, JOIN_NONE
 * if the sentence has no tree, JOIN_LEFT_OUT if JOIN_SKIP removes it, or -1 and e.
 */
enum { JOIN_NONE, JOIN_FOUND, JOIN_LEFT_OUT };
int join_next(struct join *j, const struct record *rec, struct err *e) MUST_USE;
/*
 * To be called after the last record: -1 and e if the file has more parses.  It is the `end` of a
 * filter (filter.h) whose arg is a struct join or begins with one.
 */
int join_end(void *join, struct err *e) MUST_USE;
/*
 * The `failed` of such a filter: adds a hint if the parse is that of the next sentence; if invalid
 * parses are no errors, prints the counts so far.
 */
void join_failed(void *join, struct reader *reader, struct err *e);
/* Prints the counts to standard error, if a sentence has no tree or an invalid parse. */
void join_report(const struct join *j, const char *program);

#endif
