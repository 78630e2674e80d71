/*
 * parse-join: joins the parses of a file with the sentences of a stream, in order.
 *
 * conllu2heed and ptb2heed share this code.  A sentence without words takes no parse of the file,
 * except an empty line in a file of heads, or "(())" in a file of trees.
 */
#ifndef PARSE_JOIN_H
#define PARSE_JOIN_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/texts.h"
#include "stream/filter.h"
#include "stream/stream.h"
#include "trees/parses.h"
#include "trees/record-deps.h"
#include "trees/retokenize.h"

/*
 * Recognizes that a parse is missing: the parse that was read is that of the next sentence.
 *
 * Keeps the words of a parse that does not fit its sentence, until the next sentence is known.
 */

/* Empty if zero-initialized. */
struct shifted_parse {
	const char **word;
	int n;				/* 0: no parse is kept */
	size_t room;
	struct texts texts;
	struct retokenize cut;
};

/* Copies the words of a parse; `word` is NULL if they are unknown. */
void shifted_parse_keep(struct shifted_parse *s, const char *const *word, int n);
void shifted_parse_clear(struct shifted_parse *s);
void shifted_parse_release(struct shifted_parse *s);

/* Whether a sentence has the characters of the parse, apart from spaces. */
bool shifted_parse_fits(struct shifted_parse *s, const char *const *text, int n);

/* The action on a sentence whose parse has other words, or whose heads are not a tree. */
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
	int64_t all, without, wrong;	/* numbers of sentences; of sentences without a parse; of
					 * sentences with an invalid parse */
	int64_t respaced;		/* of those, with the same characters */
	int64_t late;			/* of those, with the characters of the next sentence */
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
 * Opens the file of parses.  `kind` is PARSES_DEPS or PARSES_TREES, and an error if the file does
 * not have it; `heads`: the file is one of parses_open_heads().  join_release() must be called in
 * any case.
 */
int join_open(struct join *j, const char *path, unsigned kind, bool heads, struct err *e) MUST_USE;
void join_release(struct join *j);

/*
 * Puts the parse of the record's sentence into j->text or, for PARSES_TREES, j->tree, where it is
 * valid until the next call.  Returns JOIN_FOUND; JOIN_NONE if the sentence has no tree, or with
 * JOIN_DROP_TREE an invalid one; JOIN_LEFT_OUT if JOIN_SKIP removes it; or -1 and e.
 */
enum { JOIN_NONE, JOIN_FOUND, JOIN_LEFT_OUT };
int join_next(struct join *j, const struct record *rec, struct err *e) MUST_USE;
/*
 * Must be called after the last record.  Returns -1 if the file has more parses.  It is the `end`
 * of a filter (filter.h) whose arg is a struct join or begins with one.
 */
int join_end(void *join, struct err *e) MUST_USE;
/*
 * The `failed` of such a filter: adds a hint if the parse is that of the next sentence; if invalid
 * parses are no errors, prints the counts so far.
 */
void join_failed(void *join, struct reader *reader, struct err *e);
/* Prints the counts to standard error, if a sentence has no tree or an invalid parse. */
void join_report(const struct join *j, const char *program);

/* A filter that joins parses with the sentences of a stream, and its options. */
struct join_options {
	const char *parses, *output;
	int side, align, invalid;
	bool heads;			/* the file has heads only; see parses.h */
	bool force, quiet;
};

/* Rows of the option table.  `text`: what the file of parses is. */
#define OPT_JOIN_PARSES(o, text) { .kind = OPT_STRING, .short_name = 'p', .long_name = "parses", \
	.arg = "file", .help = text, .to = &(o)->parses }
#define OPT_JOIN_ALIGN(o) { .kind = OPT_CHOICE, .long_name = "align", .arg = "how", \
	.to = &(o)->align, .choice = join_align_names, \
	.help = "match parses by words or characters (words)" }
#define OPT_JOIN_INVALID(o) { .kind = OPT_CHOICE, .short_name = 'i', .long_name = "invalid", \
	.arg = "action", .to = &(o)->invalid, .choice = join_invalid_names, \
	.help = "choose what to do with an invalid parse (error)" }

/*
 * Opens the parses of a program with n operands; `kind` as in join_open().  Dies with EXIT_USAGE if
 * the options do not fit.  j must be zeros.
 */
void join_begin(struct join *j, const struct join_options *o, unsigned kind, int n);

/*
 * Copies the stream `input` to the output.  work() is called for each record, with j as its arg,
 * which may be the first member of a larger struct; `adds` and `drops` are fields of the output, as
 * in filter.h.  Prints the counts, and releases the join.
 */
void join_filter(struct join *j, const struct join_options *o, const struct field *adds,
		 const char *const *drops, filter_work *work, const char *input);

#endif
