/*
 * parse-join: joins the parses of a file with the sentences of a stream, in order.
 *
 * The programs conllu2heed and ptb2heed share this code.  A sentence without words has no parse in
 * the file, except that a file of heads may have an empty line for it, and a file of trees "(())".
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
 * The action on an invalid parse, whose words differ from those of the sentence, or whose heads are
 * not a tree: end with an error, keep the sentence without a tree, or remove the sentence.
 */
enum join_invalid { JOIN_ERROR, JOIN_DROP_TREE, JOIN_SKIP };
extern const char *const join_invalid_names[];		/* "error", "drop-tree", "skip", NULL */
/* How parses are matched with sentences: word by word, or by characters, ignoring spaces. */
enum join_align { ALIGN_WORDS, ALIGN_CHAR };
extern const char *const join_align_names[];		/* "words", "char", NULL */

/*
 * The state of a join.  Zero-initialize it, set side, invalid, by_characters and quiet, and then
 * call join_open().
 */
struct join {
	const char *side;		/* "src" or "tgt" */
	enum join_invalid invalid;
	bool by_characters;		/* match as with ALIGN_CHAR */
	bool quiet;			/* prints no counts on failure */
	struct side_fields field;
	struct dep_sentence text;	/* the words of the last record, with heads if found */
	struct tree tree;		/* the tree over these words, if found */
	int64_t all, without, wrong;	/* numbers of sentences; of sentences with words, but
					 * without a tree; of sentences with an invalid parse */
	int64_t respaced;		/* invalid parses with the characters of their sentence */
	int64_t late;			/* invalid parses with the characters of the next
					 * sentence */
	/* private */
	unsigned kind;			/* PARSES_DEPS or PARSES_TREES */
	struct parses *parses;
	bool held;			/* the last parse was read, but not used yet */
	struct retokenize cut;
	/*
	 * The words of the last parse if it does not fit its sentence, but may be that of the next
	 * one, because a parse is missing in the file.
	 */
	const char **shifted;
	int n_shifted;
	size_t shifted_room;
	struct texts shifted_texts;
	const char **word;		/* [text.n] the words of `text`, for trees perhaps
					 * unescaped (ptb.h) */
	struct buf plain;
	struct texts plains;
	size_t word_room;
};

/*
 * Opens the file of parses at `path`.  `kind` is PARSES_DEPS or PARSES_TREES (parses.h).  If
 * `heads` is true, the file has heads only, as with `side` NULL in parses_open().  Returns -1 with
 * an error if the file cannot be opened or has no parses of this kind.  join_release() must be
 * called in any case.
 */
int join_open(struct join *j, const char *path, unsigned kind, bool heads, struct err *e) MUST_USE;
void join_release(struct join *j);

/*
 * Reads the parse of the sentence in rec.  Sets j->text to the words of the sentence, with heads
 * for PARSES_DEPS, and for PARSES_TREES sets j->tree.  Both are valid until the next call.  Returns
 * JOIN_FOUND if the sentence has a valid parse.  Returns JOIN_NONE if it has no tree, or if the
 * parse is invalid and j->invalid is JOIN_DROP_TREE.  Returns JOIN_LEFT_OUT if the parse is invalid
 * and j->invalid is JOIN_SKIP.  Returns -1 with an error if reading fails, if no parse is left, or
 * if the parse is invalid and j->invalid is JOIN_ERROR.
 */
enum { JOIN_NONE, JOIN_FOUND, JOIN_LEFT_OUT };
int join_next(struct join *j, const struct record *rec, struct err *e) MUST_USE;
/*
 * Must be called after the last record.  Returns -1 with EXIT_INPUT if the file has more parses.
 * `join` is a struct join, so that the function can be the `end` of a filter (filter.h) whose arg
 * is a struct join or begins with one.
 */
int join_end(void *join, struct err *e) MUST_USE;
/*
 * The function `failed` of a filter (filter.h) whose `end` is join_end(); `join` is the same struct
 * join.  Sets the hint of e if the parse that does not fit is that of the next sentence.  If
 * invalid parses are no errors, prints the counts so far, unless `quiet` of the struct join is
 * true.
 */
void join_failed(void *join, struct reader *reader, struct err *e);
/* Prints the counts to standard error, if any sentence has no tree or an invalid parse. */
void join_report(const struct join *j, const char *program);

/*
 * The following functions make a program of the join: a filter that joins parses with the sentences
 * of a stream.  struct join_options has the values of its options.
 */
struct join_options {
	const char *parses, *output;	/* paths */
	int side, align, invalid;	/* side: 0: src, 1: tgt; then the enums above */
	bool heads;			/* the file has heads only; see parses.h */
	bool force, quiet;
};

/*
 * Rows of the table of options (cli.h); `o` is the address of a struct join_options.  `text` is the
 * help text for the file of parses.
 */
#define OPT_JOIN_PARSES(o, text) { .kind = OPT_STRING, .short_name = 'p', .long_name = "parses", \
	.arg = "file", .help = text, .to = &(o)->parses }
#define OPT_JOIN_ALIGN(o) { .kind = OPT_CHOICE, .long_name = "align", .arg = "how", \
	.to = &(o)->align, .choice = join_align_names, \
	.help = "match parses by words or characters (words)" }
#define OPT_JOIN_INVALID(o) { .kind = OPT_CHOICE, .short_name = 'i', .long_name = "invalid", \
	.arg = "action", .to = &(o)->invalid, .choice = join_invalid_names, \
	.help = "choose what to do with an invalid parse (error)" }

/*
 * Opens the file of parses with join_open().  `kind` is PARSES_DEPS or PARSES_TREES.  `j` must
 * be all zeros.  Exits on failure, with EXIT_USAGE if the options do not fit together.
 */
void join_begin(struct join *j, const struct join_options *o, unsigned kind);

/*
 * Runs the filter from the stream at `input` to that at o->output.  work() is called for each
 * record, with j, which may be the first member of a larger struct, as its arg.  `adds` are the
 * fields that the program adds to the stream, and `drops` those that it removes (filter.h).  At the
 * end, prints the counts, unless o->quiet is true, and releases j.  Exits on failure.
 */
void join_filter(struct join *j, const struct join_options *o, const struct field *adds,
		 const char *const *drops, filter_work *work, const char *input);

#endif
