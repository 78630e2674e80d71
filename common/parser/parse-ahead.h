/*
 * parse-ahead: reads sentences ahead, parses them together, and writes them in input order.  Repeat
 * until the end of the input:
 *
 *	until parse_ahead_full() or the end of the input:
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
	struct parse_settings set;	/* the parser (parsing.h) */
	struct parsing *parsing;
	struct parse_job *job;		/* [n] sentences that were read ahead */
	struct record **rec;		/* [records] the first n are the input records, if the input
					 * is a stream */
	int n, n_words, records;	/* number of sentences that were read ahead, and of their
					 * words; number of allocated records */
	int64_t read;			/* number of sentences read so far */
	const char *side;		/* the side of records to parse, "src" or "tgt" */
	struct side_fields field;	/* names of the fields of this side */
	bool upos;			/* set by the caller: universal part-of-speech tags are
					 * added to records */
	const char *stale[DEP_MAX_DERIVED + 1];	/* fields that depend on earlier trees, which are
						 * removed; NULL at the end */
	struct arena words;
	struct moses *moses;		/* tokenizer of lines; or NULL */
	const struct treebank_rules *rules;	/* rules of word-transfer.h, by which the words of a
						 * treebank are parsed; NULL: the words of the text
						 * are parsed */
	struct word_transfer_words *transferred;	/* [n] if there are rules */
	struct word_transfer transfer;
	struct buf line;
	struct dep_sentence dep;
};

/*
 * Initializes *a.  `side` is the side of records to parse, "src" or "tgt".  `moses`, the tokenizer
 * of lines, remains the caller's; NULL: lines have words separated by blanks.  With `rules`, which
 * remain the caller's, the text is divided into the words of a treebank before it is parsed
 * (word-transfer.h); NULL: the words of the text are parsed.  Returns -1 if the back end cannot be
 * opened.
 */
int parse_ahead_init(struct parse_ahead *a, const struct parse_settings *set, const char *side,
		     struct moses *moses, const struct treebank_rules *rules,
		     struct err *e) MUST_USE;
void parse_ahead_release(struct parse_ahead *a);

/* Reads a line as a sentence.  Returns 1, or 0 at the end of the input, or -1 on error. */
int parse_ahead_line(struct parse_ahead *a, struct input *input, struct err *e) MUST_USE;
/* Reads a record as a sentence, with the same result; the message names the record. */
int parse_ahead_record(struct parse_ahead *a, struct reader *reader, struct err *e) MUST_USE;

/* Have enough sentences or words been read for efficient batches? */
bool parse_ahead_full(const struct parse_ahead *a);
/* Parses the sentences that were read ahead. */
void parse_ahead_parse(struct parse_ahead *a);

/*
 * Declares the fields that parse_ahead_put() adds to records in the header of `out`, and drops the
 * fields that it removes from records.
 */
void parse_ahead_declare(const struct parse_ahead *a, struct writer *out);
/*
 * Write the sentences that were read ahead: parse_ahead_put() as records, and parse_ahead_print()
 * in CoNLL-U or, if `conllu` is false, as bracketed trees, one per line.
 */
int parse_ahead_put(struct parse_ahead *a, struct writer *out, struct err *e) MUST_USE;
int parse_ahead_print(struct parse_ahead *a, bool conllu, struct output *out,
		      struct err *e) MUST_USE;

/*
 * Warns about the sentences that were read ahead if in most of them punctuation is attached to
 * words, as in untokenized text, or if the parser does not know more than two thirds of at least 50
 * words with letters, as in text in another language.
 */
void parse_ahead_warn(const struct parse_ahead *a);

/*
 * Warns if, according to the header of the stream, the sentences are in another language than that
 * of the parser.
 */
void parse_ahead_compare(const struct parse_ahead *a, const struct reader *reader);

/* Removes the sentences that were read ahead. */
void parse_ahead_clear(struct parse_ahead *a);

#endif
