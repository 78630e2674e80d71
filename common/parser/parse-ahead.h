/*
 * parse-ahead: sentences that are read ahead, parsed together, and written in input order.
 *
 *	until parse_ahead_full() or the end:
 *		parse_ahead_line(), or parse_ahead_record()
 *	parse_ahead_parse()
 *	parse_ahead_put(), or parse_ahead_print()
 *	parse_ahead_clear()
 */
#ifndef PARSE_AHEAD_H
#define PARSE_AHEAD_H

#include <stdbool.h>

#include "base/output.h"
#include "parser/parsing.h"
#include "parser/word-transfer.h"
#include "stream/input.h"
#include "text/moses.h"
#include "trees/record-deps.h"

struct parse_ahead {
	struct parse_settings set;
	struct parsing *parsing;
	struct parse_job *job;		/* [n] */
	struct record **rec;		/* [n] the input records, if the input is a stream */
	int n, n_words, records;	/* sentences; their words; records allocated so far */
	int64_t read;			/* sentences read so far */
	const char *side;		/* "src" or "tgt" */
	struct side_fields field;
	bool upos;			/* set by the caller: add universal part-of-speech tags to
					 * records */
	const char *stale[DEP_MAX_DERIVED + 1];	/* fields that depend on the old trees, which are
						 * removed */
	struct arena words;
	struct moses *moses;		/* the tokenizer of lines, or NULL */
	const struct treebank_rules *rules;	/* rules for the words to parse; NULL: the words of
						 * the text are parsed */
	struct word_transfer_words *transferred;	/* [n] with rules */
	struct word_transfer transfer;
	struct buf line;
	struct dep_sentence dep;
};

/*
 * `side` is the side of records to parse, "src" or "tgt".  `moses`, the tokenizer of lines, may be
 * NULL and remains the caller's.  With `rules`, sentences are divided into words as in a treebank
 * before they are parsed.  Returns -1 if the back end cannot be opened.
 */
int parse_ahead_init(struct parse_ahead *a, const struct parse_settings *set, const char *side,
		     struct moses *moses, const struct treebank_rules *rules,
		     struct err *e) MUST_USE;
void parse_ahead_release(struct parse_ahead *a);

/* Reads a line of words or, with the tokenizer, of text.  Returns 1, 0 at the end, or -1. */
int parse_ahead_line(struct parse_ahead *a, struct input *input, struct err *e) MUST_USE;
/* The same for a record, which the message names. */
int parse_ahead_record(struct parse_ahead *a, struct reader *reader, struct err *e) MUST_USE;

/* Have enough words been read for an efficient batch? */
bool parse_ahead_full(const struct parse_ahead *a);
/* Parses the sentences that were read. */
void parse_ahead_parse(struct parse_ahead *a);

/* Declares the fields that parse_ahead_put() adds to the records, and drops those it removes. */
void parse_ahead_declare(const struct parse_ahead *a, struct writer *out);
/* Writes all sentences: as records, or in CoNLL-U or else as bracketed trees, one per line. */
int parse_ahead_put(struct parse_ahead *a, struct writer *out, struct err *e) MUST_USE;
int parse_ahead_print(struct parse_ahead *a, bool conllu, struct output *out,
		      struct err *e) MUST_USE;

/*
 * Warns if most sentences have punctuation attached to words, as plain text has, or if the parser
 * does not know most words, as with text in another language.
 */
void parse_ahead_warn(const struct parse_ahead *a);

/* Warns if the header says that the sentences are in another language than that of the parser. */
void parse_ahead_compare(const struct parse_ahead *a, const struct reader *reader);

void parse_ahead_clear(struct parse_ahead *a);

#endif
