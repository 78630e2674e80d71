/*
 * word-transfer: parses the words of a treebank instead of those of the text, and transfers the
 * parse.
 *
 *	word_transfer_split() before the sentence is parsed; job->word are then the treebank's words
 *	word_transfer_back() after it; job->word are the words of the text again
 *
 * A word of the text gets the head, the relation and the tags of the one of its treebank words that
 * is nearest to the root; see retokenize.h.
 */
#ifndef WORD_TRANSFER_H
#define WORD_TRANSFER_H

#include "parser/parsing.h"
#include "text/treebank-words.h"
#include "trees/retokenize.h"

/* Which words are parsed: those of the text, or those of a treebank. */
enum word_transfer_words_of { TRANSFER_GIVEN, TRANSFER_TREEBANK };
extern const char *const word_transfer_names[];	/* "given", "treebank", NULL */

/* What word_transfer_back() needs of a sentence. */
struct word_transfer_words {
	const char *const *word;	/* [parts.n_text] of the text */
	struct treebank_words parts;
};

/* Memory for all sentences; empty if zero-initialized. */
struct word_transfer {
	struct retokenize cut;
	struct dep_sentence parse, text;
	struct tree from, to;
	struct buf out;
};

void word_transfer_release(struct word_transfer *r);

/*
 * Replaces the words of the job by those of the treebank, unless they are the same.  All memory is
 * allocated in `mem`, which must live until the parse has been used.
 */
void word_transfer_split(struct word_transfer_words *words, const struct treebank_rules *rules,
			 struct parse_job *job, struct arena *mem);
/* Replaces the words and results of the job by those of the text. */
void word_transfer_back(struct word_transfer *r, const struct word_transfer_words *words,
			struct parse_job *job, struct arena *mem);

#endif
